"""Switches of the cases that Cumulus Linux supports, compiled from intents."""

from __future__ import annotations

from functools import cache

from fabric.devices.model import Switch
from tests.platforms import cases
from tests.platforms.cases import Case, addressing, case, of
from tests.platforms.everywhere import TRIM
from tests.platforms.sites import (
    BASE,
    HASH,
    KEY,
    LEAF,
    NULL,
    SPINE,
    Words,
    attachments,
    inventory,
    merged,
    network,
    policy,
    services,
    site,
)
from tests.platforms.strategies import of_release

FACTORY = services(f"users: {{cumulus: {{role: admin, password_hash: {HASH}}}}}")
"""The account of the product, declared."""
SLOW = network("tiers: {leaf: {up: {speed: 400G}}}")
"""Adaptive routing works on links of 400G."""
ADAPTIVE = (SLOW, network("routing: {load_balancing: per_packet, nics_reorder: true}"))
SPLIT = site("hosts: {gpu: {nics: {compute: {speed: 100G}}}}")
"""A cage for eight hosts."""
PLAIN_SERVICES = services(f"""
management: {{dns: [192.0.2.53, 192.0.2.5], domain: dc1.example.net}}
ntp: {{servers: [192.0.2.30, 192.0.2.4, 192.0.2.20]}}
syslog: {{servers: [192.0.2.9, 192.0.2.10]}}
users:
  netops: {{ssh_keys: ["{KEY}", "{KEY.replace("Bd", "Be")}"]}}
  viewer: {{password_secret: "env:VIEWER_HASH", ssh_keys: ["{KEY}"]}}
  robot: {{ssh_keys: ["{KEY}"]}}
ssh: {{idle_timeout: 10min}}
banner: "Authorised access only.\\n\\nEverything is logged."
""")
GNMI = services("{gnmi: {port: 50051}, certificate: {name: fabric, client_ca: fabric-ca}}")
TACACS = services(
    "{tacacs: {servers: [192.0.2.70, 192.0.2.71, '2001:db8::70'], secret: 'env:TACACS'}, lldp: false}"
)
RELAY = "assignment: dhcp_relay, dhcp_servers: [10.9.9.9, 10.9.9.10]"
STORAGE = attachments(
    "store: {network: compute, kind: storage, links: 1, speed: 400G, to: {unit: 0, rails: [0]}, "
    "vlan: 120, tagged: true}"
)
HASHING = network("routing: {hashing: {fields: [src_ip, dst_ip, ingress_port], seed: per_device}}")
NO_ADDRESS = inventory(f"devices: {{{LEAF}: {{address: {NULL}}}}}")

REFUSED = {
    "all services", "default vrf", "dhcp relay", "dual ToR", "flowlets", "notifying watchdog", "tacacs", "vlan gateway"
}  # fmt: skip
"""Of the cases of all products; `test_refusals.py` says why."""
INTENTS: dict[str, Case] = {name: one for name, one in cases.CASES.items() if name not in REFUSED} | {
    "adaptive routing": case(*ADAPTIVE),
    "all services": case(PLAIN_SERVICES, FACTORY, GNMI, services("syslog: {level: warnings}")),
    "dhcp on eth0": case(NO_ADDRESS),
    "dhcp relay": case(addressing(f"host_links: {{prefix_length: 30, {RELAY}}}")),
    "default vrf": case(services("management: {vrf: default}"), TACACS, device=SPINE),
    "eight ports": case(SPLIT),
    "forced speed": case(SLOW, model="nvidia-sn4700"),
    "hashing": case(HASHING),
    "plain services": case(PLAIN_SERVICES, FACTORY),
    "slaac in a VLAN": case(
        addressing("host_family: dual, host_links: {mode: vlan, assignment: slaac, prefix6_length: 64}")
    ),
    "tacacs": case(TACACS, device=SPINE),
    "tagged VLAN": case(cases.RESERVED, addressing("host_links: {mode: vlan}"), STORAGE),
    "trimming": case(policy(TRIM.replace("best-effort", "rest"))),
    "vlan gateway": case(addressing(f"host_links: {{mode: vlan, {RELAY}}}")),
}
NEEDS = {"all services": (5, 15), "default vrf": (5, 14), "tacacs": (5, 14), "trimming": (5, 14)}
"""First release of the cases that not every release can say."""


def changed(one: Case, *words: Words, release: str | None = "5.16.1") -> Switch:
    """The switch of a case in a release, with what else is changed."""
    whole = merged(BASE, *one.words, *words)
    return of("cumulus", one, *words, of_release(whole, release))


@cache
def device(name: str, release: str | None = "5.16.1") -> Switch:
    """The switch of a case, in a release."""
    return changed(INTENTS[name], release=release)
