"""Sessions that begin with two passwords: one end is new and gets that of today, the other keeps an older one.

A product that encodes secrets keeps its own unless they are rotated. Its own diff tells which of them are not those of
today, so a switch that is cabled to it afterwards would wait for a session that cannot come up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from fabric.planning.both_ends.coupled import Site
from fabric.planning.both_ends.ends import link_end, sessions_with
from fabric.planning.device_diff import is_opaque, with_password
from fabric.planning.impact import FABRIC
from fabric.platforms.base import AnyPlatform
from fabric.platforms.registry import platform


class NewSession(NamedTuple):
    """A session of a link whose passwords will differ."""

    getting: str
    """The device that gets the password of today."""
    keeping: str
    is_known: bool
    """Whether the diff of the device that keeps its password shows that it is another one; else it may be."""


def unlike(
    outdated: Mapping[str, Collection[str]], keeps: Collection[str], site: Site
) -> Iterator[NewSession]:
    """The sessions of which one end keeps an outdated password, or may, and the other gets that of today.

    `outdated`: by device that changes, the neighbours for which it keeps one. `keeps`: those that keep their secrets.
    """
    if not any(outdated.values()):
        return
    facts = cache(lambda device: _kind(site, device).read(site.artifacts[device].text).facts)
    for name in outdated:
        known = with_password(_kind(site, name), site.seen[name].text)
        kept = known if name in keeps else frozenset()
        for port in site.switches[name].ports:
            if port.role not in FABRIC or not outdated.get(port.peer):
                continue
            here, there = link_end(facts(name), port.name), link_end(facts(port.peer), port.peer_port)
            ours = here.keyed.intersection(sessions_with(here, there))
            theirs = set(outdated[port.peer]).intersection(sessions_with(there, here))
            if theirs and not ours <= kept:
                yield NewSession(name, port.peer, is_known=not is_opaque(site.seen[port.peer]))


def _kind(site: Site, device: str) -> AnyPlatform:
    return platform(site.switches[device].platform)
