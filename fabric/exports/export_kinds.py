"""Every kind of export by name, and the one function that makes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from fabric.devices.infiniband.model import Subnet
from fabric.diagnostics import Origin
from fabric.exports import cables, codes, ibdm, ibsim, slurm
from fabric.exports.drawings import drawio, graphviz, mermaid
from fabric.exports.inventories import ansible, device_types, nautobot, netbox, nornir
from fabric.exports.labs import batfish, containerlab, netlab
from fabric.exports.naming import dns_zones, hosts_file, ptm
from fabric.exports.placement import kubernetes, simai, topograph
from fabric.exports.source import Export, Exports, Kind, Lines, Source
from fabric.platforms.mlnxos import setup


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
    netbox.KIND,
    nautobot.KIND,
    device_types.KIND,
    ansible.KIND,
    nornir.KIND,
    containerlab.KIND,
    netlab.KIND,
    batfish.KIND,
    dns_zones.KIND,
    hosts_file.KIND,
    ptm.KIND,
    graphviz.KIND,
    mermaid.KIND,
    drawio.KIND,
    kubernetes.LABELS,
    kubernetes.KUEUE,
    topograph.KIND,
    simai.KIND,
)
NAMES = tuple(kind.name for kind in KINDS)


__all__ = ["KINDS", "NAMES", "Export", "Exports", "Kind", "Source", "export"]


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


CONFIGURED = "Ethernet switches whose configuration is known"
NEEDED = {
    **dict.fromkeys(("containerlab", "netlab", "batfish", "ptm"), CONFIGURED),
    "dns-zones": "domain: `services.management.domain` is not set",
    "hosts-file": "addresses",
    "simai": "hosts that all have GPUs, and as many",
}
"""What kinds ask of a site, where that is neither hosts nor a subnet."""


def _refuse(kind: Kind, source: Source) -> None:
    """Report why a kind does not apply to the chosen networks."""
    if kind.applies is _infiniband and source.planarized:
        name = source.planarized[0]
        rule = f"{kind.name}: a port of {name} is several inner ports of several ASICs (XDR), and no source says which"
        hint = "leave this kind out; cables, labels and topologies for schedulers do not need them"
        at = Origin(("networks", name, "tiers"))
        source.report.add(codes.PLANARIZED.at(at, rule, value=kind.name, hint=hint))
        return
    what = NEEDED.get(kind.name, "InfiniBand subnet" if kind.applies is _infiniband else "hosts")
    rule = f"{kind.name}: {', '.join(source.names(''))} has no {what}"
    hint = "leave this kind out, or choose another network"
    source.report.add(codes.NOTHING.at(Origin(("networks",)), rule, value=kind.name, hint=hint))
