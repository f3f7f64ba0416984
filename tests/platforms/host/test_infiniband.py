"""InfiniBand hosts: NCCL and UCX, from the same subnet that its manager is told of."""

from __future__ import annotations

import re

import pytest

from fabric import api
from fabric.devices.model import SubnetManager
from fabric.diagnostics import Invalid, Severity
from fabric.intent.load import load_text
from tests.infiniband.simulator import Manager, Simulator, need_tools

SITE = """\
site: ib
units: 2
hosts:
  dgx:
    gpus: 2
    per_unit: 4
    nics: {{compute: {{count: 2, speed: 400G}}}}
    system:
      owner: operator
      nics: {{compute: {{kind: mlx5, interface: "ib{{nic}}", rdma: "mlx5_{{nic}}"}}}}
      nccl: {nccl}
networks:
  compute:
    technology: infiniband
    infiniband:
      {infiniband}
      service_levels: {{default: {{service_level: 1, virtual_lane: 0}}, gold: {{service_level: 2, virtual_lane: 1}}}}
      keys: {{management_key: "env:MKEY", administration_key: "env:SAKEY"}}
    tiers:
      leaf: {{model: qm9700, reserved_ports: 2, max_oversubscription: "3:2"}}
      spine: {{model: qm9700, count: 2}}
attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 0, rails: [0]}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{unit: 1, rails: [0]}}}}
tenants:
{tenants}
"""
RED = '  red: {units: [0], partition: {pkey: "0x1001", index0: true, service_level: gold}}\n'


TWO = """\
  red: {units: [0], rails: [0], partition: {pkey: "0x1001", index0: true}}
  blue: {units: [0], rails: [1], partition: {pkey: "0x1002", index0: true}}
"""


def site(**parts: str) -> str:
    """The site with some parts changed."""
    usual = {"nccl": "{}", "infiniband": "engine: auto", "tenants": RED}
    text = SITE.format(**{**usual, **parts})
    return text if parts.get("tenants", RED) else text.replace("tenants:\n\n", "")


def compiled(text: str):
    """Devices of a site."""
    intent = load_text({"site.yaml": text})
    return api.derive(intent, api.expand(intent))


def files(text: str, host: str = "dgx-0-0") -> dict[str, str]:
    """The files of a host."""
    return {file.path: file.text for file in api.render_hosts(compiled(text))[host].files}


def settings(text: str, host: str = "dgx-0-0", path: str = "etc/nccl.conf") -> dict[str, str]:
    """Names and values of a file."""
    return dict(line.split("=", 1) for line in files(text, host)[path].splitlines() if line[:1] != "#")


def findings(text: str, host: str = "dgx-0-0") -> list[tuple[str, Severity, str, str]]:
    """Code, severity, rule and hint of what a host's files have wrong."""
    try:
        found = api.render_hosts(compiled(text))[host].diagnostics
    except Invalid as invalid:
        found = invalid.diagnostics
    return [(one.code, one.severity, one.rule, one.hint or "") for one in found]


def test_a_tenants_hosts_use_its_service_level_and_the_first_key_of_their_ports():
    assert {
        "NCCL_IB_HCA": "=mlx5_0:1,mlx5_1:1",
        "NCCL_CROSS_NIC": "0",
        "NCCL_IB_SL": "2",
        "NCCL_IB_PKEY": "0",
        "NCCL_IB_ADAPTIVE_ROUTING": "0",
    } == settings(site())


def test_without_tenants_there_is_no_key_and_the_default_level():
    assert {
        "NCCL_IB_HCA": "=mlx5_0:1,mlx5_1:1",
        "NCCL_CROSS_NIC": "0",
        "NCCL_IB_SL": "1",
        "NCCL_IB_ADAPTIVE_ROUTING": "0",
    } == settings(site(tenants=""))
    assert [] == findings(site(tenants=""))


def test_a_host_of_a_subnet_gets_no_scripts_and_no_network_files():
    assert {"etc/nccl.conf", "etc/fabric/environment"} == set(files(site()))
    script = site().replace("owner: operator", "owner: script")
    assert {"etc/nccl.conf", "etc/fabric/environment"} == set(files(script))


def test_ucx_is_told_the_key_itself_where_it_is_declared():
    text = site(nccl="{ucx: true}")

    assert {
        "UCX_NET_DEVICES": "mlx5_0:1,mlx5_1:1",
        "UCX_IB_SL": "2",
        "UCX_IB_PKEY": "0x1001",
    }.items() <= settings(text, path="etc/fabric/environment").items()
    assert not any(name.startswith("UCX") for name in settings(site(), path="etc/fabric/environment"))
    assert not any(name.startswith("UCX") for name in settings(text))


def test_sharp_and_adaptive_routing_are_told_only_where_they_are_declared():
    text = site(infiniband="platform: ufm\n      sharp: true\n      adaptive_routing: true")
    made = settings(text)

    assert ("1", "1") == (made["NCCL_COLLNET_ENABLE"], made["NCCL_IB_ADAPTIVE_ROUTING"])
    assert "NCCL_COLLNET_ENABLE" not in settings(site())


def test_a_key_without_a_fixed_place_is_refused():
    text = site(tenants=RED.replace("index0: true, ", ""))

    assert [
        (
            "FAB592",
            Severity.ERROR,
            "the P_Key of red has no fixed place in the tables of dgx-0-0's ports",
            "write `index0: true` in `tenants.red.partition`, or `nccl: none`",
        )
    ] == findings(text)
    assert [] == findings(text.replace("nccl: {}", "nccl: none"))


@pytest.mark.parametrize(
    "tenants",
    [
        TWO,
        '  red: {units: [0], rails: [0], partition: {pkey: "0x1001", index0: true}}\n',
    ],
)
def test_a_host_whose_nics_are_in_different_tenants_is_refused(tenants):
    ((code, severity, rule, _hint),) = findings(site(tenants=tenants))

    assert ("FAB592", Severity.ERROR) == (code, severity)
    assert "NCCL uses one partition for all NICs" in rule


def test_a_limited_member_of_storage_uses_its_own_tenants_partition():
    storage = '  files: {attachments: [sm-1], partition: {pkey: "0x2001", limited: {groups: [dgx]}}}\n'

    assert ("2", "0") == tuple(
        settings(site(tenants=RED + storage))[key] for key in ("NCCL_IB_SL", "NCCL_IB_PKEY")
    )


def test_a_host_in_no_tenant_of_a_divided_subnet_is_warned_of():
    ((code, severity, rule, _hint),) = findings(site(), "dgx-1-0")

    assert ("FAB585", Severity.WARNING) == (code, severity)
    assert "dgx-1-0 is in no tenant: it reaches subnet managers and no other host" == rule


@pytest.mark.parametrize(
    ("engine", "warned"), [("dfsssp", True), ("nue", True), ("ftree", False), ("updn", False)]
)
def test_an_engine_that_needs_the_level_of_each_path_is_warned_of(engine, warned):
    text = "\n".join(
        line
        for line in site(infiniband=f"engine: {engine}", tenants="").splitlines()
        if "service_levels" not in line
    )

    assert warned == (("FAB584", Severity.WARNING) in [found[:2] for found in findings(text)])


MIXED = """\
site: both
units: 1
hosts:
  dgx:
    gpus: 2
    per_unit: 2
    nics: {compute: {count: 2, speed: 400G}, storage: {count: 1, speed: 400G}}
    system:
      owner: script
      nics:
        compute: {kind: mlx5, interface: "ib{nic}", rdma: "mlx5_{nic}"}
        storage: {kind: mlx5, interface: "eth0", rdma: "mlx5_8"}
networks:
  compute:
    technology: infiniband
    tiers: {leaf: {model: qm9700, reserved_ports: 2, max_oversubscription: "3:2"}, spine: {model: qm9700, count: 2}}
  storage:
    tiers: {leaf: {model: arista-7060x6-32pe}}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 0, rails: [0]}}
  sm-2: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 0, rails: [1]}}
"""


def test_a_host_of_both_technologies_has_scripts_for_ethernet_and_collectives_on_infiniband():
    made = files(MIXED)

    assert "NCCL_IB_HCA==mlx5_0:1,mlx5_1:1" in made["etc/nccl.conf"]
    assert "eth0" in made["usr/local/sbin/fabric-roce-qos"]
    assert not re.search(r"\bib[01]\b|mlx5_[01]\b", made["usr/local/sbin/fabric-roce-qos"])
    assert not re.search(r"\bib[01]\b", made["etc/netplan/60-fabric.yaml"])


def test_names_of_a_subnets_nics_are_held_against_the_nics():
    text = MIXED.replace('rdma: "mlx5_{nic}"', 'rdma: "mlx5_0,mlx5_1,mlx5_2"')

    with pytest.raises(Invalid, match="3 entries for 2 NIC ports"):
        compiled(text)


@pytest.mark.live
def test_opensm_puts_the_key_of_a_tenant_with_index0_first(tmp_path):
    need_tools()
    devices = compiled(site())
    manager = next(one for one in devices.values() if isinstance(one, SubnetManager))
    ends = {end.name: end.lid for end in manager.subnet.ends}

    text = api.render(devices)[manager.name].text
    with Simulator(manager.subnet, tmp_path) as simulator, Manager(simulator, manager, text) as running:
        running.wait()
        first, other = (
            simulator.tool("smpquery", "pkeys", str(ends[name]))
            for name in ("dgx-0-0 mlx5_1", "dgx-1-0 mlx5_1")
        )

    assert re.match(r"\s*0: 0x9001 0x7fff 0x0000", first)
    assert re.match(r"\s*0: 0x7fff 0x0000", other)
