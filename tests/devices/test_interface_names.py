"""Names of hosts' NICs, and packets out of order only for NICs that take them."""

from __future__ import annotations

import pytest

from fabric import api
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Invalid
from fabric.intent.load import load_text

SITE = """
site: lab
units: 2
hosts:
  gpu: {{per_unit: 2, nics: {{compute: {{count: 4, speed: 400G}}}}{gpu}}}
  cpu: {{per_unit: 1, nics: {{compute: {{count: 4, speed: 400G}}}}{cpu}}}
networks:
  compute:
    routing: {{load_balancing: {how}, nics_reorder: {all}}}
    tiers:
      leaf: {{model: arista-7060x6-64pe}}
      spine: {{model: arista-7060x6-64pe}}
"""


def system(out_of_order: str | None = None, interface: str = "rail{rail}") -> str:
    placed = f", out_of_order: {out_of_order}" if out_of_order else ""
    nics = f'{{compute: {{kind: mlx5, interface: "{interface}", rdma: "mlx5_{{nic}}"{placed}}}}}'
    return f", system: {{owner: operator, nics: {nics}}}"


def derived(how: str = "ecmp", reorder: str = "false", gpu: str = "", cpu: str = "") -> Devices:
    intent = load_text({"site.yaml": SITE.format(how=how, all=reorder, gpu=gpu, cpu=cpu)})
    return api.derive(intent, api.expand(intent))


MINDS = pytest.mark.parametrize(
    ("reorder", "gpu", "cpu"),
    [
        ("false", "", ""),
        ("false", system("true"), ""),
        ("false", system("true"), system("false")),
        ("true", system("false"), ""),
    ],
)


@MINDS
def test_spraying_is_refused_if_one_nic_minds(reorder, gpu, cpu):
    with pytest.raises(Invalid, match="out of order") as refused:
        derived("per_packet", reorder, gpu, cpu)

    assert ["FAB421"] == [finding.code for finding in refused.value.diagnostics]


@MINDS
def test_flowlets_are_warned_of_if_one_nic_minds(reorder, gpu, cpu):
    assert ["FAB422"] == [finding.code for finding in derived("flowlet", reorder, gpu, cpu).diagnostics]


@pytest.mark.parametrize("how", ["flowlet", "per_packet"])
@pytest.mark.parametrize(
    ("reorder", "gpu", "cpu"),
    [("false", system("true"), system("true")), ("true", "", ""), ("true", system(), system("true"))],
)
def test_reordering_is_allowed_if_every_nic_is_declared(how, reorder, gpu, cpu):
    assert len(derived(how, reorder, gpu, cpu))


def test_nobody_is_asked_about_order_where_order_is_kept():
    assert len(derived("ecmp"))


def test_equal_ports_of_equal_hosts_share_what_is_said_of_them():
    hosts = derived(gpu=system()).hosts
    first, second = (hosts[name].ports[2].system for name in ("gpu-0-0", "gpu-1-1"))

    assert first is second
    assert ("rail2", "mlx5_2") == (first.interface, first.rdma)


def test_a_list_names_port_by_port():
    hosts = derived(gpu=system(interface="eno1,eno5,ens3,ens4")).hosts

    assert ["eno1", "eno5", "ens3", "ens4"] == [port.system.interface for port in hosts["gpu-0-1"].ports]


def test_only_described_hosts_are_told_apart():
    devices = derived(gpu=system())

    assert {"gpu-0-0", "gpu-0-1", "gpu-1-0", "gpu-1-1"} == set(devices.described_hosts)
    assert devices.hosts["cpu-0-0"].system is None


def test_what_hosts_call_their_nics_changes_no_switch():
    before, after = derived(), derived(gpu=system(), cpu=system(interface="eth{nic}"))

    assert [before.fingerprint(name) for name in before] == [after.fingerprint(name) for name in after]
