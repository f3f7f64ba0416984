"""Neutral switches, put on Nokia hardware."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from fabric.devices.model import HostAddressing, LinkRole, ManagementPort, Switch
from fabric.hardware import Software, SwitchModel
from fabric.intent.model import Hashing, User
from fabric.platforms.srlinux import PLATFORM
from fabric.qos.model import BufferBudget, Headroom, PortQueueing, Queueing, WatchdogTimers
from fabric.rendering.render import print_switch
from tests.platforms.eos import cases, devices

RELEASE, LATER = "25.3.1", "26.3.1"
"""That of the models at hand, and the first whose published models choose paths by load."""
TOMAHAWK, TRIDENT = "Nokia 7220 IXR-H5-64D", "Nokia 7220 IXR-D5"
BUDGET = BufferBudget(160_000_000, 30_000_000, Fraction(3, 16), None, "test")
TIMERS = WatchdogTimers("forward", 200, 200, 100)
ROOT = User(password_hash=devices.HASH, role="admin")


def hardware(model: str = TOMAHAWK) -> SwitchModel:
    """64 cages of eight lanes."""
    made = devices.hardware()
    return msgspec.structs.replace(
        made,
        id="nokia-test",
        vendor="Nokia",
        model=model,
        software=(Software(name="srlinux", source="test"),),
    )


def on_nokia(device: Switch, model: str = TOMAHAWK) -> Switch:
    """The same switch on Nokia's hardware: ports renamed, the buffer known."""
    box = hardware(model)
    names = {port.name: PLATFORM.port_name(port.slot, box) for port in device.ports}
    replace = msgspec.structs.replace
    sessions = tuple(replace(one, port=names.get(one.port, one.port)) for one in device.routing.neighbors)
    kinds = {kind.name: _sized(kind) for kind in (device.queueing.profiles if device.queueing else ())}
    ports = (
        replace(port, name=names[port.name], queueing=port.queueing and kinds.get(port.queueing.name))
        for port in device.ports
    )
    made = replace(
        device,
        platform="srlinux",
        release=RELEASE,
        hardware=box,
        ports=tuple(ports),
        routing=replace(device.routing, neighbors=sessions),
        queueing=device.queueing and _budgeted(device.queueing, tuple(kinds.values())),
    )
    return devices.used(made)


def _sized(kind: PortQueueing) -> PortQueueing:
    """With headroom where a class is lossless, as the arithmetic always makes it."""
    if not kind.priorities or kind.headroom is not None:
        return kind
    return msgspec.structs.replace(kind, headroom=Headroom(150_000, 0, 150_000, None, "test"))


def _budgeted(queueing: Queueing, kinds: tuple[PortQueueing, ...]) -> Queueing:
    return Queueing(queueing.policy, kinds, TIMERS if queueing.watchdog else None, BUDGET)


def sayable(device: Switch, release: str = RELEASE) -> Switch:
    """Without what SR Linux does not say: bonds; queues on ports of VLANs; numbers within its ranges."""
    replace, routing = msgspec.structs.replace, device.routing
    made = on_nokia(device, TRIDENT if device.gateways else TOMAHAWK)
    users = {"admin": ROOT, "linuxadmin": ROOT, **device.services.users}
    made = replace(
        made,
        release=release,
        bond_system=0,
        ports=tuple(
            replace(port, bond=0, queueing=None if device.gateways else port.queueing) for port in made.ports
        ),
        queueing=None if device.gateways else made.queueing,
        services=replace(device.services, users=users, certificate=None),
        routing=replace(
            made.routing,
            max_paths=min(routing.max_paths, 256),
            bfd_multiplier=min(routing.bfd_multiplier, 20),
            load_balancing="ecmp" if release == RELEASE or device.gateways else routing.load_balancing,
        ),
        management=ManagementPort(device.management.addresses, device.management.gateway, "MGMT"),
        extra=(),
    )
    if made.gateways:
        plain = tuple(replace(gateway, arp_hosts=False) for gateway in made.gateways)
        return replace(made, gateways=plain)
    bare = tuple(replace(port, vlan=0) for port in made.ports)
    return devices.used(replace(made, ports=bare))


def printed(device: Switch) -> str:
    """The configuration of a switch. `Invalid` if SR Linux cannot say it."""
    return print_switch(device, PLATFORM).text


def hashed() -> Switch:
    """Other hash fields, and a seed."""
    device = sayable(devices.leaf())
    fields = Hashing(fields=("src_ip", "dst_ip", "src_port"))
    return devices.change_routing(device, hashing=fields, hash_seed=7)


def relayed() -> Switch:
    """Routed host ports of both families whose hosts ask two servers."""
    device = sayable(devices.leaf())
    both = (
        msgspec.structs.replace(port, addresses=(*port.addresses, devices.address(f"fd00:{n}::1/64")))
        for n, port in enumerate(device.ports)
        if port.role is LinkRole.HOST
    )
    servers = (devices.host("192.0.2.5"), devices.host("2001:db8::5"))
    return devices.change(
        device,
        ports=(*both, *(port for port in device.ports if port.role is not LinkRole.HOST)),
        host_addressing=HostAddressing("dhcp_relay", servers),
    )


CASES = {
    **{
        name: (lambda make=make: sayable(make()))
        for name, make in cases.CASES.items()
        if name not in {"jericho", "guarded"}
    },
    "hashed": hashed,
    "relayed": relayed,
}
"""The cases of the other platforms, as far as SR Linux says them, and some of its own."""

DYNAMIC = {
    mode: (lambda mode=mode: devices.change_routing(sayable(cases.dual(), LATER), load_balancing=mode))
    for mode in ("flowlet", "per_packet")
}
"""Cases for a release whose models are not at hand."""
