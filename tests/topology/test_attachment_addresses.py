"""Addresses of attachments: from the end of the host pool, theirs alone, and they stay."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role
from tests.topology.builders import built, errors, expanded, small

PAIRS = {4: ("198.51.100.0/31", "198.51.100.1/31"), 6: ("2001:db8::/127", "2001:db8::1/127")}


def site(links: dict[str, int], *, family: str = "ipv4", reserved: int = 9, **changes: Any) -> dict[str, Any]:
    """Two units with storage by name and number of links."""
    attachments = {
        name: {"network": "compute", "kind": "storage", "links": count, "speed": "400G"}
        | changes.get(name, {})
        for name, count in links.items()
    }
    site_keys = changes.get("site", {})
    return small(
        units=changes.get("units", 2),
        leaf={"reserved_ports": reserved, "max_oversubscription": "9:1"},
        site={"capacity": {"units": 4}, "attachments": attachments} | site_keys,
        addressing={"family": family} | changes.get("addressing", {}),
    )


def ends(net: NetworkTopology) -> dict[tuple[str, int], list[tuple[str, str]]]:
    """Ours and theirs of each link, of every family."""
    found = {}
    for node in net.role_start[Role.ATTACHMENT]:
        for link, port in enumerate(range(net.port_base[node], net.port_base[node + 1])):
            pairs = [(net.address[net.peer[port]], net.address[port])]
            if net.address6:
                pairs.append((net.address6[net.peer[port]], net.address6[port]))
            found[net.names[node], link] = [
                (str(ip_address(ours)), str(ip_address(theirs))) for ours, theirs in pairs if ours != NONE
            ]
    return found


def test_links_have_addresses_of_every_family_from_the_end_of_the_host_pool() -> None:
    found = ends(built(site({"filer": 2}, family="dual")))

    assert {
        ("filer", 0): [
            ("10.63.255.254", "10.63.255.255"),
            ("fd00:0:ffff:ffff:ffff:ffff:ffff:fffe", "fd00:0:ffff:ffff:ffff:ffff:ffff:ffff"),
        ],
        ("filer", 1): [
            ("10.63.255.252", "10.63.255.253"),
            ("fd00:0:ffff:ffff:ffff:ffff:ffff:fffc", "fd00:0:ffff:ffff:ffff:ffff:ffff:fffd"),
        ],
    } == found


@pytest.mark.parametrize(("family", "words"), [("ipv4", 1), ("ipv6", 1), ("dual", 2), ("unnumbered", 1)])
def test_families_are_those_of_hosts(family: str, words: int) -> None:
    found = ends(built(site({"filer": 1}, family=family)))

    assert [words] == [len(pairs) for pairs in found.values()]


def test_hosts_have_the_addresses_that_they_have_without_attachments() -> None:
    def hosts(links: dict[str, int]) -> list[int]:
        net = built(site(links))
        return [
            net.address[p]
            for h in net.role_start[Role.HOST]
            for p in range(net.port_base[h], net.port_base[h + 1])
        ]

    assert hosts({}) == hosts({"filer": 3, "backup": 1})


VLAN = {"vlan": 120}
SUBNETS = {
    "ipv4": ["10.63.255.225/27"],
    "ipv6": ["fd00:0:ffff:fffe::1/64"],
    "dual": ["10.63.255.225/27", "fd00:0:ffff:fffe::1/64"],
}


def gateways(net: NetworkTopology) -> dict[tuple[str, str], list[str]]:
    """The gateways of each attachment and leaf."""
    return {
        (net.names[one.attachment], net.names[one.leaf]): [
            f"{ip_address(address)}/{length}" for _, address, length in one.gateway
        ]
        for one in net.attached_vlans
    }


@pytest.mark.parametrize("family", SUBNETS)
def test_a_vlan_has_a_subnet_of_every_family_on_each_leaf(family: str) -> None:
    net = built(site({"filer": 3}, family=family, filer=VLAN | {"to": {"rails": [0, 1], "unit": 0}}))
    subnets = [ip_network(text, strict=False) for texts in gateways(net).values() for text in texts]
    leaves = [leaf for _, leaf in gateways(net)]

    assert SUBNETS[family] == next(iter(gateways(net).values()))
    assert len(leaves) == len(set(leaves))
    assert len(subnets) == len(set(subnets)) == len(leaves) * len(SUBNETS[family])
    for pairs in ends(net).values():
        assert [] == pairs  # no address on the port itself
    for node in net.role_start[Role.ATTACHMENT]:
        for port in range(net.port_base[node], net.port_base[node + 1]):
            columns = [net.address, *([net.address6] if net.address6 else [])]
            found = [ip_address(column[port]) for column in columns if column[port] != NONE]
            assert len(SUBNETS[family]) == len(found)
            assert all(any(one in subnet for subnet in subnets) for one in found)


@pytest.mark.parametrize("prefix6", [64, 65, 72, 127])
@pytest.mark.parametrize("length", [26, 28, 31])
def test_subnets_and_links_never_overlap(length: int, prefix6: int) -> None:
    links = {"host_links": {"prefix_length": length, "prefix6_length": prefix6}}
    shapes = {
        "a": VLAN,
        "c": VLAN | {"vlan": 9, "prefix_length": 29},
        "d": VLAN | {"vlan": 8, "prefix_length": 25},
    }
    net = built(site({"a": 5, "b": 4, "c": 2, "d": 3, "e": 2}, family="dual", addressing=links, **shapes))
    prefixes = [ip_network(text, strict=False) for texts in gateways(net).values() for text in texts]
    for (name, _), pairs in ends(net).items():
        if name in ("b", "e"):
            prefixes += [ip_network((p, length if "." in p else prefix6), strict=False) for p, _ in pairs]

    assert {4, 6} == {one.version for one in prefixes}
    for i, one in enumerate(prefixes):
        assert not [two for two in prefixes[:i] if one.version == two.version and one.overlaps(two)]


@pytest.mark.parametrize("links", [1, 2, 5])
def test_a_bundle_is_on_one_leaf_and_has_one_address(links: int) -> None:
    net = built(site({"filer": links, "other": 1}, filer=VLAN | {"lacp": True}))
    owner = {
        port: node for node in net.switches for port in range(net.port_base[node], net.port_base[node + 1])
    }
    filer = next(node for node in net.role_start[Role.ATTACHMENT] if net.names[node] == "filer")
    ports = range(net.port_base[filer], net.port_base[filer + 1])

    assert links == len(ports)
    assert 1 == len({owner[net.peer[port]] for port in ports})
    assert 1 == len({net.address[port] for port in ports} - {NONE})


def test_a_bundle_that_grows_beyond_its_leaf_is_told_to_move() -> None:
    bundle = VLAN | {"lacp": True}
    old = expanded(site({"filer": 1, "other": 1}, reserved=2, filer=bundle | {"to": {"unit": 0, "rails": [0]}},
                        other={"to": {"unit": 0, "rails": [0]}}))  # fmt: skip
    new = site({"filer": 2, "other": 1}, reserved=2, filer=bundle, other={"to": {"unit": 0, "rails": [0]}})

    assert {"FAB214"} == {code for code, *_ in errors(new, old.lock)}


def test_written_gateways_are_those_of_each_leaf() -> None:
    pairs = [("198.51.100.1/24", "198.51.100.10/24"), ("198.51.101.1/24", "198.51.101.10/24")]
    to = {"to": {"unit": 0, "rails": [0, 1]}}
    net = built(site({"filer": 2}, filer=VLAN | to | written(*pairs)))

    assert [["198.51.100.1/24"], ["198.51.101.1/24"]] == list(gateways(net).values())


def test_a_written_ipv6_subnet_in_the_host_pool_is_a_matter_of_prefixes_and_not_of_addresses() -> None:
    """A /64 holds 2**63 blocks: counting them would never end."""
    pair = ("fd00:0:1234::1/64", "fd00:0:1234::2/64")
    net = built(site({"filer": 1, "other": 2}, family="ipv6", filer=VLAN | written(pair)))

    assert [["fd00:0:1234::1/64"]] == list(gateways(net).values())


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_what_was_given_stays_whatever_is_added(data: st.DataObject) -> None:
    """Attachments, links and units come and go: an address that a link has had under the lock is its own."""
    names = st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), st.integers(1, 5), min_size=1)
    before = data.draw(names)
    after = {name: max(count, before.get(name, 0)) for name, count in data.draw(names).items()}
    old = expanded(site(before, units=2))
    new = expanded(site(after, units=data.draw(st.integers(2, 4))), old.lock)
    was, now = ends(old.networks["compute"]), ends(new.networks["compute"])

    assert {link: was[link] for link in was.keys() & now.keys()} == {
        link: now[link] for link in was.keys() & now.keys()
    }
    every = [end for pairs in now.values() for pair in pairs for end in pair]
    assert len(every) == len(set(every))


def test_without_the_lock_a_name_in_front_takes_the_first_block() -> None:
    one, two = (ends(built(site(links))) for links in ({"b": 1}, {"a": 1, "b": 1}))

    assert one["b", 0] == two["a", 0] != two["b", 0]


def written(*pairs: tuple[str, str], **keys: Any) -> dict[str, Any]:
    """Addresses of links as the intent has them."""
    return {"addresses": [{"ours": ours, "theirs": theirs} | keys for ours, theirs in pairs]}


def test_free_addresses_inside_the_host_pool_are_taken_and_never_given_to_another_link() -> None:
    mine = ("10.63.255.254/31", "10.63.255.255/31")
    found = ends(built(site({"filer": 1, "other": 2}, filer=written(mine))))

    assert [("10.63.255.254", "10.63.255.255")] == found["filer", 0]
    assert [("10.63.255.252", "10.63.255.253")] == found["other", 0]


@pytest.mark.parametrize(
    ("pair", "owner"),
    [
        (("10.0.0.0/31", "10.0.0.1/31"), "the hosts, which have 10.0.0.0 to 10.0.0.127 at full capacity"),
        (("10.63.255.252/31", "10.63.255.253/31"), "link 1 of locked, 10.63.255.252/31"),
        (("10.63.255.224/28", "10.63.255.225/28"), "link 0 of given, 10.63.255.232/31"),
    ],
)
def test_addresses_of_somebody_else_are_refused_by_name(pair: tuple[str, str], owner: str) -> None:
    given = written(("10.63.255.232/31", "10.63.255.233/31"))
    lock = expanded(site({"locked": 2, "given": 1}, given=given)).lock
    found = errors(site({"locked": 2, "given": 1, "wrong": 1}, given=given, wrong=written(pair)), lock)

    assert [("FAB235", "attachments.wrong.addresses[0].ours")] == [e[:2] for e in found]
    assert f"collides with {owner}" in found[0][2]


def test_addresses_of_another_pool_are_refused() -> None:
    found = errors(site({"wrong": 1}, wrong=written(("10.128.0.0/31", "10.128.0.1/31"))))

    assert [("FAB217", "attachments.wrong.addresses[0].ours")] == [e[:2] for e in found]


def test_a_link_may_have_written_addresses_of_both_families() -> None:
    both = written(PAIRS[4], ours6=PAIRS[6][0], theirs6=PAIRS[6][1])
    found = ends(built(site({"filer": 1}, family="dual", filer=both)))

    assert [("198.51.100.0", "198.51.100.1"), ("2001:db8::", "2001:db8::1")] == found["filer", 0]


def test_a_pool_without_room_for_attachments_is_refused() -> None:
    pool = {"host_pool": "10.0.0.0/25"}

    assert [] == errors(site({}, addressing=pool))
    assert [("FAB216", "networks.compute.addressing.host_pool")] == [
        e[:2] for e in errors(site({"filer": 1}, addressing=pool))
    ]


def test_prefixes_of_a_link_are_as_long_as_those_of_hosts() -> None:
    links = {"host_links": {"prefix_length": 30}}
    net = built(site({"filer": 1}, addressing=links))
    port = net.port_base[net.names.index("filer")]

    assert (30, "10.63.255.253") == (net.prefix_length[port], str(ip_address(net.address[port])))
    assert ip_address(net.address[net.peer[port]]) in ip_network("10.63.255.252/30")
