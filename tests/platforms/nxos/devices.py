"""Switches to try the platform on: the generic ones, as Nexus switches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from fabric.devices.model import HostAddressing, HostGateway, Switch, SwitchPort
from fabric.hardware import CageGroup, PortSlot, Software, SwitchModel
from fabric.intent.model import Gnmi, Services, Ssh, Tacacs, User
from fabric.platforms.nxos.names import port_name
from fabric.qos.model import Queueing
from fabric.units import Duration, Speed
from tests.platforms.eos import cases as generic
from tests.platforms.eos.devices import address, change, change_routing, host

HASH = "$5$salt$hash"
SILICON_ONE, CLOUD_SCALE = "Cisco Silicon One G200", "Cisco Cloud Scale GX2B"


def hardware(asic: str = SILICON_ONE) -> SwitchModel:
    """A switch of 64 cages with eight lanes of 100G."""
    cages = CageGroup(
        cages="1-64",
        form="OSFP",
        lanes=8,
        lane_mbps=Speed(100_000),
        max_mbps=Speed(800_000),
        breakouts=("1x800G", "2x400G"),
        source="test",
    )
    software = Software(name="nxos", source="test")
    return SwitchModel(
        id="n9k-test",
        vendor="Cisco",
        model="Nexus test",
        asic=asic,
        cages=(cages,),
        software=(software,),
        source="test",
    )


def nexus(device: Switch, **changes: Any) -> Switch:
    """The same switch as a Nexus: its ports are renamed, in neighbours too."""
    model = hardware()
    names = {port.name: _name(port.slot, model) for port in device.ports}
    ports = tuple(msgspec.structs.replace(port, name=names[port.name]) for port in device.ports)
    neighbors = tuple(
        msgspec.structs.replace(one, port=names.get(one.port, one.port)) for one in device.routing.neighbors
    )
    values: dict[str, Any] = {
        "platform": "nxos",
        "release": "10.5(3)",
        "hardware": model,
        "ports": ports,
        "routing": msgspec.structs.replace(device.routing, neighbors=neighbors),
        "services": plain(device.services),
        "queueing": without_timers(device.queueing),
    }
    return change(device, **(values | changes))


def plain(services: Services) -> Services:
    """Without SNMP, with hashes that NX-OS holds and at most one key of a user."""
    users = {
        name: User(password_hash_sha256=HASH, role=user.role, ssh_keys=user.ssh_keys[:1])
        for name, user in services.users.items()
    }
    management = msgspec.structs.replace(services.management, allow=())
    return msgspec.structs.replace(services, snmp=None, users=users, management=management)


def without_timers(queueing: Queueing | None) -> Queueing | None:
    """With a watchdog that drops."""
    if queueing is None or queueing.watchdog is None:
        return queueing
    return msgspec.structs.replace(
        queueing, watchdog=msgspec.structs.replace(queueing.watchdog, action="drop")
    )


def _name(slot: PortSlot, model: SwitchModel) -> str:
    return port_name(slot, model)


def _case(name: str) -> Callable[[], Switch]:
    return lambda: nexus(generic.CASES[name]())


def balanced() -> Switch:
    """Per-packet balancing on Cloud Scale, with no policy that it would bypass."""
    made = nexus(generic.CASES["no policy"](), hardware=hardware(CLOUD_SCALE))
    return change_routing(made, load_balancing="per_packet", hash_seed=101)


def serviced() -> Switch:
    """Every management service."""
    made = nexus(generic.CASES["all services"]())
    wanted = msgspec.structs.replace(
        made.services,
        tacacs=Tacacs(servers=(host("192.0.2.70"), host("192.0.2.71")), secret="env:TACACS"),
        ssh=Ssh(idle_timeout_ms=Duration(600_000)),
        gnmi=Gnmi(port=50051),
        certificate=None,
    )
    return change(made, services=wanted)


def reused() -> Switch:
    """Leaves that share an AS number."""
    made = nexus(generic.CASES["spine"]())
    neighbors = tuple(msgspec.structs.replace(one, remote_asn=65001) for one in made.routing.neighbors)
    return change_routing(made, neighbors=neighbors, allow_own_asn=2, password="env:BGP")


def gateway() -> Switch:
    """Hosts in a VLAN, addresses fixed."""
    made = nexus(generic.CASES["vlan gateway"]())
    return change(
        made,
        gateways=(HostGateway(10, (address("10.1.0.1/24"),), 9000),),
        host_addressing=HostAddressing("static"),
    )


NAMES = (
    "leaf", "spine", "superspine", "ipv6", "dual stack", "unnumbered", "vlan gateway", "slaac", "dhcp relay",
    "all services", "tacacs", "lossy", "no policy", "drained", "external", "zone",
)  # fmt: skip
CASES: dict[str, Callable[[], Switch]] = {
    **{name: _case(name) for name in NAMES},
    "per packet": balanced,
    "services": serviced,
    "reused numbers": reused,
    "static gateway": gateway,
}


def first_port(device: Switch) -> SwitchPort:
    """The first port of the map."""
    return device.ports[0]
