"""From a topology to a subnet: GUIDs, LIDs and port numbers of everything, then partitions and service levels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric.devices import codes
from fabric.devices.guids import Adapter, Guids, Lids, check_lids
from fabric.devices.kinds import Products, manager_platform
from fabric.devices.model import SubnetManager
from fabric.devices.partitions import lanes, partitions
from fabric.devices.subnet import EndKind, EndPort, Keys, Subnet, SubnetLink, SubnetSwitch
from fabric.diagnostics import Origin, Report
from fabric.hardware import PortSlot, SwitchModel
from fabric.hardware.cages import cage_numbers, parse_mode
from fabric.intent.model import Intent, Network
from fabric.topology.model import NONE, Facing, NetworkTopology, PortMap, Role

TOP_PRIORITY = 14
"""Of the first manager. 15 stays free for one that must win in an emergency."""


def subnet_managers(
    intent: Intent, topology: NetworkTopology, products: Products, report: Report
) -> tuple[SubnetManager, ...]:
    """The devices of an InfiniBand network: who manages it, each with the whole subnet."""
    network = intent.site.networks[topology.name]
    origin = Origin(("networks", topology.name, "infiniband"))
    chosen = _managers(intent, topology, network, origin, report)
    platform = manager_platform(intent, network, products, origin, report)
    made = subnet(intent, topology, report)
    first_port = {end.host: end.port_guid for end in reversed(made.ends)}
    return tuple(
        SubnetManager(
            name=name,
            site=intent.site.site,
            network=topology.name,
            platform=platform,
            priority=priority,
            port_guid=first_port[name],
            peers=tuple(other for other, _ in chosen if other != name),
            subnet=made,
            origin=origin,
        )
        for name, priority in chosen
        if name in first_port and platform
    )


def _managers(
    intent: Intent, topology: NetworkTopology, network: Network, origin: Origin, report: Report
) -> tuple[tuple[str, int], ...]:
    """Attachments that manage the subnet, with priorities, the master first."""
    known = sorted(
        name
        for name, attachment in intent.site.attachments.items()
        if attachment.network == topology.name and attachment.kind == "subnet_manager"
    )
    named = network.infiniband.managers
    for i, manager in enumerate(named):
        if manager.attachment not in known:
            rule = f"{manager.attachment} is no attachment of kind `subnet_manager` of this network"
            hint = f"there are {', '.join(known)}" if known else "add one to `attachments`"
            at = origin.child("managers", i, "attachment")
            report.add(codes.NO_SUBNET_MANAGER.at(at, rule, value=manager.attachment, hint=hint))
    if not known:
        rule = f"nobody manages the subnet of {topology.name}"
        hint = "add an attachment of kind `subnet_manager`, better two"
        report.add(codes.NO_SUBNET_MANAGER.at(origin, rule, hint=hint))
    found = [(manager.attachment, manager.priority) for manager in named]
    if not named:
        found = [(name, max(0, TOP_PRIORITY - i)) for i, name in enumerate(known)]
    if len(found) == 1:
        rule = f"{found[0][0]} is the only subnet manager: while it is away nothing heals"
        report.add(codes.ONE_SUBNET_MANAGER.at(origin, rule, hint="attach a second one"))
    return tuple(sorted(found, key=lambda manager: -manager[1]))


def subnet(intent: Intent, topology: NetworkTopology, report: Report) -> Subnet:
    """Everything that a manager of the network must know."""
    network = intent.site.networks[topology.name]
    settings = network.infiniband
    origin = Origin(("networks", topology.name, "infiniband"))
    made = _Builder(intent, topology)
    switches, ends, links = made.switches(), tuple(made.ends()), tuple(made.links())
    check_lids(made.lids.highest, origin.child("lmc"), report)
    top = max(topology.role[node] for node in topology.switches)
    return Subnet(
        network=topology.name,
        prefix=int(settings.prefix, 16),
        engine=engine(network, origin, report),
        layout="dragonfly_plus" if network.zones else "fat_tree",
        adaptive_routing=settings.adaptive_routing,
        sharp=settings.sharp,
        lmc=settings.lmc,
        mtu_bytes=settings.mtu_bytes,
        rate_mbps=min((made.speeds[end.port_guid] for end in ends), default=0),
        switches=switches,
        ends=ends,
        links=links,
        roots=tuple(s.guid for s in switches if s.role == Role(top).name.lower()),
        partitions=partitions(intent, topology.name, ends, made.speeds, report),
        lanes=lanes(network, origin, report),
        high_limit=settings.high_limit,
        keys=_keys(network),
        placeholders=bool(made.guids.missing),
    )


def engine(network: Network, origin: Origin, report: Report) -> str:
    """The routing engine: what is asked for if it fits the layout, or the best that does."""
    asked = network.infiniband.engine
    unfit = {"dor", "lash", "torus-2qos"}
    if asked in unfit:
        rule = f"{asked} does not spread over the parallel cables of a tree: one uplink would carry all"
        hint = "use `ftree` or `updn`"
        report.add(codes.ENGINE_UNFIT.at(origin.child("engine"), rule, value=asked, hint=hint))
    if asked != "auto":
        return asked
    return "updn" if network.zones else "ftree"


def _keys(network: Network) -> Keys | None:
    keys = network.infiniband.keys
    if keys is None:
        return None
    return Keys(keys.management_key, keys.protection_level, keys.lease_s, keys.administration_key)


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
        self.guids = Guids(self.intent.inventory, topology.name)
        self.lids = Lids(topology, settings.lmc, settings.first_lid)
        models = [self.intent.hardware.switches[made.model] for made in topology.port_maps]
        self.numbers = [port_numbers(m, k) for m, k in zip(topology.port_maps, models, strict=True)]
        self.externals = [external_ports(m, k) for m, k in zip(topology.port_maps, models, strict=True)]

    def switches(self) -> tuple[SubnetSwitch, ...]:
        """Every switch."""
        topology = self.topology
        found = []
        for node in topology.switches:
            lid = self.lids.switch(node)
            guid = self.node_guid[node] = self.guids.switch(topology.names[node], lid)
            chosen = topology.port_map[node]
            found.append(
                SubnetSwitch(
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
            )
        return tuple(found)

    def ends(self) -> Iterator[EndPort]:
        """Every cabled HCA port, leaf by leaf in the order of hosts."""
        topology = self.topology
        owners = self._owners()
        for node in (*topology.role_start[Role.HOST], *topology.role_start[Role.ATTACHMENT]):
            first = topology.port_base[node]
            for index in range(topology.port_base[node + 1] - first):
                peer = topology.peer[first + index]
                if peer != NONE:
                    yield self._end(node, index, peer, owners[peer])

    def _end(self, node: int, index: int, peer: int, switch: int) -> EndPort:
        topology = self.topology
        is_host = topology.role[node] == Role.HOST
        each = topology.sizes.planes if is_host else 1
        nic, port = divmod(index, each)
        lid = self._lid(node, index, peer, switch)
        if (node, nic) not in self.adapters:
            self.adapters[node, nic] = self.guids.adapter(topology.names[node], nic, each, lid)
        adapter = self.adapters[node, nic]
        slots = topology.port_maps[topology.port_map[switch]].slots
        self.speeds[adapter.port_guids[port]] = slots[peer - topology.port_base[switch]].speed_mbps
        return EndPort(
            f"{topology.names[node]} mlx5_{nic}",
            topology.names[node],
            nic,
            port + 1,
            adapter.node_guid,
            adapter.port_guids[port],
            lid,
            EndKind.COMPUTE if is_host else self._kind(topology.names[node]),
            topology.host_group[node] if is_host else "",
            topology.unit[node],
            topology.rail_of(node, nic) if is_host else NONE,
            topology.plane[switch],
        )

    def _kind(self, name: str) -> EndKind:
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

    def _owners(self) -> dict[int, int]:
        """The switch of each port that a host or attachment is cabled to."""
        topology = self.topology
        found = {}
        for node in topology.switches:
            for port in range(topology.port_base[node], topology.port_base[node + 1]):
                found[port] = node
        return found

    def links(self) -> Iterator[SubnetLink]:
        """Every link once, in the order of the upper switch's ports."""
        topology, owners = self.topology, self._owners()
        hosts = {
            port: node
            for node in (*topology.role_start[Role.HOST], *topology.role_start[Role.ATTACHMENT])
            for port in range(topology.port_base[node], topology.port_base[node + 1])
        }
        for port, node in owners.items():
            peer = topology.peer[port]
            if peer == NONE:
                continue
            speed, number = self._slot(node, port)
            if peer in hosts:
                yield self._host_link(hosts[peer], peer, node, number, speed)
            elif (topology.role[owners[peer]], peer) < (topology.role[node], port):
                lower = owners[peer]
                lower_number = self._slot(lower, peer)[1]
                yield SubnetLink(self.node_guid[lower], lower_number, self.node_guid[node], number, speed)

    def _host_link(self, host: int, port: int, switch: int, number: int, speed: int) -> SubnetLink:
        topology = self.topology
        each = topology.sizes.planes if topology.role[host] == Role.HOST else 1
        nic, index = divmod(port - topology.port_base[host], each)
        return SubnetLink(
            self.adapters[host, nic].node_guid, index + 1, self.node_guid[switch], number, speed
        )

    def _slot(self, node: int, port: int) -> tuple[int, int]:
        """Speed and number of a switch port."""
        chosen, index = self.topology.port_map[node], port - self.topology.port_base[node]
        return self.topology.port_maps[chosen].slots[index].speed_mbps, self.numbers[chosen][index]
