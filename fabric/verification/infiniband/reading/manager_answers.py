"""What subnet managers say of themselves: outputs of `sminfo` and `saquery -s`.

Printed by infiniband-diags 44.0 (run against OpenSM 3.3.23):

    sminfo: sm lid 39 sm guid 0x200fab080002701, activity count 949 priority 14 state 3 SMINFO_MASTER

and by `saquery -s` the ports that say of themselves that a manager runs there, which goes on saying it of one that
was killed. States are those of the InfiniBand Architecture 1.4, 14.4.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

IDLE, STANDBY, MASTER = 0, 2, 3
STATES: Mapping[int, str] = {IDLE: "not active", 1: "discovering", STANDBY: "standby", MASTER: "master"}

_ANSWER = re.compile(r"sm lid (\d+) sm guid 0x([0-9a-f]+), activity count \d+ priority (\d+) state (\d+)")
_ASKED = re.compile(r"# sminfo lid (\d+)")
_LOST = re.compile(r"^# sminfo lid 0\n(?!sminfo: sm lid )", re.MULTILINE)
_LISTED = re.compile(r"\s*EndPortLid\.*(\d+)")
LISTED, UNLISTED = "IsSM ports", "IsSMdisabled ports"
"""Headings of `saquery -s`."""
MARKS = ("sminfo: sm lid ", "# sminfo lid ", LISTED)


class Answer(msgspec.Struct, frozen=True):
    """A manager's own report of its state."""

    lid: int
    guid: int
    """Of the port through which it manages."""
    priority: int
    state: int

    @property
    def is_master(self) -> bool:
        """Whether it reports that it is the master."""
        return self.state == MASTER


class Answers(msgspec.Struct, frozen=True):
    """All that was asked about managers, and answered."""

    answers: tuple[Answer, ...] = ()
    asked: frozenset[int] = frozenset()
    """LIDs whose manager was asked."""
    listed: frozenset[int] | None = None
    """LIDs of the ports that report a manager; None: the subnet administration was not queried."""
    is_lost: bool = False
    """The port of a host names a master that does not answer (LID 0: who asks there asks the port's master)."""

    def joined(self, other: Answers) -> Answers:
        """Both; of a manager that has answered twice the later answer."""
        by_guid = {answer.guid: answer for answer in (*self.answers, *other.answers)}
        lists = [answer.listed for answer in (self, other) if answer.listed is not None]
        listed = frozenset().union(*lists) if lists else None
        return Answers(
            tuple(by_guid.values()), self.asked | other.asked, listed, self.is_lost or other.is_lost
        )


def parse_managers(text: str) -> Answers:
    """Read outputs of `sminfo` and `saquery -s`. A line `# sminfo lid LID` names the port that was queried."""
    managers = tuple(
        Answer(int(lid), int(guid, 16), int(priority), int(state))
        for lid, guid, priority, state in _ANSWER.findall(text)
    )
    listed = None
    if LISTED in text:
        part = text.partition(LISTED)[2].partition(UNLISTED)[0]
        listed = frozenset(int(lid) for lid in _LISTED.findall(part))
    asked = frozenset(map(int, _ASKED.findall(text))) | {manager.lid for manager in managers}
    return Answers().joined(Answers(managers, asked, listed, _LOST.search(text) is not None))
