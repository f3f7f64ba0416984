"""Loopback addresses of emulated devices: one each, all inside 127.0.0.0/8."""

from __future__ import annotations

from ipaddress import IPv4Address

from fabric.diagnostics import Refused

FIRST = IPv4Address("127.16.0.1")
"""Far from 127.0.0.1, where other programs listen."""
LAST = IPv4Address("127.255.255.254")
MOST = int(LAST) - int(FIRST) + 1


def allocate(count: int, *, block: int = 0) -> tuple[str, ...]:
    """`count` addresses, from the `block`-th block of 65,536 on. `Refused` if they would leave 127.0.0.0/8."""
    first = int(FIRST) + block * 65536
    if block < 0 or first + count - 1 > int(LAST):
        message = (
            f"{count} devices need {count} loopback addresses from {IPv4Address(first)} on, up to {LAST}"
        )
        raise Refused(message, f"run at most {MOST} devices at once")
    return tuple(str(IPv4Address(first + i)) for i in range(count))
