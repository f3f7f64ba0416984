"""Lines of an override add, on every product: theirs are taken; what stands below ours is refused at its own line."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from fabric.diagnostics import Invalid
from fabric.platforms.base import split_parts
from fabric.platforms.registry import platform
from tests.platforms.sites import extra, leaf, printed

PARTS = ("eos/ours", "nxos/ours", "junos/ours", "sonic/frr", "sonic/config-db", "cumulus/ours", "frr/ours")
LINES = ("eos/ours", "nxos/ours", "sonic/frr", "frr/ours")
"""Parts that are told line by line."""
THEIRS = {
    "eos/ours": "vlan 30\n   name theirs\n",
    "nxos/ours": "vlan 30\n  name theirs\n",
    "junos/ours": "vlans {\n    v30 { vlan-id 30; }\n}\n",
    "sonic/frr": "bgp as-path access-list MINE seq 5 permit ^65000\n",
    "cumulus/ours": "- set:\n    acl:\n      mine: {type: ipv4}\n",
    "frr/ours": "bgp as-path access-list MINE seq 5 permit ^65000\n",
}
"""What stands above the line in question, and is never blamed."""
REFUSED = {
    "eos/ours": [
        ("ntp authenticate", 1),
        ("management telnet\n   no shutdown", 1),
        ("maintenance\n   unit System\n      quiesce", 1),
        ("router bgp {asn}\n   graceful-shutdown", 2),
        ("router bgp {asn}\n   distance bgp 255 255 255", 2),
        ("router bgp {asn}\n   vrf default\n      router-id 192.0.2.1", 2),
        ("router bgp {asn}\n   neighbor {neighbor} route-map X in", 2),
        ("router bgp {asn}\n   neighbor UP local-as 7", 2),
        ("router bfd\n   shutdown", 2),
        ("route-map RM-CONNECTED permit 30", 1),
        ("interface {port}\n   load-interval 5\n   shu", 3),
        ("interface {port}\n   no lldp transmit", 2),
        ("interface {port}\n   ip access-group X in", 2),
        ("interface {port}\ntraffic-loopback source system device mac", 2),
        ("interface Loopback9\n   ip address 10.0.0.0 255.255.255.254", 2),
        ("interface Loopback9\n   hostname evil", 2),
        ("interface Loopback9\n   maintenance", 2),
        ("interface Loopback9\n   router bgp {asn}", 2),
        ("interface Loopback9\n   interface {port}\n   shutdown", 2),
        ("ip route 10.0.0.0/24 Null0", 1),
        ("ip route 0.0.0.0/0 Null0", 1),
        ("ip route 10.255.0.0 255.255.255.0 Null0", 1),
        ("system control-plane\n   ip access-group X in", 1),
        ("no ip routing", 1),
        ("idle-timeout 0", 1),
        ("neighbor {neighbor} shutdown", 1),
        ("monitor session x source Et1/1", 1),
    ],
    "nxos/ours": [
        ("system mode maintenance", 1),
        ("shutdown", 1),
        ("neighbor {neighbor}\n  shutdown", 1),
        ("router bgp {asn}\n  isolate", 2),
        ("router bgp {asn}\n  address-family ipv4 unicast\n    table-map x filter", 3),
        ("router bgp {asn}\n  neighbor {neighbor}\n    local-as 7", 3),
        ("interface loopback9\n  ip address 10.0.0.0 255.255.255.254", 2),
        ("ip route 10.0.0.0 255.255.255.0 null0", 1),
        ("interface {port}\n  ip access-group X in", 2),
        ("interface {port}\n  shu", 2),
        ("control-plane\n  service-policy input X", 1),
        ("vrf context management\n  ip route 192.0.2.0/24 null0", 2),
        ("feature telnet", 1),
        ("no feature ssh", 1),
        ("no feat nxapi", 1),
        ("no ip ssh", 1),
    ],
    "junos/ours": [
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
    "sonic/frr": [
        ("router bgp {asn}\n neighbor UP local-as 7", 2),
        ("router bgp {asn}\n neighbor {neighbor} route-map X in", 2),
        ("bf\n profile FABRIC\n  shutdown", 1),
        ("no ip forwarding", 1),
    ],
    "sonic/config-db": [
        (
            '{{"CRM": {{"Config": {{"polling_interval": "300"}}}},\n"COPP_GROUP": {{"default": {{"cir": "1"}}}}}}',
            2,
        ),
        ('{{"PORT_STORM_CONTROL": {{"{port}|broadcast": {{"kbps": "1"}}}}}}', 1),
        ('{{"LOOPBACK_INTERFACE": {{"Loopback9": {{}},\n"Loopback9|10.0.0.0/31": {{}}}}}}', 2),
        ('{{"VRF": {{"Vrf9": {{}}}},\n"PORT": {{\n"{port}": {{"mtu": "1500"}}}}}}', 3),
    ],
    "cumulus/ours": [
        ("- set: {{vrf: {{default: {{router: {{bgp: {{graceful-shutdown: on}}}}}}}}}}", 1),
        ("- set: {{system: {{reboot: {{mode: cold}}}}}}", 1),
        ("- set:\n    interface:\n      {port}:\n        bridge: {{domain: {{br_default: {{}}}}}}", 4),
        (
            "- set: {{vrf: {{default: {{router: {{bgp: {{peer-group: {{UP: {{local-as: {{asn: 7}}}}}}}}}}}}}}}}",
            1,
        ),
        ("- set: {{interface: {{lo9: {{ipv4: {{address: {{10.0.0.0/31: {{}}}}}}}}}}}}", 1),
        ("- unset: {{router: {{}}}}", 1),
    ],
    "frr/ours": [
        ("bgp graceful-shutdown", 1),
        ("router bgp {asn}\n distance bgp 255 255 255", 2),
        ("router bgp {asn}\n address-family ipv4 unicast\n  table-map X", 3),
        ("ip protocol bgp route-map X", 1),
        ("no ip forwarding", 1),
        ("bfd\n profile FABRIC\n  shutdown", 3),
        ("ip route 10.0.0.0/24 blackhole", 1),
    ],
    "frr/interfaces": [("auto dummy0\niface dummy0\n    address {neighbor}/32", 3)],
    "frr/sysctl": [
        ("net.ipv4.tcp_ecn = 1\nnet.ipv4.ip_default_ttl = 1", 2),
        ("net.ipv4.neigh.default.gc_thresh3 = 1", 1),
        ("net.ipv4.conf.all.arp_ignore = 8", 1),
    ],
}
"""Text, and the one line of it that is refused."""
HARMLESS = {
    "eos/ours": [
        "vrf instance RED",
        "management console\n   idle-timeout 5",
        "interface {port}\n   load-interval 5",
        "router bgp {asn}\n   vrf RED\n      neighbor 192.0.2.77 remote-as 7",
        "interface Loopback9\n   ip address 198.18.0.1/32",
        "ip route 198.18.0.0/16 Null0",
        "ip access-list MINE\n   10 permit ip any host {neighbor}",
        "ip route vrf RED 10.0.0.0/24 Null0",
    ],
    "nxos/ours": [
        "vrf context RED\n  rd 1:1",
        "interface {port}\n  load-interval counter 1 30",
        "feature lacp",
        "feature pim",
    ],
    "junos/ours": [
        "interfaces {{ {port} {{ traps; }} }}",
        "interfaces {{ lo9 {{ unit 0 {{ family inet {{ address 198.18.0.1/32; }} }} }} }}",
        "routing-options {{ static {{ route 198.18.0.0/16 discard; }} }}",
        "policy-options {{ policy-statement MINE {{ from {{ route-filter 10.0.0.0/8 orlonger; }} then accept; }} }}",
        "protocols {{ rstp {{ disable; }} }}",
    ],
    "sonic/frr": [
        "debug bgp updates",
        "bfd\n profile x\n  transmit-interval 300",
        "ip route 198.18.0.0/16 blackhole",
    ],
    "sonic/config-db": [
        '{{"LOOPBACK_INTERFACE": {{"Loopback9": {{}}, "Loopback9|198.18.0.1/32": {{}}}}}}',
        '{{"VLAN": {{"Vlan30": {{"vlanid": "30"}}}}}}',
    ],
    "cumulus/ours": [
        "- set: {{system: {{timezone: Etc/UTC}}}}",
        "- set: {{vrf: {{RED: {{router: {{static: {{10.0.0.0/24: {{via: {{blackhole: {{}}}}}}}}}}}}}}}}",
        "- set: {{router: {{bfd: {{profile: {{MINE: {{detect-multiplier: 5}}}}}}}}}}",
    ],
    "frr/ours": [
        "debug bgp updates",
        "bfd\n profile x\n  transmit-interval 300",
        "ip route 198.18.0.0/16 blackhole",
    ],
    "frr/interfaces": ["auto dummy0\niface dummy0\n    address 198.18.0.1/32"],
    "frr/sysctl": ["net.core.somaxconn = 1024"],
}
MANY = 12
"""Sections and lines of a product that are tried."""


def cases(table):
    return [(part, case) for part, found in table.items() for case in found]


@cache
def plain(name):
    """A leaf without overrides, and its text."""
    made = leaf(name)
    return made, printed(made)


def filled(part, text):
    """With names of the leaf."""
    made, _ = plain(part.partition("/")[0])
    port = next(port.name for port in made.ports if port.addresses)
    return text.format(port=port, asn=made.routing.asn, neighbor=made.routing.neighbors[0].address)


def found(part, text):
    """The errors of a leaf with these lines: line of the block and code."""
    name, section = part.split("/")
    try:
        printed(leaf(name, extra(section, text)))
    except Invalid as invalid:
        errors = [one for one in invalid.diagnostics if one.is_error]
        assert all(one.hint and one.origin.path == ("overrides", 0, "extra", section) for one in errors)
        return [one.origin.line for one in errors]
    return []


@pytest.mark.parametrize(("part", "case"), cases(REFUSED))
def test_what_does_more_than_add_is_refused_at_its_line_alone(part, case):
    text, line = case
    above = "" if part.endswith(("config-db", "interfaces", "sysctl")) else THEIRS[part]

    assert found(part, above + filled(part, text)) == [above.count("\n") + line]


@pytest.mark.parametrize(("part", "text"), cases(HARMLESS))
def test_what_is_harmless_is_taken_and_changes_no_fact_of_ours(part, text):
    name, section = part.split("/")
    _, bare = plain(name)
    was = platform(name).read(bare).facts
    now = platform(name).read(printed(leaf(name, extra(section, filled(part, text))))).facts

    assert found(part, filled(part, text)) == []
    for one in (was.interfaces, was.neighbors, was.policies, was.profiles):
        assert any(
            one.items() <= other.items()
            for other in (now.interfaces, now.neighbors, now.policies, now.profiles)
        )
    assert (was.hostname, was.asn, was.router_id) == (now.hostname, now.asn, now.router_id)


def statements(part):
    """The paths of what we print, those that only differ in numbers once."""
    name, section = part.split("/")
    beside = platform(name).override_rules(section)
    _, bare = plain(name)
    text = split_parts(bare)[beside.part] if beside.part else bare
    alike = {}
    for _, path in beside.statements(text):
        alike.setdefault(re.sub(r"\d+", "0", " ".join(path)), path)
    return beside, list(alike.values())


def spread(items):
    """Some of them, from the first to the last."""
    return items[:: max(1, len(items) // MANY)]


def written(part, path):
    """A statement in the words of its product, and the line of the block that its last step stands on."""
    if part in LINES:
        return "\n".join(f"{' ' * 3 * depth}{step}" for depth, step in enumerate(path)), len(path)
    if part == "junos/ours":
        return f"{' '.join(path)};", 1
    value = path[-1]
    for step in reversed(path[:-1]):
        value = {step: value}
    return (json.dumps(value), 1) if part == "sonic/config-db" else (f"- set: {json.dumps(value)}", 1)


@pytest.mark.parametrize("part", PARTS)
def test_no_unknown_line_stands_below_any_section_of_ours(part):
    beside, ours = statements(part)
    length = 2 if part == "sonic/config-db" else 1
    sections = dict.fromkeys(path[:end] for path in ours for end in range(length, len(path)))
    closed = [above for above in sections if not beside.admits((*above, "zzz", "1"), len(above))]

    assert closed
    for above in spread([above for above in closed if length == 1 or len(above) == length]):
        path = (*above, "zzz 1") if part in LINES else (*above, "zzz", "1")
        text, line = written(part, path)
        theirs = THEIRS.get(part, "")
        assert found(part, theirs + text) == [theirs.count("\n") + line], text


@pytest.mark.parametrize("part", LINES)
@pytest.mark.parametrize("change", ["negated", "abbreviated", "another value", "another case"])
def test_no_other_writing_of_a_line_of_ours_is_taken(part, change):
    beside, ours = statements(part)
    made = {
        "negated": lambda line: f"no {line}",
        "abbreviated": lambda line: (
            f"{line[:2]}{line.partition(' ')[0][2:-1]}{line[len(line.partition(' ')[0]) :]}"
        ),
        "another value": lambda line: f"{line}7",
        "another case": lambda line: f"{line.partition(' ')[0].upper()}{line[len(line.partition(' ')[0]) :]}",
    }[change]
    taken = ("no", "exit", "end", "exit-address-family", "!")
    below = [path for path in ours if path[-1].split()[0] not in taken and len(path[-1].split()[0]) > 3]
    tried = [path for path in below if change != "another value" or len(path) > 1]

    for *above, line in spread(tried):
        if beside.admits((*above, made(line)), len(above)):  # another object of a kind that may be new
            continue
        text, number = written(part, (*above, made(line)))
        assert found(part, text) == [number], text
