"""Whether a change of canonical texts could lock us out: what management access needs, and changes or vanishes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.devices.model import DISCARD_DISTANCE
from fabric.platforms.junos.curly import flat, parse

PORT = re.compile(
    r"interfaces (?:re0:mgmt-0|lo0) (?:disable|unit 0 family inet6? filter .*)|interfaces re0:mgmt-0 .*"
)
ROUTE = re.compile(
    r"routing-instances mgmt_junos .*|routing-options (?:rib \S+ )?static .*|system management-instance"
)
SERVICE = re.compile(r"system services (?:ssh|netconf)\b.*")
FILTER = re.compile(r"firewall family inet6? filter (\S+) .*")
APPLIED = re.compile(r"interfaces (?:re0:mgmt-0|lo0) unit 0 family inet6? filter input (\S+)")
ACCOUNT = re.compile(
    r"system (?:login (?:user|class) .*|authentication-order .*|tacplus-server .*|radius-server .*)"
)
NEUTRAL = re.compile(
    r".* (?:description .*|idle-timeout .*)"
    rf"|routing-options (?:rib \S+ )?static route \S+ (?:discard|preference {DISCARD_DISTANCE})"
)
"""Does not touch management access: a route that drops packets leads nowhere."""


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    """Reasons why the change would lock us out; empty: it does not."""
    before, after = (frozenset(path for _, path in flat(parse(text))) for text in (old, new))
    return tuple(_reasons(before, after))


def _reasons(before: frozenset[str], after: frozenset[str]) -> Iterator[str]:
    changed = sorted(line for line in before ^ after if not NEUTRAL.fullmatch(line))
    used = {match[1] for line in before | after if (match := APPLIED.fullmatch(line))}
    for line in changed:
        goes = "goes" if line in before else "comes"
        filtered = FILTER.fullmatch(line)
        if PORT.fullmatch(line) or (filtered and filtered[1] in used) or line == "system management-instance":
            yield f"`{line}` {goes}"
        elif line in before and (ROUTE.fullmatch(line) or SERVICE.fullmatch(line) or ACCOUNT.fullmatch(line)):
            yield f"`{line}` goes"
        elif line.startswith("system authentication-order"):
            yield f"`{line}` comes: it decides who may log in"
