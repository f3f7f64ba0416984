"""How Hypothesis looks for examples, by `FABRIC_HYPOTHESIS`: `dev`, `ci` (wherever `CI` is set) or `thorough`.

No profile has a deadline: the machine may be busy with other things, and examples may be slow to make.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, is_hypothesis_test, settings

THOROUGH = 20
"""Times as many examples, also of the laws that name their own number."""
LEAST = 12
"""Examples: a law that wants no more gets all of them every day, another one a quarter, and never fewer."""
_OF_A_LAW = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps the settings of a test: nothing public changes them once a test is made."""


def chosen() -> str:
    """The profile that the environment asks for."""
    return os.environ.get("FABRIC_HYPOTHESIS") or ("ci" if os.environ.get("CI") else "dev")


def load() -> None:
    """Register the profiles and load the chosen one: before any test is imported, which then builds on it."""
    patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("dev", patient)
    # Everybody gets the same examples: no change is judged by luck. `thorough` looks for new ones.
    settings.register_profile("ci", patient, derandomize=True, print_blob=True)
    settings.register_profile("thorough", patient, print_blob=True)
    settings.load_profile(chosen())


def one_of() -> int:
    """Of how many cases of its own a law tries one: of three, or with `thorough` each, if it is marked `covering`."""
    return 1 if chosen() == "thorough" else 3


def drawn(most: int) -> range:
    """How often a law that draws its own cases draws one."""
    return range(-(-most // one_of()))


def scaled(test: Any, profile: str) -> None:
    """Let a law try `THOROUGH` times as many examples, or every day a quarter of them."""
    if is_hypothesis_test(test):
        own = getattr(test, _OF_A_LAW, None) or settings()
        most = own.max_examples
        examples = THOROUGH * most if profile == "thorough" else max(most // 4, min(most, LEAST))
        setattr(test, _OF_A_LAW, settings(own, max_examples=examples))
