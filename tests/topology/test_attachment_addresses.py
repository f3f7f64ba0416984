"""Addresses of attachments: from the end of the host pool, theirs alone, and they stay."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.topology.model import NONE, NetworkTopology, Role
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
