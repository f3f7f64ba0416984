"""What a change does to traffic, and what would lock us out."""

from __future__ import annotations

import pytest

from fabric.platforms.base import Block
from fabric.platforms.nxos import PLATFORM
from tests.platforms.nxos.devices import CASES
from tests.platforms.sites import printed

FAMILY = "  address-family ipv4 unicast\n"
TEMPLATE = "  template peer UP\n    bfd\n    address-family ipv4 unicast\n      route-map RM-{} in\n"


def impact(key: str, old: str | None, new: str | None):
    """Of a block with that header, before and after."""
    blocks = (None if body is None else Block(key, f"{key}\n{body}") for body in (old, new))
    return PLATFORM.block_impact(key, *blocks)


@pytest.mark.parametrize(
    ("expected", "key", "old", "new"),
    [
        ("none", "interface Ethernet1/1", "  description a\n", "  description b\n"),
        ("hitless", "interface Ethernet1/1", "", "  ipv6 nd suppress-ra\n"),
        ("hitless", "interface Ethernet1/1", "", "  ip dhcp relay address 10.9.9.9\n"),
        ("buffer", "interface Ethernet1/1", "", "  service-policy type queuing output q\n"),
        ("buffer", "interface Ethernet1/1", "", "  priority-flow-control mode on\n"),
        ("flap", "interface Ethernet1/1", "  mtu 9000\n", "  mtu 1500\n"),
        ("flap", "interface Ethernet1/1", "  no shutdown\n", "  shutdown\n"),
        ("flap", "interface Ethernet1/1", "  ip address 10.0.0.0/31\n", "  ip address 10.0.0.2/31\n"),
        ("none", "interface Vlan10", "  description a\n", "  description b\n"),
        ("flap", "interface Vlan10", "  ip address 10.0.0.1/24\n", "  ip address 10.0.0.2/24\n"),
        ("none", "interface mgmt0", "", "  ip address 192.0.2.1/24\n"),
        ("hitless", "interface loopback0", "", "  ip address 192.0.2.1/32\n"),
        ("none", "vlan 10", None, ""),
        ("flap", "vlan 10", "", None),
        ("none", "feature bfd", None, ""),
        ("flap", "feature bgp", "", None),
        ("none", "feature lldp", "", None),
        ("reload", "hardware profile", "", "  mode per-packet\n"),
        ("hitless", "ip load-sharing", "", "x\n"),
        ("buffer", "policy-map type network-qos N", "", "  class type network-qos c-8q-nq3\n"),
        ("buffer", "policy-map type queuing Q", "", "  class type queuing c-out-8q-q3\n"),
        ("buffer", "policy-map type qos P", "", "  class ROCE\n"),
        ("buffer", "class-map type qos match-any ROCE", "  match dscp 24\n", "  match dscp 26\n"),
        ("none", "class-map type qos match-any ROCE", None, "  match dscp 26\n"),
        ("buffer", "system qos", "", "  service-policy type network-qos N\n"),
        ("buffer", "priority-flow-control", "", "x\n"),
        ("hitless", "bfd", "", "x\n"),
        ("hitless", "ip prefix-list P", "", "x\n"),
        ("hitless", "ipv6 prefix-list P", "", "x\n"),
        ("hitless", "ip community-list standard C", "", "x\n"),
        ("hitless", "route-map RM permit 10", "", "  match community C\n"),
        ("none", "username a", "", "x\n"),
        ("none", "vrf context management", "", "  ip name-server 192.0.2.1\n"),
        ("flap", "strange thing", "", "x\n"),
        ("hitless", "router bgp 1", FAMILY + "    maximum-paths 2\n", FAMILY + "    maximum-paths 4\n"),
        ("hitless", "router bgp 1", TEMPLATE.format("A"), TEMPLATE.format("B")),
        ("flap", "router bgp 1", TEMPLATE.format("A"), TEMPLATE.format("A").replace("    bfd\n", "")),
        ("flap", "router bgp 1", "  router-id 10.0.0.1\n", "  router-id 10.0.0.2\n"),
        ("hitless", "router bgp 1", None, "  router-id 10.0.0.1\n"),
        ("flap", "router bgp 1", "  router-id 10.0.0.1\n", None),
    ],
)
def test_what_a_change_does(expected, key, old, new):
    assert expected == impact(key, old, new).impact


def test_a_split_touches_all_parts_of_its_cage():
    found = impact("interface breakout module 1 port 5", "x", "y")

    assert "flap" == found.impact
    assert {"Ethernet1/5", "Ethernet1/5/1", "Ethernet1/5/4"} <= set(found.ports)


def test_a_changed_neighbour_touches_its_port():
    text = "  neighbor 10.0.0.1\n    remote-as {}\n    description s over Ethernet1/1\n"
    found = impact("router bgp 1", text.format(2), text.format(3))

    assert ("flap", ("Ethernet1/1",)) == (found.impact, found.ports)


@pytest.mark.parametrize("case", sorted(CASES))
def test_every_block_that_is_printed_is_judged_by_a_row_of_its_own(case):
    for block in PLATFORM.blocks(PLATFORM.canonical(printed(CASES[case]()))):
        assert "is not known" not in PLATFORM.block_impact(block.key, block, None).reason


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("interface mgmt0\n  ip address 192.0.2.1/24\n", "interface mgmt0\n  ip address 192.0.2.2/24\n",
         "`interface mgmt0: ip address 192.0.2.1/24` goes"),
        ("", "interface mgmt0\n  shutdown\n", "`interface mgmt0: shutdown` comes"),
        ("vrf context management\n  ip route 0.0.0.0/0 192.0.2.1\n", "vrf context management\n",
         "`vrf context management: ip route 0.0.0.0/0 192.0.2.1` goes"),
        ("feature scp-server\n", "", "`feature scp-server` goes"),
        ("feature nxapi\n", "", "`feature nxapi` goes"),
        ("line vty\n", "line vty\n  access-class SSH-ALLOW in\n", "`line vty: access-class SSH-ALLOW in` comes"),
        ("ip access-list SSH-ALLOW\n  10 permit tcp 192.0.2.0/24 any eq 22\n", "ip access-list SSH-ALLOW\n",
         "`ip access-list SSH-ALLOW: 10 permit tcp 192.0.2.0/24 any eq 22` goes"),
        ("username a password <masked> role network-admin\n", "",
         "`username a password <masked> role network-admin` goes"),
        ("", "aaa authentication login default group TACACS\n",
         "`aaa authentication login default group TACACS` comes"),
    ],
)  # fmt: skip
def test_what_would_lock_us_out_is_told(old, new, expected):
    assert (expected,) == PLATFORM.owns_way_in(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("interface mgmt0\n  description a\n", "interface mgmt0\n  description b\n"),
        ("line vty\n  exec-timeout 10\n", "line vty\n  exec-timeout 20\n"),
        ("vrf context management\n  ip name-server 192.0.2.1\n", "vrf context management\n"),
        ("interface Ethernet1/1\n  ip address 10.0.0.0/31\n", ""),
        ("", "username b password <masked> role network-operator\n"),
    ],
)
def test_what_does_not_concern_our_way_in_is_let_be(old, new):
    assert () == PLATFORM.owns_way_in(old, new)
