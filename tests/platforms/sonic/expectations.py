"""What the laws over all platforms must know of SONiC."""

# ruff: noqa: E501  # a line of a configuration is as long as it is

from __future__ import annotations

import json

from fabric.platforms.base import split_parts
from tests.platforms.expectations import (
    BYTES,
    NAMELESS,
    Section,
    StaticRoute,
    SwitchExpectations,
    by_lines,
    nested,
)
from tests.platforms.profiles import Found, rows

KINDS = ("SCHEDULER", "WRED_PROFILE", "BUFFER_PROFILE")


def printed_profiles(text: str) -> Found:
    yield from rows(json.loads(split_parts(text)["config_db.json"]), KINDS)


def _row_of(path):
    return json.dumps(nested(path)), 1


EXPECTED = SwitchExpectations(
    management_route=StaticRoute(
        place='(?m)^ *"MGMT_VRF_CONFIG"',
        written='"STATIC_ROUTE": {"mgmt|192.0.2.0/24":{{route}}},\n"MGMT_VRF_CONFIG"',
        routes=('"blackhole":"true"', '"nexthop":"203.0.113.1"'),
    ),
    default_route=StaticRoute(
        place='(?m)^ *"MGMT_VRF_CONFIG"',
        written='"STATIC_ROUTE": {"default|192.0.2.0/24":{{route}}},\n"MGMT_VRF_CONFIG"',
        routes=('"blackhole":"true"', '"nexthop":"203.0.113.1"'),
    ),
    model="arista-7060x6-64pe",
    own_files={
        "headroom": "what SONiC computes itself",
        "agent": "what the driver runs on the switch",
        "modes": "which daemon writes FRR's configuration",
        "skus": "which hardware sku fits a breakout",
    },
    profiles=printed_profiles,
    dropped=r"(?m)^ip(?:v6)? route {} blackhole 250$",
    unmarked="set comm-list FROM-ABOVE delete",
    obeys_graceful_shutdown=True,
    names=r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}",
    not_said={
        "class.name": NAMELESS,
        "services.users": "made when the switch is installed, which FAB535 tells",
        "queueing.marking_depth_bytes": BYTES,
    },
    counts_idle_minutes=True,
    overrides={
        "frr": Section(
            programs=["show version", "sh ver", "conf t"],
            harm=[
                "interface {port}\n shutdown",
                "interface {port}\n shut",
                "router bgp {asn}\n bgp shutdown",
                "router bgp {asn}\n neighbor {neighbor} shutdown",
            ],
            taken=["interface Loopback9\n shutdown", "bgp as-path access-list MINE seq 5 permit ^65000"],
            theirs="bgp as-path access-list MINE seq 5 permit ^65000\n",
            refused=[
                ("router bgp {asn}\n neighbor UP local-as 7", 2),
                ("router bgp {asn}\n neighbor {neighbor} route-map X in", 2),
                ("bf\n profile FABRIC\n  shutdown", 1),
                ("no ip forwarding", 1),
            ],
            harmless=[
                "debug bgp updates",
                "bfd\n profile x\n  transmit-interval 300",
                "ip route 198.18.0.0/16 blackhole",
            ],
            changes=["router bgp 1"],
            new=["ip nht resolve-via-default"],
            of_the_product=("frr", "log"),
            write=by_lines,
        ),
        "config-db": Section(
            programs=[
                '{"FEATURE": {"bgp": {"state": "disabled"}}}',
                '{"FEATURE": {"evil": {"state": "enabled"}}}',
                '{"BGP_DEVICE_GLOBAL": {"STATE": {"tsa_enabled": "true"}}}',
                '{"ZTP": {"mode": {"inband": "true"}}}',
                '{"KUBERNETES_MASTER": {"SERVER": {"ip": "192.0.2.1"}}}',
            ],
            harm=[
                '{{"PORT": {{"{port}": {{"admin_status": "down"}}}}}}',
                '{{"PORTCHANNEL_MEMBER": {{"PortChannel1|{port}": {{}}}}}}',
                '{{"BUFFER_PG": {{"{port}|0-7": {{"profile": "x"}}}}}}',
                '{{"INTERFACE": {{"{port}": {{"vrf_name": "Vrf1"}}}}}}',
            ],
            taken=['{"CRM": {"Config": {"polling_interval": "300"}}}'],
            refused=[
                (
                    '{{"CRM": {{"Config": {{"polling_interval": "300"}}}},\n"COPP_GROUP": {{"default": {{"cir": "1"}}}}}}',
                    2,
                ),
                ('{{"PORT_STORM_CONTROL": {{"{port}|broadcast": {{"kbps": "1"}}}}}}', 1),
                ('{{"LOOPBACK_INTERFACE": {{"Loopback9": {{}},\n"Loopback9|10.0.0.0/31": {{}}}}}}', 2),
                ('{{"VRF": {{"Vrf9": {{}}}},\n"PORT": {{\n"{port}": {{"mtu": "1500"}}}}}}', 3),
            ],
            harmless=[
                '{{"LOOPBACK_INTERFACE": {{"Loopback9": {{}}, "Loopback9|198.18.0.1/32": {{}}}}}}',
                '{{"VLAN": {{"Vlan30": {{"vlanid": "30"}}}}}}',
            ],
            write=_row_of,
            section_depth=2,
        ),
    },
)
