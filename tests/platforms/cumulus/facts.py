"""What Cumulus Linux calls things, and what its document leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from fabric.devices.model import LinkRole, Routing, Switch, SwitchPort
from fabric.devices.routing_model import Clause, PeerGroup
from fabric.devices.routing_policy import routing_policy
from fabric.platforms.cumulus.lower_bgp import STYLE
from fabric.platforms.cumulus.lower_interfaces import present
from fabric.platforms.cumulus.lower_services import management_vrf
from fabric.platforms.facts import ClassFacts, Facts, InterfaceFacts
from fabric.platforms.routing.route_maps import Entry, PrefixList, route_maps
from fabric.platforms.routing.route_maps import Words as MapWords
from tests.platforms.cumulus.devices import INTENTS
from tests.platforms.cumulus.services import services
from tests.platforms.expected_facts import Words
from tests.platforms.strategies import switches


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """Every port in use has its MTU; the others have none, and no speed."""
    used = port.role is not LinkRole.UNUSED
    speed_mbps, ip_mtu_bytes = (port.slot.speed_mbps, port.ip_mtu_bytes) if used else (None, None)
    return replace(facts, speed_mbps=speed_mbps, ip_mtu_bytes=ip_mtu_bytes)


def _complete(facts: Facts, switch: Switch) -> Facts:
    """The product's own profile, whose marking of queue 0 is switched off; sessions over link-local addresses."""
    unnumbered = {one.port for one in switch.routing.neighbors if one.address is None}
    eth0 = facts.interfaces["eth0"]
    there = {
        name: replace(one, link_local=name in unnumbered)
        for name, one in facts.interfaces.items()
        if (name != "lo" or one.addresses) and (name != "eth0" or eth0.addresses or eth0.vrf != "default")
    }
    own = {"default-global": {0: ClassFacts()}} if facts.profiles else {}
    return replace(facts, interfaces=there, profiles=own | dict(facts.profiles))


def _policies(switch: Switch) -> dict[str, str]:
    made = routing_policy(switch, STYLE)
    maps = route_maps(made, MapWords(_communities))
    found = {one.name: [f"10 {one.value}", "10 permit"] for one in maps.communities}
    found |= {one.name: list(_prefix_list(one)) for one in maps.prefix_lists}
    for entry in maps.entries:
        found.setdefault(entry.name, []).extend(_rule(entry))
    lines = {name: "; ".join(sorted(set(texts))) for name, texts in found.items()}
    return lines | _groups(made.groups, switch.routing)


def _communities(clause: Clause) -> list[str]:
    """They replace what a route carries."""
    both = [clause.add, clause.community] if clause.add else []
    return [one.value for one in both if one]


def _prefix_list(prefixes: PrefixList) -> Iterator[str]:
    yield f"ipv{prefixes.version}"
    for number, one in prefixes.numbered:
        yield f"{number} permit"
        bounds = ("",) if one.is_exact else (f" max {one.longest}", f" min {one.shortest}")
        yield from (f"{number} {one.prefix}{bound}" for bound in bounds)


def _rule(entry: Entry) -> Iterator[str]:
    number, clause = entry.sequence, entry.clause
    yield f"{number} {entry.action}"
    if entry.version:
        yield f"{number} ip-prefix-list {entry.prefix_list}"
        yield f"{number} type ipv{entry.version}"
    if clause.community:
        yield f"{number} community-list {clause.community.name}"
    yield from (f"{number} set {community}" for community in entry.sets)
    if clause.delete:
        yield f"{number} delete {clause.delete.name}"
    if clause.local_preference is not None:
        yield f"{number} local-preference {clause.local_preference}"


def _groups(groups: Iterable[PeerGroup], routing: Routing) -> dict[str, str]:
    found = {}
    for group in groups:
        lines = [f"hold {routing.hold_ms // 1000}", f"keepalive {routing.keepalive_ms // 1000}"]
        lines += ["shutdown"] if group.shut else []
        for version in group.families:
            word = f"ipv{version}"
            lines += [f"{word} activate", f"{word} inbound RM-{group.import_policy.name}"]
            if not group.export_policy.is_open:
                lines.append(f"{word} outbound RM-{group.export_policy.name}")
            lines += [f"{word} own {group.allow_own_asn}"] if group.allow_own_asn else []
        found[f"group {group.name}"] = "; ".join(sorted(lines))
    return found


RELEASES = ("5.9.4", "5.11.1", "5.13.1", "5.14.0", "5.15.0", "5.16.1", "5.17.0", None)
WORDS = Words(
    random=lambda: switches("cumulus", releases=RELEASES),
    cases=INTENTS,
    loopback_name="lo",
    management_name=lambda _switch: "eth0",
    management_vrf=management_vrf,
    gateway_name="vlan{}",
    gateway_omits=("description", "ip_mtu_bytes"),
    ports=present,
    port=_port,
    group_names=lambda switch: routing_policy(switch, STYLE).group_names,
    policies=_policies,
    services=services,
    complete=_complete,
)
