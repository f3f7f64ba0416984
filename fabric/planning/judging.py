"""What a change does to traffic, and whether our management access stands on it: by the product's table of lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import NamedTuple

from fabric.configuration import LINE, Access, Difference, Effect, Node, differences, rank
from fabric.configuration import Change as TextChange
from fabric.devices.model import Device, Switch
from fabric.planning.model import Change, Impact, Scope

Network = IPv4Network | IPv6Network

NEW_SESSION = Effect("hitless", "a new session disturbs no other")
UNKNOWN = Effect("flap", "what it does is not known: it counts as an interruption")


class Verdict(NamedTuple):
    """What one changed line does."""

    effect: Effect
    ports: frozenset[str] | None
    """None: the whole device."""


def judged(changes: Iterable[TextChange], device: Device) -> tuple[Change, ...]:
    """Each change with its impact and scope."""
    changes = tuple(changes)
    ports = Ports(changes, device)
    return tuple(_judged(change, device, ports) for change in changes)


def _judged(change: TextChange, device: Device, known: Ports) -> Change:
    """By the worst of its lines; the ports are those of the lines that are as bad."""
    sessions, lines = Sessions(change, known), tuple(differences(change))
    new = frozenset(id(line.new) for line in lines if line.old is None)
    verdicts = [_verdict(line, new, sessions) for line in lines]
    if not verdicts:  # the device alone sees a difference
        verdicts = [Verdict(UNKNOWN, None)]
    worst = max(rank(verdict.effect.impact) for verdict in verdicts)
    guilty = [verdict for verdict in verdicts if rank(verdict.effect.impact) == worst]
    impact = Impact(guilty[0].effect.impact)
    whole = impact is not Impact.NONE and any(verdict.ports is None for verdict in guilty)
    ports = frozenset() if whole else frozenset[str]().union(*(verdict.ports or () for verdict in guilty))
    peers = {port.peer for port in device.ports if port.name in ports and port.peer}
    scope = Scope(tuple(sorted(ports)), tuple(sorted(peers)), whole)
    leading = next((verdict for verdict in guilty if verdict.effect.leads), guilty[0])
    return Change(change.what, change.action, impact, scope, _summary(change) or leading.effect.reason)


def _summary(change: TextChange) -> str:
    """The reason of a change in the words of its product's table; empty if those of a line do."""
    old, new = next(iter(change.old), None), next(iter(change.new), None)
    node = new or old
    if node is None or node.statement is None or node.statement.sums_up is None:
        return ""
    return node.statement.sums_up(old, new)


def _verdict(line: Difference, new: frozenset[int], sessions: Sessions) -> Verdict:
    effect = effect_of(line, new)
    if effect.impact == "none":
        return Verdict(effect, frozenset())
    if effect.scope == "port" and (ports := ports_of(line, sessions.ports_known.names)):
        return Verdict(effect, ports)
    if effect.scope == "session" and (peer := part_of(line, "peer") or part_of(line, "group")):
        known = sessions.known(peer)
        if not known:
            port = sessions.ports_known.of_new(peer)
            return Verdict(NEW_SESSION, None if port is None else frozenset((port,)))
        return Verdict(effect, sessions.ports(known))
    return Verdict(effect, None)


def effect_of(line: Difference, new: frozenset[int]) -> Effect:
    """That of the line; else of the section around it, and so on upward. A new line of an old section is not new."""
    own = line.new or line.node
    for node in (own, *reversed(line.above)):
        statement = node.statement
        if statement is None:
            continue
        inside = statement.below.effect if node is not own and statement.below is not None else None
        effect = inside or statement.effect
        if effect is not None and effect.raised is not None and _is_raised(line):
            return effect.raised
        if effect is not None and effect.in_new is not None and _is_in_new(line, new):
            return replace(effect, impact=effect.in_new)
        if effect is not None:
            return (
                replace(effect, impact=effect.new) if effect.new is not None and id(node) in new else effect
            )
    return UNKNOWN


def _is_in_new(line: Difference, new: frozenset[int]) -> bool:
    """Whether a line is new, and so is the one that it stands below."""
    return line.old is None and bool(line.above) and id(line.above[-1]) in new


def _is_raised(line: Difference) -> bool:
    """Whether a line stays but for numbers, all of which become greater. From 0 none is raised: it may say no limit."""
    if line.old is None or line.new is None:
        return False
    old, new = ({**node.parts, LINE: ""} for node in (line.old, line.new))
    changed = [name for name in old.keys() | new.keys() if old.get(name) != new.get(name)]
    pairs = [(old.get(name, ""), new.get(name, "")) for name in changed]
    return bool(pairs) and all(a.isdecimal() and b.isdecimal() and 0 < int(a) < int(b) for a, b in pairs)


def ports_of(line: Difference, names: frozenset[str]) -> frozenset[str]:
    """Those of the line or of the nearest one above it that names any; of several that it may have, those there."""
    for node in (line.new, line.old, *reversed(line.above)):
        if node is None or node.statement is None:
            continue
        if node.statement.ports is not None:
            parts = {name: part for step in (*line.above, node) for name, part in step.parts.items()}
            ports = frozenset(node.statement.ports(parts))
            return ports & names or names & {parts.get("port", "")} or ports
        if port := node.parts.get("port"):
            return frozenset((port,))
    return frozenset()


def part_of(line: Difference, name: str) -> str:
    """A part of the line or of the nearest one above it; empty if there is none."""
    nodes = (line.new, line.old, *reversed(line.above))
    return next((node.parts[name] for node in nodes if node is not None and node.parts.get(name)), "")


class Ports:
    """Which port a session goes over: by the addresses that the device shall have, and those that go."""

    def __init__(self, changes: tuple[TextChange, ...], device: Device) -> None:
        self._changes = changes
        self._device = device

    def of(self, peer: str) -> str | None:
        """The port of a session that was there: the one that had its address then. None if it may be any."""
        return self._port_towards(peer, self._gone) or self.of_new(peer)

    def of_new(self, peer: str) -> str | None:
        """The port of a session that is new; None if it may be any."""
        return self._port_towards(peer, self._intended)

    def _port_towards(self, peer: str, networks: Iterable[tuple[Network, str]]) -> str | None:
        if peer in self.names:
            return peer
        try:
            address = ip_address(peer)
        except ValueError:
            return None  # a group
        return next((port for network, port in networks if address in network), None)

    @cached_property
    def names(self) -> frozenset[str]:
        """All ports: an unnumbered session is called by its port."""
        return frozenset(port.name for port in self._device.ports)

    @cached_property
    def _intended(self) -> list[tuple[Network, str]]:
        """The networks that ports shall have."""
        return [(address.network, port.name) for port in self._device.ports for address in port.addresses]

    @cached_property
    def _gone(self) -> list[tuple[Network, str]]:
        """Those that go: each stands in a line with an `address`, below or in that of its port."""
        old = (node for change in self._changes for node in change.old)
        return [(network, port) for network, port in _addresses(old, "") if port in self.names]


def _addresses(nodes: Iterable[Node], port: str) -> Iterator[tuple[Network, str]]:
    for node in nodes:
        here = node.parts.get("port") or port
        if here and (address := node.parts.get("address")):
            with suppress(ValueError):
                yield ip_network(address, strict=False), here
        yield from _addresses(node.below.values(), here)


class Sessions:
    """The BGP sessions that a change finds on a device, and the ports they go over."""

    def __init__(self, change: TextChange, known: Ports) -> None:
        self.ports_known = known
        self._peers: set[str] = set()
        self._groups: dict[str, set[str]] = {}
        self._gather(change.old, "", "")

    def _gather(self, nodes: Iterable[Node], above_peer: str, above_group: str) -> None:
        """The neighbours of these lines, and of which group each is: either may stand above the other."""
        for node in nodes:
            peer, group = node.parts.get("peer") or above_peer, node.parts.get("group") or above_group
            if peer:
                self._peers.add(peer)
            if group:
                self._groups.setdefault(group, set()).update((peer,) if peer else ())
            self._gather(node.below.values(), peer, group)

    def known(self, name: str) -> frozenset[str]:
        """The sessions of a group, or the one with a neighbour; none that is new."""
        if name in self._groups:
            return frozenset(self._groups[name])
        return frozenset((name,) if name in self._peers else ())

    def ports(self, peers: Iterable[str]) -> frozenset[str] | None:
        """The ports of sessions; None if one may go over any."""
        ports = [self.ports_known.of(peer) for peer in peers]
        return None if None in ports else frozenset(port for port in ports if port is not None)


def lockouts(changes: Iterable[TextChange], device: Device, login: str = "") -> tuple[Change, ...]:
    """A change for each line on which our management access stands, and that is removed or becomes another.

    `login`: the user that we log in as; lines about other users do not count then. Empty: it is not known, and we may
    be any of them.
    """
    scope = Scope(whole_device=True)
    return tuple(
        Change("management access", "~", Impact.LOCKOUT, scope, f"{change.what}: {_wording(line, change)}")
        for change in changes
        for line in differences(change)
        if _carries_access(line, change, device) and login in ("", account_of(line) or login)
    )


def new_passwords(lines: Iterable[Difference], login: str, *, is_known: bool) -> tuple[Change, ...]:
    """A change for each user whose password becomes another one, if he may be the one that we log in as.

    `lines`: those whose hash or secret is another one. `is_known`: whether the device shows what it has; else the
    password may be the same.
    """
    users = {account_of(line) for line in lines} - {""}
    scope, becomes = Scope(whole_device=True), "becomes" if is_known else "may become"
    return tuple(
        Change(
            "management access",
            "~",
            Impact.LOCKOUT,
            scope,
            f"the password of user {user} {becomes} another one",
        )
        for user in sorted(users)
        if login in ("", user)
    )


def _wording(line: Difference, change: TextChange) -> str:
    """What becomes of a line, with the lines that it stands below in the change."""
    inside = line.above[len(change.above) + 1 :]
    words = " ".join(node.text for node in (*inside, line.node))
    if line.old is None or line.new is None:
        return f"`{words}` is {'added' if line.old is None else 'removed'}"
    return f"`{words}` becomes `{line.new.text}`"


def _carries_access(line: Difference, change: TextChange, device: Device) -> bool:
    access = access_of(line)
    if access == "none" or not _is_ours(line, device):
        return False
    if access == "always":
        return True
    if access == "removed":
        return line.old is not None
    if access == "added":
        return line.new is not None
    inside = line.above[len(change.above) :]
    is_new_section = bool(inside) and inside[0].key not in {node.key for node in change.old}
    return not is_new_section


def access_of(line: Difference) -> Access:
    """Whether management access stands on a line: as its row says, or else that of the line that it stands below."""
    for node in (line.node, *reversed(line.above)):
        if node.statement is not None and node.statement.access is not None:
            return node.statement.access
    return "none"


def account_of(line: Difference) -> str:
    """The user whom a line is about, by its row or that of the line that it stands below; empty: no single one."""
    for node in (line.node, *reversed(line.above)):
        if node.statement is not None and node.statement.account is not None:
            return node.statement.account(node.parts)
    return ""


def _is_ours(line: Difference, device: Device) -> bool:
    """Whether the line is about the VRF in which we reach the device, if it is about one."""
    statements = (node.statement for node in (line.node, *reversed(line.above)))
    unnamed = next((known.vrf for known in statements if known is not None and known.access is not None), "")
    vrf = part_of(line, "vrf") or unnamed
    return not vrf or not isinstance(device, Switch) or vrf == device.management.vrf
