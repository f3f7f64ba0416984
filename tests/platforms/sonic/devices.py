"""Switches of the cases that SONiC can say, compiled from intents."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from fabric.devices.model import Switch
from tests.platforms import cases
from tests.platforms.cases import DRAINED, SERVICES, TACACS, WATCHED, Case, addressing, case, of, pods
from tests.platforms.sites import SPINE, Words, attachments, extra, network, policy, services, site

TH5, SPECTRUM = "arista-7060x6-64pe", "nvidia-sn5600"
REFUSED = {"dual ToR", "slaac", "dhcp relay", "all services", "tacacs", "default vrf", "flowlets"}
"""Of the cases of all products; `test_refusals.py` says why."""
WEAKER = "{auth: sha, privacy: aes}"
SNMP = services(f"snmp: {{users: {{watcher: {WEAKER}}}, trap_servers: null}}")
SAYABLE = (
    SERVICES,
    SNMP,
    services(f"snmp: {{users: {{auditor: {WEAKER}}}}}\nssh: {{allow: null}}\nmanagement: {{allow: null}}"),
)
"""SNMPv3 with SHA and AES, no traps, no list of SSH clients."""
NO_BFD = network("routing: {bfd: none}")
LISTS = services("""
ssh: {allow: [192.0.2.0/24, 198.51.100.0/24, "2001:db8::/32"]}
management: {allow: [192.0.2.0/24]}
""")
"""Prefixes of both families that may use SSH and gNMI."""
IN_VLANS = addressing("host_links: {mode: vlan}")
PLAIN = network("routing: {bfd: none, bgp: {max_prefixes: none}}")
BGPCFGD = (PLAIN, IN_VLANS, addressing("asn: {policy: shared-spine}"))
"""Nothing that needs a policy: one AS number above, hosts in VLANs, no guards of sessions."""
HALVES = attachments("""
first: {network: compute, kind: router, links: 1, speed: 400G, to: {unit: 0, rails: [0]}, bgp: {asn: 64512, bfd: true,
  prefixes: [0.0.0.0/0], advertise: [10.0.0.0/10]}}
""")
"""A router whose prefixes frrcfgd compares rightly: `"32" > "10"`, but not `"128" > "8"`."""
TRIM = """{"SWITCH_TRIMMING": {"GLOBAL": {"size": "128", "dscp_value": "48", "queue_index": "6"}},
 "BUFFER_PROFILE": {"q_lossy_profile": {"packet_discard_action": "trim"}}}"""
HOSTS_ONLY = network("tiers: {leaf: {up: null}, spine: null}")
"""Rails alone."""
EVERY_CAGE_SPLIT = (HOSTS_ONLY, site("units: 1\nhosts: {gpu: {per_unit: 128}}"))


def released(release: str, *tiers: str) -> Words:
    """That release on leaves, spines and some more."""
    names = ("leaf", "spine", *tiers)
    return network("tiers: {" + ", ".join(f'{name}: {{release: "{release}"}}' for name in names) + "}")


FRRCFGD = released("202511-frrcfgd")
INTENTS: dict[str, Case] = {
    **{name: one for name, one in cases.CASES.items() if name not in REFUSED},
    "leaf on Spectrum": case(released("master"), model=SPECTRUM),
    "spine on Spectrum": case(device=SPINE, model=SPECTRUM),
    "unnumbered": case(*cases.CASES["unnumbered"].words, model=SPECTRUM),
    "all services": case(*SAYABLE),
    "lists": case(*SAYABLE, LISTS, NO_BFD),
    "tacacs": case(TACACS, WATCHED, SNMP, device=SPINE),
    "default vrf": case(*cases.CASES["default vrf"].words, SNMP, services("ssh: {allow: null}")),
    "no BFD": case(NO_BFD),
    "every cage split": case(*EVERY_CAGE_SPLIT),
    "packet trimming": case(policy("trim: {size: 512B, classes: [rest], into: cnp}"), model=SPECTRUM),
    "packet trimming by an override": case(extra("config-db", TRIM), model=SPECTRUM),
    "frrcfgd": case(FRRCFGD),
    "frrcfgd drained": case(released("master-frrcfgd"), DRAINED),
    "frrcfgd unnumbered": case(FRRCFGD, addressing("family: unnumbered"), model=SPECTRUM),
    "frrcfgd superspine": case(
        pods("addressing: {asn: {policy: rfc7938, leaf_numbers: per_pod}}"),
        released("202511-frrcfgd", "superspine"),
        device=cases.TOP,
    ),
    "frrcfgd external": case(FRRCFGD, cases.RESERVED, HALVES),
    "bgpcfgd": case(released("202511-bgpcfgd"), *BGPCFGD),
    "bgpcfgd dual stack": case(released("master-bgpcfgd"), *BGPCFGD, addressing("family: dual")),
}
"""By what they prove."""


def asked(*words: Words, base: str = "leaf") -> Switch:
    """The switch of a case, with what is changed."""
    return of("sonic", INTENTS[base], *words)


@cache
def device(name: str) -> Switch:
    """The switch of a case."""
    return asked(base=name)


CASES: dict[str, Callable[[], Switch]] = {name: (lambda name=name: device(name)) for name in INTENTS}
