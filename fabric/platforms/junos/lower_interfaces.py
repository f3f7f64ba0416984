"""`interfaces`, and the VLANs behind gateways, in Junos's words.

Source: github Juniper/jvd @005ab344, data_center/aidc; 24.4R1-EVO YANG. `mtu` of an interface is the largest frame
without its checksum; `family inet mtu` is what IP may use of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.addresses import IpInterface
from fabric.devices.model import LinkRole, Switch, SwitchPort
from fabric.diagnostics import Origin, Report
from fabric.platforms.junos import codes
from fabric.platforms.junos.lower_qos import FRAME_BYTES, map_names, pause_names
from fabric.platforms.junos.model import Cage, Irb, Kind, Port
from fabric.platforms.junos.names import SPEED_WORDS, port_name, quoted
from fabric.platforms.ports import idle_ports

ETHERNET_BYTES = 14
"""Header of a frame without a tag."""
MOST_IP_BYTES = FRAME_BYTES - ETHERNET_BYTES


def of(version: int, addresses: Iterable[IpInterface]) -> tuple[str, ...]:
    """The addresses of one family."""
    return tuple([str(address) for address in addresses if address.version == version])


def description(port: SwitchPort) -> str:
    """`spine-1:et-0/0/5`: what is at the other end."""
    return f"{port.peer}:{port.peer_port}" if port.peer else str(port.role)


def lower_cages(switch: Switch) -> tuple[Cage, ...]:
    """The cages that are split, each once."""
    split = {
        port.slot.cage: Cage(
            f"et-0/0/{port.slot.cage}", port.slot.sub_ports, SPEED_WORDS.get(port.slot.speed_mbps, "")
        )
        for port in switch.ports
        if port.slot.sub_ports > 1
    }
    return tuple(split[cage] for cage in sorted(split))


def lower_ports(switch: Switch, report: Report) -> tuple[Port, ...]:
    """Every port of the port map, in order; unused ones are disabled, as are the cages outside of the map."""
    kinds: dict[object, Kind] = {}
    ports = sorted((*switch.ports, *idle_ports(switch, port_name)), key=_position)
    return tuple([_port(switch, port, kinds, report) for port in ports])


def lower_guarded(switch: Switch) -> tuple[str, ...]:
    """The switched ports to hosts: `bpdu-block` and storm control keep loops and floods of hosts out."""
    return tuple(port.name for port in sorted(switch.ports, key=_position) if port.vlan)


def lower_irbs(switch: Switch, report: Report) -> tuple[Irb, ...]:
    """The gateways of host VLANs."""
    for gateway in switch.gateways:
        _check_mtu(switch, gateway.ip_mtu_bytes, report)
    return tuple(
        Irb(one.vlan, one.ip_mtu_bytes, of(4, one.addresses), of(6, one.addresses))
        for one in sorted(switch.gateways, key=lambda one: one.vlan)
    )


def _position(port: SwitchPort) -> tuple[int, int]:
    return port.slot.cage, port.slot.sub_port


def _port(switch: Switch, port: SwitchPort, kinds: dict[object, Kind], report: Report) -> Port:
    """One port. Hot: kinds are made once each."""
    four: tuple[str, ...] = ()
    six: tuple[str, ...] = ()
    for address in port.addresses:
        if address.version == 4:
            four = (*four, str(address))
        else:
            six = (*six, str(address))
    slot = port.slot
    key = (
        port.role, port.enabled, port.ip_mtu_bytes, slot.speed_mbps, slot.sub_ports, port.vlan, port.tagged,
        port.link_local, id(port.queueing), not four, not six,
    )  # fmt: skip
    kind = kinds.get(key)
    if kind is None:
        kind = kinds[key] = _kind(switch, port, report)
    return Port(port.name, quoted(description(port)), kind, four, six)


def _kind(switch: Switch, port: SwitchPort, report: Report) -> Kind:
    used = port.role is not LinkRole.UNUSED
    routed = used and not port.vlan
    if routed:
        _check_mtu(switch, port.ip_mtu_bytes, report)
    word = SPEED_WORDS.get(port.slot.speed_mbps)
    versions = {address.version for address in port.addresses}
    queueing = port.queueing
    return Kind(
        disable=not port.enabled,
        mtu=FRAME_BYTES if used else None,
        speed=(word or "") if port.slot.sub_ports == 1 else "",
        routed=routed,
        vlan=f"V{port.vlan}" if port.vlan else "",
        vlan_mode="trunk" if port.tagged else "access",
        family_mtu=port.ip_mtu_bytes,
        inet=4 in versions or port.link_local,
        inet6=6 in versions or port.link_local,
        scheduler_map=map_names(switch.queueing)[queueing.name] if queueing else "",
        pauses=pause_names(switch.queueing).get(queueing.name, "") if queueing else "",
    )


def _check_mtu(switch: Switch, ip_mtu_bytes: int, report: Report) -> None:
    if ip_mtu_bytes > MOST_IP_BYTES:
        report.add(
            codes.RANGE.at(
                Origin(("networks", switch.network, "ip_mtu")),
                f"Junos carries IP packets of {MOST_IP_BYTES} bytes in frames of {FRAME_BYTES}, not {ip_mtu_bytes}",
                value=ip_mtu_bytes,
                hint=f"write {MOST_IP_BYTES} or less for the whole network",
            )
        )
