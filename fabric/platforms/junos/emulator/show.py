"""What the device shows of itself, as XML: shapes as in `fabric.platforms.junos.session_state`, same sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from xml.etree.ElementTree import Element

from fabric.platforms.emulation import SessionEnd
from fabric.platforms.facts import InterfaceFacts
from fabric.platforms.junos.emulator.netconf import Reply, child, node, value
from fabric.platforms.junos.emulator.queues import class_of_service
from fabric.platforms.junos.emulator.switch import BgpState, JunosSwitch

USUAL_FEC = ((200_000, "FEC119"), (25_000, "FEC91"), (0, "NONE"))
"""From this speed on (IEEE 802.3, clauses 119 and 91). Of a port that is down nothing is told."""
ETHERNET_BYTES = 14
"""Header of a frame, part of the MTU of a port."""
TABLES = {4: "inet.0", 6: "inet6.0"}
HOST_BITS = {4: 32, 6: 128}


def _time(name: str, at_s: float) -> Element:
    words = datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return node(name, node("date-time", text=words, junos_seconds=str(int(at_s))))


def _uptime(switch: JunosSwitch, _operation: Element) -> Reply:
    booted = _time("system-booted-time", switch.booted_at)
    up_s = str(int(switch.now() - switch.booted_at))
    booted.append(node("time-length", text=f"{up_s} secs", junos_seconds=up_s))
    return [node("system-uptime-information", _time("current-time", switch.now()), booted)]


def _software(switch: JunosSwitch, _operation: Element) -> Reply:
    words = {
        "host-name": switch.view().hostname,
        "product-model": switch.hardware.removeprefix("juniper-"),
        "product-name": switch.hardware.removeprefix("juniper-"),
        "junos-version": switch.release,
    }
    return [node("software-information", *(node(name, text=text) for name, text in words.items()))]


def _inventory(switch: JunosSwitch, _operation: Element) -> Reply:
    serial = node("serial-number", text=switch.serial)
    return [node("chassis-inventory", node("chassis", node("name", text="Chassis"), serial))]


def _interfaces(switch: JunosSwitch, operation: Element) -> Reply:
    is_extensive = child(operation, "extensive") is not None
    ports = [
        _interface(switch, name, facts, is_extensive=is_extensive)
        for name, facts in switch.view().ports.items()
    ]
    return [node("interface-information", *ports)]


def _interface(switch: JunosSwitch, name: str, facts: InterfaceFacts, *, is_extensive: bool) -> Element:
    up = "up" if switch.link_is_up(name) else "down"
    words = {"name": name, "admin-status": "up" if facts.enabled else "down", "oper-status": up}
    port = node("physical-interface", *(node(key, text=text) for key, text in words.items()))
    if is_extensive:
        port.extend(_details(switch, name, facts))
    return port


def _details(switch: JunosSwitch, name: str, facts: InterfaceFacts) -> Iterator[Element]:
    counted, fault = switch.counters.port(name), switch.counters.fault(name)
    speed_mbps = fault.speed_mbps or facts.speed_mbps
    if facts.ip_mtu_bytes is not None:
        yield node("mtu", text=str(fault.mtu_bytes or facts.ip_mtu_bytes + ETHERNET_BYTES))
    if speed_mbps is not None:
        yield node("speed", text=f"{speed_mbps // 1000}Gbps")
    if name.startswith("et-"):
        yield node("ethernet-fec-mode", node("enabled_fec_mode", text=_fec(switch, name, facts)))
    lists = {
        "traffic-statistics": {"input-bytes": counted.received_bytes, "output-bytes": counted.sent_bytes},
        "input-error-list": {"input-errors": counted.errors, "input-drops": 0, "input-resource-errors": 0},
        "output-error-list": {"carrier-transitions": 0, "output-errors": 0, "output-drops": counted.discards},
    }
    for of, counters in lists.items():
        yield node(of, *(node(counter, text=str(int(count))) for counter, count in counters.items()))


def _fec(switch: JunosSwitch, name: str, facts: InterfaceFacts) -> str:
    """What a port corrects errors with; empty: it is down. No statement that the product's tables know chooses it."""
    if not switch.link_is_up(name):
        return ""
    speed_mbps = facts.speed_mbps or USUAL_FEC[0][0]
    usual = next(fec for least, fec in USUAL_FEC if speed_mbps >= least)
    return switch.counters.fault(name).fec or usual


def _lldp(switch: JunosSwitch, _operation: Element) -> Reply:
    rows = [
        node(
            "lldp-neighbor-information",
            node("lldp-local-port-id", text=heard.port),
            node("lldp-remote-port-id", text=heard.peer_port),
            node("lldp-remote-system-name", text=heard.system),
        )
        for heard in switch.lldp()
    ]
    return [node("lldp-neighbors-information", *rows, junos_style="brief")]


def _neighbors(switch: JunosSwitch, operation: Element) -> Reply:
    """Of the instance that is asked for: all are in the default one."""
    if value(operation, "instance", "master") != "master":
        return [node("bgp-information")]
    return [node("bgp-information", *(_neighbor(state) for state in switch.bgp()))]


def _neighbor(state: BgpState) -> Element:
    theirs, peer = state.live.theirs if state.live else None, state.peer
    port = "" if peer.address else f"{state.port}.0"
    asn = theirs.local_asn if theirs is not None else peer.remote_asn[0][0] if peer.remote_asn else 0
    words = {
        "peer-address": f"{state.address}{f'%{port}' if port else ''}+179",
        "peer-as": str(asn),
        "local-as": str(state.ours.local_asn),
        "peer-type": "External",
        "peer-state": "Established" if theirs is not None else "Active",
        "local-interface-name": f"{state.port}.0" if state.port else "",
        "local-id": state.ours.router_id,
    }
    row = node("bgp-peer", *(node(name, text=text) for name, text in words.items() if text))
    if peer.bfd_s is not None:
        up = "up" if theirs is not None else "down"
        states = (("bfd-configuration-state", "enabled"), ("bfd-operational-state", up))
        row.append(node("bgp-bfd", *(node(name, text=text) for name, text in states)))
    if theirs is not None:
        row.extend(_established(state.ours, theirs))
    return row


def _established(ours: SessionEnd, theirs: SessionEnd) -> Iterator[Element]:
    sent = dict(zip((4, 6), theirs.prefixes, strict=True))
    yield node("peer-id", text=theirs.router_id)
    yield node("active-holdtime", text=str(int(min(ours.hold_s, theirs.hold_s))))
    for family in sorted(ours.families & theirs.families):
        counts = ("active-prefix-count", "received-prefix-count", "accepted-prefix-count")
        rows = [node(name, text=str(sent[family])) for name in counts]
        rows += [node("suppressed-prefix-count", text="0"), node("advertised-prefix-count", text="1")]
        yield node("bgp-rib", node("name", text=TABLES[family]), *rows)


def _summary(switch: JunosSwitch, operation: Element) -> Reply:
    if value(operation, "instance", "master") != "master":
        return [node("bgp-information")]
    rows = [
        node(
            "bgp-peer",
            node("peer-address", text=state.address),
            node("elapsed-time", text="0", junos_seconds=_elapsed(switch, state)),
        )
        for state in switch.bgp()
    ]
    return [node("bgp-information", *rows)]


def _elapsed(switch: JunosSwitch, state: BgpState) -> str:
    """Seconds since it came up; of one that is down, since the boot."""
    since_s = state.live.since_s if state.live else switch.booted_at
    return str(max(0, int(switch.now() - since_s)))


def _instances(_switch: JunosSwitch, _operation: Element) -> Reply:
    names = node("instance-name", text="master"), node("instance-type", text="forwarding")
    return [node("instance-information", node("instance-core", *names))]


def _routes(switch: JunosSwitch, _operation: Element) -> Reply:
    """The loopback of each neighbour: what it says of itself. What lies behind it, the sandbox does not compute."""
    hops: dict[str, list[BgpState]] = {}
    for state in switch.bgp():
        theirs = state.live.theirs if state.live else None
        if theirs is not None and 4 in theirs.families and theirs.prefixes[0]:
            hops.setdefault(f"{theirs.router_id}/{HOST_BITS[4]}", []).append(state)
    rows = [_route(prefix, states) for prefix, states in hops.items()]
    return [node("route-information", node("route-table", node("table-name", text=TABLES[4]), *rows))]


def _route(prefix: str, states: list[BgpState]) -> Element:
    hops = [
        node("nh", node("to", text=state.address), node("via", text=f"{state.port}.0")) for state in states
    ]
    hops[0].insert(0, node("selected-next-hop"))
    words = {"active-tag": "*", "protocol-name": "BGP", "preference": "170"}
    entry = node("rt-entry", *(node(name, text=text) for name, text in words.items()), *hops)
    return node("rt", node("rt-destination", text=prefix), entry)


SHOWN: Mapping[str, Callable[[JunosSwitch, Element], Reply]] = {
    "get-system-uptime-information": _uptime,
    "get-software-information": _software,
    "get-chassis-inventory": _inventory,
    "get-interface-information": _interfaces,
    "get-lldp-neighbors-information": _lldp,
    "get-bgp-neighbor-information": _neighbors,
    "get-bgp-summary-information": _summary,
    "get-instance-information": _instances,
    "get-route-information": _routes,
    "get-cos-interface-map-information": class_of_service,
}
"""Operational calls by name. Any other is refused, as a call that the release does not know is."""
