"""The report on a running network: what was checked, what was found, what was not looked at."""

from __future__ import annotations

import msgspec

from fabric.verification.finding import Finding, Section


class Seen(msgspec.Struct, frozen=True):
    """One section that was looked at, in a line."""

    section: Section
    text: str


class NetworkVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The report on a network."""

    network: str
    sections: tuple[Section, ...]
    """Everything that could be looked at, in the order of the report."""
    findings: tuple[Finding, ...]
    seen: tuple[Seen, ...]
    not_seen: tuple[Seen, ...]
    """What was not checked, and what would show it. No finding is not an approval."""
    unread: tuple[str, ...] = ()
    """Files that were given and in which nothing was found."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found. What was not looked at does not count."""
        return not self.findings
