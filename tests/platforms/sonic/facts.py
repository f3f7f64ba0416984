"""What SONiC calls things, and what its files leave out."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import strategies as st
from msgspec.structs import replace

from fabric.devices.model import Switch, SwitchPort
from fabric.diagnostics import Report
from fabric.platforms.facts import Facts, InterfaceFacts
from fabric.platforms.sonic.lower import all_tables
from fabric.platforms.sonic.lower_frr import lower_frr, policy
from fabric.platforms.sonic.model import Frr
from fabric.platforms.sonic.modes import Mode, mode_of
from fabric.platforms.sonic.names import facts as known_facts
from fabric.platforms.sonic.state import NOTED, note
from tests.platforms.expected_facts import Interfaces, Words
from tests.platforms.policy_facts import policy_facts
from tests.platforms.sites import merged, network
from tests.platforms.sonic.devices import INTENTS, SPECTRUM, TH5
from tests.platforms.sonic.services import services
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


def _all_policies(switch: Switch) -> dict[str, str]:
    mode = mode_of(switch.release)
    return {} if mode is Mode.BGPCFGD else _policies(lower_frr(switch, Report()), mode)


def _all_services(switch: Switch) -> dict[str, str]:
    tables = all_tables(switch, lower_frr(switch, Report()), Report())
    return {name: note(rows) for name, rows in tables.items() if name in NOTED} | services(switch)


def _policies_of(switch: Switch) -> dict[str, str]:
    """What decides about each session: its group, or with bgpcfgd what the mode has for all of them."""
    if mode_of(switch.release) is Mode.BGPCFGD:
        return {one.key: _own(switch) for one in switch.routing.neighbors}
    return policy(switch).group_names


def _own(switch: Switch) -> str:
    """What a neighbour of bgpcfgd has of its own."""
    keepalive, hold = switch.routing.keepalive_ms // 1000, switch.routing.hold_ms // 1000
    return f"bgpcfgd timers {keepalive} {hold}{' shutdown' if switch.shuts_sessions else ''}"


def _policies(frr: Frr, mode: Mode) -> dict[str, str]:
    """Policies by name. The timers are the router's in frr.conf, each group's in the tables of frrcfgd."""
    split = mode is Mode.SPLIT
    timers = f"{frr.keepalive_s} {frr.hold_s}"
    found: dict[str, list[str]] = {}
    found["bgp"] = ["bgp graceful-shutdown"] if frr.drained else []
    found["bgp"] += [f"timers bgp {timers}"] if split else []
    for group in frr.groups:
        lines = found.setdefault(f"group {group.name}", [])
        lines += [] if split else [f"timers {timers}"]
        lines += ["capability extended-nexthop"] if group.unnumbered else []
        lines += ["shutdown"] if group.shut else []
    for family in frr.families:
        found["bgp"] += [f"aggregate-address {prefix} summary-only" for prefix in family.aggregates]
        found["bgp"].append("redistribute connected route-map RM-CONNECTED")
        for active in family.groups:
            lines = found[f"group {active.name}"]
            lines.append(f"{family.name} activate")
            if active.allow_own_asn:
                lines.append(f"{family.name} allowas-in {active.allow_own_asn}")
            lines.append(f"{family.name} route-map RM-{active.import_policy.name} in")
            lines.append(f"{family.name} route-map RM-{active.export_policy.name} out")
    found = {name: sorted(lines) for name, lines in found.items()}
    if frr.bfd and split:
        interval, multiplier = frr.bfd
        found["bfd profile FABRIC"] = [
            "profile FABRIC",
            f"detect-multiplier {multiplier}",
            f"receive-interval {interval}",
            f"transmit-interval {interval}",
        ]
    for prefix in frr.discards:
        word = "ipv6" if prefix.version == 6 else "ip"
        line = f"{word} route {prefix} blackhole {frr.discard_distance}"
        found.setdefault("static routes", []).append(line)
    return {name: "; ".join(lines) for name, lines in found.items() if lines} | policy_facts(frr.policies)


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
    policies=_all_policies,
    services=_all_services,
    complete=_complete,
)
