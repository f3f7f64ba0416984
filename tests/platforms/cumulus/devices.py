"""Neutral switches on a Spectrum-4 with Cumulus Linux, as its ports are called, by what they prove."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from fabric.devices.model import HostAddressing, LinkRole, ManagementPort, Switch
from fabric.hardware import Limit, Software, SwitchModel
from fabric.intent.model import Hashing, User
from fabric.platforms.cumulus.names import port_name
from tests.platforms.eos import cases as generic_cases
from tests.platforms.eos import devices as generic
from tests.platforms.eos.devices import HASH, change, change_routing, fabric_port, host, host_port, leaf
from tests.platforms.everywhere import MODELS, trimmed

KEY = generic_cases.KEY
FACTORY = User(password_hash=HASH, role="admin")


def hardware(asic: str = "NVIDIA Spectrum-4") -> SwitchModel:
    """A switch of 64 cages with eight lanes of 100G."""
    return msgspec.structs.replace(
        generic.hardware(),
        id="nvidia-test",
        vendor="NVIDIA",
        model="NVIDIA test",
        asic=asic,
        software=(Software(name="cumulus", source="test"),),
    )


def ported(device: Switch, release: str | None = "5.16.1", **changes: Any) -> Switch:
    """The same switch as Cumulus Linux calls it."""
    names = {port.name: port_name(port.slot, hardware()) for port in device.ports}
    ports = tuple(msgspec.structs.replace(port, name=names[port.name]) for port in device.ports)
    neighbors = tuple(
        msgspec.structs.replace(one, port=names.get(one.port, one.port)) for one in device.routing.neighbors
    )
    routing = msgspec.structs.replace(device.routing, neighbors=neighbors)
    values = {
        "platform": "cumulus",
        "release": release,
        "hardware": device.hardware if device.hardware.limits else hardware(),
        "ports": ports,
        "routing": routing,
    }
    return generic.used(msgspec.structs.replace(device, **(values | changes)))


def with_services(device: Switch, **changes: Any) -> Switch:
    """The same switch with some of its services changed."""
    return change(device, services=msgspec.structs.replace(device.services, **changes))


def all_services() -> Switch:
    """Every service that Cumulus Linux has, the factory's account among the users."""
    made = generic_cases.all_services()
    wanted = made.services
    return with_services(
        made,
        snmp=None,
        ssh=msgspec.structs.replace(wanted.ssh, allow=()),
        management=msgspec.structs.replace(wanted.management, allow=()),
        users=wanted.users | {"cumulus": FACTORY, "robot": User(ssh_keys=(KEY,))},
    )


def plain_services() -> Switch:
    """What every release has."""
    made = all_services()
    syslog = msgspec.structs.replace(made.services.syslog, level="informational")
    return with_services(made, gnmi=None, syslog=syslog)


def tacacs() -> Switch:
    """TACACS+ over both families; LLDP off."""
    made = with_services(generic_cases.tacacs(), snmp=None)
    servers = (*made.services.tacacs.servers, generic_cases.ip_address("2001:db8::70"))
    return with_services(made, tacacs=msgspec.structs.replace(made.services.tacacs, servers=servers))


def relay(made: Switch) -> Switch:
    """With DHCP servers of IPv4 alone."""
    return change(made, host_addressing=HostAddressing("dhcp_relay", (host("10.9.9.9"), host("10.9.9.10"))))


def adaptive() -> Switch:
    """Adaptive routing on 400G uplinks."""
    ports = tuple(host_port(index, role=LinkRole.UP) for index in range(2))
    return change_routing(change(leaf(), ports=ports), load_balancing="per_packet", neighbors=())


def hashed() -> Switch:
    """Hashing by the ingress port, with a seed of its own."""
    return change_routing(
        leaf(1, 1), hashing=Hashing(fields=("src_ip", "dst_ip", "ingress_port")), hash_seed=4
    )


def uneven_breakout() -> Switch:
    """Parts that leave lanes of their cage unused."""
    slot = generic.slot(3, 0, 2, 200_000)
    narrow = msgspec.structs.replace(slot, lanes=2)
    return change(leaf(1, 1), ports=(host_port(4, slot=narrow), fabric_port(0)))


def dhcp_on_eth0() -> Switch:
    """A switch whose own address comes by DHCP; the site has a gateway for the others."""
    return change(leaf(1, 1), management=ManagementPort((), host("198.51.100.1"), "MGMT"))


PAIRED = Limit(rule="the adjacent cage is disabled", modes=("8x100G",), only_cages="odd", source="test")


def eight_ports() -> Switch:
    """A cage split into eight, the one beside it without ports."""
    parts = tuple(host_port(i, slot=generic.slot(1, i, 8, 100_000)) for i in range(2))
    dark = host_port(
        9, slot=generic.slot(2), role=LinkRole.UNUSED, peer="", enabled=False, addresses=(), queueing=None
    )
    paired = msgspec.structs.replace(hardware(), limits=(PAIRED,))
    return change(leaf(0, 1), ports=(*parts, dark, fabric_port(0)), hardware=paired)


def forced() -> Switch:
    """A switch that cannot negotiate 400G, as an SN4700."""
    told = Software(name="cumulus", facts={"forced_speeds": ["400G"]}, source="test")
    return change(leaf(), hardware=msgspec.structs.replace(hardware(), software=(told,), limits=(PAIRED,)))


def trimming() -> Switch:
    """Lossy packets are cut, not dropped."""
    switch = leaf()
    assert switch.queueing is not None
    cut = trimmed("cumulus", MODELS["cumulus"])
    return change(switch, queueing=msgspec.structs.replace(switch.queueing, trimming=cut))


def tagged() -> Switch:
    """Ports whose VLAN has its tag."""
    switch = generic_cases.vlan_gateway()
    ports = tuple(msgspec.structs.replace(port, tagged=port.vlan > 0) for port in switch.ports)
    return change(switch, ports=ports, host_addressing=HostAddressing("static"))


OWN: dict[str, Callable[[], Switch]] = {
    "adaptive routing": adaptive,
    "all services": all_services,
    "dhcp relay": lambda: relay(generic_cases.dhcp()),
    "dhcp on eth0": dhcp_on_eth0,
    "eight ports": eight_ports,
    "forced speed": forced,
    "hashing": hashed,
    "plain services": plain_services,
    "slaac in a VLAN": lambda: change(generic_cases.vlan_gateway(), host_addressing=HostAddressing("slaac")),
    "tacacs": tacacs,
    "tagged VLAN": tagged,
    "trimming": trimming,
    "uneven breakout": uneven_breakout,
    "vlan gateway": lambda: relay(generic_cases.vlan_gateway()),
}
REFUSED = {"dual ToR", "default vrf", "flowlets", "jericho", "notifying watchdog", "overridden"}
"""Of the neutral cases; `test_refusals.py` says why."""

CASES: dict[str, Callable[[], Switch]] = {
    name: make for name, make in generic_cases.CASES.items() if name not in REFUSED
} | OWN
NEEDS = {"all services": (5, 15), "tacacs": (5, 14), "trimming": (5, 14)}
"""First release of the cases that not every release can say."""
