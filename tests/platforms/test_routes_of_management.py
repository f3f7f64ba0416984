"""Static routes of the table that management is reached in: whatever becomes of one may shut us out.

A route that is new may send our answers elsewhere, or nowhere, as well as one that is gone.
"""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from fabric.devices.model import Switch
from tests.platforms.everywhere import MODELS, devices, texts
from tests.platforms.judging import lockouts_of_texts

END = re.compile(r"\Z")
IN_MANAGEMENT = {
    "cumulus": (
        re.compile(r"(?m)^( +)mgmt: \{\}$"),
        r"\1mgmt: {{router: {{static: {{192.0.2.0/24: {route}}}}}}}",
    ),
    "dellsonic": (END, "ip route vrf mgmt 192.0.2.0/24 {route}\n"),
    "eos": (END, "ip route vrf MGMT 192.0.2.0/24 {route}\n"),
    "frr": (re.compile(r"(?m)^router bgp"), "ip route 192.0.2.0/24 {route} vrf MGMT\nrouter bgp"),
    "junos": (
        END,
        "routing-instances {{ mgmt_junos {{ routing-options {{ static {{ route 192.0.2.0/24 {route}; }} }} }} }}\n",
    ),
    "nxos": (
        re.compile(r"(?m)^vrf context management\n"),
        "vrf context management\n  ip route 192.0.2.0/24 {route}\n",
    ),
    "sonic": (
        re.compile(r'(?m)^ *"MGMT_VRF_CONFIG"'),
        '"STATIC_ROUTE": {{"mgmt|192.0.2.0/24":{{{route}}}}},\n"MGMT_VRF_CONFIG"',
    ),
    "srlinux": (
        re.compile(r'(\{"name":"mgmt","type":"[^"]+",)'),
        r'\1"static-routes":{{"route":[{{"prefix":"192.0.2.0/24",{route}}}]}},',
    ),
}
"""Where a static route of the management VRF stands in what is printed."""
ROUTES = {
    "cumulus": ("{address-family: ipv4-unicast, distance: {1: {via: {blackhole: {type: blackhole}}}}}",
                "{address-family: ipv4-unicast, distance: {9: {via: {blackhole: {type: blackhole}}}}}"),
    "eos": ("Null0", "203.0.113.1"),
    "dellsonic": ("blackhole", "203.0.113.1"),
    "frr": ("Null0", "203.0.113.1"),
    "junos": ("discard", "next-hop 203.0.113.1"),
    "nxos": ("null0", "203.0.113.1"),
    "sonic": ('"blackhole":"true"', '"nexthop":"203.0.113.1"'),
    "srlinux": ('"next-hop-group":"a"', '"next-hop-group":"b"'),
}  # fmt: skip
"""Two routes to the same prefix."""


def one(name: str) -> tuple[Switch, str]:
    """A switch of a product, and what is printed for it."""
    return next(iter(texts(devices(name, "two tiers"))))


def with_route(name: str, text: str, route: str) -> str:
    place, line = IN_MANAGEMENT[name]
    made, count = place.subn(line.format(route=route), text, count=1)
    assert count == 1
    return made


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_route_of_the_management_vrf_that_comes_changes_or_goes_may_lock_out(name: str) -> None:
    switch, bare = one(name)
    first, second = (with_route(name, bare, route) for route in ROUTES[name])

    for old, new in ((bare, first), (first, second), (first, bare)):
        assert lockouts_of_texts(switch, old, new)


IN_DEFAULT = {
    "cumulus": (
        re.compile(r"(?m)^( +)router:\n( +)bgp:"),
        r"\1router:\n\2static: {{192.0.2.0/24: {route}}}\n\2bgp:",
    ),
    "dellsonic": (END, "ip route 192.0.2.0/24 {route}\n"),
    "eos": (END, "ip route 192.0.2.0/24 {route}\n"),
    "frr": (re.compile(r"(?m)^router bgp"), "ip route 192.0.2.0/24 {route}\nrouter bgp"),
    "junos": (END, "routing-options {{\n static {{\n route 192.0.2.0/24 {route};\n}}\n}}\n"),
    "sonic": (
        re.compile(r'(?m)^ *"MGMT_VRF_CONFIG"'),
        '"STATIC_ROUTE": {{"default|192.0.2.0/24":{{{route}}}}},\n"MGMT_VRF_CONFIG"',
    ),
}
"""The same of the default table, for products that may be reached in it."""


@pytest.mark.parametrize("name", sorted(IN_DEFAULT))
def test_a_route_of_the_default_table_may_lock_out_only_where_management_is_in_it(name: str) -> None:
    switch, bare = one(name)
    place, line = IN_DEFAULT[name]
    first, second = (place.sub(line.format(route=route), bare, count=1) for route in ROUTES[name])
    reached = replace(switch, management=replace(switch.management, vrf="default"))

    for old, new in ((bare, first), (first, second), (first, bare)):
        assert old != new
        assert lockouts_of_texts(reached, old, new)
        assert not lockouts_of_texts(switch, old, new)
