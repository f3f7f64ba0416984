"""Faults planted in sites that ship: an edit of the YAML, and the code that has to find it, which the site had not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from fabric.compiler import Compiled
from fabric.diagnostics import Invalid
from fabric.documents.edit_yaml import with_value
from fabric.intent.load import POLICIES, load_text
from fabric.linting import Linted, lint, rule_named, rules
from fabric.linting.registry import group_of
from tests.topology.builders import REFERENCE

SEED = 20_260_727
SITES_EACH = 2
"""Of the sites that a fault can be planted in: drawn by `SEED`."""

ETHERNET = ("lab-8", "rail-only", "hpn7-pod", "dcnplus-pod", "apstra-64-h100", "superpod-b300-spectrumx")
TIERED = tuple(name for name in ETHERNET if name != "rail-only")
PLANES = ("lab-8", "superpod-b300-spectrumx")
ROUTED = tuple(name for name in ETHERNET if name not in ("hpn7-pod", "dcnplus-pod"))
"""Hosts are not on bonds."""
GPU_GROUP = ("lab-8", "hpn7-pod", "dcnplus-pod")
"""Their hosts are the group `gpu`."""
SUBNETS = ("superpod-h100-1su", "superpod-h100-2su", "superpod-b200-8su")
NET = "networks.compute"
SOON, LATE = ((datetime.now(UTC).date() + timedelta(days=days)).isoformat() for days in (3, 400))


class Fault(NamedTuple):
    """What somebody wrote that should not be there."""

    code: str
    sites: tuple[str, ...]
    edits: Mapping[str, Any]
    """Value by the path in `site.yaml`; behind `own:` in a copy of the ready lossless policy."""
    state: str = ""
    """Text of `state.yaml`; `SWITCH` is a switch of the site."""


CLASSES = "own:classes"
KEYS = dict.fromkeys(("management_key", "administration_key", "manager_key"), "env:KEY")
STORE = {
    "network": "compute",
    "kind": "storage",
    "links": 2,
    "speed": "400G",
    "to": {"tier": "spine"},
}
NICS = {"kind": "mlx5", "interface": "eth{rail}p{port}", "rdma": "mlx{nic}p{port}"}
SYSTEM = {"owner": "script", "nics": {"compute": NICS}, "nccl": {"socket_interface": "bond0"}}
ODD = {"count": 1, "ports": 2, "speed": "400G", "first_rail": "alternate"}
FAULTS = (
    # queues
    Fault("FAB1005", ETHERNET, {f"{CLASSES}.roce.share": 10, f"{CLASSES}.best-effort.share": 90}),
    Fault("FAB1007", ETHERNET, {f"{CLASSES}.roce.dscp": [24, 26, 56]}),
    Fault("FAB1008", ETHERNET, {f"{CLASSES}.roce.dscp": [0, 24, 26]}),
    # headroom and buffers
    Fault(
        "FAB1104",
        ("superpod-b300-spectrumx",),
        {f"{NET}.cables.leaf_spine": {"length": "500m", "kind": "smf"}},
    ),
    Fault(
        "FAB320",
        ("apstra-64-h100", "superpod-b300-spectrumx"),
        {f"{NET}.cables.leaf_spine": {"length": "2km", "kind": "smf"}},
    ),
    Fault("FAB1109", ETHERNET, {f"{NET}.ip_mtu": 1500}),
    Fault("FAB1108", ETHERNET, {"own:watchdog": {"action": "notify"}}),
    # deadlock
    Fault("FAB1203", ROUTED, {f"{NET}.addressing.host_links": {"mode": "vlan"}}),
    Fault(
        "FAB1202",
        ("superpod-h100-1su",),
        {
            f"{NET}.infiniband.engine": "minhop",
            f"{NET}.tiers.spine.count": 8,
            f"{NET}.tiers.spine.reserved_ports": 2,
            "attachments.store": STORE,
        },
    ),
    # hashing
    Fault(
        "FAB1301", ETHERNET, {f"{NET}.routing.hashing.fields": ["src_ip", "dst_ip", "dst_port", "protocol"]}
    ),
    Fault("FAB1302", ETHERNET, {f"{NET}.routing.hashing.fields": ["src_port", "dst_port", "protocol"]}),
    Fault("FAB1305", TIERED, {f"{NET}.routing.nics_reorder": True}),
    # layout
    Fault(
        "FAB1402",
        ("lab-8", "superpod-h100-1su"),
        {f"{NET}.tiers.spine.count": 1, f"{NET}.tiers.leaf.max_oversubscription": "64:1"},
    ),
    Fault("FAB1408", PLANES, {f"{NET}.planes.meet_at": "spine"}),
    Fault("FAB1403", ("lab-8",), {f"{NET}.planes.count": 1, "hosts.gpu.nics.compute.ports": 1}),
    # routing
    Fault("FAB1509", ETHERNET, {f"{NET}.routing.bfd.interval": "50ms"}),
    Fault("FAB1510", ETHERNET, {f"{NET}.addressing.fabric_pool": "8.0.0.0/10"}),
    Fault("FAB1505", ETHERNET, {f"{NET}.routing.bgp.max_prefixes": "none"}),
    Fault(
        "FAB1506",
        ETHERNET,
        {f"{NET}.routing.bgp": {"keepalive": "60s", "hold": "180s"}, f"{NET}.routing.bfd": "none"},
    ),
    Fault("FAB1508", TIERED, {f"{NET}.addressing.asn.spine": 3000}),
    # infiniband
    Fault("FAB1605", SUBNETS, {f"{NET}.infiniband.keys": {**KEYS, "lease_s": 30}}),
    Fault("FAB1604", SUBNETS, {f"{NET}.infiniband.keys": {**KEYS, "protection_level": 0}}),
    Fault("FAB1609", SUBNETS, {f"{NET}.infiniband.engine": "ftree", f"{NET}.infiniband.fallback": []}),
    # hosts
    Fault("FAB1703", GPU_GROUP, {"hosts.gpu.system": SYSTEM}),
    Fault("FAB1704", ("lab-8",), {"hosts.odd": {"per_unit": 2, "gpus": 1, "nics": {"compute": ODD}}}),
    Fault("FAB1705", GPU_GROUP, {"hosts.gpu.gpus": 12}),
    # hygiene
    Fault("FAB1802", ("lab-8",), {"services.ntp.servers": ["192.0.2.4"]}),
    Fault("FAB1806", ETHERNET, {"services.lldp": False}),
    Fault(
        "FAB1801",
        TIERED,
        {},
        f"drained: [{{device: SWITCH, reason: fan, owner: ann, expires: '{SOON}'}}]\n",
    ),
    Fault(
        "FAB1807",
        TIERED,
        {},
        f"drained: [{{device: SWITCH, reason: fan, owner: ann, expires: '{LATE}'}}]\n",
    ),
)
PLANTED = tuple(
    (fault, name)
    for fault in FAULTS
    for name in Random(f"{SEED} {fault.code}").sample(fault.sites, min(SITES_EACH, len(fault.sites)))  # noqa: S311
)


@cache
def shipped(name: str) -> Linted:
    return site_of({"site.yaml": text_of(name)}, name)


def text_of(name: str) -> str:
    return (REFERENCE / name / "site.yaml").read_text(encoding="utf-8")


def site_of(files: Mapping[str, str], name: str) -> Linted:
    hardware = (REFERENCE / name / "hardware").glob("*.yaml")
    models = {f"hardware/{path.name}": path.read_text(encoding="utf-8") for path in hardware}
    site = Compiled(Path(), load_text({**files, **models}))
    return Linted.of(site.intent, site.topology, site.derivable)


def planted(fault: Fault, name: str) -> dict[str, str]:
    files = {"site.yaml": text_of(name)}
    if any(path.startswith("own:") for path in fault.edits):
        policy = shipped(name).intent.site.networks["compute"].lossless
        files["own.yaml"] = (POLICIES / f"{policy}.yaml").read_text(encoding="utf-8")
        files["site.yaml"] = with_value(files["site.yaml"], ("networks", "compute", "lossless"), "own.yaml")
    for path, value in fault.edits.items():
        file = "own.yaml" if path.startswith("own:") else "site.yaml"
        files[file] = with_value(files[file], tuple(path.removeprefix("own:").split(".")), value)
    if fault.state:
        topology = shipped(name).topology.networks["compute"]
        files["state.yaml"] = fault.state.replace("SWITCH", topology.names[topology.switches[0]])
    return files


def codes_of(files: Mapping[str, str], name: str, code: str) -> set[str]:
    """What `fabric lint` finds by the rule of a code; of an error, which has no rule, what refuses the site."""
    try:
        site = site_of(files, name)
    except Invalid as error:
        return {finding.code for finding in error.diagnostics}
    return {finding.code for finding in lint(site, [rule_named(code)])}


@pytest.mark.parametrize(("fault", "name"), PLANTED, ids=[f"{fault.code}-{name}" for fault, name in PLANTED])
def test_a_planted_fault_is_found_and_the_site_had_it_not(fault: Fault, name: str) -> None:
    by = [rule for rule in rules() if rule.code.code == fault.code]

    assert lint(shipped(name), by) == ()
    assert codes_of(planted(fault, name), name, fault.code) == {fault.code}


def test_faults_are_planted_for_every_group_of_rules_and_in_six_sites() -> None:
    group = {rule.code.code: group_of(rule) for rule in rules()}
    groups = Counter(group[fault.code] for fault in FAULTS if fault.code in group)

    assert groups.keys() == set(group.values())
    assert min(groups.values()) >= 2
    assert len({name for _fault, name in PLANTED}) >= 6
