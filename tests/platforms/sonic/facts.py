"""What SONiC calls things, and what its files leave out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from hypothesis import strategies as st
from msgspec.structs import replace

from fabric.devices.model import Switch, SwitchPort
from fabric.devices.routing_model import PeerGroup
from fabric.platforms.facts import Facts, InterfaceFacts
from fabric.platforms.routing.route_maps import route_maps
from fabric.platforms.sonic.lower_frr import WORDS as MAPS
from fabric.platforms.sonic.lower_frr import policy
from fabric.platforms.sonic.modes import Mode, mode_of
from fabric.platforms.sonic.names import facts as known_facts
from tests.platforms.expected_facts import Interfaces, Words
from tests.platforms.expected_services import Notes, collected, each, routes_that_drop
from tests.platforms.policy_facts import group_facts, in_families, policy_facts
from tests.platforms.sites import merged, network
from tests.platforms.sonic.devices import INTENTS, SPECTRUM, TH5
from tests.platforms.sonic.services import services
from tests.platforms.sonic.tables import noted_tables
from tests.platforms.strategies import PLAIN, switches


def _vrf(switch: Switch) -> str:
    return "default" if switch.management.vrf == "default" else "mgmt"


def _ports(switch: Switch) -> Iterable[SwitchPort]:
    """None of a model whose lanes no source tells."""
    return switch.ports if known_facts(switch.hardware) else ()


def _port(port: SwitchPort, facts: InterfaceFacts) -> InterfaceFacts:
    """Every port has its MTU."""
    peer = f"{port.peer} {port.peer_port}".strip() if port.peer else "unused"
    return replace(facts, description=peer, ip_mtu_bytes=port.ip_mtu_bytes)


def _vlans(switch: Switch) -> Interfaces:
    """VLANs without a gateway."""
    for number in {port.vlan for port in switch.ports if port.vlan} - {g.vlan for g in switch.gateways}:
        yield f"Vlan{number}", InterfaceFacts()


def _complete(facts: Facts, switch: Switch) -> Facts:
    """Without an address and a VRF there is no row of eth0."""
    if switch.management.addresses or _vrf(switch) == "mgmt":
        return facts
    return replace(facts, interfaces={name: one for name, one in facts.interfaces.items() if name != "eth0"})


def _max_paths(switch: Switch) -> int | None:
    """Written where BGP is, and where we write it."""
    told = switch.routing.neighbors and mode_of(switch.release) is not Mode.BGPCFGD
    return switch.routing.max_paths if told else None


def _policies(switch: Switch) -> dict[str, str]:
    """By name; with bgpcfgd they are SONiC's own."""
    mode = mode_of(switch.release)
    if mode is Mode.BGPCFGD:
        return {}
    made = policy(switch)
    groups = group_facts(made.groups, partial(_own_of_group, switch), prints_open=True)
    maps = policy_facts(route_maps(made, MAPS)) if made.groups else {}
    lines = collected(_router(switch), routes_that_drop(switch))
    return {name: text.replace("\n", "; ") for name, text in lines.items()} | _bfd(switch) | maps | groups


def _own_of_group(switch: Switch, group: PeerGroup) -> Iterator[str]:
    """The timers are the router's in frr.conf, each group's in the tables of frrcfgd."""
    yield from in_families(group, "activate")
    yield from ["shutdown"] if group.shut else []
    yield from ["capability extended-nexthop"] if group.unnumbered else []
    yield from in_families(group, *([f"allowas-in {group.allow_own_asn}"] if group.allow_own_asn else []))
    yield from [] if mode_of(switch.release) is Mode.SPLIT else [f"timers {_timers(switch)}"]


def _timers(switch: Switch) -> str:
    return f"{switch.routing.keepalive_ms // 1000} {switch.routing.hold_ms // 1000}"


def _router(switch: Switch) -> Notes:
    is_split = mode_of(switch.release) is Mode.SPLIT
    yield from each("bgp", *(["bgp graceful-shutdown"] if switch.drained else []))
    yield from each("bgp", *([f"timers bgp {_timers(switch)}"] if is_split else []))
    for version in sorted({version for group in policy(switch).groups for version in group.families}):
        blocks = (prefix for prefix in switch.routing.aggregates if prefix.version == version)
        yield from each("bgp", *(f"aggregate-address {prefix} summary-only" for prefix in blocks))
        yield "bgp", "redistribute connected route-map RM-CONNECTED"


def _bfd(switch: Switch) -> dict[str, str]:
    """The profile of all sessions, as it stands."""
    interval_ms, multiplier = switch.routing.bfd_interval_ms, switch.routing.bfd_multiplier
    if interval_ms is None or mode_of(switch.release) is not Mode.SPLIT:
        return {}
    times = f"receive-interval {interval_ms}; transmit-interval {interval_ms}"
    return {"bfd profile FABRIC": f"profile FABRIC; detect-multiplier {multiplier}; {times}"}


def _all_services(switch: Switch) -> dict[str, str]:
    return noted_tables(switch) | services(switch)


def _policies_of(switch: Switch) -> dict[str, str]:
    """What decides about each session: its group, or with bgpcfgd what the mode has for all of them."""
    if mode_of(switch.release) is Mode.BGPCFGD:
        return {one.key: _own(switch) for one in switch.routing.neighbors}
    return policy(switch).group_names


def _own(switch: Switch) -> str:
    """What a neighbour of bgpcfgd has of its own."""
    return f"bgpcfgd timers {_timers(switch)}{' shutdown' if switch.shuts_sessions else ''}"


OUT_OF_REACH = "bgp: {password: null, max_prefixes: none, ttl_security: false}"
"""Of the tables of bgpcfgd."""
FRRCFGD = network("routing: {bfd: {interval: 300ms, multiplier: 3}, bgp: {password: null}}")
BGPCFGD = merged(
    network(f"routing: {{bfd: none, advertise_host_links: specific, {OUT_OF_REACH}}}"),
    network("addressing: {asn: {policy: shared-spine, leaf_numbers: unique}, host_links: {mode: vlan}}"),
    {"site.yaml": {"attachments": None}, "state.yaml": {"drained": []}},
)
MODES = {"": PLAIN, "-frrcfgd": st.just(FRRCFGD), "-bgpcfgd": st.just(BGPCFGD)}


def _random() -> st.SearchStrategy[Switch]:
    """In each routing mode, on each way of buffers."""
    return st.one_of(
        switches("sonic", releases=(f"202511{mode}", f"master{mode}"), models=(TH5, SPECTRUM), more=more)
        for mode, more in MODES.items()
    )


WORDS = Words(
    random=_random,
    cases=INTENTS,
    loopback_name="Loopback0",
    management_name=lambda _switch: "eth0",
    management_vrf=_vrf,
    gateway_name="Vlan{}",
    gateway_omits=("description", "vlan"),
    ports=_ports,
    port=_port,
    interfaces=_vlans,
    max_paths=_max_paths,
    group_names=_policies_of,
    policies=_policies,
    services=_all_services,
    complete=_complete,
)
