"""A limit of prefixes that is lowered, or new, may end sessions; one that is raised ends none."""

from __future__ import annotations

import pytest

from fabric.configuration import rank
from tests.platforms.everywhere import EXPECTATIONS, MODELS, capabilities
from tests.platforms.judging import impacts
from tests.platforms.sites import LEAF, compiled, network

LIMITED = [name for name in sorted(MODELS) if capabilities(name).max_prefixes]


def changed(name: str, old: str, new: str) -> dict[str, str]:
    """What the change of the limit does to a leaf."""
    before, after = (
        compiled(name, network(f"routing: {{bgp: {{max_prefixes: {limit}}}}}")) for limit in (old, new)
    )
    return impacts(before[LEAF], after[LEAF])


@pytest.mark.parametrize("name", LIMITED)
@pytest.mark.parametrize(("old", "new"), [("500", "400"), ("1000", "999"), ("none", "400")])
def test_a_limit_that_is_lower_or_new_interrupts(name: str, old: str, new: str) -> None:
    found = changed(name, old, new)

    assert found
    assert max(map(rank, found.values())) >= rank("flap")


@pytest.mark.parametrize(
    "name", [name for name in LIMITED if not EXPECTATIONS[name].builds_sessions_anew_for_limits]
)
@pytest.mark.parametrize(("old", "new"), [("400", "500"), ("999", "1000")])
def test_a_limit_that_is_raised_interrupts_nothing(name: str, old: str, new: str) -> None:
    found = changed(name, old, new)

    assert found
    assert max(map(rank, found.values())) <= rank("hitless")
