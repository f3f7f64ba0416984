"""What one device must know, derived from small sites."""

from __future__ import annotations

from collections import Counter

import pytest

from fabric.devices.derive import derive
from fabric.devices.model import LinkRole, Relation
from fabric.diagnostics import Invalid
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.topology.expand import expand

SITE = """site: lab
units: 2
hosts:
  gpu: {{gpus: 2, per_unit: 2, nics: {{compute: {{count: 2{ports}, speed: 400G}}}}}}
networks:
  compute:
{network}    tiers:
      leaf: {{model: arista-7060x6-64pe, platform: eos}}
      spine: {{model: arista-7060x6-64pe, platform: eos, count: 2{spine}}}
{rest}"""


def devices(network="", rest="", ports="", spine="", **beside):
    files = {"site.yaml": SITE.format(network=network, rest=rest, ports=ports, spine=spine)}
    files |= {f"{name}.yaml": text for name, text in beside.items()}
    intent = load_text(files)
    return derive(intent, expand(intent), registry)


def findings(**arguments):
    with pytest.raises(Invalid) as caught:
        devices(**arguments)
    return {(d.code, str(d.origin)) for d in caught.value.diagnostics if d.is_error}


def neighbors(switch, relation):
    return [n for n in switch.routing.neighbors if n.relation is relation]


def test_every_cabled_port_names_its_other_end_in_the_words_of_the_peer():
    made = devices()

    for switch in made.values():
        for port in switch.ports:
            if port.role in (LinkRole.UP, LinkRole.DOWN):
                other = next(p for p in made[port.peer].ports if p.name == port.peer_port)
                assert (switch.name, port.name) == (other.peer, other.peer_port)


def test_both_ends_of_a_link_agree_on_speed_mtu_subnet_and_queues():
    made = devices(network="    ip_mtu: 4200\n")

    for switch in made.values():
        for port in switch.ports:
            if port.role is LinkRole.UP:
                other = next(p for p in made[port.peer].ports if p.name == port.peer_port)
                assert port.slot.speed_mbps == other.slot.speed_mbps
                assert port.ip_mtu_bytes == other.ip_mtu_bytes == 4200
                assert port.addresses[0].network == other.addresses[0].network
                assert port.queueing.classes[0].dscp == other.queueing.classes[0].dscp
                assert port.queueing.priorities == other.queueing.priorities


def test_each_session_has_a_mirror_image_at_its_other_end():
    made = devices()

    for switch in made.values():
        for neighbor in switch.routing.neighbors:
            mirror = {n.remote_asn for n in made[neighbor.peer].routing.neighbors if n.peer == switch.name}
            assert mirror == {switch.routing.asn}


def test_a_leaf_sees_spines_above_and_a_spine_leaves_below():
    made = devices()

    assert {n.peer for n in neighbors(made["leaf-0-0"], Relation.UP)} == {"spine-0", "spine-1"}
    assert len(neighbors(made["spine-0"], Relation.DOWN)) == 4
    assert neighbors(made["spine-0"], Relation.UP) == []


def test_a_leaf_tells_its_hosts_as_one_aligned_block():
    leaf = devices()["leaf-1-1"]
    block = leaf.routing.aggregates[0]

    hosts = [p.addresses[0].network for p in leaf.ports if p.role is LinkRole.HOST]

    assert all(host.subnet_of(block) for host in hosts)
    assert leaf.routing.host_prefixes[0].prefix == block


def test_hosts_of_all_leaves_are_accepted_and_nothing_else():
    leaf = devices()["leaf-0-0"]

    assert {str(r.prefix) for r in leaf.routing.accepted} == {"10.255.0.0/16", "10.0.0.0/10"}


def test_ports_that_wait_for_growth_are_unused_and_shut():
    spine = devices(rest="capacity: {units: 4}\n")["spine-0"]

    unused = [p for p in spine.ports if p.role is LinkRole.UNUSED]

    assert len(unused) == 4
    assert not any(p.enabled for p in unused)


def test_unnumbered_links_have_sessions_over_ports():
    leaf = devices(network="    addressing: {family: unnumbered}\n")["leaf-0-0"]

    up = neighbors(leaf, Relation.UP)

    assert [n.address for n in up] == [None, None]
    assert all(p.link_local and not p.addresses for p in leaf.ports if p.role is LinkRole.UP)


def test_dual_stack_links_have_a_session_for_each_family():
    leaf = devices(network="    addressing: {family: dual}\n")["leaf-0-0"]

    assert sorted(n.family for n in neighbors(leaf, Relation.UP)) == [4, 4, 6, 6]
    assert leaf.routing.families == (4, 6)


def test_the_two_leaves_of_a_bond_share_the_gateway_and_differ_as_systems():
    links = "    planes: {count: 2}\n    addressing: {host_links: {mode: lacp, host_arp_duplication: true}}\n"
    made = devices(network=links, ports=", ports: 2")
    one, two = made["leaf-0-0-0"], made["leaf-1-0-0"]

    assert one.gateways == two.gateways
    assert (one.bond_system, two.bond_system) == (1, 2)
    assert one.gateways[0].arp_hosts


def test_a_host_has_all_its_rails_and_its_leafs_address_as_gateway():
    made = devices()
    host = made.hosts["gpu-0-1"]

    assert [p.rail for p in host.ports] == [0, 1]
    for port in host.ports:
        leaf_port = next(p for p in made[port.peer].ports if p.name == port.peer_port)
        assert port.gateways == (leaf_port.addresses[0].ip,)


def test_an_operators_exceptions_shut_both_ends_of_a_link_and_drain_a_device():
    why = 'reason: optic swap, owner: ana, expires: "2099-01-01"'
    made = devices(
        state=f"""drained: [{{device: leaf-0-1, {why}}}]
shut_ports: [{{device: leaf-0-0, port: Ethernet1/1, {why}}}]
excluded_links: [{{device: leaf-0-0, peer: spine-0, port: Ethernet2/1, {why}}}]
"""
    )

    assert made["leaf-0-1"].drained
    assert [p.name for p in made["leaf-0-0"].ports if not p.enabled] == ["Ethernet1/1", "Ethernet2/1"]
    assert [p.peer for p in made["spine-0"].ports if not p.enabled] == ["leaf-0-0"]


def test_an_overridden_as_number_is_known_to_the_neighbours():
    made = devices(rest="overrides: [{device: spine-1, asn: 65123}]\n")

    assert made["spine-1"].routing.asn == 65123
    assert {n.remote_asn for n in made["leaf-0-0"].routing.neighbors if n.peer == "spine-1"} == {65123}


def test_a_later_override_wins():
    made = devices(rest="overrides: [{role: leaf, max_paths: 4}, {device: leaf-0-0, max_paths: 8}]\n")

    assert (made["leaf-0-0"].routing.max_paths, made["leaf-0-1"].routing.max_paths) == (8, 4)


def test_the_ecmp_width_is_the_number_of_uplinks_as_a_power_of_two():
    made = devices()

    assert made["leaf-0-0"].routing.max_paths == 2


def test_storage_ports_carry_the_lossless_classes_and_routers_do_not():
    rest = """attachments:
  nas: {network: compute, kind: storage, links: 1, speed: 400G, to: {tier: spine, index: [0]}}
  border:
    {network: compute, kind: router, links: 1, speed: 400G, to: {tier: spine, index: [0]},
     bgp: {asn: 65010, prefixes: [0.0.0.0/0]}}
"""
    ports = {p.peer: p for p in devices(rest=rest, spine=", reserved_ports: 2")["spine-0"].ports}

    assert ports["nas"].queueing.priorities == (3,)
    assert ports["border"].queueing is None


def test_a_router_may_bring_only_what_is_accepted_from_it():
    rest = """attachments:
  border:
    {network: compute, kind: router, links: 1, speed: 400G, to: {tier: spine, index: [0]},
     bgp: {asn: 65010, prefixes: [0.0.0.0/0], advertise: [10.0.0.0/10]}}
"""
    made = devices(rest=rest, spine=", reserved_ports: 1")
    (border,) = neighbors(made["spine-0"], Relation.EXTERNAL)

    assert [str(p) for p in border.accept] == ["0.0.0.0/0"]
    assert [str(p) for p in border.advertise] == ["10.0.0.0/10"]
    assert "0.0.0.0/0" in {str(r.prefix) for r in made["leaf-0-0"].routing.accepted}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"rest": "tenants: {a: {units: [0]}, b: {units: [1]}}\n"}, ("FAB402", "tenants.a")),
        ({"rest": "tenants: {a: {units: [0], vrf: red}}\n"}, ("FAB402", "tenants.a")),
        ({"rest": "overrides: [{device: leaf-9-9, max_paths: 2}]\n"}, ("FAB403", "overrides[0].device")),
        (
            {"state": 'drained: [{device: nobody, reason: why not, owner: ana, expires: "2099-01-01"}]\n'},
            ("FAB404", "drained[0].device"),
        ),
        (
            {
                "state": "shut_ports: [{device: leaf-0-0, port: Ethernet99/1, reason: why not, owner: ana, "
                'expires: "2099-01-01"}]\n'
            },
            ("FAB405", "shut_ports[0].port"),
        ),
        (
            {
                "rest": "attachments: {border: {network: compute, kind: router, links: 1, speed: 400G, "
                "to: {tier: spine}}}\n",
                "spine": ", reserved_ports: 1",
            },
            ("FAB408", "attachments.border"),
        ),
    ],
)
def test_what_cannot_be_derived_is_refused_at_its_place(arguments, expected):
    assert expected in findings(**arguments)


def test_a_tier_without_a_platform_is_refused():
    text = SITE.format(network="", rest="", ports="", spine="").replace("platform: eos}", "platform: ios}", 1)
    intent = load_text({"site.yaml": text})

    with pytest.raises(Invalid) as caught:
        derive(intent, expand(intent), registry)

    assert [(d.code, str(d.origin)) for d in caught.value.diagnostics if d.is_error] == [
        ("FAB401", "networks.compute.tiers.leaf.platform")
    ]


def test_an_inventory_entry_for_nobody_is_a_warning():
    made = devices(inventory="devices: {leaf-0-2: {serial: ABC}}\n")

    assert [(d.code, str(d.origin)) for d in made.diagnostics] == [("FAB406", "devices.leaf-0-2")]


POLICY = """classes:
  roce: {dscp: [26], traffic_class: 3, priority: 3, queue: 3, share: 60, ecn: auto}
  second: {dscp: [34], traffic_class: 4, priority: 4, queue: 4, share: 20, ecn: auto}
  cnp: {dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}
  other: {dscp: rest, traffic_class: 0, queue: 0, share: 20}
cnp: cnp
"""
ATTACHED = """attachments:
  thing: {{network: compute, kind: {kind}, links: 4, speed: 400G, cable: {cable}, to: {{tier: spine}}}}
"""


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "overrides: [{device: leaf-0-1, up_cages: 63-64}]\n",
        "overrides: [{device: leaf-0-1, up_cages: 63-64}, {device: leaf-1-1, up_cages: 61-62}]\n",
        ATTACHED.format(kind="storage", cable="30m"),
        ATTACHED.format(kind="storage", cable="7m"),
        ATTACHED.format(kind="router", cable="7m, bgp: {asn: 65001}"),
        ATTACHED.format(kind="other", cable="7m, lossless: true"),
    ],
    ids=["one port map", "two", "three", "storage", "another cable", "a router", "lossless"],
)
def test_the_buffer_of_a_switch_is_reserved_for_the_most_ports_that_one_switch_of_its_tier_has(rest):
    """However many port maps a tier has: a switch has the ports of one of them, not of all."""
    made = devices(
        network="    lossless: policy.yaml\n", spine=", reserved_ports: 2", rest=rest, policy=POLICY
    )
    for role in ("leaf", "spine"):
        tier = [switch for switch in made.values() if switch.role == role]
        most = Counter()
        for switch in tier:
            ports = [port.queueing for port in switch.ports if port.queueing is not None]
            most |= Counter((one.speed_mbps, one.cable_m) for one in ports)
        profiles = {
            (p.speed_mbps, p.cable_m): p.headroom for switch in tier for p in switch.queueing.profiles
        }
        needed = sum(
            count * (profiles[kind].headroom_bytes + profiles[kind].resume_bytes)
            for kind, count in most.items()
        )

        assert {switch.queueing.budget.headroom_bytes for switch in tier} == {2 * needed}
