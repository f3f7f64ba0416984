"""What the laws over all platforms must know of Junos Evolved."""

# ruff: noqa: E501  # a line of a configuration is as long as it is

from __future__ import annotations

import re

from tests.platforms.expectations import INSIDE, Section, StaticRoute, SwitchExpectations
from tests.platforms.junos.read_policies import by_policies
from tests.platforms.profiles import Found

KINDS = ("drop-profiles", "congestion-notification-profile", "scheduler-maps", "schedulers")


def printed_profiles(text: str) -> Found:
    for kind in KINDS:
        for block in re.finditer(rf"^    {kind} \{{\n((?:     .*\n)+)    \}}$", text, re.MULTILINE):
            for one in re.finditer(
                r"^        (\S+) \{\n((?:         .*\n)+)        \}$", block[1], re.MULTILINE
            ):
                yield (kind, one[1]), one[2]


def _statement_of(path):
    return f"{' '.join(path)};", 1


EXPECTED = SwitchExpectations(
    builds_sessions_anew_for_limits=True,
    management_route=StaticRoute(
        place="\\Z",
        written="routing-instances { mgmt_junos { routing-options { static { route 192.0.2.0/24 {route}; } } } }\n",
        routes=("discard", "next-hop 203.0.113.1"),
    ),
    default_route=StaticRoute(
        place="\\Z",
        written="routing-options {\n static {\n route 192.0.2.0/24 {route};\n}\n}\n",
        routes=("discard", "next-hop 203.0.113.1"),
    ),
    model="juniper-qfx5240-64od",
    own_files={"derived": "what Junos computes itself"},
    profiles=printed_profiles,
    policies=by_policies,
    dropped=r"static {{\n +route {} {{\n +discard;\n +preference 250;\n",
    unmarked="community delete FROM-ABOVE;",
    obeys_graceful_shutdown=True,
    sends_own_asn=False,
    disagreements=frozenset({"ECN of DSCP 24, 26"}),
    names=r"[A-Za-z][A-Za-z0-9_.-]{0,254}",
    not_said={"class.traffic_class": INSIDE},
    counts_idle_minutes=True,
    overrides={
        "ours": Section(
            programs=[
                'event-options { policy p { events x; then { execute-commands { commands { "request system reboot"; } } } } }',
                "system { scripts { commit { file x.slax; } } }",
                "system { extensions { providers { x { license-type customer deployment-scope commercial; } } } }",
                "system { services { extension-service { application { file x.py; } } } }",
                "system { phone-home { server http://192.0.2.1; } }",
                "chassis { auto-image-upgrade; }",
                "groups { g { interfaces { <*> { disable; } } } }",
                "protocols { apply-groups g; }",
                '"event-options" { policy p { events x; } }',
            ],
            harm=[
                "interfaces {{ {port} {{ disable; }} }}",
                "interfaces {{ {port} {{ unit 0 {{ disable; }} }} }}",
                "interfaces {{ interface-range r {{ member {port}; disable; }} }}",
                "interfaces {{ {port} {{ ether-options {{ 802.3ad ae0; }} }} }}",
                "protocols {{ bgp {{ disable; }} }}",
                "system {{ processes {{ routing disable; }} }}",
                "routing-instances {{ red {{ interface {port}.0; }} }}",
            ],
            taken=["forwarding-options { storm-control-profiles sc { all; } }"],
            theirs="vlans {\n    v30 { vlan-id 30; }\n}\n",
            refused=[
                ("protocols {{\n    bgp {{\n        graceful-shutdown {{ sender; }}\n    }}\n}}", 3),
                ("protocols {{ bgp {{ group UP {{ neighbor {neighbor} {{ local-as 7; }} }} }} }}", 1),
                (
                    "protocols {{ bgp {{ group UP {{ family inet {{ unicast {{ prefix-limit {{ maximum 1; }} }} }} }} }} }}",
                    1,
                ),
                ("deactivate interfaces {port};", 1),
                ("interfaces {{\n    deactivate {port};\n}}", 2),
                ("interfaces {{ {port} {{ unit 0 {{ family inet {{ filter {{ input X; }} }} }} }} }}", 1),
                ("interfaces {{ irb {{ unit 7 {{ family inet {{ address 10.0.0.9/29; }} }} }} }}", 1),
                ("routing-options {{ static {{ route 10.0.0.0/24 discard; }} }}", 1),
                ("policy-options {{ policy-statement PER-FLOW {{ then reject; }} }}", 1),
            ],
            harmless=[
                "interfaces {{ {port} {{ traps; }} }}",
                "interfaces {{ lo9 {{ unit 0 {{ family inet {{ address 198.18.0.1/32; }} }} }} }}",
                "routing-options {{ static {{ route 198.18.0.0/16 discard; }} }}",
                "policy-options {{ policy-statement MINE {{ from {{ route-filter 10.0.0.0/8 orlonger; }} then accept; }} }}",
                "protocols {{ rstp {{ disable; }} }}",
            ],
            changes=["system { host-name evil; }", "delete: system;", "protocols { inactive: bgp { } }"],
            new=["forwarding-options { storm-control-profiles sc { all; } }"],
            write=_statement_of,
        ),
    },
)
