"""Every kind of export by name, and the one function that makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial

import msgspec

from fabric.devices.infiniband.derive_subnet import PLANARIZED_MBPS
from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import SubnetManager
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.exports import cables, codes, ibdm, ibsim, slurm
from fabric.exports.network_view import View, views
from fabric.intent.model import Intent
from fabric.platforms.mlnxos import setup
from fabric.topology.model import NetworkTopology, Topology

Lines = Callable[[], Iterable[str]]
"""The text of a file in parts, made anew on each access."""


class Export(msgspec.Struct, frozen=True):
    """One file for another tool."""

    kind: str
    path: str
    """Below the output folder."""
    lines: Lines

    @property
    def text(self) -> str:
        """All of it at once."""
        return "".join(self.lines())


class Exports(msgspec.Struct, frozen=True):
    """The requested exports, checked and not yet printed."""

    files: tuple[Export, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


class Source:
    """A compiled site, or some of its networks, as exports see it."""

    def __init__(
        self, intent: Intent, topology: Topology, devices: Callable[[], Devices], networks: Sequence[str] = ()
    ) -> None:
        self.intent, self.topology, self.networks = intent, topology, tuple(networks)
        self._devices = devices
        self.report = Report()

    @cached_property
    def views(self) -> tuple[View, ...]:
        """The networks with their words for ports."""
        return views(self.intent, self.topology, self.networks)

    @property
    def with_hosts(self) -> tuple[NetworkTopology, ...]:
        """Chosen networks that have hosts, `compute` first."""
        return tuple(network for network in slurm.with_hosts(self.topology) if network.name in self.names(""))

    def names(self, technology: str) -> tuple[str, ...]:
        """Chosen networks of a technology; of any, if it is empty."""
        return tuple(
            name
            for name, network in self.topology.networks.items()
            if (not self.networks or name in self.networks) and technology in ("", network.technology)
        )

    @cached_property
    def subnets(self) -> tuple[Subnet, ...]:
        """The subnet of each chosen InfiniBand network. Only managers are derived for it."""
        devices = self._devices()
        subnets: dict[str, Subnet] = {}
        for name in self._managers():
            device = devices.get(name)
            if isinstance(device, SubnetManager) and device.network in self.names("infiniband"):
                subnets.setdefault(device.network, device.subnet)
        return tuple(subnets[name] for name in sorted(subnets))

    def _managers(self) -> Iterator[str]:
        """Attachments and hosts that may manage a subnet."""
        yield from sorted(self.intent.site.attachments)
        for name in self.names("infiniband"):
            for manager in self.intent.site.networks[name].infiniband.managers:
                yield manager.host or manager.attachment or ""

    @property
    def planarized(self) -> tuple[str, ...]:
        """Chosen networks of XDR: their inner ports are in no export with GUIDs and port numbers."""
        return tuple(
            name
            for name in self.names("infiniband")
            for port_maps in (self.topology.networks[name].port_maps,)
            if any(slot.speed_mbps >= PLANARIZED_MBPS for port_map in port_maps for slot in port_map.slots)
        )


class Kind(msgspec.Struct, frozen=True):
    """One kind of export."""

    name: str
    what: str
    applies: Callable[[Source], bool]
    make: Callable[[Source], Iterator[tuple[str, Lines]]]
    """Paths below the kind's own folder, and texts."""


def _cables(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "cables.csv", partial(cables.cable_list, source.views)


def _labels(source: Source) -> Iterator[tuple[str, Lines]]:
    yield "labels.csv", partial(cables.label_list, source.views)
    yield "labels.txt", partial(cables.label_sheet, source.views)


def _ibdiagnet(source: Source) -> Iterator[tuple[str, Lines]]:
    systems: dict[str, str] = {}
    for subnet in source.subnets:
        yield f"{subnet.network}.topo", partial(ibdm.topology, subnet)
        systems |= ibdm.systems(subnet)
    for name, text in sorted(systems.items()):
        yield f"ibnl/{name}.ibnl", partial(iter, (text,))


def _node_names(source: Source) -> Iterator[tuple[str, Lines]]:
    for subnet in source.subnets:
        yield f"{subnet.network}.map", partial(ibdm.node_names, subnet)


def _netlist(subnet: Subnet) -> Iterator[str]:
    yield ibsim.netlist(subnet)


def _ibsim(source: Source) -> Iterator[tuple[str, Lines]]:
    for subnet in source.subnets:
        yield f"{subnet.network}.net", partial(_netlist, subnet)


def _switch_setup(source: Source) -> Iterator[tuple[str, Lines]]:
    for name in source.names("infiniband"):
        topology = source.topology.networks[name]
        wholes = [
            setup.whole_ports(source.intent.hardware.switches[port_map.model])
            for port_map in topology.port_maps
        ]
        if any(
            slot.sub_ports > wholes[i]
            for i, port_map in enumerate(topology.port_maps)
            for slot in port_map.slots
        ):
            at = Origin(("networks", name, "tiers"))
            rule = f"ports of switches of {name} are split, which only a split-ready system profile can do"
            source.report.add(codes.SPLIT.at(at, rule, hint=codes.SPLIT.fix))
        for node in topology.switches:
            chosen, switch = topology.port_map[node], topology.names[node]
            slots = topology.port_maps[chosen].slots
            yield f"{name}/{switch}.cli", partial(setup.commands, switch, slots, wholes[chosen])


def _slurm_tree(source: Source) -> Iterator[tuple[str, Lines]]:
    plan = slurm.Plan(source.intent, source.with_hosts[0], source.report)
    yield "topology.conf", partial(slurm.tree_conf, plan, plan.tree())


def _slurm_block(source: Source) -> Iterator[tuple[str, Lines]]:
    plan = slurm.Plan(source.intent, source.with_hosts[0], source.report)
    yield "topology.conf", partial(slurm.block_conf, plan, plan.blocks())


def _slurm_yaml(source: Source) -> Iterator[tuple[str, Lines]]:
    plans = [slurm.Plan(source.intent, network, source.report) for network in source.with_hosts]
    yield "topology.yaml", partial(slurm.yaml, [(plan, plan.tree(), plan.blocks()) for plan in plans])


def _has_hosts(source: Source) -> bool:
    return bool(source.with_hosts)


def _infiniband(source: Source) -> bool:
    return bool(source.names("infiniband")) and not source.planarized


KINDS: tuple[Kind, ...] = (
    Kind("cables", "every cable with rack, port, length and type, as CSV", lambda _source: True, _cables),
    Kind("labels", "a label for each plug, as CSV and to print", lambda _source: True, _labels),
    Kind("ibdiagnet", "cabling for ibdiagnet and ibdm (.topo, .ibnl)", _infiniband, _ibdiagnet),
    Kind("node-names", "node names by GUID, for infiniband-diags", _infiniband, _node_names),
    Kind("ibsim", "the netlist for the simulator ibsim", _infiniband, _ibsim),
    Kind("switch-setup", "name, split ports and no own manager, for MLNX-OS", _infiniband, _switch_setup),
    Kind("slurm-tree", "topology.conf for Slurm's topology/tree", _has_hosts, _slurm_tree),
    Kind("slurm-block", "topology.conf for Slurm's topology/block", _has_hosts, _slurm_block),
    Kind("slurm-yaml", "topology.yaml with both, Slurm 25.05 and later", _has_hosts, _slurm_yaml),
)
NAMES = tuple(kind.name for kind in KINDS)


def export(source: Source, names: Iterable[str]) -> Exports:
    """The files of some kinds, in the order of `KINDS`. `Invalid` if a tool does not support a network."""
    chosen, files = set(names), []
    for kind in KINDS:
        if kind.name not in chosen:
            continue
        if not kind.applies(source):
            _refuse(kind, source)
            continue
        files += [Export(kind.name, f"{kind.name}/{path}", lines) for path, lines in kind.make(source)]
    return Exports(tuple(files), source.report.finish())


def _refuse(kind: Kind, source: Source) -> None:
    """Report why a kind does not apply to the chosen networks."""
    if kind.applies is _infiniband and source.planarized:
        name = source.planarized[0]
        rule = f"{kind.name}: a port of {name} is several inner ports of several ASICs (XDR), and no source says which"
        hint = "leave this kind out; cables, labels and topologies for schedulers do not need them"
        at = Origin(("networks", name, "tiers"))
        source.report.add(codes.PLANARIZED.at(at, rule, value=kind.name, hint=hint))
        return
    what = "InfiniBand subnet" if kind.applies is _infiniband else "hosts"
    rule = f"{kind.name}: {', '.join(source.names(''))} has no {what}"
    hint = "leave this kind out, or choose another network"
    source.report.add(codes.NOTHING.at(Origin(("networks",)), rule, value=kind.name, hint=hint))
