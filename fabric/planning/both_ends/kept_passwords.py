"""Passwords that one end of a session shows to be outdated, and the other end keeps.

A product that encodes secrets keeps its own unless they are rotated, and no text shows which it has. What the other end
shows tells: both had the same, or there was no session.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from fabric.devices.model import Device
from fabric.planning.both_ends.coupling import Touch
from fabric.planning.both_ends.ends import link_end, sessions_with
from fabric.planning.ways import FABRIC
from fabric.platforms.base import Facts
from fabric.platforms.registry import platform


def kept_passwords(
    touched: Mapping[str, Touch],
    switches: Mapping[str, Device],
    keeps: Callable[[str], bool],
    running: Callable[[str], Facts | None],
) -> Mapping[str, Collection[str]]:
    """By device that `keeps` its secrets: the neighbours whose session has a password that is not the intended one."""
    found: dict[str, set[str]] = {}
    for name, touch in touched.items():
        # Of an encoding product, an outdated password may be the same one, encoded anew.
        if not touch.outdated or not platform(switches[name].platform).shows_secrets:
            continue
        facts = running(name)
        for port in switches[name].ports:
            if port.role not in FABRIC or not keeps(port.peer):
                continue
            others = running(port.peer)
            if facts is None or others is None:
                continue
            here, there = link_end(facts, port.name), link_end(others, port.peer_port)
            if touch.outdated.intersection(sessions_with(here, there)):
                found.setdefault(port.peer, set()).update(sessions_with(there, here))
    return found
