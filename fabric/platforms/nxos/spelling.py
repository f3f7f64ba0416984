"""Two spellings of one thing: what NX-OS may show otherwise than it was written, put into one form.

Sources: Cisco Nexus 9000 Unicast Routing guide, BGP graceful shutdown (`graceful-shutdown` stands for 65535:0, RFC
8326) and Security guide, Traffic Storm Control (`level percentage[.fraction]`).
"""

from __future__ import annotations

import re

COMMUNITIES = re.compile(r"(set community |ip community-list standard \S+ (?:seq \d+ )?(?:permit|deny) )(.+)")
WELL_KNOWN = {"graceful-shutdown": "65535:0"}
WHOLE_PERCENT = re.compile(r"(storm-control \S+ level \d+)\.0+")


def plain(text: str) -> str:
    """A line without its indent, in our spelling."""
    if match := COMMUNITIES.fullmatch(text):
        return match[1] + " ".join(WELL_KNOWN.get(word, word) for word in match[2].split())
    if match := WHOLE_PERCENT.fullmatch(text):
        return match[1]
    return text
