"""From a topology to a subnet: GUIDs, LIDs and port numbers of everything, then partitions and service levels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric.devices.hosts.interface_names import rdma_name
from fabric.devices.infiniband.check_guids import check_adapters, check_guids, report_placeholders
from fabric.devices.infiniband.check_subnet import check_connectivity, check_node_names
from fabric.devices.infiniband.guids import Adapter, Guids, Lids, check_lids, check_rooms
from fabric.devices.infiniband.model import EndKind, EndPort, Keys, Subnet, SubnetLink, SubnetSwitch
from fabric.devices.infiniband.partitions import lanes, partitions
from fabric.devices.infiniband.routing_engines import Shape, engine, fallbacks, layout_of
from fabric.devices.infiniband.torus import torus_of
from fabric.diagnostics import Origin, Report
from fabric.hardware import PortSlot, SwitchModel
from fabric.hardware.cage_modes import cage_numbers, parse_mode
from fabric.intent.model import Intent, Network
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Facing, PortMap, Role

PLANARIZED_MBPS = 800_000
"""From this port speed on (XDR) a port is several inner ports, one on each of the box's ASICs."""


def subnet(
    intent: Intent, topology: NetworkTopology, report: Report, managers: frozenset[str] = frozenset()
) -> Subnet:
    """Everything that a manager of the network must know. `managers` are hosts that manage it."""
    network = intent.site.networks[topology.name]
    settings = network.infiniband
    origin = Origin(("networks", topology.name, "infiniband"))
    builder = _Builder(intent, topology, managers)
    switches, ends, links = builder.switches(), tuple(builder.ends()), tuple(builder.links())
    check_guids(intent.inventory, report)
    check_adapters(intent, topology, report)
    check_lids(builder.lids.highest, origin.child("lmc"), report)
    check_rooms(intent, topology, report)
    check_connectivity(switches, links, origin, report)
    check_node_names(ends, origin, report)
    report_placeholders(builder.guids.missing, origin, report)
    top = max(topology.role[node] for node in topology.switches)
    shape = Shape(
        len(switches),
        _leaves(switches),
        tiers=int(top) + 1,
        hosts_on_roots=_hosts_on_roots(switches, ends, links),
    )
    adaptive = is_adaptive(intent, network)
    chosen = engine(network, origin, report, shape, adaptive=adaptive)
    return Subnet(
        network=topology.name,
        prefix=int(settings.prefix, 16),
        engine=chosen,
        fallbacks=fallbacks(network, chosen, origin, report, shape),
        layout=layout_of(network),
        torus=torus_of(network, topology, switches),
        adaptive_routing=adaptive,
        sharp=settings.sharp,
        enforce_cabling=settings.enforce_cabling,
        lmc=settings.lmc,
        mtu_bytes=settings.mtu_bytes,
        rate_mbps=min((builder.speeds[end.port_guid] for end in ends), default=0),
        switches=switches,
        ends=ends,
        links=links,
        roots=tuple(s.guid for s in switches if s.role == Role(top).name.lower()) if top else (),
        partitions=partitions(intent, topology, ends, builder.speeds, report),
        lanes=lanes(network, origin, report),
        high_limit=settings.high_limit,
        keys=_keys(network),
        placeholders=bool(builder.guids.missing),
        planarized=any(link.speed_mbps >= PLANARIZED_MBPS for link in links),
    )


def _leaves(switches: tuple[SubnetSwitch, ...]) -> int:
    return sum(switch.role == "leaf" for switch in switches)


def _hosts_on_roots(
    switches: tuple[SubnetSwitch, ...], ends: tuple[EndPort, ...], links: tuple[SubnetLink, ...]
) -> int:
    """How many switches above the leaves HCA ports are plugged into."""
    above = {switch.guid for switch in switches if switch.role != "leaf"}
    adapters = {end.node_guid for end in ends}
    return len({link.upper for link in links if link.lower in adapters and link.upper in above})


def is_adaptive(intent: Intent, network: Network) -> bool:
    """Whether switches choose among routes: as asked, else as the product that manages them does by itself."""
    settings = network.infiniband
    if settings.adaptive_routing is not None:
        return settings.adaptive_routing
    known = intent.hardware.switches[network.tiers.leaf.model].software
    chosen = settings.platform or next((product.name for product in known), "")
    return settings.engine == "auto" and any(
        product.name == chosen and product.adaptive_routing for product in known
    )


def _keys(network: Network) -> Keys | None:
    keys = network.infiniband.keys
    if keys is None:
        return None
    return Keys(
        keys.management_key,
        keys.protection_level,
        keys.lease_s,
        keys.administration_key,
        keys.manager_key or "",
    )


def port_numbers(port_map: PortMap, model: SwitchModel) -> tuple[int, ...]:
    """Numbers of ports as the subnet manager counts them, from 1, in index order.

    An undivided cage of QM9700 is two ports. Once a port of a switch is split, all its numbers double: port n
    becomes 2n-1 and 2n (from the numbering of split-ready Quantum systems; not seen on a wire here).
    """
    native = min(parse_mode(mode).ports for group in model.cages for mode in group.breakouts)
    first = min(cage_numbers(group.cages)[0][1] for group in model.cages)
    split = any(slot.sub_ports > native for slot in port_map.slots)
    return tuple(_number(slot, native, first, split=split) for slot in port_map.slots)


def _number(slot: PortSlot, native: int, first: int, *, split: bool) -> int:
    parts = slot.sub_ports // native
    port, part = divmod(slot.sub_port, max(1, parts))
    whole = (slot.cage - first) * native + port + 1
    return 2 * whole - 1 + part if split else whole


def external_ports(port_map: PortMap, model: SwitchModel) -> int:
    """How many ports a switch has for its subnet manager."""
    native = min(parse_mode(mode).ports for group in model.cages for mode in group.breakouts)
    cages = sum(len(cage_numbers(group.cages)) for group in model.cages)
    split = any(slot.sub_ports > native for slot in port_map.slots)
    return cages * native * (2 if split else 1)


@dataclass
class _Builder:
    """Walks the columns of a topology once per kind of thing."""

    intent: Intent
    topology: NetworkTopology
    managers: frozenset[str]
    """Hosts and attachments that manage the subnet."""
    guids: Guids = field(init=False)
    lids: Lids = field(init=False)
    speeds: dict[int, int] = field(default_factory=dict)
    """By port GUID."""
    node_guid: dict[int, int] = field(default_factory=dict)
    """Of switches, by node."""
    adapters: dict[tuple[int, int], Adapter] = field(default_factory=dict)
    """By node and NIC."""

    def __post_init__(self) -> None:
        topology = self.topology
        settings = self.intent.site.networks[topology.name].infiniband
        networks = self.intent.site.networks
        subnets = sorted(name for name, network in networks.items() if network.technology == "infiniband")
        self.guids = Guids(self.intent.inventory, topology.name, subnets.index(topology.name))
        self.lids = Lids(topology, settings.lmc, settings.first_lid)
        models = [self.intent.hardware.switches[port_map.model] for port_map in topology.port_maps]
        self.numbers = [port_numbers(m, k) for m, k in zip(topology.port_maps, models, strict=True)]
        self.externals = [external_ports(m, k) for m, k in zip(topology.port_maps, models, strict=True)]
        self.owners = [
            node
            for node in range(len(topology.port_base) - 1)
            for _ in range(topology.port_base[node], topology.port_base[node + 1])
        ]
        self.systems = {
            group: facts.system.nics.get(topology.name) if facts.system else None
            for group, facts in self.intent.site.hosts.items()
        }

    def switches(self) -> tuple[SubnetSwitch, ...]:
        """Every switch."""
        return tuple(map(self._switch, self.topology.switches))

    def _switch(self, node: int) -> SubnetSwitch:
        topology, chosen = self.topology, self.topology.port_map[node]
        lid = self.lids.switch(node)
        guid = self.node_guid[node] = self.guids.switch(topology.names[node], lid)
        return SubnetSwitch(
            topology.names[node],
            Role(topology.role[node]).name.lower(),
            guid,
            self.externals[chosen],
            lid,
            topology.port_maps[chosen].model,
            topology.unit[node],
            topology.rail[node],
            topology.plane[node],
            topology.pod[node],
        )

    def ends(self) -> Iterator[EndPort]:
        """Every cabled HCA port, leaf by leaf in the order of hosts."""
        topology = self.topology
        for node in (*topology.role_start[Role.HOST], *topology.role_start[Role.ATTACHMENT]):
            first = topology.port_base[node]
            for index in range(topology.port_base[node + 1] - first):
                peer = topology.peer[first + index]
                if peer != NONE:
                    yield self._end(node, index, peer, self.owners[peer])

    def _end(self, node: int, index: int, peer: int, switch: int) -> EndPort:
        topology = self.topology
        name, is_host = topology.names[node], topology.role[node] == Role.HOST
        each = topology.sizes.planes if is_host else 1
        nic, port = divmod(index, each)
        lid = self._lid(node, index, peer, switch)
        adapter = self.adapters.get((node, nic))
        if adapter is None:
            adapter = self.adapters[node, nic] = self.guids.adapter(name, nic, each, lid)
        slots = topology.port_maps[topology.port_map[switch]].slots
        self.speeds[adapter.port_guids[port]] = slots[peer - topology.port_base[switch]].speed_mbps
        group = topology.host_group[node] if is_host else ""
        rail = topology.rail_of(node, nic) if is_host else NONE
        return EndPort(
            f"{name} {self._device(group, nic, each, rail)}",
            name,
            nic,
            port + 1,
            adapter.node_guid,
            adapter.port_guids[port],
            lid,
            self._kind(name, index, is_host=is_host),
            group,
            topology.unit[node],
            rail,
            topology.plane[switch],
        )

    def _device(self, group: str, nic: int, ports: int, rail: int) -> str:
        """The adapter as its host calls it; `mlx5_N` if not specified."""
        system = self.systems.get(group)
        if system is None or system == "none":
            return f"mlx5_{nic}"
        return rdma_name(system, nic, ports, rail) or f"mlx5_{nic}"

    def _kind(self, name: str, index: int, *, is_host: bool) -> EndKind:
        if is_host:
            manages = index == 0 and name in self.managers
            return EndKind.SUBNET_MANAGER if manages else EndKind.COMPUTE
        kind = self.intent.site.attachments[name].kind
        return EndKind(kind) if kind in ("storage", "subnet_manager") else EndKind.OTHER

    def _lid(self, node: int, index: int, peer: int, switch: int) -> int:
        """By the leaf's downlink; by the attachment's own place where it hangs on another port."""
        topology = self.topology
        at = peer - topology.port_base[switch]
        port_map = topology.port_maps[topology.port_map[switch]]
        if port_map.facing[at] is Facing.DOWN and topology.role[switch] == Role.LEAF:
            return self.lids.end(switch, at)
        return self.lids.attachment(topology.names[node], index)

    def links(self) -> Iterator[SubnetLink]:
        """Every link once, in the order of the upper switch's ports."""
        topology, owners = self.topology, self.owners
        switches, role, peers = topology.switches, topology.role, topology.peer
        for port in range(topology.port_base[switches.stop]):
            node, peer = owners[port], peers[port]
            if peer == NONE:
                continue
            other = owners[peer]
            if other not in switches:
                yield self._host_link(other, peer, self.node_guid[node], *self._slot(node, port))
            elif (role[other], peer) < (role[node], port):
                number, speed = self._slot(node, port)
                lower = self._slot(other, peer)[0]
                yield SubnetLink(self.node_guid[other], lower, self.node_guid[node], number, speed)

    def _host_link(self, host: int, port: int, switch: int, number: int, speed: int) -> SubnetLink:
        topology = self.topology
        each = topology.sizes.planes if topology.role[host] == Role.HOST else 1
        nic, index = divmod(port - topology.port_base[host], each)
        return SubnetLink(self.adapters[host, nic].node_guid, index + 1, switch, number, speed)

    def _slot(self, node: int, port: int) -> tuple[int, int]:
        """Number and speed of a switch port."""
        chosen, index = self.topology.port_map[node], port - self.topology.port_base[node]
        return self.numbers[chosen][index], self.topology.port_maps[chosen].slots[index].speed_mbps
