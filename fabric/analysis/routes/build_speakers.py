"""From derived devices to the speakers of a network."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network

import msgspec

from fabric.analysis.routes.expected_routes import by_tier
from fabric.analysis.routes.model import Links, Origination, Passing, Sessions, Speakers
from fabric.analysis.routes.originated_prefixes import from_outside, has_hosts, originated
from fabric.analysis.routes.sessions import End, Side, disagreement, passing, sides
from fabric.analysis.routes.switch_classes import kinds, neighbors, shared_numbers
from fabric.devices.context import NetworkContext
from fabric.devices.model import Device, Prefix, Switch
from fabric.topology.roles import NONE, Role


class Mismatch(msgspec.Struct, frozen=True):
    """A session that does not come up although its link is there."""

    node: int
    peer: int
    family: int
    reason: str


class Built(msgspec.Struct):
    """The speakers of a network, and what they were built from."""

    context: NetworkContext
    speakers: Speakers
    mismatches: list[Mismatch]
    kind: list[int]
    """Of each switch: the number of its kind."""
    examples: list[Switch]
    """A derived switch of each kind."""
    example_nodes: list[int]
    """Their node ids."""
    prefixes: dict[int, tuple[Prefix, ...]]
    """By switch: what the derived ones originate."""
    links: list[dict[int, int]]
    """Of each switch: links that are not shut, by neighbour."""
    unusual: bool
    """Whether a session is missing, or passes routes otherwise than the tiers of its ends require."""


def build(context: NetworkContext, devices: Mapping[str, Device], *, every: bool = False) -> Built:
    """The speakers of a network; with `every`, each switch is derived and each session matched by itself."""
    builder = _Builder(context, devices, every=every)
    sessions = builder.sessions()
    if builder.mismatches and not every:
        return build(context, devices, every=True)
    net = context.topology
    examples = [builder.switch(node) for node in builder.examples]
    shared = shared_numbers(context)
    return Built(
        context,
        Speakers(
            network=context.name,
            names=net.names[: len(net.switches)],
            role=[Role(net.role[node]).name.lower() for node in net.switches],
            asn=[context.asn_of(node) for node in net.switches],
            shared=shared,
            allow_own=[examples[kind].routing.allow_own_asn for kind in builder.kind],
            max_paths=[examples[kind].routing.max_paths for kind in builder.kind],
            sessions=sessions,
            common=builder.common(examples),
        ),
        builder.mismatches,
        builder.kind,
        examples,
        builder.examples,
        {node: tuple(originated(switch)) for node, switch in builder.switches.items()},
        builder.links,
        builder.unusual or bool(builder.mismatches),
    )


class _Builder:
    """Derives a switch of each kind, and matches the sessions of a pair of each two kinds."""

    def __init__(self, context: NetworkContext, devices: Mapping[str, Device], *, every: bool) -> None:
        self.context, self.devices, self.every = context, devices, every
        self.net = context.topology
        nodes: list[Hashable] = list(self.net.switches) if every else kinds(context)
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(nodes))}
        self.kind = [numbers[kind] for kind in nodes]
        self.examples = [self.kind.index(number) for number in range(len(numbers))]
        self.links = neighbors(context)
        self.switches: dict[int, Switch] = {}
        self.ends: dict[int, dict[End, Side]] = {}
        self.mismatches: list[Mismatch] = []
        self.unusual = False

    def switch(self, node: int) -> Switch:
        """A switch, derived once."""
        derived = self.switches.get(node)
        if derived is None:
            device = self.devices[self.net.names[node]]
            assert isinstance(device, Switch)  # noqa: S101  # an Ethernet network has no others
            derived = self.switches[node] = device
            self.ends[node] = dict(sides(device))
        return derived

    def sessions(self) -> dict[int, Sessions]:
        """The sessions on all links, by address family."""
        families = self.switch(0).routing.families
        shared, asn = shared_numbers(self.context), [self.context.asn_of(n) for n in self.net.switches]
        by_family = {family: Sessions([], []) for family in families}
        known: dict[int, dict[int, tuple[Passing, int]]] = {}
        kind, many = self.kind, len(self.examples)
        for node, peers in enumerate(self.links):
            out: dict[int, Links] = {family: {} for family in families}
            internal: dict[int, Links] = {family: {} for family in families}
            row = kind[node] * many
            for peer, links in peers.items():
                pair = row + kind[peer]
                if pair not in known:
                    known[pair] = self._matched(node, peer, links)
                same = shared[node] and asn[node] == asn[peer]
                for family, (passes, count) in known[pair].items():
                    into = (internal if same else out)[family].setdefault(passes, {})
                    into[peer] = count if self.every else links
            for family in families:
                by_family[family].out.append(out[family])
                by_family[family].internal.append(internal[family])
        return by_family

    def _matched(self, node: int, peer: int, links: int) -> dict[int, tuple[Passing, int]]:
        """How routes pass from a switch to a neighbour, and over how many links, by address family."""
        self.switch(node)
        self.switch(peer)
        matched: dict[int, tuple[Passing, int]] = {}
        families = self.switch(0).routing.families
        counts = dict.fromkeys(families, 0)
        for end, session_end in self.ends[node].items():
            if session_end.peer[0] != self.net.names[peer] or not session_end.up:
                continue
            other = self.ends[peer].get(session_end.peer)
            if other is not None and not other.up:
                continue
            if reason := disagreement(end, session_end, other):
                self.mismatches.append(Mismatch(node, peer, end[2], reason))
            elif other is not None:
                counts[end[2]] += 1
                expected = by_tier(*(Role(self.net.role[n]).name.lower() for n in (node, peer)))
                self.unusual |= passing(session_end, other) != expected
                matched[end[2]] = (passing(session_end, other), counts[end[2]])
        for family in families:
            if counts[family] < links and not any(m.family == family for m in self.mismatches):
                self.mismatches.append(Mismatch(node, peer, family, "no session is configured on a link"))
        return matched

    def common(self, examples: list[Switch]) -> dict[int, tuple[Origination, ...]]:
        """Prefixes of several switches, and those from outside, by address family."""
        shared: dict[tuple[Prefix, str, int], list[int]] = {}
        self.has_hosts = [bool(example.routing.host_prefixes) and has_hosts(example) for example in examples]
        for prefix, nodes in self._blocks():
            shared[prefix, "", 0] = nodes
        ours = {self.context.asn_of(node) for node in self.net.switches}
        for number, example in enumerate(examples):
            for attachment, asn, prefix in from_outside(example):
                key = (prefix, attachment, asn if asn in ours else 0)
                nodes = [node for node, kind in enumerate(self.kind) if kind == number]
                shared.setdefault(key, []).extend(nodes)
        return {
            family: tuple(
                Origination(prefix, tuple(dict.fromkeys(nodes)), outside, asn)
                for (prefix, outside, asn), nodes in shared.items()
                if prefix.version == family
            )
            for family in examples[0].routing.families
        }

    def _blocks(self) -> Iterator[tuple[Prefix, list[int]]]:
        """The subnets of leaves; the two leaves of a dual-ToR pair have the same one."""
        net, seen = self.net, dict[tuple[int, int], list[int]]()
        if self.context.network.addressing.host_links.mode != "lacp":
            return
        for blocks, lengths, kind in (
            (net.block, net.block_length, IPv4Network),
            (net.block6, net.block6_length, IPv6Network),
        ):
            seen.clear()
            for node in net.role_start[Role.LEAF] if blocks else ():
                if blocks[node] != NONE and self.has_hosts[self.kind[node]]:
                    seen.setdefault((blocks[node], lengths[node]), []).append(node)
            for block, nodes in seen.items():
                yield kind(block), nodes
