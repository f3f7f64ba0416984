"""Random switches, each one that Junos can say: those of another platform's tests, brought within its ranges."""

from __future__ import annotations

from ipaddress import ip_network

import msgspec
from hypothesis import strategies as st

from fabric.devices.model import ExtraLines, LinkRole, Neighbor, Relation, Switch
from fabric.diagnostics import Origin
from fabric.intent.model import Services, Snmp
from fabric.platforms.junos.lower_interfaces import MOST_IP_BYTES
from fabric.qos.model import ClassQueueing, PortQueueing, Queueing, WatchdogTimers
from tests.platforms.eos.devices import address, change, host_port, session
from tests.platforms.eos.strategies import switches as others
from tests.platforms.junos.devices import as_qfx

MODELS = st.sampled_from(["QFX5130-32CD", "QFX5220-32CD", "QFX5230-64CD", "QFX5240-64OD"])
SECRETS = st.none() | st.just("env:BORDER")
LINES = "protocols {\n    rstp {\n        disable;\n    }\n}"
replace = msgspec.structs.replace


@st.composite
def switches(draw: st.DrawFn) -> Switch:
    """Any switch that Junos can say."""
    made = without_bonds(draw(others()))
    outside = draw(borders()) if made.routing.families != (6,) else ()
    routing = replace(
        made.routing,
        neighbors=(*made.routing.neighbors, *outside),
        max_paths=min(made.routing.max_paths, 512),
        allow_own_asn=min(made.routing.allow_own_asn, 9),
        load_balancing=draw(st.sampled_from(["ecmp", "flowlet", "per_packet"])),
    )
    device = as_qfx(
        change(
            made,
            routing=routing,
            queueing=within(made.queueing),
            services=sayable(made.services),
            ports=made.ports,
        ),
        f"Juniper {draw(MODELS)}",
    )
    extra = draw(st.sampled_from([(), (ExtraLines("rstp", LINES, Origin(("overrides", 0))),)]))
    return change(device, extra=extra)


@st.composite
def borders(draw: st.DrawFn) -> tuple[Neighbor, ...]:
    """Sessions with routers outside, some with a password of their own."""
    found = []
    for index in range(draw(st.integers(0, 2))):
        over = host_port(
            40 + index,
            role=LinkRole.ATTACHMENT,
            addresses=(address(f"10.9.{index}.0/31"),),
            peer=f"border-{index}",
        )
        taken = draw(st.sampled_from([(), (ip_network("0.0.0.0/0"),)]))
        told = draw(st.sampled_from([(), (ip_network("10.0.0.0/10"), ip_network("192.0.2.0/24"))]))
        found.append(
            session(
                over, Relation.EXTERNAL, 64512 + index, password=draw(SECRETS), accept=taken, advertise=told
            )
        )
    return tuple(found)


def without_bonds(device: Switch) -> Switch:
    """The same switch with every host on one leaf, and packets that fit."""
    ports = tuple(
        replace(port, bond=0, ip_mtu_bytes=min(port.ip_mtu_bytes, MOST_IP_BYTES)) for port in device.ports
    )
    gateways = tuple(replace(one, arp_hosts=False) for one in device.gateways)
    return change(device, ports=ports, gateways=gateways, bond_system=0)


def within(queueing: Queueing | None) -> Queueing | None:
    """The same policy with whole polls, an action that Junos has, and shares of 100 percent at most."""
    if queueing is None or not queueing.profiles:
        return queueing
    timers = queueing.watchdog
    if timers is not None:
        polls = timers.detect_ms // timers.poll_ms
        timers = WatchdogTimers("drop", polls * timers.poll_ms, timers.restore_ms, timers.poll_ms)
    first = _shared_out(queueing.profiles[0].classes)
    profiles = tuple(_like(kind, first) for kind in queueing.profiles)
    return replace(queueing, profiles=profiles, watchdog=timers)


def _shared_out(classes: tuple[ClassQueueing, ...]) -> tuple[ClassQueueing, ...]:
    total = sum(one.share_percent or 0 for one in classes) or 1
    strict = max((one.queue for one in classes if one.strict), default=None)
    classes = tuple(replace(one, strict=one.queue == strict) for one in classes)
    return tuple(
        replace(one, share_percent=max(one.share_percent * 90 // max(total, 90), 1))
        if one.share_percent
        else one
        for one in classes
    )


def _like(kind: PortQueueing, first: tuple[ClassQueueing, ...]) -> PortQueueing:
    alike = {one.name: one for one in first}
    classes = (
        replace(one, share_percent=alike[one.name].share_percent, strict=alike[one.name].strict)
        for one in kind.classes
    )
    return replace(kind, classes=tuple(classes))


def sayable(services: Services) -> Services:
    """The same services, with ciphers and receivers that Junos knows."""
    return replace(services, snmp=_watched(services.snmp) if services.snmp else None)


def _watched(snmp: Snmp) -> Snmp:
    users = {
        name: replace(one, privacy="aes" if one.privacy == "aes192" else one.privacy)
        for name, one in snmp.users.items()
    }
    receivers = tuple(one for one in snmp.trap_servers if one.version == 4) if users else ()
    return replace(snmp, users=users, trap_servers=receivers)
