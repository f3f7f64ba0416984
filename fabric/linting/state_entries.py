"""Entries of state.yaml that hold for a while: for the rules that judge their last day."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.intent.state import Entry
from fabric.linting.rule import Example
from fabric.linting.site import Linted

OUT_OF_SERVICE = ("drained", "shut_ports", "excluded_links")
"""Lists of what carries nothing."""


def entries(site: Linted, lists: tuple[str, ...]) -> Iterator[tuple[Origin, Entry, int]]:
    """Each entry of some lists: the place of its last day, the entry, and the days until then (UTC)."""
    for name in lists:
        for index, entry in enumerate(getattr(site.intent.state, name)):
            yield Origin((name, index, "expires"), "state"), entry, (entry.expires - site.today).days


def drained_until(expires: str) -> Example:
    """A sound site with a spine that is drained until a day: `{today+3}`."""
    entry = f"{{device: spine-0-0, reason: optic is replaced, owner: ben, expires: '{{{expires}}}'}}"
    return Example("two-tier", files={"state.yaml": f"drained:\n  - {entry}\n"})
