"""No line of an override runs a program, shuts or moves what is ours, on any product and in any of its files."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from fabric.platforms.base import PART
from fabric.platforms.registry import names, platform
from tests.platforms.sites import extra, leaf, printed

PARTS = (
    "eos/ours",
    "nxos/ours",
    "junos/ours",
    "sonic/frr",
    "sonic/config-db",
    "cumulus/ours",
    "frr/ours",
    "frr/interfaces",
    "frr/sysctl",
    "frr/qos",
    "srlinux/ours",
    "dellsonic/ours",
)
"""Every place of every product that an override may name. `qos` of FRR and all of SR Linux take nothing."""

PROGRAMS = {
    "eos/ours": [
        "event-handler x\n   trigger on-boot\n   action bash rm -rf /",
        "event-h x\n   act bash true",
        "daemon x\n   exec /mnt/flash/x\n   no shutdown",
        "schedule x interval 60 timeout 5 max-log-files 1 command reload",
        "container x\n   image x",
        "alias show bash rm",
        "alias go bash rm -rf /",
        "alias go\n   10 bash rm",
        "relo",
        "bash rm",
        "code\nfoo\nEOF",
    ],
    "nxos/ours": [
        "event manager applet x\n  event syslog pattern x\n  action 1 cli reload",
        "event man applet x",
        "scheduler job name x\n  reload",
        "feature scheduler",
        "cli alias name show reload",
        "vlan 30 ; reload",
        "run bash rm",
        "guests run rm",
        "boot poap enable",
    ],
    "junos/ours": [
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
    "sonic/frr": ["show version", "sh ver", "conf t"],
    "sonic/config-db": [
        '{"FEATURE": {"bgp": {"state": "disabled"}}}',
        '{"FEATURE": {"evil": {"state": "enabled"}}}',
        '{"BGP_DEVICE_GLOBAL": {"STATE": {"tsa_enabled": "true"}}}',
        '{"ZTP": {"mode": {"inband": "true"}}}',
        '{"KUBERNETES_MASTER": {"SERVER": {"ip": "192.0.2.1"}}}',
    ],
    "cumulus/ours": [
        "- set:\n    system:\n      config:\n        snippet:\n          x:\n            file: /etc/cron.d/x",
        "- set: {system: {config: {snippet: {frr.conf: 'x'}}}}",
        "- set: {system: {ztp: {service: enabled}}}",
    ],
    "frr/ours": ["show version", "sh ver", "conf t", "write file"],
    "frr/interfaces": [
        "auto dummy0\niface dummy0\n    up rm -rf /",
        "auto dummy0\niface dummy0\n    pre-up rm -rf /",
        "source /tmp/x",
        "source-directory /tmp",
        "auto dummy0\niface dummy0\n    alias ${__import__('os').system('x')}",
        "% import os",
        "<% import os %>",
        "mapping eth9\n    script /tmp/x",
    ],
    "frr/sysctl": [
        "kernel.core_pattern = |/tmp/x",
        "kernel/modprobe=/tmp/x",
        "-kernel.modprobe = /tmp/x",
        "fs.binfmt_misc.register = :x:M::x::/tmp/x:",
    ],
    "frr/qos": ["rm -rf /", "udevadm settle", "tc qdisc del dev swp1 root", "ethtool -s eth9 speed 100"],
    "dellsonic/ours": ["reboot", "image install http://192.0.2.1/x.bin"],
    "srlinux/ours": ["system { event-handler { instance x { upython-script x.py } } }"],
}
HARM = {
    "eos/ours": [
        "interface {port}\n   shutdown",
        "int {port}\n   shut",
        "interface {port}, {other}\n   mtu 1500",
        "interface {port}\n   channel-group 1 mode active",
        "interface {port}\n   vrf red",
        "router bgp {asn}\n   shutdown",
        "router bgp {asn}\n   neighbor {neighbor} shutdown",
        "interface defaults\n   ethernet\n      shutdown",
        "management ssh\n   shutdown",
        "interface {port}\n   priority-flow-control off",
        "transceiver qsfp default-mode 4x10G",
    ],
    "nxos/ours": [
        "interface {port}\n  shutdown",
        "interface {port}, {other}\n  mtu 1500",
        "interface {port}\n  channel-group 1 mode active",
        "interface {port}\n  vrf member red",
        "router bgp {asn}\n  shutdown",
        "router bgp {asn}\n  neighbor {neighbor}\n    shutdown",
        "system default switchport shutdown",
        "system jumbomtu 1500",
        "router bgp {asn}\n  neighbor {neighbor} remote-as 7",
        "interface mgmt0\n  shut",
    ],
    "junos/ours": [
        "interfaces {{ {port} {{ disable; }} }}",
        "interfaces {{ {port} {{ unit 0 {{ disable; }} }} }}",
        "interfaces {{ interface-range r {{ member {port}; disable; }} }}",
        "interfaces {{ {port} {{ ether-options {{ 802.3ad ae0; }} }} }}",
        "protocols {{ bgp {{ disable; }} }}",
        "system {{ processes {{ routing disable; }} }}",
        "routing-instances {{ red {{ interface {port}.0; }} }}",
    ],
    "sonic/frr": [
        "interface {port}\n shutdown",
        "interface {port}\n shut",
        "router bgp {asn}\n bgp shutdown",
        "router bgp {asn}\n neighbor {neighbor} shutdown",
    ],
    "sonic/config-db": [
        '{{"PORT": {{"{port}": {{"admin_status": "down"}}}}}}',
        '{{"PORTCHANNEL_MEMBER": {{"PortChannel1|{port}": {{}}}}}}',
        '{{"BUFFER_PG": {{"{port}|0-7": {{"profile": "x"}}}}}}',
        '{{"INTERFACE": {{"{port}": {{"vrf_name": "Vrf1"}}}}}}',
    ],
    "cumulus/ours": [
        "- set: {{interface: {{{port}: {{link: {{state: {{down: {{}}}}}}}}}}}}",
        "- set: {{interface: {{swp1-8: {{link: {{mtu: 1500}}}}}}}}",
        "- set: {{interface: {{bond1: {{bond: {{member: {{{port}: {{}}}}}}}}}}}}",
        "- set: {{router: {{bgp: {{enable: off}}}}}}",
        "- set: {{qos: {{roce: {{enable: on}}}}}}",
        "- set: {{vrf: {{default: {{router: {{bgp: {{neighbor: {{{neighbor}: {{shutdown: on}}}}}}}}}}}}}}",
    ],
    "frr/ours": [
        "interface {port}\n shutdown",
        "interface {port}\n shut",
        "interface lo\n shutdown",
        "router bgp {asn}\n bgp shutdown",
        "router bgp {asn}\n neighbor {neighbor} shutdown",
    ],
    "frr/interfaces": [
        "auto {port}\niface {port}\n    link-down yes",
        "    link-down yes",
        "iface lo\n    address 192.0.2.1/32",
        "auto bond0\niface bond0\n    bond-slaves {port}",
        "auto br1\niface br1\n    bridge-ports glob swp1-4",
        "auto br1\niface br1\n    bridge-ports \\\n    {port}",
        "iface swp[1-4]\n    mtu 1500",
    ],
    "frr/sysctl": [
        "net.ipv4.ip_forward = 0",
        "net.ipv4.ip_forward=0",
        "net/ipv4/ip_forward=0",
        "-net.ipv4.ip_forward=0",
        "net.ipv6.conf.*.forwarding=0",
        "net.ipv4.conf.{port}.forwarding = 0",
        "net.ipv6.conf.all.disable_ipv6 = 1",
    ],
    "frr/qos": ["tc qdisc del dev {port} root"],
    "dellsonic/ours": ["interface {port}\n shutdown"],
    "srlinux/ours": ["interface {port} {{ admin-state disable }}"],
}
TAKEN = {
    "eos/ours": ["alias sib show ip bgp", "interface Loopback9\n   description shutdown of ours"],
    "nxos/ours": ["feature lacp", "interface loopback9\n  shutdown"],
    "junos/ours": ["forwarding-options { storm-control-profiles sc { all; } }"],
    "sonic/frr": ["interface Loopback9\n shutdown", "bgp as-path access-list MINE seq 5 permit ^65000"],
    "sonic/config-db": ['{"CRM": {"Config": {"polling_interval": "300"}}}'],
    "cumulus/ours": ["- set: {interface: {lo9: {description: shutdown}}}"],
    "frr/ours": ["interface dummy0\n shutdown", "router bgp 65000 vrf red\n bgp router-id 192.0.2.1"],
    "frr/interfaces": ["auto dummy0\niface dummy0\n    link-type dummy\n    vrf mgmt"],
    "frr/sysctl": ["net.ipv4.tcp_ecn = 1", "net.core.rmem_max=212992", "vm.swappiness = 10"],
}


def cases(table):
    """Part and text, one at a time."""
    return [(part, text) for part, texts in table.items() for text in texts]


def refusals(part, text):
    """Errors of a leaf with the lines of an override in a part of its product."""
    name, section = part.split("/")
    plain = leaf(name)
    ports = [port.name for port in plain.ports if port.addresses or port.peer]
    words = {"port": ports[0], "other": ports[1], "asn": plain.routing.asn}
    words["neighbor"] = plain.routing.neighbors[0].address
    try:
        printed(leaf(name, extra(section, text.format(**words))))
    except Invalid as invalid:
        return [found for found in invalid.diagnostics if found.is_error]
    return []


def test_every_product_that_takes_lines_is_tried():
    switches = {name for name in names() if platform(name).technology == "ethernet"}

    assert switches - {"host"} == {part.partition("/")[0] for part in PARTS}
    assert set(PARTS) == set(PROGRAMS) == set(HARM)


@pytest.mark.parametrize(("part", "text"), cases(PROGRAMS))
def test_no_line_runs_a_program(part, text):
    escaped = text.replace("{", "{{").replace("}", "}}")

    assert_refused(part, escaped)


@pytest.mark.parametrize(("part", "text"), cases(HARM))
def test_no_line_shuts_or_moves_what_is_ours(part, text):
    assert_refused(part, text)


@pytest.mark.parametrize("part", PARTS)
def test_no_line_begins_another_file(part):
    assert_refused(part, f"{PART}qos.sh\nrm -rf /")


@pytest.mark.parametrize(("part", "text"), cases(TAKEN))
def test_lines_of_what_is_not_ours_are_taken(part, text):
    escaped = text.replace("{", "{{").replace("}", "}}")

    assert [] == [(found.code, found.rule) for found in refusals(part, escaped)]


def assert_refused(part, text):
    """An error with place, value or rule, and a hint."""
    found = refusals(part, text)

    assert found, text
    for one in found:
        assert str(one.origin).startswith("overrides[0].extra"), text
        assert one.rule, text
        assert one.hint, text
