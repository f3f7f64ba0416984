"""Who answers where a driver was not let in for want of proof: the device with a new key, or somebody else.

Each library has words of its own for it, and most say the same of a key that nobody knows and of a wrong one. What
is shown is fetched once more, without a login, and compared as `fabric trust` does.
"""

from __future__ import annotations

import re
from pathlib import Path

from fabric.platforms.base import Endpoint, Target

NOT_PROVEN = re.compile(r"certificate|host.?key|known_hosts|fingerprint", re.IGNORECASE)
"""In what a driver says: the device has not shown that it is the one expected."""


def stranger(target: Target, endpoints: tuple[Endpoint, ...], reason: str) -> str:
    """What a device shows that is not what is known of it, in words; empty if that is not why a driver has failed."""
    if not endpoints or not NOT_PROVEN.search(reason):
        return ""
    from fabric.deployment.connection.check_trust import look_at  # slow
    from fabric.deployment.connection.trust_findings import others

    return next(others(look_at(target, endpoints, Path(), target.timeout_s)), "")
