"""One set of intents for every platform, and what each of them must make of a switch."""

# ruff: noqa: E501  # a hash is one word

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import msgspec

from fabric import rendering
from fabric.devices.derive import derive
from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.hardware import load_catalogue
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.platforms.base import Capabilities, ClassFacts, Platform
from fabric.platforms.meaning import DSCPS, PortMeaning
from fabric.qos.model import TrimmedPackets
from fabric.topology.expand import expand
from tests.platforms.expectations import by_lines, switch_expectations

EXPECTATIONS = {
    name: switch_expectations(name)
    for name in sorted(registry.ROWS)
    if registry.platform(name).technology == "ethernet"
}
"""What is told of every product that runs on switches."""
MODELS = {name: expected.model for name, expected in EXPECTATIONS.items()}
"""One model for each platform: the 64-cage switch that it is sold on for such fabrics."""
SECTIONS = {
    f"{name}/{block}": section
    for name, expected in EXPECTATIONS.items()
    for block, section in expected.overrides.items()
}
"""Every block of every product that an override may name, as `product/block`."""
BY_LINES = {part: section for part, section in SECTIONS.items() if section.write is by_lines}
"""Those of products that are told line by line."""

SITE = """site: shared
units: 2
hosts:
  gpu: {{gpus: 2, per_unit: 2, nics: {{compute: {{count: 2{ports}, speed: 400G}}}}}}
networks:
  compute:
{network}    lossless: policy.yaml
    tiers:
      leaf: {{model: {model}, platform: {platform}}}
      spine: {{model: {model}, platform: {platform}, count: 2{spine}}}
{tiers}services:
  users:
    netops: {{role: admin, password_hash: "$6$abcdefgh$0123..................................................................................", password_hash_sha256: "$5$abcdefgh$0123......................................."}}
{rest}"""

TRIM = "trim: {size: 512B, classes: [best-effort], into: cnp}\n"
POLICY = """classes:
  roce: {{dscp: [24, 26], traffic_class: 3, priority: {priority}, queue: 3, share: 50, ecn: auto}}
  cnp: {{dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}}
  best-effort: {{dscp: rest, traffic_class: 0, queue: 0, share: 50}}
cnp: cnp
{watchdog}"""


@dataclass(frozen=True)
class Feature:
    """Something that an intent may ask for, and how a platform says that it can."""

    able: Callable[[Capabilities], bool]
    network: str = ""
    tiers: str = ""
    rest: str = ""
    ports: str = ""
    spine: str = ""
    leaf: str = ""
    inventory: str = "{}"
    policy: str = ""


SWITCHES = ("leaf-0-0", "leaf-0-1", "leaf-1-0", "leaf-1-1", "spine-0", "spine-1")
ADDRESSES = "devices:\n" + "".join(
    f"  {name}: {{address: 192.0.2.{100 + i}/24}}\n" for i, name in enumerate(SWITCHES)
)


def always(_can: Capabilities) -> bool:
    """What no platform may refuse."""
    return True


def links(words: str) -> str:
    """An addressing of host links."""
    return f"    addressing: {{host_links: {{{words}}}}}\n"


def border(words: str) -> str:
    """A router on both spines, with these settings of its sessions."""
    return (
        "attachments:\n  border: {network: compute, kind: router, links: 2, speed: 400G, to: {tier: spine}, "
        f"bgp: {{asn: 65010, prefixes: [0.0.0.0/0], {words}}}}}\n"
    )


def filer(words: str) -> str:
    """Storage on the leaves of unit 1, with these settings of its ports, and a login node in a VLAN of its own."""
    return (
        "attachments:\n  filer: {network: compute, kind: storage, links: 2, speed: 400G, to: {unit: 1}, "
        f"vlan: 120, {words}}}\n"
        "  login: {network: compute, kind: other, links: 1, speed: 400G, to: {unit: 0}, vlan: 130}\n"
    )


LONGEST = 63
"""Of a DNS label, which the name of an attachment is."""


def alike(longest: int) -> str:
    """Two border routers and storage twice, with names of so many letters that differ in the last one."""
    names = [word.ljust(longest - 1, "e") + end for word in ("border", "filer") for end in "xy"]
    router = "{network: compute, kind: router, links: 2, speed: 400G, to: {tier: spine}, bgp: "
    router += "{asn: 65010, prefixes: [0.0.0.0/0], advertise: [10.0.0.0/10]}}"
    filer = "{network: compute, kind: storage, links: 1, speed: 400G, to: {unit: 1}}"
    lines = [f"  {name}: {router if name.startswith('border') else filer}\n" for name in names]
    return "attachments:\n" + "".join(lines)


RESERVED = ', reserved_ports: 2, max_oversubscription: "4:1"'

FEATURES: dict[str, Feature] = {
    "two tiers": Feature(always),
    "three tiers": Feature(
        always,
        network="    pods: {units: 1}\n    cables: {spine_superspine: {length: 40m}}\n",
        tiers="      superspine: {{model: {model}, platform: {platform}}}\n",
    ),
    "two planes": Feature(always, network="    planes: {count: 2}\n", ports=", ports: 2"),
    "no bfd": Feature(always, network="    routing: {bfd: none}\n"),
    "a drained switch": Feature(always, rest="overrides: [{device: spine-1, max_paths: 1}]\n"),
    "unnumbered": Feature(lambda can: can.unnumbered_bgp, network="    addressing: {family: unnumbered}\n"),
    "ipv6": Feature(lambda can: can.ipv6_fabric, network="    addressing: {family: ipv6}\n"),
    "dual stack": Feature(lambda can: can.ipv6_fabric, network="    addressing: {family: dual}\n"),
    "vlan gateways": Feature(lambda can: can.vlan_gateways, network=links("mode: vlan")),
    "dhcp relay": Feature(
        lambda can: can.vlan_gateways and can.dhcp_relay,
        network=links("mode: vlan, assignment: dhcp_relay, dhcp_servers: [192.0.2.67]"),
    ),
    "dual-tor lacp": Feature(
        lambda can: can.dual_tor_lacp and can.host_routes_from_arp,
        network="    planes: {count: 2}\n" + links("mode: lacp, host_arp_duplication: true"),
        ports=", ports: 2",
    ),
    "bgp password": Feature(
        lambda can: can.bgp_password, network='    routing: {bgp: {password: "env:FABRIC_BGP"}}\n'
    ),
    "leaf AS numbers used again in every pod": Feature(
        always,
        network="    pods: {units: 1}\n    cables: {spine_superspine: {length: 40m}}\n"
        "    addressing: {asn: {leaf_numbers: per_pod}}\n",
        tiers="      superspine: {{model: {model}, platform: {platform}}}\n",
    ),
    "border router": Feature(always, spine=", reserved_ports: 1", rest=border("advertise: [10.0.0.0/10]")),
    "border router of a dual fabric that sends defaults": Feature(
        lambda can: can.ipv6_fabric and can.discard_routes,
        network="    addressing: {family: dual}\n",
        spine=", reserved_ports: 1",
        rest=border("default_route: true"),
    ),
    "border router with BFD and a limit": Feature(
        lambda can: can.max_prefixes, spine=", reserved_ports: 1", rest=border("bfd: true, max_prefixes: 100")
    ),
    "border router with GTSM": Feature(
        lambda can: can.ttl_security, spine=", reserved_ports: 1", rest=border("ttl_security: true")
    ),
    "GTSM": Feature(lambda can: can.ttl_security, network="    routing: {bgp: {ttl_security: true}}\n"),
    "GTSM on unnumbered sessions": Feature(
        lambda can: can.ttl_security and can.unnumbered_bgp,
        network="    routing: {bgp: {ttl_security: true}}\n    addressing: {family: unnumbered}\n",
    ),
    "a limit of prefixes": Feature(
        lambda can: can.max_prefixes, network="    routing: {bgp: {max_prefixes: 500}}\n"
    ),
    "border router with a password": Feature(
        lambda can: can.bgp_password, spine=", reserved_ports: 1", rest=border('password: "env:BORDER"')
    ),
    "attachments with names alike": Feature(
        always, spine=", reserved_ports: 2", leaf=RESERVED, rest=alike(9)
    ),
    "attachments with long names alike": Feature(
        always, spine=", reserved_ports: 2", leaf=RESERVED, rest=alike(LONGEST)
    ),
    "VLANs of attachments": Feature(lambda can: can.vlan_gateways, leaf=RESERVED, rest=filer("")),
    "a tagged VLAN of an attachment": Feature(
        lambda can: can.vlan_gateways and can.tagged_vlans, leaf=RESERVED, rest=filer("tagged: true")
    ),
    "an LACP bundle": Feature(
        lambda can: can.vlan_gateways and can.lacp_bundles, leaf=RESERVED, rest=filer("lacp: true")
    ),
    "a tagged LACP bundle": Feature(
        lambda can: can.vlan_gateways and can.lacp_bundles and can.tagged_vlans,
        leaf=RESERVED,
        rest=filer("lacp: true, tagged: true"),
    ),
    "flowlets": Feature(
        lambda can: can.flowlet_balancing,
        network="    routing: {load_balancing: flowlet}\n",
    ),
    "hash seed": Feature(lambda can: can.hash_seed, network="    routing: {hashing: {seed: per_device}}\n"),
    "snmpv3": Feature(
        lambda can: "sha256" in can.snmp_auth and "aes256" in can.snmp_privacy,
        rest='  snmp: {users: {monitor: {auth_secret: "env:SNMP_AUTH", privacy_secret: "env:SNMP_PRIV"}}}\n',
    ),
    "tacacs": Feature(
        lambda can: can.tacacs, rest='  tacacs: {servers: [192.0.2.30], secret: "env:TACACS_KEY"}\n'
    ),
    "gnmi": Feature(
        lambda can: can.gnmi,
        rest="  gnmi: {port: 6030}\n  certificate: {name: fabric}\n",
        inventory=ADDRESSES,
    ),
    "packet trimming": Feature(lambda can: can.packet_trimming, policy=TRIM),
    "ntp and syslog": Feature(
        always, rest="  ntp: {servers: [192.0.2.20]}\n  syslog: {servers: [192.0.2.10]}\n"
    ),
    "a log level": Feature(
        lambda can: can.syslog_level or "syslog" in can.outside,
        rest="  syslog: {servers: [192.0.2.10], level: warnings}\n",
    ),
}


def product(name: str) -> Platform:
    """A platform."""
    return registry.platform(name)


@cache
def capabilities(name: str) -> Capabilities:
    """What a platform says that it can, on its model of this suite."""
    return product(name).capabilities(None, load_catalogue().switches[MODELS[name]])


def _supported(name: str) -> int:
    return sum(value is True for value in msgspec.structs.astuple(capabilities(name)))


ANY = max(EXPECTATIONS, key=_supported)
"""For what is true of every product that supports what is asked: the one that supports most."""


def policy(name: str) -> str:
    """A lossless policy in what the platform can say of PFC and the watchdog."""
    can = capabilities(name)
    action = "drop" if "drop" in can.watchdog_actions else next(iter(sorted(can.watchdog_actions)), "")
    timers = f"{{action: {action}, detect: 200ms, restore: 200ms}}" if can.pfc_watchdog else "none"
    return POLICY.format(priority=3, watchdog=f"watchdog: {timers}\n")


def devices(
    name: str, feature: str, model: str | None = None, changes: tuple[str, str] = ("\n", "\n")
) -> Devices:
    """The switches of the shared site with one feature, all of one platform and model; `changes`: old and new text."""
    asked = FEATURES[feature]
    words = {"model": model or MODELS[name], "platform": name}
    site = SITE.format(
        **words,
        network=asked.network,
        tiers=asked.tiers.format(**words),
        rest=asked.rest,
        ports=asked.ports,
        spine=asked.spine,
    )
    plain = "leaf: {{model: {model}, platform: {platform}".format(**words)
    site = site.replace(plain, plain + asked.leaf).replace(*changes)
    files = {"site.yaml": site, "policy.yaml": policy(name) + asked.policy, "inventory.yaml": asked.inventory}
    intent = load_text(files)
    return derive(intent, expand(intent), registry)


def trimmed(name: str, model: str) -> TrimmedPackets:
    """What `trim` of the shared site's policy is to a switch."""
    queueing = next(iter(devices(name, "packet trimming", model).values())).queueing
    assert queueing is not None
    assert queueing.trimming is not None
    return queueing.trimming


def texts(made: Devices) -> Iterator[tuple[Switch, str]]:
    """Every switch with what was printed for it. `Invalid` if the product does not support it."""
    artifacts = rendering.render(made)
    for switch in made.values():
        yield switch, artifacts.of(switch).text


def intended(switch: Switch) -> dict[str, PortMeaning]:
    """What each cabled port of a switch shall do, from the model that every platform is given."""
    timers = switch.queueing.watchdog if switch.queueing else None
    watchdog = (timers.action, timers.detect_ms, timers.restore_ms, timers.poll_ms) if timers else None
    found = {}
    for port in switch.ports:
        classes: dict[int, ClassFacts] = {}
        for one in port.queueing.classes if port.queueing else ():
            curve = (one.ecn.kmin_bytes, one.ecn.kmax_bytes, one.ecn.pmax_percent) if one.ecn else None
            facts = ClassFacts(
                priority=one.priority,
                strict=one.strict,
                max_rate_percent=one.max_rate_percent,
                share_percent=one.share_percent,
                ecn=curve,
            )
            classes |= dict.fromkeys(one.dscp, facts)
        found[port.name] = PortMeaning(
            port.ip_mtu_bytes,
            tuple(classes.get(dscp) for dscp in DSCPS),
            watchdog if port.queueing else None,
            port.slot.speed_mbps,
        )
    return found
