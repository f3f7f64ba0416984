"""What OpenSM cannot hold or do, told before anything is written."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.infiniband.model import Subnet, SubnetPartition
from fabric.devices.model import SubnetManager
from fabric.diagnostics import Diagnostic, Origin, Report
from fabric.platforms.opensm import codes
from fabric.platforms.opensm.lower_policies import EVERYBODY
from fabric.platforms.opensm.names import PARTITION_NAME_CHARACTERS, RATE_CODES
from fabric.platforms.opensm.options import LEAVES, NEEDS_ROOTS, leaves_of

UNFIT = frozenset({"dor", "lash", "torus-2qos"})
"""What no tree has, and so no single switch. Of several switches it was told already which engines fit.

Measured under ibsim: dor and lash put 217 routes on one of several parallel uplinks of a tree and none on the others.
"""


def check(manager: SubnetManager, report: Report) -> None:
    """Report everything that OpenSM cannot do for a subnet."""
    subnet, at = manager.subnet, manager.origin
    for findings in (_only_ufm, _engine, _rates, _partitions):
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
    if subnet.layout == "fat_tree" and engine in UNFIT:
        rule = f"OpenSM's {engine} does not fit a fat tree, nor a single switch"
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


def _rates(subnet: Subnet, at: Origin) -> Iterator[Diagnostic]:
    """Rates without a code."""
    if subnet.rate_mbps not in RATE_CODES and not subnet.planarized:
        rule = f"OpenSM has no code for {subnet.rate_mbps / 1000:g} Gb/s, the rate of the slowest port"
        yield codes.RATE.at(
            at, rule, value=subnet.rate_mbps, hint=f"let the NICs have {_known_rates(600_000)} Gb/s"
        )
    for partition in subnet.partitions:
        if partition.rate_mbps not in RATE_CODES and not subnet.planarized:
            rule = f"OpenSM has no code for {partition.rate_mbps / 1000:g} Gb/s"
            place, hint = (
                partition.origin.child("rate_limit_gbps"),
                f"write {_known_rates(partition.rate_mbps)}",
            )
            yield codes.RATE.at(place, rule, value=partition.rate_mbps, hint=hint)


def _known_rates(most_mbps: int) -> str:
    known = (mbps // 1000 for mbps in sorted(RATE_CODES) if mbps <= most_mbps and mbps % 1000 == 0)
    return f"one of {', '.join(map(str, known))}"


def _partitions(subnet: Subnet, _at: Origin) -> Iterator[Diagnostic]:
    for partition in subnet.partitions:
        problem = _unsayable(partition)
        if problem:
            hint = f"rename the tenant: at most {PARTITION_NAME_CHARACTERS} letters, digits and hyphens"
            yield codes.NAME.at(partition.origin, f"OpenSM {problem}", value=partition.name, hint=hint)


def _unsayable(partition: SubnetPartition) -> str:
    """What is wrong with the name of a partition; empty: nothing."""
    length = len(partition.name)
    if length > PARTITION_NAME_CHARACTERS:
        return f"cuts the name of a partition after {PARTITION_NAME_CHARACTERS} characters, it has {length}"
    if partition.name == EVERYBODY.lower():
        return "calls the partition of everybody so"
    return ""
