"""The lines of opensm.conf: what differs from OpenSM's defaults, and where its files stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fabric.devices.infiniband.model import EndKind, EndPort, Subnet, has_classes
from fabric.devices.infiniband.routing_engines import SCATTER_SEED, is_scattered
from fabric.devices.model import SubnetManager
from fabric.platforms.manager_files import Option
from fabric.platforms.opensm.names import FOLDER, guid

DROPPED = 15
"""The lane of service levels that nobody uses: their packets are dropped."""
LEVELS = 16
ALL_LANES = 8
"""Data lanes of Quantum and ConnectX."""
EVEN_WEIGHT = 64
"""Of each lane where an engine spreads routes over them."""

NEEDS_ROOTS = frozenset({"ftree", "updn", "dnup"})
OWN_LANES = frozenset({"lash", "nue", "dfsssp", "torus-2qos"})
"""Engines that give out service levels and lanes themselves, to break loops of credits."""
LEAVES = 2
"""Switches with hosts without which `ftree` sees no tree."""
WORDS = {"torus-2qos": "torus-2QoS"}
"""Engines that OpenSM writes otherwise than we do."""

NULL = "(null)"
DEFAULTS = {
    "guid": guid(0),
    "m_key": guid(0),
    "m_key_lease_period": "0",
    "m_key_protection_level": "0",
    "sm_key": guid(1),
    "sa_key": guid(1),
    "subnet_prefix": "0xfe80000000000000",
    "lmc": "0",
    "sm_sl": "0",
    "max_op_vls": "5",
    "partition_config_file": "/etc/opensm/partitions.conf",
    "routing_engine": NULL,
    "root_guid_file": NULL,
    "io_guid_file": NULL,
    "scatter_ports": "0",
    "nue_max_num_vls": "1",
    "torus_config": "/etc/opensm/torus-2QoS.conf",
    "sm_priority": "0",
    "honor_guid2lid_file": "FALSE",
    "max_wire_smps": "4",
    "max_wire_smps2": "4",
    "node_name_map_name": NULL,
    "qos": "FALSE",
    "qos_policy_file": "/etc/opensm/qos-policy.conf",
    "qos_max_vls": "0",
    "qos_high_limit": "-1",
    "qos_vlarb_high": NULL,
    "qos_vlarb_low": NULL,
    "qos_sl2vl": NULL,
    "prefix_routes_file": "/etc/opensm/prefix-routes.conf",
}
"""Of the options that we use, as `opensm -c FILE` of 3.3.23 (Debian 12) writes them."""
PLACES = frozenset({"partition_config_file", "torus_config", "qos_policy_file", "prefix_routes_file"})
"""Said always: their defaults depend on how OpenSM was built, and without partitions it opens all to everybody."""


def options(manager: SubnetManager) -> tuple[Option, ...]:
    """opensm.conf, in the order of OpenSM's own file."""
    order = {name: i for i, name in enumerate(DEFAULTS)}
    stated = (
        Option(name, value)
        for name, value in _settings(manager)
        if name in PLACES or value.lower() != DEFAULTS[name].lower()
    )
    return tuple(sorted(stated, key=lambda option: order[option.name]))


def needs_qos(subnet: Subnet) -> bool:
    """Whether anything but service level 0 on lane 0 is used."""
    return subnet.engine in OWN_LANES or has_classes(subnet)


def default_level(subnet: Subnet) -> int:
    """The service level of what nobody asked for."""
    return next((lane.service_level for lane in subnet.lanes if lane.name == "default"), 0)


def _settings(manager: SubnetManager) -> Iterator[tuple[str, str]]:
    subnet = manager.subnet
    yield "guid", guid(manager.port_guid)
    yield "sm_priority", str(manager.priority)
    yield "subnet_prefix", guid(subnet.prefix)
    yield "lmc", str(subnet.lmc)
    yield "honor_guid2lid_file", "TRUE"
    yield "max_wire_smps", "32"  # three times as fast to bring 4,000 ports up, and no more retries
    yield "max_wire_smps2", "32"
    yield "partition_config_file", f"{FOLDER}/partitions.conf"
    yield "node_name_map_name", f"{FOLDER}/node-name-map"
    yield "prefix_routes_file", f"{FOLDER}/prefix-routes.conf"
    yield from _keys(subnet)
    yield from _routing(subnet)
    if needs_qos(subnet):
        yield from _qos(subnet)


def _keys(subnet: Subnet) -> Iterator[tuple[str, str]]:
    if subnet.keys is not None:
        yield "m_key", f"<secret:{subnet.keys.management}>"
        yield "m_key_protection_level", str(subnet.keys.protection_level)
        yield "m_key_lease_period", str(subnet.keys.lease_s)
        yield "sa_key", f"<secret:{subnet.keys.administration}>"
        if subnet.keys.manager:
            # A manager with another one is not even asked who is the master (osm_sminfo_rcv.c of linux-rdma/opensm).
            yield "sm_key", f"<secret:{subnet.keys.manager}>"


def _routing(subnet: Subnet) -> Iterator[tuple[str, str]]:
    """The engines, each of which routes what those before it cannot, and the files that they read.

    OpenSM's own last resort, `minhop`, makes loops of credits: `no_fallback` leaves it out.
    """
    known = engines(subnet)
    yield "routing_engine", ",".join((*(WORDS.get(engine, engine) for engine in known), "no_fallback"))
    if rooted(subnet):
        yield "root_guid_file", f"{FOLDER}/root-guids"
    if apart(subnet):
        yield "io_guid_file", f"{FOLDER}/io-guids"
    if is_scattered(subnet):
        yield "scatter_ports", str(SCATTER_SEED)
    if "nue" in known and subnet.engine in OWN_LANES:  # else it must do with one lane, and can
        yield "nue_max_num_vls", str(ALL_LANES)
    if "torus-2qos" in known:
        yield "torus_config", f"{FOLDER}/torus-2QoS.conf"


def engines(subnet: Subnet) -> tuple[str, ...]:
    """The routing engines in the order in which they are tried."""
    return (subnet.engine, *subnet.fallbacks)


def rooted(subnet: Subnet) -> bool:
    """Whether an engine is told where the top of the tree is."""
    return bool(subnet.roots) and not NEEDS_ROOTS.isdisjoint(engines(subnet))


def apart(subnet: Subnet) -> tuple[int, ...]:
    """Ports of storage, where the engine spreads them apart from those of hosts: else one uplink would carry more."""
    others = [end for end in subnet.ends if end.kind is not EndKind.STORAGE]
    if "ftree" not in engines(subnet) or len(leaves_of(subnet, others)) < LEAVES:
        return ()  # with hosts on one leaf only the engine would see no tree (run with 3.3.23)
    return tuple(end.port_guid for end in subnet.ends if end.kind is EndKind.STORAGE)


def leaves_of(subnet: Subnet, ends: Iterable[EndPort]) -> set[int]:
    """Node GUIDs of the switches that HCA ports are plugged into."""
    nodes = {end.node_guid for end in ends}
    return {link.upper for link in subnet.links if link.lower in nodes}


def _qos(subnet: Subnet) -> Iterator[tuple[str, str]]:
    """Service levels on lanes."""
    yield "qos", "TRUE"
    yield "qos_policy_file", f"{FOLDER}/qos-policy.conf"
    yield "sm_sl", str(default_level(subnet))
    if subnet.engine in OWN_LANES:
        yield from _all_lanes()
        return
    lanes = sorted({lane.virtual_lane for lane in subnet.lanes})
    count = next(many for many in (1, 2, 4, 8) if many > lanes[-1])
    by_level = {lane.service_level: lane.virtual_lane for lane in subnet.lanes}
    yield "max_op_vls", str(count.bit_length())
    yield "qos_max_vls", str(count)
    yield "qos_high_limit", str(subnet.high_limit)
    yield "qos_vlarb_high", _weights(subnet, "high_weight", count)
    yield "qos_vlarb_low", _weights(subnet, "weight", count)
    yield "qos_sl2vl", _levels([by_level.get(level, DROPPED) for level in range(LEVELS)])


def _all_lanes() -> Iterator[tuple[str, str]]:
    """Level n on lane n for the engine to spread routes over, all lanes alike."""
    yield "max_op_vls", str(ALL_LANES.bit_length())
    yield "qos_max_vls", str(ALL_LANES)
    yield "qos_high_limit", "0"
    yield "qos_vlarb_high", ",".join(f"{lane}:0" for lane in range(ALL_LANES))
    yield "qos_vlarb_low", ",".join(f"{lane}:{EVEN_WEIGHT}" for lane in range(ALL_LANES))
    yield "qos_sl2vl", _levels([level if level < ALL_LANES else DROPPED for level in range(LEVELS)])


def _levels(lanes: list[int]) -> str:
    return ",".join(map(str, lanes))


def _weights(subnet: Subnet, what: str, count: int) -> str:
    """`lane:weight` of each lane; the heaviest class of a lane counts."""
    weights = dict.fromkeys(range(count), 0)
    for lane in subnet.lanes:
        weights[lane.virtual_lane] = max(weights[lane.virtual_lane], getattr(lane, what))
    return ",".join(f"{lane}:{weight}" for lane, weight in weights.items())
