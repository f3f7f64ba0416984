"""Random switches, each one that Cumulus Linux can say."""

from __future__ import annotations

import msgspec
from hypothesis import strategies as st

from fabric.devices.model import Switch
from fabric.intent.model import User
from fabric.qos.model import ClassQueueing, PortQueueing, Queueing, WatchdogTimers
from tests.platforms.cumulus.devices import HASH, ported
from tests.platforms.eos import strategies as generic
from tests.platforms.eos.devices import used

RELEASES = st.sampled_from(["5.9.4", "5.11.1", "5.13.1", "5.14.0", "5.15.0", "5.16.1", "5.17.0", None])


def _classes(classes: tuple[ClassQueueing, ...]) -> tuple[ClassQueueing, ...]:
    """At most one paused class, and shares of no more than 100 percent together."""
    paused = next((one.traffic_class for one in classes if one.priority is not None), None)
    return tuple(
        msgspec.structs.replace(
            one,
            priority=one.priority if one.traffic_class == paused else None,
            share_percent=None if one.share_percent is None else 1 + one.share_percent // 5,
        )
        for one in classes
    )


def _queueing(wanted: Queueing) -> Queueing:
    kinds = tuple(msgspec.structs.replace(kind, classes=_classes(kind.classes)) for kind in wanted.profiles)
    timers = wanted.watchdog
    if timers is not None:
        poll = min(max(timers.poll_ms, 100), 5000)
        timers = WatchdogTimers("drop", poll * max(1, min(1000, timers.detect_ms // poll)), poll, poll)
    return Queueing(wanted.policy, kinds, timers if any(kind.priorities for kind in kinds) else None, None)


def _ports(device: Switch, queueing: Queueing | None) -> Switch:
    by_name: dict[str, PortQueueing] = {kind.name: kind for kind in queueing.profiles} if queueing else {}
    ports = tuple(
        msgspec.structs.replace(
            port,
            bond=0,
            ip_mtu_bytes=9000 if port.vlan else port.ip_mtu_bytes,
            queueing=by_name.get(port.queueing.name) if port.queueing else None,
        )
        for port in device.ports
    )
    return used(msgspec.structs.replace(device, ports=ports, queueing=queueing, bond_system=0))


@st.composite
def switches(draw: st.DrawFn) -> Switch:
    """Any switch that Cumulus Linux can say, of any release that we know."""
    release = draw(RELEASES)
    number = tuple(int(part) for part in release.split(".")[:2]) if release else (99, 0)
    device = draw(generic.switches())
    device = _ports(device, _queueing(device.queueing) if device.queueing else None)
    wanted, addressing = device.services, device.host_addressing
    users = {name: _way_in(user) for name, user in wanted.users.items()}
    services = msgspec.structs.replace(
        wanted,
        snmp=None,
        users=users | {"admin": User(password_hash=HASH, role="admin")},
        ssh=msgspec.structs.replace(wanted.ssh, allow=()),
        management=msgspec.structs.replace(wanted.management, allow=()),
        tacacs=wanted.tacacs if number >= (5, 14) else None,
        gnmi=wanted.gnmi if number >= (5, 13) else None,
        lldp=wanted.lldp or number < (5, 11),
        syslog=wanted.syslog
        if number >= (5, 15)
        else msgspec.structs.replace(wanted.syslog, level="informational"),
    )
    four = tuple(server for server in addressing.dhcp_servers if server.version == 4)
    assignment = addressing.assignment if device.routing.neighbors else "static"
    addressing = msgspec.structs.replace(addressing, assignment=assignment, dhcp_servers=four)
    routing = msgspec.structs.replace(
        device.routing,
        load_balancing="ecmp",
        max_paths=min(device.routing.max_paths, 128),
        hash_seed=draw(st.none() | st.integers(0, 4_294_967_295)),
    )
    made = msgspec.structs.replace(device, services=services, host_addressing=addressing, routing=routing)
    return ported(made, release)


def _way_in(user: User) -> User:
    return user if user.password_hash or user.password_secret or user.ssh_keys else User(password_hash=HASH)
