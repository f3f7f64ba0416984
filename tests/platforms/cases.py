"""Intents that between them use every section of a switch's text, by what they prove; a product supports most."""

from __future__ import annotations

from dataclasses import dataclass

from fabric.devices.model import Switch
from tests.platforms.sites import (
    HASH,
    KEY,
    LEAF,
    NULL,
    SPINE,
    Words,
    attachments,
    inventory,
    klass,
    network,
    policy,
    services,
    site,
    state,
    switch,
)

TOP = "superspine-0-0"


@dataclass(frozen=True)
class Case:
    """What an intent changes in the small site, and which of its switches it is about."""

    words: tuple[Words, ...] = ()
    device: str = LEAF
    model: str | None = None
    """Of the catalogue; None: that of the suite."""


def case(*words: Words, device: str = LEAF, model: str | None = None) -> Case:
    """A case."""
    return Case(words, device, model)


def of(platform: str, one: Case, *words: Words) -> Switch:
    """The switch of a case, with what else is changed."""
    return switch(platform, one.device, *one.words, *words, model=one.model)


def addressing(text: str) -> Words:
    """Of the addressing."""
    return network(f"addressing: {{{text}}}")


def pods(text: str = "") -> Words:
    """Superspines over pods of one unit each."""
    return network(
        "{pods: {units: 1}, cables: {spine_superspine: {length: 40m}}, "
        f"tiers: {{superspine: {{count: 1}}}}, {text}}}"
    )


WITHOUT_POLICY = network(f"lossless: {NULL}")
RELAY = "assignment: dhcp_relay, dhcp_servers: [10.9.9.9, 10.9.9.10, 'fd00:9::9']"
TWO_PLANES = site("hosts: {gpu: {nics: {compute: {ports: 2}}}}\nnetworks: {compute: {planes: {count: 2}}}")
RESERVED = network('tiers: {leaf: {reserved_ports: 2, max_oversubscription: "4:1"}}')
SHUT = "reason: a fan is replaced, owner: night, expires: '2999-12-31'"
"""Of an entry of `state.yaml`."""
DRAINED = state(f"drained: [{{device: {LEAF}, mode: shut, {SHUT}}}]")
BORDERS = attachments("""
first: {network: compute, kind: router, links: 1, speed: 400G, to: {unit: 0, rails: [0]}, bgp: {asn: 64512,
  password: "env:BORDER", bfd: true, max_prefixes: 100, prefixes: [0.0.0.0/0], advertise: [10.0.0.0/10]}}
second: {network: compute, kind: router, links: 1, speed: 400G, to: {unit: 0, rails: [0]}, bgp: {asn: 64513,
  prefixes: [0.0.0.0/0, "::/0"], advertise: [10.0.0.0/10]}, addresses: [{ours: 192.0.2.128/31,
  theirs: 192.0.2.129/31, ours6: "fd00:9::/127", theirs6: "fd00:9::1/127"}]}
""")
BORDER = (RESERVED, addressing("host_family: dual, family: dual"), BORDERS)
GUARDED = attachments("{first: {bgp: {ttl_security: true}}, second: {bgp: {ttl_security: true}}}")
SERVICES = services(f"""
management: {{dns: [192.0.2.53, 192.0.2.5], domain: dc1.example.net, allow: [198.51.100.0/24]}}
ntp: {{servers: [192.0.2.30, 192.0.2.4, 192.0.2.20]}}
syslog: {{servers: [192.0.2.9, 192.0.2.10], level: warnings}}
snmp:
  users:
    watcher: {{auth_secret: "env:SNMP_AUTH", privacy_secret: "env:SNMP_PRIV"}}
    auditor: {{auth: sha512, auth_secret: "file:/run/a", privacy: aes, privacy_secret: "file:/run/p"}}
  location: hall 1, row 2
  contact: noc@example.net
  trap_servers: [192.0.2.40, 192.0.2.41]
users:
  netops: {{role: admin, password_hash: {HASH}, ssh_keys: ["{KEY}", "{KEY.replace("Bd", "Be")}"]}}
  viewer: {{password_secret: "env:VIEWER_HASH", ssh_keys: ["{KEY}"]}}
ssh: {{idle_timeout: 10min, allow: [198.51.100.0/24, 10.9.0.0/16]}}
gnmi: {{port: 50051}}
certificate: {{name: fabric, client_ca: fabric-ca}}
banner: "Authorised access only.\\n\\nEverything is logged."
""")
TACACS = services("tacacs: {servers: [192.0.2.70, 192.0.2.71], secret: 'env:TACACS'}\nlldp: false")
WATCHED = services('snmp: {users: {watcher: {auth_secret: "env:A", privacy_secret: "env:P"}}}')
LOSSY = (klass("roce", "priority: null"), policy("watchdog: null"))
IPV6 = (
    addressing("family: ipv6"),
    services("management: {gateway: '2001:db8::1'}"),
    inventory(f"devices: {{{LEAF}: {{address: '2001:db8::11/64'}}}}"),
)

CASES: dict[str, Case] = {
    "leaf": Case(),
    "spine": case(pods(), device="spine-0-0"),
    "superspine": case(pods("addressing: {asn: {policy: rfc7938, leaf_numbers: per_pod}}"), device=TOP),
    "reused numbers": case(
        pods("addressing: {asn: {leaf_numbers: per_pod}}, routing: {bgp: {password: 'env:BGP'}}")
    ),
    "ipv6": case(*IPV6),
    "dual stack": case(addressing("family: dual")),
    "unnumbered": case(addressing("family: unnumbered, host_family: dual")),
    "vlan gateway": case(addressing(f"host_family: dual, host_links: {{mode: vlan, {RELAY}}}")),
    "static gateway": case(addressing("host_links: {mode: vlan}")),
    "dual ToR": case(
        TWO_PLANES,
        addressing("host_family: dual, host_links: {mode: lacp, host_arp_duplication: true}"),
        device="leaf-0-0-1",
    ),
    "slaac": case(
        RESERVED,
        addressing("family: dual, host_links: {assignment: slaac, prefix6_length: 64}"),
        attachments(
            "store: {network: compute, kind: storage, links: 1, speed: 400G, to: {unit: 0, rails: [0]}}"
        ),
    ),
    "dhcp relay": case(addressing(f"family: dual, host_links: {{prefix_length: 30, {RELAY}}}")),
    "all services": case(SERVICES),
    "tacacs": case(TACACS, WATCHED, device=SPINE),
    "default vrf": case(
        services("management: {vrf: default}\nssh: {allow: ['2001:db8::/32']}\ntacacs: {accounting: false}"),
        services("gnmi: {}\ncertificate: {name: fabric}\nsnmp: {trap_servers: [192.0.2.40]}"),
        TACACS,
        WATCHED,
    ),
    "flowlets": case(
        network("routing: {load_balancing: flowlet, bfd: none, bgp: {password: 'env:BGP'}}"), device=SPINE
    ),
    "lossy": case(*LOSSY),
    "notifying watchdog": case(
        policy("watchdog: {action: notify, detect: 500ms, restore: 300ms, poll: 150ms}")
    ),
    "no policy": case(WITHOUT_POLICY),
    "drained": case(DRAINED),
    "external": case(*BORDER),
    "guarded": case(*BORDER, GUARDED),
    "zone": case(network("zones: {units: 1}"), device="spine-0-0"),
}
"""What the cases of more than one product ask for."""
