"""Sessions that begin with two passwords: one end is new and gets that of today, the other keeps an older one.

A product that encodes secrets keeps its own unless they are rotated. Its own diff tells which of them are not those of
today, so a switch that is cabled to it afterwards, or stands in its old place and is fresh from the factory, would wait
for a session that cannot come up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from fabric.planning.both_ends.coupled import Site
from fabric.planning.both_ends.ends import link_end, sessions_with
from fabric.planning.device_diff import is_opaque, with_password
from fabric.planning.kept_secrets import keeps_secrets
from fabric.planning.options import last_applied_of
from fabric.planning.texts import MASK
from fabric.planning.ways import FABRIC
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
    changed: Mapping[str, bool], outdated: Mapping[str, Collection[str]], site: Site
) -> Iterator[NewSession]:
    """The sessions of which one end keeps an outdated password, or may, and the other gets that of today.

    `changed`: the devices that change, and whether they keep their secrets. `outdated`: by device, one that does not
    change too, the neighbours for which it keeps one.
    """
    fresh = {name for name in changed if _has_lost_secrets(name, site)}
    if not (outdated or fresh):
        return
    facts = cache(lambda device: _kind(site, device).read(site.artifacts[device].text).facts)
    for name, keeps in changed.items():
        known = with_password(_kind(site, name), site.seen[name].text)
        for port in site.switches[name].ports:
            if port.role not in FABRIC:
                continue
            is_unasked = name in fresh and port.peer not in changed and _keeps(port.peer, site)
            if not (is_unasked or outdated.get(port.peer)):
                continue
            here, there = link_end(facts(name), port.name), link_end(facts(port.peer), port.peer_port)
            ours = here.keyed.intersection(sessions_with(here, there))
            theirs = set(outdated.get(port.peer) or there.keyed).intersection(sessions_with(there, here))
            # A password that it has already, and a neighbour that does not change: their link is coupled (FAB618).
            kept = known if keeps or port.peer not in changed else frozenset()
            if theirs and not ours <= kept:
                is_known = bool(outdated.get(port.peer)) and not is_opaque(site.seen[port.peer])
                yield NewSession(name, port.peer, is_known)


def _has_lost_secrets(name: str, site: Site) -> bool:
    """Whether a device runs fewer secrets than we gave it: it was replaced, or set back to its factory's settings."""
    known = last_applied_of(name, site.options)
    return known is not None and site.seen[name].text.count(MASK) < known.text.count(MASK)


def _keeps(name: str, site: Site) -> bool:
    """Whether a device keeps a password that nobody can read. One that runs what we applied is not asked for it."""
    return name in site.seen and keeps_secrets(_kind(site, name), site.seen[name], site.options)


def _kind(site: Site, device: str) -> AnyPlatform:
    return platform(site.switches[device].platform)
