"""Every field of a switch is printed, or refused: what an intent changes in it changes the text, or is an error."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from fabric.devices.model import Neighbor, Routing, Switch, SwitchPort
from fabric.diagnostics import Invalid, Severity
from fabric.intent.model import Services
from fabric.qos.model import ClassQueueing, Queueing
from tests.platforms.cases import BORDER, DRAINED, SHUT, Case, case, of
from tests.platforms.everywhere import ANY, EXPECTATIONS, MODELS, capabilities
from tests.platforms.sites import (
    HASH,
    HASH256,
    KEY,
    LEAF,
    SPINE,
    attachments,
    compiled,
    inventory,
    klass,
    network,
    override,
    policy,
    printed,
    refusals,
    services,
    site,
    state,
)

BASES = {
    "": Case(),
    "border": case(*BORDER),
    "drained": case(DRAINED),
    "spine": case(device=SPINE),
}
"""What a row departs from."""

ROCE = "dscp: [24, 26], traffic_class: 3, priority: 3, queue: 3, share: 95, ecn: auto"
PORT_1 = {name: compiled(name)[LEAF].ports[0].name for name in MODELS}
ROWS: dict[str, dict[str, Any]] = {
    "switch": {
        "loopbacks": network("addressing: {loopback_pool: 10.254.0.0/16}"),
        "ports": site("hosts: {gpu: {per_unit: 3}}"),
        "gateways": network("addressing: {host_links: {mode: vlan}}"),
        "host_addressing": network(
            "addressing: {host_links: {mode: vlan, assignment: dhcp_relay, dhcp_servers: [10.9.9.9]}}"
        ),
        "management": inventory(f"devices: {{{LEAF}: {{address: 198.51.100.99/24}}}}"),
        "drained": DRAINED,
        "keeps_sessions": ("drained", state(f"drained: [{{device: {LEAF}, mode: graceful, {SHUT}}}]")),
        "extra": override(f"[{{device: {LEAF}, extra: {{config: no ip source-route}}}}]"),
    },
    "routing": {
        "asn": override(f"[{{device: {LEAF}, asn: 4200009999}}]"),
        "router_id": network("addressing: {loopback_pool: 10.254.0.0/16}"),
        "families": network("addressing: {family: dual}"),
        "neighbors": network("tiers: {spine: {count: 1}}"),
        "max_paths": network("routing: {max_paths: 40}"),
        "bfd_interval_ms": network("routing: {bfd: {interval: 400ms}}"),
        "bfd_multiplier": network("routing: {bfd: {multiplier: 5}}"),
        "keepalive_ms": network("routing: {bgp: {keepalive: 1s}}"),
        "hold_ms": network("routing: {bgp: {keepalive: 2s, hold: 6s}}"),
        "password": network('routing: {bgp: {password: "env:BGP"}}'),
        "loopbacks": network("addressing: {loopback_pool: 10.254.0.0/16}"),
        "aggregates": network("routing: {advertise_host_links: specific}"),
        "host_prefixes": network("routing: {advertise_host_links: none}"),
        "accepted": network("addressing: {host_pool: 10.64.0.0/10}"),
        "hashing": network("routing: {hashing: {fields: [src_ip, roce_qp]}}"),
        "hash_seed": network("routing: {hashing: {seed: per_device}}"),
        "load_balancing": network("routing: {load_balancing: flowlet}"),
    },
    "neighbor": {
        "remote_asn": override(f"[{{device: {SPINE}, asn: 4200009999}}]"),
        "peer": network("tiers: {spine: {name: 'top-{index}'}}"),
        "address": network("addressing: {fabric_pool: 10.192.0.0/16}"),
        "port": network("tiers: {leaf: {up: {cages: 61-64}}}"),
        "bfd": network("routing: {bfd: none}"),
        "ttl_security": network("routing: {bgp: {ttl_security: true}}"),
        "max_prefixes": network("routing: {bgp: {max_prefixes: 100}}"),
        "family": network("addressing: {family: ipv6}"),
    },
    "border": {
        "password": ("border", attachments('{first: {bgp: {password: "env:OTHER"}}}')),
        "accept": ("border", attachments("{first: {bgp: {prefixes: [203.0.113.0/24]}}}")),
        "advertise": ("border", attachments("{first: {bgp: {advertise: [10.0.0.0/12]}}}")),
        "bfd": ("border", attachments("{first: {bgp: {bfd: false}}}")),
        "ttl_security": ("border", attachments("{first: {bgp: {ttl_security: true}}}")),
        "max_prefixes": ("border", attachments("{first: {bgp: {max_prefixes: 101}}}")),
        "remote_asn": ("border", attachments("{first: {bgp: {asn: 64999}}}")),
    },
    "port": {
        "name": network("tiers: {leaf: {down: {cages: 21-28}}}"),
        "slot": network("tiers: {leaf: {down: {cages: 21-28}}}"),
        "peer": site(
            "hosts: {gpu: null, node: {gpus: 2, per_unit: 4, nics: {compute: {count: 2, speed: 400G}}}}"
        ),
        "peer_port": ("spine", network("tiers: {leaf: {up: {cages: 61-64}}}")),
        "enabled": {
            name: state(f"shut_ports: [{{device: {LEAF}, port: {port}, {SHUT}}}]")
            for name, port in PORT_1.items()
        },
        "addresses": network("addressing: {host_even: host}"),
        "ip_mtu_bytes": network("ip_mtu: 1500"),
        "queueing": network("cables: {host_leaf: {length: 20m}}"),
        "vlan": network("addressing: {host_links: {mode: vlan}}"),
    },
    "services": {
        "management": services("management: {dns: [192.0.2.1], domain: other.example}"),
        "ntp": services("ntp: {servers: [192.0.2.2]}"),
        "syslog": services("syslog: {servers: [192.0.2.2]}"),
        "snmp": services(
            'snmp: {users: {watcher: {auth_secret: "env:A", privacy_secret: "env:P"}}, location: here}'
        ),
        "tacacs": services('tacacs: {servers: [192.0.2.2], secret: "env:T"}'),
        "users": services(
            f'users: {{other: {{password_hash: {HASH}, password_hash_sha256: {HASH256}, ssh_keys: ["{KEY}"]}}}}'
        ),
        "ssh": services("ssh: {idle_timeout: 1min}"),
        "gnmi": services("{gnmi: {port: 50052}, certificate: {name: fabric}}"),
        "lldp": services("lldp: false"),
        "banner": services("banner: other"),
    },
    "class": {
        "name": policy("classes: {roce: null, other: {" + ROCE + "}}"),
        "dscp": klass("roce", "dscp: [24]"),
        "traffic_class": klass("roce", "traffic_class: 4"),
        "priority": klass("roce", "priority: 4"),
        "queue": klass("roce", "queue: 4"),
        "share_percent": policy("classes: {roce: {share: 94}, rest: {share: 6}}"),
        "strict": policy("classes: {roce: {strict: true, share: null}, rest: {share: 100}}"),
        "ecn": klass("roce", "ecn: {kmin: 1000KB, kmax: 2000KB, pmax: 50}"),
        "max_rate_percent": klass("cnp", "max_rate: 7"),
    },
    "queueing": {
        "profiles": network("cables: {host_leaf: {length: 20m}}"),
        "watchdog": policy("watchdog: {detect: 300ms, restore: 300ms}"),
        "trimming": policy("trim: {size: 512B, classes: [rest], into: cnp}"),
        "marking_depth_bytes": policy("marking_depth: 1454545B"),
    },
}
"""By the part of a switch that holds the field: what changes it; with a base, where that is not the plain one."""


KINDS = {
    "switch": Switch,
    "routing": Routing,
    "neighbor": Neighbor,
    "border": Neighbor,
    "port": SwitchPort,
    "services": Services,
    "class": ClassQueueing,
    "queueing": Queueing,
}
ELSEWHERE = {
    "switch": {
        "name": "with its unit, in the names of all devices: the suite of names",
        "hardware": "decides what can be said: refusals of each platform",
        "release": "likewise",
        "bond_system": "pairs of leaves: `dual-tor lacp` of tests/platforms/test_every_platform.py",
        **dict.fromkeys(("routing", "queueing", "services"), "field by field, below"),
        **dict.fromkeys(
            (
                *("site", "network", "role", "unit", "rail", "plane", "pod", "group", "platform", "origin"),
                "widened_by",
            ),
            "where it stands, which follows from names and addresses",
        ),
    },
    "routing": {
        **dict.fromkeys(("from_above", "graceful_shutdown"), "constants"),
        "discards": "of borders: test_discards.py",
        **dict.fromkeys(
            ("allow_own_asn", "peers_reuse_asn"),
            "a test of its own in tests/platforms/test_every_platform.py",
        ),
    },
    "neighbor": {
        "relation": "follows from the role",
        "password": "of borders, below",
        "accept": "of borders, below",
        "advertise": "of borders, below",
    },
    "port": {
        "role": "follows from the peer",
        "link_local": "`unnumbered` of tests/platforms/test_every_platform.py",
        "bond": "`an LACP bundle` there",
        "tagged": "`a tagged VLAN of an attachment` there",
        "peer_platform": "FAB579 of dynamic balancing, where a product has it",
        "rail": "where it stands",
        "plane": "where it stands",
    },
    "services": {"certificate": "`gnmi` of tests/platforms/test_every_platform.py"},
    "class": {"is_rest": "follows from the code points", "is_cnp": "what the class is for"},
    "queueing": {"policy": "a name; tests/platforms/test_names.py", "budget": "of the hardware"},
}
"""Fields that no row changes, and why."""


def rows() -> list[tuple[str, str, str]]:
    return [(name, part, field) for name in sorted(MODELS) for part, found in ROWS.items() for field in found]


def row(name: str, part: str, field: str) -> tuple[str, Any]:
    """The base that a row departs from, and what it changes."""
    found = ROWS[part][field]
    base, words = found if isinstance(found, tuple) else ("", found)
    return base, words[name] if set(words) == set(MODELS) else words


@cache
def text(name: str, base: str) -> str:
    """What is printed for a base."""
    return printed(of(name, BASES[base]))


def changed(name: str, part: str, field: str) -> Switch:
    base, words = row(name, part, field)
    return of(name, BASES[base], words)


def held(device: Switch, part: str) -> Any:
    """The part of a switch that holds fields: all of them, where there are many."""
    sessions = device.routing.neighbors
    kinds = device.queueing.profiles
    return {
        "switch": [device],
        "routing": [device.routing],
        "neighbor": sessions,
        "border": sessions,
        "port": device.ports,
        "services": [device.services],
        "class": [one for kind in kinds for one in kind.classes],
        "queueing": [device.queueing],
    }[part]


@pytest.mark.parametrize(("part", "kind"), KINDS.items())
def test_no_field_is_forgotten(part, kind):
    if part != "border":
        assert set(kind.__struct_fields__) == set(ROWS[part]) | set(ELSEWHERE[part])


@pytest.mark.parametrize(
    ("part", "field"), [(part, field) for part, found in ROWS.items() for field in found]
)
def test_a_row_changes_its_field(part, field):
    """On every platform whose intent it is; refused intents change nothing."""
    base, _ = row(ANY, part, field)
    before = of(ANY, BASES[base])
    after = changed(ANY, part, field)

    assert [getattr(one, field) for one in held(before, part)] != [
        getattr(one, field) for one in held(after, part)
    ]


@pytest.mark.parametrize(("name", "part", "field"), rows())
def test_a_changed_field_is_said_or_refused(name, part, field):
    before = text(name, row(name, part, field)[0])
    try:
        differs = printed(changed(name, part, field)) != before
    except Invalid:
        differs = True

    assert differs == (f"{part}.{field}" not in EXPECTATIONS[name].not_said)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        (name, field.removeprefix("services."))
        for name, expected in EXPECTATIONS.items()
        for field in expected.not_said
        if field.startswith("services.") and capabilities(name).outside
    ],
)
def test_what_a_product_leaves_to_other_tools_is_told(name, field):
    """Every service that changes no line is named by a finding."""
    word = {"management": "dns"}
    (said,) = [
        finding
        for finding in refusals(changed(name, "services", field), Severity.WARNING)
        if finding.origin.path == ("services",)
    ]

    assert (word.get(field, field) in said.rule) == (field != "lldp")
