"""Sessions with routers outside: whose other end must change too, or is not ours to change, and what is not exchanged.

No wave couples them, for the other end is somebody else's. While another switch keeps its session with the same router,
that one carries everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeVar

import msgspec

from fabric.devices.model import Device, Neighbor, Relation, Switch
from fabric.planning.cut_off.withdrawn import PREFIX
from fabric.planning.model import Change, Impact, Scope
from fabric.platforms.base import Facts, NeighborFacts
from fabric.topology.attachments.address_blocks import is_inside

EXTERNAL = re.compile("external", re.IGNORECASE)
"""In the names of groups and policies of such sessions, which are ours on every product."""
INWARD = re.compile(r"(?<![A-Za-z])in(?![A-Za-z])", re.IGNORECASE)
"""In the names of policies of what is accepted."""

Network = IPv4Network | IPv6Network
T = TypeVar("T")


class Outside(msgspec.Struct, frozen=True):
    """What a change of a switch does to its sessions with routers outside."""

    lost: Mapping[str, str] = msgspec.field(default_factory=dict)
    """By group or policy: why nothing goes over them, or less."""
    begun: frozenset[str] = frozenset()
    """Groups with sessions that were not there before, or not so: nobody knows whether they come up."""
    fewer: Mapping[str, Network] = msgspec.field(default_factory=dict)
    """Of those in `lost` that only lose prefixes: the first one."""

    def __bool__(self) -> bool:
        return bool(self.lost or self.begun)


def concerns_outside(switch: Device, *sections: Facts) -> bool:
    """Whether sections that change, as they were or will be, may be about such sessions. Few switches have any."""
    groups = (n.policy for facts in sections for n in facts.neighbors.values())
    policies = (name for facts in sections for name in facts.policies)
    return any(map(EXTERNAL.search, (*groups, *policies))) or any(_external(switch))


def outside(switch: Device, old: Facts, new: Facts, outdated: Collection[str] = ()) -> Outside:
    """By all that runs and shall run. `outdated`: neighbours whose password is replaced."""
    lost: dict[str, str] = {}
    for key, was in old.neighbors.items():
        if EXTERNAL.search(was.policy) and not was.shut and (why := _why(was, new.neighbors.get(key))):
            lost[was.policy] = f"the session with {key} {why}"
    fewer: dict[str, Network] = {}
    for name, prefixes in _fewer(old.policies, new.policies):
        verb = "accepted" if INWARD.search(name) else "advertised"
        if name not in lost:
            lost[name], fewer[name] = f"{prefixes[0]} is not {verb} any more", prefixes[0]
    for neighbor in _external(switch):
        if None not in (old.asn, new.asn) and old.asn != new.asn:
            lost.setdefault(neighbor.peer, f"AS {old.asn} becomes AS {new.asn}")
        if neighbor.key in outdated:
            why = f"the password of the session with {neighbor.key} becomes another one"
            lost.setdefault(neighbor.peer, why)
    begun = (n.policy for key, n in new.neighbors.items() if _begins(old.neighbors.get(key), n))
    return Outside(lost, frozenset(group for group in begun if EXTERNAL.search(group)), fewer)


def _external(switch: Device) -> Iterator[Neighbor]:
    neighbors = switch.routing.neighbors if isinstance(switch, Switch) else ()
    return (neighbor for neighbor in neighbors if neighbor.relation is Relation.EXTERNAL)


def _begins(was: NeighborFacts | None, new: NeighborFacts) -> bool:
    """Whether a session was not there before, or was shut and comes back as another one."""
    return was is None or (was.shut and bool(_why(was, new)))


def _why(was: NeighborFacts, new: NeighborFacts | None) -> str:
    """Why a session ends until the other end changes too, if it ever comes back; empty if it does not."""
    if new is None:
        return "is given up"
    if new.shut:
        return "is shut"
    if was.remote_asn != new.remote_asn:
        return f"expects AS {new.remote_asn}, not AS {was.remote_asn}"
    if was.has_password != new.has_password:
        return "gets a password" if new.has_password else "has no password any more"
    return "gets GTSM" if new.ttl_security and not was.ttl_security else ""


def _fewer(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[tuple[str, list[Network]]]:
    """The policies of sessions outside with prefixes that none of their sort has any more."""
    kept = {is_inward: _blocks(new, is_inward=is_inward) for is_inward in (True, False)}
    for name, text in old.items():
        if EXTERNAL.search(name):
            rest = kept[INWARD.search(name) is not None]
            gone = [p for p in prefixes_in(text) if not any(is_inside(p, block) for block in rest)]
            if gone:
                yield name, gone


def _blocks(policies: Mapping[str, str], *, is_inward: bool) -> list[Network]:
    return [
        prefix
        for name, text in policies.items()
        if EXTERNAL.search(name) and (INWARD.search(name) is not None) is is_inward
        for prefix in prefixes_in(text)
    ]


def prefixes_in(text: str) -> Iterator[Network]:
    """Every prefix that a policy names."""
    for word in PREFIX.findall(text):
        with suppress(ValueError):
            yield ip_network(word)


def cut_from_outside(
    changed: Mapping[str, Outside],
    whole: Mapping[str, Outside],
    switches: Mapping[str, Device],
    lost_but_for: Callable[[Device, Collection[str]], str],
) -> dict[str, tuple[Change, ...]]:
    """By switch a change for each router outside that no switch keeps in touch with as before.

    `changed`: what changes now; `whole`: of every switch all that shall change, in whichever phase. `lost_but_for`: a
    host that reaches somebody by way of a switch, and not by way of others.
    """
    sides = _sides(switches) if any(one.lost for one in changed.values()) else {}
    leaving = {name: _by_router(one.lost, sides).keys() for name, one in whole.items()}
    begun = {name: _by_router(dict.fromkeys(one.begun, ""), sides).keys() for name, one in whole.items()}
    found: dict[str, list[Change]] = {}
    for name, one in changed.items():
        fewer = _by_router(one.fewer, sides)
        for router, why in sorted(_by_router(one.lost, sides).items()):
            keeping = {
                side
                for side, neighbors in sides.get(router, {}).items()
                if side != name and router not in leaving.get(side, ()) and router not in begun.get(side, ())
                if router not in fewer or _exchanges(neighbors, fewer[router])
            }
            if not keeping:
                whom = f"no other switch keeps {router} in touch"
            elif host := lost_but_for(switches[name], keeping):
                whom = f"no other switch keeps {router} in touch with {host}"
            else:
                continue
            found.setdefault(name, []).append(_change(router, f"{why}: {whom}"))
    return {name: tuple(several) for name, several in found.items()}


def _exchanges(neighbors: Iterable[Neighbor], prefix: Network) -> bool:
    """Whether sessions with a router will still have a prefix, in either direction."""
    return any(is_inside(prefix, block) for n in neighbors for block in (*n.accept, *n.advertise))


def _change(router: str, reason: str) -> Change:
    return Change(f"outside: {router}", "~", Impact.ISOLATING, Scope((), (router,)), reason)


def _sides(switches: Mapping[str, Device]) -> dict[str, dict[str, list[Neighbor]]]:
    """The routers outside, and the switches that have sessions with each."""
    found: dict[str, dict[str, list[Neighbor]]] = {}
    for name, switch in switches.items():
        for neighbor in () if switch.drained else _external(switch):
            found.setdefault(neighbor.peer, {}).setdefault(name, []).append(neighbor)
    return found


def _by_router(of_groups: Mapping[str, T], known: Collection[str]) -> dict[str, T]:
    """By what the intent calls the routers of groups and policies; of one that it has no longer, by their own names."""
    found: dict[str, T] = {}
    for group, what in of_groups.items():
        words = _letters(group)
        routers = [router for router in known if _letters(router) in words]
        found.setdefault(max(routers, key=len, default=group), what)
    return found


def _letters(name: str) -> str:
    return re.sub("[^a-z0-9]", "", name.lower())
