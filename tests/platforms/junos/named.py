"""Named objects of Junos."""

from __future__ import annotations

import re

from tests.platforms.names import Names, by_lines

DEFINED = (
    ("policy-statement", r"policy-statement (\S+) \{"),
    ("community", r"community (\S+) members .+;"),
    ("as-list", r"as-list (\S+) members .+;"),
)
REFERRED = (
    ("policy-statement", r"(?:import|export|policy) (\S+);"),
    ("community", r"(?:then )?community (?:add |delete )?(\S+);"),
    ("as-list", r"(?:peer-as-list|dynamic-neighbor-as-list) (\S+);"),
    ("scheduler", r"forwarding-class \S+ scheduler (\S+);"),
    ("drop-profile", r"drop-profile-map .* drop-profile (\S+);"),
    ("scheduler-map", r"scheduler-map (\S+);"),
    ("congestion-notification-profile", r"congestion-notification-profile (\S+);"),
)
BELOW = {
    "schedulers": "scheduler",
    "drop-profiles": "drop-profile",
    "scheduler-maps": "scheduler-map",
    "congestion-notification-profile": "congestion-notification-profile",
}
"""Lists whose entries are named by the line below."""


def named(text: str) -> tuple[Names, Names]:
    """What it defines and refers to."""
    defined, referred = by_lines(text, DEFINED, REFERRED)
    for word, kind in BELOW.items():
        for block in re.finditer(rf"^( +){word} \{{\n((?:\1 +.*\n)*)", text, re.MULTILINE):
            inner = block[1] + "    "
            defined |= {(kind, name) for name in re.findall(rf"^{inner}(\S+) \{{$", block[2], re.MULTILINE)}
    return defined, referred
