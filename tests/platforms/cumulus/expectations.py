"""What the laws over all platforms must know of Cumulus Linux."""

# ruff: noqa: E501  # a line of a configuration is as long as it is

from __future__ import annotations

import json

import yaml

from tests.platforms.cumulus.read_policies import by_policies
from tests.platforms.expectations import BYTES, NAMELESS, Section, StaticRoute, SwitchExpectations, nested
from tests.platforms.profiles import Found, rows

KINDS = ("congestion-control", "egress-scheduler", "egress-shaper", "pfc")


def printed_profiles(text: str) -> Found:
    tree = next(part["set"] for part in yaml.load(text, yaml.CSafeLoader) if "set" in part)
    yield from rows(tree.get("qos", {}), KINDS)


def _setting_of(path):
    return f"- set: {json.dumps(nested(path))}", 1


EXPECTED = SwitchExpectations(
    management_route=StaticRoute(
        place="(?m)^( +)mgmt: \\{\\}$",
        written="\\1mgmt: {router: {static: {192.0.2.0/24: {route}}}}",
        routes=(
            "{address-family: ipv4-unicast, distance: {1: {via: {blackhole: {type: blackhole}}}}}",
            "{address-family: ipv4-unicast, distance: {9: {via: {blackhole: {type: blackhole}}}}}",
        ),
    ),
    default_route=StaticRoute(
        place="(?m)^( +)router:\\n( +)bgp:",
        written="\\1router:\\n\\2static: {192.0.2.0/24: {route}}\\n\\2bgp:",
        routes=(
            "{address-family: ipv4-unicast, distance: {1: {via: {blackhole: {type: blackhole}}}}}",
            "{address-family: ipv4-unicast, distance: {9: {via: {blackhole: {type: blackhole}}}}}",
        ),
    ),
    model="nvidia-sn5600",
    own_files={"releases": "which words a release takes", "settings": "NVUE files as settings by path"},
    profiles=printed_profiles,
    policies=by_policies,
    dropped=r"'{}':\n +address-family: ipv[46]-unicast\n +distance:\n +'250':\n +via:\n +blackhole:\n +type: black",
    unmarked="community-delete-list: FROM-ABOVE",
    obeys_graceful_shutdown=True,
    adds_communities=False,
    not_said={"class.name": NAMELESS, "queueing.marking_depth_bytes": BYTES},
    counts_idle_minutes=True,
    overrides={
        "ours": Section(
            programs=[
                "- set:\n    system:\n      config:\n        snippet:\n          x:\n            file: /etc/cron.d/x",
                "- set: {system: {config: {snippet: {frr.conf: 'x'}}}}",
                "- set: {system: {ztp: {service: enabled}}}",
            ],
            harm=[
                "- set: {{interface: {{{port}: {{link: {{state: {{down: {{}}}}}}}}}}}}",
                "- set: {{interface: {{swp1-8: {{link: {{mtu: 1500}}}}}}}}",
                "- set: {{interface: {{bond1: {{bond: {{member: {{{port}: {{}}}}}}}}}}}}",
                "- set: {{router: {{bgp: {{enable: off}}}}}}",
                "- set: {{qos: {{roce: {{enable: on}}}}}}",
                "- set: {{vrf: {{default: {{router: {{bgp: {{neighbor: {{{neighbor}: {{shutdown: on}}}}}}}}}}}}}}",
            ],
            taken=["- set: {interface: {lo9: {description: shutdown}}}"],
            theirs="- set:\n    acl:\n      mine: {type: ipv4}\n",
            refused=[
                ("- set: {{vrf: {{default: {{router: {{bgp: {{graceful-shutdown: on}}}}}}}}}}", 1),
                ("- set: {{system: {{reboot: {{mode: cold}}}}}}", 1),
                (
                    "- set:\n    interface:\n      {port}:\n        bridge: {{domain: {{br_default: {{}}}}}}",
                    4,
                ),
                (
                    "- set: {{vrf: {{default: {{router: {{bgp: {{peer-group: {{UP: {{local-as: {{asn: 7}}}}}}}}}}}}}}}}",
                    1,
                ),
                ("- set: {{interface: {{lo9: {{ipv4: {{address: {{10.0.0.0/31: {{}}}}}}}}}}}}", 1),
                ("- unset: {{router: {{}}}}", 1),
            ],
            harmless=[
                "- set: {{system: {{timezone: Etc/UTC}}}}",
                "- set: {{vrf: {{RED: {{router: {{static: {{10.0.0.0/24: {{via: {{blackhole: {{}}}}}}}}}}}}}}}}",
                "- set: {{router: {{bfd: {{profile: {{MINE: {{detect-multiplier: 5}}}}}}}}}}",
            ],
            changes=["- set:\n    system:\n      hostname: evil", "- unset:\n    router:"],
            new=["- set:\n    system:\n      timezone: Etc/UTC"],
            template="- set: {system: {a: '{{ 7 }}'}}",
            write=_setting_of,
        ),
    },
)
