"""Tenants become partitions: by host, rail, unit, group, tag or attachment, as full or limited members."""

from __future__ import annotations

import pytest

from fabric.devices.codes import IN_NO_TENANT
from fabric.devices.infiniband.derive_subnet import subnet
from fabric.diagnostics import Report
from fabric.intent.load import load_text
from fabric.topology.expand import expand

SITE = """site: lab
units: 2
hosts:
  gpu: {gpus: 2, per_unit: 2, nics: {compute: {count: 2, speed: 400G}}}
  cpu: {gpus: 0, per_unit: 1, nics: {compute: {count: 2, speed: 400G}}}
networks:
  compute:
    technology: infiniband
    infiniband:
      keys: {management_key: "env:MKEY", administration_key: "env:SAKEY"}
      service_levels:
        default: {service_level: 0, virtual_lane: 0}
        storage: {service_level: 3, virtual_lane: 1, weight: 0, high_weight: 64}
    tiers:
      leaf: {model: qm9700, reserved_ports: 2, max_oversubscription: "9:1"}
      spine: {model: qm9700, count: 2}
attachments:
  sm-1: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 0, rails: [0]}}
  sm-2: {network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {unit: 1, rails: [0]}}
  nas: {network: compute, kind: storage, links: 2, speed: 400G, to: {unit: 0}}
tenants:
"""
TAGGED = "hosts: {gpu-0-0: {tags: [red, fast]}, gpu-1-1: {tags: [red]}, cpu-1-0: {tags: [slow]}}\n"
EVERYTHING = [f"{host}:{nic}" for host in ("cpu-0-0", "cpu-1-0") for nic in (0, 1)]


def made(tenants, site=SITE):
    intent = load_text({"site.yaml": site + tenants, "inventory.yaml": TAGGED})
    report = Report()
    found = subnet(intent, expand(intent).networks["compute"], report)
    report.finish()
    return found


def told(tenants):
    """The finding about hosts in no tenant: its rule and hosts."""
    intent = load_text({"site.yaml": SITE + tenants, "inventory.yaml": TAGGED})
    report = Report()
    subnet(intent, expand(intent).networks["compute"], report)
    return [(f.rule, f.subjects) for f in report if f.code == IN_NO_TENANT.code]


ALL = ("cpu-0-0", "cpu-1-0", "gpu-0-0", "gpu-0-1", "gpu-1-0", "gpu-1-1")
LEFT_OUT = {
    "units: [0, 1]": (),
    "groups: [gpu]": ("cpu-0-0", "cpu-1-0"),
    "units: [1]": ("cpu-0-0", "gpu-0-0", "gpu-0-1"),
    "tags: [red]": ("cpu-0-0", "cpu-1-0", "gpu-0-1", "gpu-1-0"),
    "rails: [0]": (),
    "attachments: [nas]": ALL,
    "hosts: [cpu-0-0, cpu-1-0, gpu-0-0, gpu-0-1, gpu-1-0]": ("gpu-1-1",),
}


@pytest.mark.parametrize("named", LEFT_OUT)
def test_hosts_in_no_tenant_are_told_where_there_are_tenants(named):
    found = told(f'  red: {{{named}, partition: {{pkey: "0x10"}}}}\n')

    assert [tuple(sorted(hosts)) for _, hosts in found] == ([LEFT_OUT[named]] if LEFT_OUT[named] else [])
    for rule, hosts in found:
        verb, they = ("is", "it reaches") if len(hosts) == 1 else ("are", "they reach")
        assert rule == f"{len(hosts)} of 6 hosts {verb} in no tenant of compute: {they} no other host"
    assert told("  {}\n") == []


def members(tenant, *, full=True):
    """The ports of a tenant, as HOST:NIC."""
    found = made(f"  red: {tenant}\n")
    names = {e.port_guid: f"{e.host}:{e.nic}" for e in found.ends}
    return sorted(names[m.port_guid] for m in found.partitions[0].members if m.full is full)


BY = {
    "host": ("hosts: [gpu-0-1]", ["gpu-0-1:0", "gpu-0-1:1"]),
    "host and rail": ("hosts: [gpu-0-1], rails: [1]", ["gpu-0-1:1"]),
    "rail": ("rails: [1]", ["cpu-0-0:1", "cpu-1-0:1", "gpu-0-0:1", "gpu-0-1:1", "gpu-1-0:1", "gpu-1-1:1"]),
    "unit": ("units: [1]", [f"{h}:{n}" for h in ("cpu-1-0", "gpu-1-0", "gpu-1-1") for n in (0, 1)]),
    "unit and rail": ("units: [1], rails: [0]", ["cpu-1-0:0", "gpu-1-0:0", "gpu-1-1:0"]),
    "group": ("groups: [cpu]", EVERYTHING),
    "tag": ("tags: [red]", [f"{h}:{n}" for h in ("gpu-0-0", "gpu-1-1") for n in (0, 1)]),
    "tags": ("tags: [fast, slow], rails: [0]", ["cpu-1-0:0", "gpu-0-0:0"]),
    "attachment": ("attachments: [nas]", ["nas:0", "nas:1"]),
    "host and attachment": (
        "hosts: [cpu-0-0], attachments: [nas]",
        ["cpu-0-0:0", "cpu-0-0:1", "nas:0", "nas:1"],
    ),
}


@pytest.mark.parametrize("how", sorted(BY))
def test_members_are_chosen(how):
    said, expected = BY[how]

    assert expected == members(f'{{{said}, partition: {{pkey: "0x1001"}}}}')


@pytest.mark.parametrize("how", sorted(BY))
def test_limited_members_are_chosen_likewise(how):
    said, expected = BY[how]

    tenant = f'{{attachments: [sm-1], partition: {{pkey: "0x1001", limited: {{{said}}}}}}}'

    assert expected == members(tenant, full=False)


def test_who_is_full_and_limited_is_full():
    tenant = '{units: [0], partition: {pkey: "0x1001", limited: {groups: [gpu]}}}'

    assert [f"gpu-1-{h}:{n}" for h in (0, 1) for n in (0, 1)] == members(tenant, full=False)
    assert "gpu-0-0:0" in members(tenant)


def test_a_partition_says_ip_first_place_lane_and_rate():
    found = made(
        '  red: {units: [0], partition: {pkey: "0x2", ipoib: false, index0: true, service_level: storage, '
        "rate_limit_gbps: 100}}\n"
        '  blue: {units: [1], partition: {pkey: "0x1"}}\n'
    )

    blue, red = found.partitions
    assert (red.name, red.pkey, red.ipoib, red.index0, red.service_level, red.rate_mbps) == (
        *("red", 2, False, True),
        *(3, 100_000),
    )
    assert (blue.name, blue.pkey, blue.ipoib, blue.index0, blue.service_level, blue.rate_mbps) == (
        *("blue", 1, True, False),
        *(0, 400_000),
    )


def test_a_partition_is_as_fast_as_its_slowest_member():
    slower = SITE.replace("nas: {network: compute, kind: storage, links: 2, speed: 400G, to: {unit: 0}}", NAS)
    found = made('  red: {attachments: [nas], hosts: [gpu-0-0], partition: {pkey: "0x1"}}\n', slower)

    assert [one.rate_mbps for one in found.partitions] == [200_000]


NAS = "nas: {network: compute, kind: storage, links: 1, speed: 200G, to: {unit: 0, cages: '32'}}"


def test_a_port_may_be_in_several_partitions():
    found = made(
        '  red: {units: [0], partition: {pkey: "0x1"}}\n  both: {hosts: [gpu-0-0], partition: {pkey: "0x2"}}\n'
    )

    red, both = ({m.port_guid for m in one.members} for one in found.partitions)
    assert both < red


def test_lanes_are_ordered_by_level():
    lanes = made('  red: {units: [0], partition: {pkey: "0x1"}}\n').lanes

    assert [
        (one.name, one.service_level, one.virtual_lane, one.weight, one.high_weight) for one in lanes
    ] == [
        ("default", 0, 0, 64, 0),
        ("storage", 3, 1, 0, 64),
    ]


def test_a_tenant_of_another_network_is_no_partition_here():
    two = SITE.replace("attachments:\n", ETHERNET + "attachments:\n", 1)
    two = two.replace(
        "{gpus: 0, per_unit: 1, nics: {", "{gpus: 0, per_unit: 1, nics: {front: {count: 1, speed: 400G}, "
    )

    found = made(
        "  red: {networks: [front], units: [0]}\n  blue: {units: [0], networks: [compute], partition: "
        '{pkey: "0x1"}}\n',
        two,
    )

    assert [one.name for one in found.partitions] == ["blue"]


ETHERNET = """  front:
    tiers: {leaf: {model: arista-7060x6-64pe}}
"""
