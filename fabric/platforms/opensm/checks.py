"""What OpenSM cannot hold or do, told before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.devices.model import SubnetManager
from fabric.devices.subnet import Subnet, SubnetPartition
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.platforms.opensm import codes
from fabric.platforms.opensm.names import MTU_CODES, NODE_NAME_BYTES, PARTITION_NAME_CHARACTERS, RATE_CODES
from fabric.platforms.opensm.options import LEAVES, NEEDS_ROOTS, OWN_LANES, leaves_of
from fabric.platforms.opensm.policy import EVERYBODY

NODE_NAME = re.compile(r"[ !$-~]+")
"""Printable ASCII without `"` and `#`, which end a name in the node name map."""
PARTITION_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

LOOPS = frozenset({"minhop", "updn", "dnup", "ftree", "dor", "sssp"})
"""Engines without roots or lanes: on a torus or dragonfly they find no way, or make loops of credits."""
UNFIT = {
    "fat_tree": frozenset({"dor", "lash", "torus-2qos"}),
    "dragonfly_plus": frozenset({"dor", "lash", "torus-2qos"}),
    "dragonfly": LOOPS | {"torus-2qos"},
    "torus": LOOPS,
}
"""Measured under ibsim: dor and lash put 217 routes on one of several parallel uplinks of a tree and none on the
others; a 4x4x4 torus has 447 to 511 channels in loops with minhop and dor, and none with lash, nue and torus-2QoS."""


def check(manager: SubnetManager, report: Report) -> None:
    """Report everything that OpenSM cannot do for a subnet."""
    subnet, at = manager.subnet, manager.origin
    for findings in (_only_ufm, _engine, _rates, _nodes, _partitions):
        report.extend(tuple(findings(subnet, at)))


def _only_ufm(subnet: Subnet, at: Origin) -> Iterator[Diagnostic]:
    hint = "let UFM manage the subnet (`infiniband.platform`), or leave it out"
    if subnet.adaptive_routing:
        rule = "OpenSM has no engine with adaptive routing: `ar_updn` and `ar_ftree` are NVIDIA's"
        yield codes.UFM_ONLY.at(at.child("adaptive_routing"), rule, value=True, hint=hint)
    if subnet.sharp:
        rule = "OpenSM makes no aggregation trees: NVIDIA's aggregation manager of UFM does"
        yield codes.UFM_ONLY.at(at.child("sharp"), rule, value=True, hint=hint)
    if subnet.enforce_cabling is not None:
        rule = (
            "OpenSM has no list of links outside of which it discovers nothing: `topoconfig.conf` is NVIDIA's"
        )
        yield codes.UFM_ONLY.at(at.child("enforce_cabling"), rule, value=subnet.enforce_cabling, hint=hint)
    if subnet.planarized:
        rule = "OpenSM cannot be told which inner ports of an XDR switch are one port: no source says how"
        yield codes.PLANES.at(
            at, rule, hint="let UFM manage the subnet (`infiniband.platform`), or use switches of NDR"
        )


def _engine(subnet: Subnet, at: Origin) -> Iterator[Diagnostic]:
    engine, at = subnet.engine, at.child("engine")
    hint = "leave `engine` to `auto`"
    if engine in UNFIT.get(subnet.layout, ()):
        rule = f"OpenSM's {engine} does not fit a {subnet.layout.replace('_', ' ')}"
        yield codes.ENGINE.at(at, rule, value=engine, hint=hint)
    if engine == "file":
        rule = "OpenSM's engine `file` reads routes from a file, and nothing here makes one"
        yield codes.ENGINE.at(at, rule, value=engine, hint=hint)
    if engine == "ftree" and subnet.lmc:
        rule = f"OpenSM's ftree gives each port one LID, and an LMC of {subnet.lmc} gives {1 << subnet.lmc}"
        yield codes.ENGINE.at(at, rule, value=engine, hint="use `updn` or `auto`, or leave `lmc` out")
    if engine == "ftree" and subnet.roots and len(leaves_of(subnet, subnet.ends)) < LEAVES:
        rule = "OpenSM's ftree sees no tree where all hosts are on one leaf"
        yield codes.ENGINE.at(at, rule, value=engine, hint="use `minhop` or `auto`")
    if engine in NEEDS_ROOTS and not subnet.roots:
        rule = f"OpenSM's {engine} starts at roots, and no switch stands above the leaves"
        yield codes.ENGINE.at(at, rule, value=engine, hint="use `minhop` for one switch, or `auto`")
    if engine == "torus-2qos" and subnet.torus is None:
        rule = "OpenSM's torus-2QoS must be told a torus of at most three dimensions, and there is none"
        yield codes.ENGINE.at(at, rule, value=engine, hint="use `nue` or `auto`")
    if engine in OWN_LANES and len(subnet.lanes) > 1:
        rule = (
            f"OpenSM's {engine} gives out service levels itself; {len(subnet.lanes)} classes would take them"
        )
        hint = "leave `service_levels` out, or use another engine"
        yield codes.ENGINE.at(at, rule, value=engine, hint=hint)


def _rates(subnet: Subnet, at: Origin) -> Iterator[Diagnostic]:
    """Rates without a code, and above what the slowest member has."""
    if subnet.rate_mbps not in RATE_CODES and not subnet.planarized:
        rule = f"OpenSM has no code for {subnet.rate_mbps / 1000:g} Gb/s, the rate of the slowest port"
        yield codes.RATE.at(at, rule, value=subnet.rate_mbps, hint=_known_rates(600_000))
    if subnet.mtu_bytes not in MTU_CODES:
        rule = f"OpenSM has no code for an MTU of {subnet.mtu_bytes} bytes"
        yield codes.RATE.at(at.child("mtu"), rule, value=subnet.mtu_bytes, hint="use 2048 or 4096")
    speeds = _speeds(subnet)
    for one in subnet.partitions:
        slowest = min((speeds.get(member.port_guid, one.rate_mbps) for member in one.members), default=0)
        place = one.origin.child("rate_limit_gbps")
        if one.rate_mbps > slowest:
            rule = (
                f"a group of {one.rate_mbps / 1000:g} Gb/s, and a member of {one.name} has {slowest / 1000:g}"
            )
            yield codes.RATE.at(place, rule, value=one.rate_mbps, hint=f"at most {slowest // 1000}")
        elif one.rate_mbps not in RATE_CODES and not subnet.planarized:
            rule = f"OpenSM has no code for {one.rate_mbps / 1000:g} Gb/s"
            yield codes.RATE.at(place, rule, value=one.rate_mbps, hint=_known_rates(slowest))


def _speeds(subnet: Subnet) -> dict[int, int]:
    """Of HCA ports, by port GUID."""
    by_port = {(link.lower, link.lower_port): link.speed_mbps for link in subnet.links}
    return {
        end.port_guid: by_port[end.node_guid, end.port]
        for end in subnet.ends
        if (end.node_guid, end.port) in by_port
    }


def _known_rates(most_mbps: int) -> str:
    known = (mbps // 1000 for mbps in sorted(RATE_CODES) if mbps <= most_mbps and mbps % 1000 == 0)
    return f"one of {', '.join(map(str, known))}"


def _nodes(subnet: Subnet, at: Origin) -> Iterator[Diagnostic]:
    """Names of switches and adapters that do not fit into a node's description."""
    names = {switch.guid: switch.name for switch in subnet.switches}
    names |= {end.node_guid: end.name for end in subnet.ends}
    for name in names.values():
        if len(name.encode()) > NODE_NAME_BYTES:
            rule = f"a node's name has at most {NODE_NAME_BYTES} bytes in OpenSM, {name[:20]}… has {len(name.encode())}"
            hint = "shorten the name of the host or of its NICs"
            yield codes.NAME.at(at, rule, value=name, hint=hint, subjects=(name,))
        elif not NODE_NAME.fullmatch(name):
            rule = "OpenSM's node name map holds printable ASCII without quotes and `#` only"
            yield codes.NAME.at(
                at, rule, value=name, hint="use letters, digits and hyphens", subjects=(name,)
            )


def _partitions(subnet: Subnet, _at: Origin) -> Iterator[Diagnostic]:
    for one in subnet.partitions:
        problem = _unsayable(one)
        if problem:
            hint = f"rename the tenant: at most {PARTITION_NAME_CHARACTERS} letters, digits and hyphens"
            yield codes.NAME.at(one.origin, f"OpenSM {problem}", value=one.name, hint=hint)


def _unsayable(one: SubnetPartition) -> str:
    """What is wrong with the name of a partition; empty: nothing."""
    if len(one.name) > PARTITION_NAME_CHARACTERS:
        return f"cuts the name of a partition after {PARTITION_NAME_CHARACTERS} characters, it has {len(one.name)}"
    if not PARTITION_NAME.fullmatch(one.name):
        return "takes letters, digits, hyphens and underscores in the name of a partition"
    if one.name.lower() == EVERYBODY.lower():
        return "calls the partition of everybody so"
    return ""
