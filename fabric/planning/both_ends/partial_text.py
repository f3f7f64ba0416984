"""The text of a device of which only some links have changed: what runs, with the lines of those links.

A line belongs to the ports that it or a line above it names, or over which the session goes that it is about. Lines
that belong to no port are shared. Whether a partial text is good is read from it: each link is as it was or as it
will be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from ipaddress import ip_address, ip_interface
from itertools import pairwise
from typing import NamedTuple

from fabric.configuration import Difference, Mixable, compare
from fabric.devices.model import Device
from fabric.planning.both_ends.ends import Network, link_end
from fabric.planning.judging import part_of, ports_of
from fabric.planning.ownership import candidate
from fabric.planning.texts import masked
from fabric.platforms.base import Facts
from fabric.platforms.registry import platform

ROUTING = "routing"
"""Among the services of facts."""
Path = tuple[str, ...]
"""The keys of a line and of those above it, from the first level down."""


class Side(NamedTuple):
    """A text of a device, and what it says."""

    text: str
    facts: Facts


class PartialText:
    """One device between two texts."""

    def __init__(
        self, switch: Device, running: Side, intended: Side, applied: str | None, *, is_shared: bool
    ) -> None:
        """`running` in plain form; `intended` with placeholders.

        `applied`: what we put there last; None: nothing. What others did is left out where a device `is_shared`.
        """
        self._switch, self._running, self._intended = switch, running.text, intended.text
        self._facts = running.facts, intended.facts
        self._product = platform(switch.platform)
        self._applied, self._is_shared = applied, is_shared
        self._names = frozenset(port.name for port in switch.ports)

    def with_links(self, ports: Collection[str], others: Collection[str]) -> str | None:
        """What runs, with the lines of the links over `ports`, while the links over `others` stay as they are.

        Sections that are new are there already; what is gone and belongs to no link is there still. Where that does
        not do, shared lines are as they are intended. None if the links cannot be changed without the others.
        """
        for choice in (self._added, self._shared):
            text = self._mixable.mixed(choice(frozenset(ports)))
            if self._is_between(text, ports, others):
                return text
        return None

    @cached_property
    def _mixable(self) -> Mixable:
        theirs = self._running if self._is_shared else ""
        pushed = candidate(self._product, self._intended, theirs, self._applied)
        return Mixable.of(self._product.dialect(), self._running, self._intended, _is_same, pushed.foreign)

    def _added(self, ports: frozenset[str]) -> Callable[[Difference], bool]:
        def is_taken(line: Difference) -> bool:
            concerned = self._ports(line)
            return concerned <= ports if concerned else self._is_new(line)

        return is_taken

    def _shared(self, ports: frozenset[str]) -> Callable[[Difference], bool]:
        return lambda line: self._ports(line) <= ports

    def _ports(self, line: Difference) -> frozenset[str]:
        """The ports that a line belongs to, as it was and as it will be; empty: it is shared."""
        if ports := ports_of(line, self._names) & self._names:
            return ports
        peer = part_of(line, "peer")
        if peer in self._names:
            return frozenset((peer,))
        sides = ((line.old, self._networks[0]), (line.new, self._networks[1]))
        reached = (_port_towards(peer, networks) for node, networks in sides if node is not None)
        return frozenset(port for port in reached if port is not None)

    def _is_new(self, line: Difference) -> bool:
        """Whether a shared line is of a section, or of a group of sessions, of which nothing runs."""
        group = part_of(line, "group") or part_of(line, "peer")
        return _path(line) in self._new_sections or (line.old is None and group in self._new_groups)

    @cached_property
    def _new_groups(self) -> frozenset[str]:
        """Groups of sessions that are not there yet: the first links need them."""
        was, will = (frozenset(map(_group, facts.policies)) for facts in self._facts)
        return will - was - {""}

    @cached_property
    def _new_sections(self) -> frozenset[Path]:
        """The lines of sections of which nothing runs."""
        dialect = self._product.dialect()
        intended = masked(dialect.plain(self._intended))
        changes = compare(dialect, self._switch.name, self._running, intended).changes
        return frozenset(
            path
            for change in changes
            if change.action == "+"
            for node in change.new
            for path in _paths(node, tuple(above.key for above in change.above))
        )

    @cached_property
    def _networks(self) -> tuple[dict[str, list[Network]], ...]:
        return tuple(_networks(facts, self._names) for facts in self._facts)

    def _is_between(self, text: str, ports: Collection[str], others: Collection[str]) -> bool:
        """Whether each link is wholly as it was or as it will be, and no address stands at two ports."""
        facts, (was, will) = self._product.read(text).facts, self._facts
        return (
            all(over_link(facts, port) == over_link(will, port) for port in ports)
            and all(_passes_packets(facts, will, port) for port in ports)
            and _has_groups(facts, self._facts)
            and all(over_link(facts, port) == over_link(was, port) for port in others)
            and _is_unambiguous(_networks(facts, self._names))
        )


def over_link(facts: Facts, port: str) -> tuple[object, ...]:
    """All of a device that the other end of a link must agree with: of its port, and of the sessions over it."""
    end = link_end(facts, port)
    networks = [ip_interface(address).network for address in end.addresses]
    sessions = {
        key: (asn, key in end.guarded, key in end.keyed, key in end.outdated)
        for key, asn in end.sessions.items()
        if key == port or _is_reached(key, networks)
    }
    return (
        end.enabled,
        frozenset(end.addresses),
        end.link_local,
        end.ip_mtu_bytes,
        end.priorities,
        end.paused,
        end.bonded,
        end.asn if sessions else None,
        sessions,
    )


def _has_groups(facts: Facts, sides: Iterable[Facts]) -> bool:
    """Whether the groups of all sessions are there, of those that either side has."""
    groups = {neighbor.policy for neighbor in facts.neighbors.values()} - {""}
    needed = (key for side in sides for key in side.policies if _group(key) in groups)
    return all(key in facts.policies for key in needed)


def _group(policy: str) -> str:
    """The group of sessions whose settings are a policy of facts (`group UP`, `template UP`); empty: of none."""
    return policy.partition(" ")[2]


def _passes_packets(facts: Facts, will: Facts, port: str) -> bool:
    """Whether packets of IPv4 pass a port without such an address: some products say that once for all ports."""
    return not link_end(will, port).link_local or facts.services.get(ROUTING) == will.services.get(ROUTING)


def _networks(facts: Facts, names: Iterable[str]) -> dict[str, list[Network]]:
    """The networks of each port."""
    known = ((name, facts.interfaces.get(name)) for name in names)
    return {
        name: [ip_interface(address).network for address in port.addresses]
        for name, port in known
        if port is not None and port.addresses
    }


def _is_unambiguous(networks: Mapping[str, list[Network]]) -> bool:
    every = sorted(
        (n.version, int(n.network_address), int(n.broadcast_address))
        for own in networks.values()
        for n in own
    )
    return all(a[0] != b[0] or a[2] < b[1] for a, b in pairwise(every))


def _port_towards(peer: str, networks: Mapping[str, list[Network]]) -> str | None:
    return next((port for port, own in networks.items() if peer and _is_reached(peer, own)), None)


def _is_reached(key: str, networks: Iterable[Network]) -> bool:
    try:
        address = ip_address(key)
    except ValueError:
        return False
    return any(address in network for network in networks)


def _path(line: Difference) -> Path:
    return (*(node.key for node in line.above), line.node.key)


def _paths(node: object, above: Path) -> Iterator[Path]:
    path = (*above, node.key)  # type: ignore[attr-defined]
    yield path
    for below in node.below.values():  # type: ignore[attr-defined]
        yield from _paths(below, path)


def _is_same(old: str, new: str) -> bool:
    return old == masked(new)
