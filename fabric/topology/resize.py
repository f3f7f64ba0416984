"""What moves when capacity changes: `fabric resize`.

Devices are matched by where they stand (unit, rail, plane, pod, index), not by name; links by the devices that
they join. Everything that a technician or another system would have to change is a `Move`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from fabric.diagnostics import Diagnostic
from fabric.intent.model import Intent
from fabric.intent.model.lock import Lock
from fabric.topology import codes
from fabric.topology.compute_lock import port_words, size_changes, size_words
from fabric.topology.expand import expand, expand_anew, expand_held
from fabric.topology.model import NetworkTopology, Topology
from fabric.topology.rebuild_locked import Rebuilt, rebuilt, renamed_group
from fabric.topology.roles import NONE, Role

Kind = Literal["size", "device", "name", "AS number", "loopback", "cable", "label", "address", "gateway"]
NodeKey = tuple[Any, ...]
LinkKey = tuple[NodeKey, NodeKey, int]
NOBODY_RENAMED: Mapping[str, str] = MappingProxyType({})


class Move(msgspec.Struct, frozen=True, order=True):
    """One thing that would be different."""

    network: str
    kind: Kind
    device: str
    """As it is called today."""
    old: str
    new: str
    """Empty: it would be gone."""


class Moves(msgspec.Struct, frozen=True):
    """Everything that would move, and the lock that would be written."""

    moves: tuple[Move, ...]
    lock: Lock
    diagnostics: tuple[Diagnostic, ...] = ()

    def count(self, kind: Kind) -> int:
        """Moves of one kind."""
        return sum(move.kind == kind for move in self.moves)


def resize(intent: Intent, before: Intent | None = None, *, anew: bool = False) -> Moves:
    """What would move between the fabric as locked and the intent: within the locked sizes if they hold it.

    `compile` takes the same decision, so what it does without a move is none here either. `anew`, or where the lock
    cannot hold the intent, everything is sized as on the first day; attachments stay where they can. Without `before`
    the locked fabric is rebuilt from `fabric.lock` and the intent, as much of it as is installed. Where that cannot be
    (another model, other planes), the sizes that differ are listed, with a finding that says why: the intent of
    `before` would tell cable by cable.
    """
    new = expand_anew(intent) if anew else expand_held(intent)
    if before is not None:
        return Moves(differences(expand(before), new), new.lock)
    if intent.lock is None:
        return Moves((), new.lock)
    was = rebuilt(intent, intent.lock)
    renamed = renamed_group(intent, intent.lock)
    moves = (
        list(differences(was.topology, new, renamed)) if was.topology else list(_sizes(intent.lock, new.lock))
    )
    moves += [
        Move(name, "size", "network", "locked", "")
        for name in intent.lock.networks
        if name not in new.networks
    ]
    moves += _detached(intent.lock, new)
    if not was.attachments:
        moves += _landings(intent.lock, new.lock)
    return Moves(tuple(sorted(moves)), new.lock, _reasons(was))


def _sizes(lock: Lock, new_lock: Lock) -> Iterator[Move]:
    """The sizes that differ, for want of the cables."""
    for name in sorted(lock.networks.keys() & new_lock.networks.keys()):
        for _, what, was, now in size_changes(lock.networks[name], new_lock.networks[name]):
            yield Move(name, "size", what, size_words(was), "" if now is None else size_words(now))


def _landings(lock: Lock, new_lock: Lock) -> Iterator[Move]:
    """The ports of attachments that differ."""
    for name in sorted(lock.attachments.keys() & new_lock.attachments.keys()):
        old, new = lock.attachments[name], new_lock.attachments[name]
        for was, now in zip(old.links, new.links, strict=False):
            if (old.network, was) != (new.network, now):
                yield Move(old.network, "cable", name, port_words(was), port_words(now))


def _detached(lock: Lock, new: Topology) -> Iterator[Move]:
    """Attachments removed from the intent, which no longer has their cables."""
    for name, locked in lock.attachments.items():
        if name not in new.lock.attachments and locked.network in new.networks:
            yield Move(locked.network, "device", name, name, "")


def _reasons(was: Rebuilt) -> tuple[Diagnostic, ...]:
    """Why the list of moves is not cable by cable."""
    if was.why is None:
        return ()
    what = "attachments" if was.topology else "the fabric"
    rule = f"{what} as locked cannot be rebuilt from this intent: {was.why.rule}"
    rule += ". Sizes are listed in place of cables" if was.topology is None else ""
    hint = codes.RESIZE_BY_SIZE.fix
    return (codes.RESIZE_BY_SIZE.at(was.why.origin, rule, value=was.why.value, hint=hint),)


def differences(
    old: Topology, new: Topology, renamed: Mapping[str, str] = NOBODY_RENAMED
) -> tuple[Move, ...]:
    """Everything of `old` that is different in `new`. What only `new` has is growth, and no move.

    `renamed`: host groups of `new` with the names that they have in `old`.
    """
    moves: list[Move] = []
    for name, network in old.networks.items():
        if name in new.networks:
            moves += _Compared(network, new.networks[name], renamed).moves()
        else:
            moves += [Move(name, "device", device, device, "") for device in network.names]
    return tuple(sorted(moves))


class _Compared:
    """One network before and after."""

    def __init__(self, old: NetworkTopology, new: NetworkTopology, renamed: Mapping[str, str]) -> None:
        self.old, self.new = old, new
        self.old_keys, self.new_keys = _node_keys(old, NOBODY_RENAMED), _node_keys(new, renamed)
        self.after = {key: node for node, key in enumerate(self.new_keys)}

    def moves(self) -> Iterator[Move]:
        """What moves, devices first."""
        yield from self._node_moves()
        yield from self._link_moves()
        yield from self._gateway_moves()

    def _move(self, kind: Kind, node: int, old: str, new: str) -> Move:
        return Move(self.old.name, kind, self.old.names[node], old, new)

    def _node_moves(self) -> Iterator[Move]:
        old, new = self.old, self.new
        for node, key in enumerate(self.old_keys):
            other = self.after.get(key)
            if other is None:
                yield self._move("device", node, old.names[node], "")
                continue
            if old.names[node] != new.names[other]:
                yield self._move("name", node, old.names[node], new.names[other])
            if old.asn[node] != new.asn[other]:
                yield self._move("AS number", node, str(old.asn[node]), str(new.asn[other]))
            for before, after in ((old.loopback, new.loopback), (old.loopback6, new.loopback6)):
                was = before[node] if before else NONE
                now = after[other] if after else NONE
                if was != now:
                    yield self._move("loopback", node, _address(was), _address(now))

    def _link_moves(self) -> Iterator[Move]:
        before, after = _links(self.old, self.old_keys), _links(self.new, self.new_keys)
        for key, ends in before.items():
            node = ends[0]
            now = after.get(key)
            was_text = _plugs(self.old, ends)
            if now is None:
                yield self._move("cable", node, was_text, "")
                continue
            now_text = _plugs(self.new, now)
            if self.old_keys[node] != self.new_keys[now[0]] or _slots(self.old, ends) != _slots(
                self.new, now
            ):
                yield self._move("cable", node, was_text, now_text)
            old_cable, new_cable = self.old.cable[ends[1]], self.new.cable[now[1]]
            if old_cable != new_cable:
                yield self._move("label", node, str(old_cable), str(new_cable))
            was, is_now = _addresses(self.old, ends), _addresses(self.new, now)
            if was != is_now:
                yield self._move("address", node, was, is_now)

    def _gateway_moves(self) -> Iterator[Move]:
        after = _gateways(self.new, self.new_keys)
        for key, (leaf, text) in _gateways(self.old, self.old_keys).items():
            _, now = after.get(key, (leaf, ""))
            if text != now:
                yield self._move("gateway", leaf, text, now)


def _gateways(net: NetworkTopology, keys: list[NodeKey]) -> dict[tuple[NodeKey, NodeKey], tuple[int, str]]:
    """Of each VLAN of an attachment on a leaf: the leaf, and the VLAN with its gateways for people."""
    vlans = {}
    for vlan in net.attached_vlans:
        gateways = [f"{_address(address)}/{length}" for _, address, length in vlan.gateway]
        text = f"VLAN {vlan.vlan} of {net.names[vlan.attachment]} at {' '.join(gateways)}"
        vlans[keys[vlan.leaf], keys[vlan.attachment]] = vlan.leaf, text
    return vlans


def _node_keys(net: NetworkTopology, renamed: Mapping[str, str]) -> list[NodeKey]:
    keys: list[NodeKey] = []
    planes = max(1, len({net.plane[i] for i in net.role_start[Role.SUPERSPINE]}))
    for node, role in enumerate(net.role):
        if role == Role.HOST:
            group = net.host_group[node]
            keys.append((role, renamed.get(group, group), net.unit[node], net.index[node]))
        elif role == Role.ATTACHMENT:
            keys.append((role, net.names[node]))
        elif role == Role.LEAF:
            keys.append((role, net.unit[node], net.index[node], net.plane[node]))
        elif role == Role.SPINE:
            keys.append((role, net.pod[node], net.rail[node], net.plane[node], net.index[node]))
        else:
            keys.append((role, net.group[node] // planes, net.plane[node], net.index[node]))
    return keys


Ends = tuple[int, int, int, int]
"""Node and port of both ends of a link, the lower node id first."""


def _links(net: NetworkTopology, keys: list[NodeKey]) -> Mapping[LinkKey, Ends]:
    links: dict[LinkKey, Ends] = {}
    parallel: dict[tuple[int, int], int] = {}
    owner: list[int] = []
    for node in range(len(net.role)):
        owner += [node] * (net.port_base[node + 1] - net.port_base[node])
    for port, peer in enumerate(net.peer):
        if peer > port:
            pair = (owner[port], owner[peer])
            ends = (pair[0], port, pair[1], peer)
            if net.role[pair[1]] == Role.ATTACHMENT:  # its link is the same one wherever it lands
                links[(), keys[pair[1]], peer - net.port_base[pair[1]]] = ends
                continue
            nth = parallel[pair] = parallel.get(pair, -1) + 1
            links[keys[pair[0]], keys[pair[1]], nth] = ends
    return links


def _slot(net: NetworkTopology, node: int, port: int) -> tuple[int, ...]:
    index = port - net.port_base[node]
    if net.port_map[node] == NONE:
        return (index,)
    slot = net.port_maps[net.port_map[node]].slots[index]
    return (slot.slot, slot.cage, slot.sub_port, slot.sub_ports)


def _slots(net: NetworkTopology, ends: Ends) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return _slot(net, ends[0], ends[1]), _slot(net, ends[2], ends[3])


def _plugs(net: NetworkTopology, ends: Ends) -> str:
    def plug(node: int, port: int) -> str:
        slot = _slot(net, node, port)
        if len(slot) == 1:
            return f"{net.names[node]} port {slot[0]}"
        chassis = f"{slot[0]}/" if slot[0] else ""
        return f"{net.names[node]} cage {chassis}{slot[1]}" + (f" part {slot[2]}" if slot[3] > 1 else "")

    return f"{plug(ends[0], ends[1])} - {plug(ends[2], ends[3])}"


def _addresses(net: NetworkTopology, ends: Ends) -> str:
    def of(port: int) -> str:
        texts = (
            [f"{_address(net.address[port])}/{net.prefix_length[port]}"] if net.address[port] != NONE else []
        )
        if net.address6 and net.address6[port] != NONE:
            texts.append(f"{_address(net.address6[port])}/{net.prefix6_length[port]}")
        return " ".join(texts) or "none"

    return f"{of(ends[1])} - {of(ends[3])}"


def _address(value: int) -> str:
    return "" if value == NONE else str(ip_address(value))
