"""Switches that SONiC can say, made from the shipped catalogue's models."""

from __future__ import annotations

from functools import cache
from ipaddress import ip_network

import msgspec

from fabric.devices.model import ExtraLines, LinkRole, Relation, Switch
from fabric.diagnostics import Origin
from fabric.hardware import SwitchModel
from fabric.hardware.catalogue import load_catalogue
from fabric.platforms.sonic import PLATFORM
from fabric.rendering.render import print_switch
from tests.platforms.eos import cases as generic
from tests.platforms.eos import devices as make
from tests.platforms.everywhere import trimmed

TH5, SPECTRUM = "arista-7060x6-64pe", "nvidia-sn5600"


@cache
def model(name: str) -> SwitchModel:
    """A model of the shipped catalogue."""
    return load_catalogue().switches[name]


def on(device: Switch, name: str = TH5, release: str = "202511") -> Switch:
    """The same switch as a model that runs SONiC, its ports called as there."""
    hardware = model(name)
    called = {port.name: PLATFORM.port_name(port.slot, hardware) for port in device.ports}
    ports = tuple(msgspec.structs.replace(port, name=called[port.name]) for port in device.ports)
    sessions = tuple(
        msgspec.structs.replace(one, port=called.get(one.port, one.port)) for one in device.routing.neighbors
    )
    return msgspec.structs.replace(
        device,
        platform="sonic",
        release=release,
        hardware=hardware,
        ports=ports,
        routing=msgspec.structs.replace(device.routing, neighbors=sessions),
    )


def printed(device: Switch) -> str:
    """Both files of a switch. `Invalid` if SONiC cannot say it."""
    return print_switch(device, PLATFORM).text


def sayable(device: Switch) -> Switch:
    """The same with services that SONiC can say: SNMPv3 with SHA and AES, no traps, no list of SSH clients."""
    wanted = device.services
    snmp = wanted.snmp
    if snmp is not None:
        users = {
            name.ljust(4, "x"): msgspec.structs.replace(user, auth="sha", privacy="aes")
            for name, user in snmp.users.items()
        }
        snmp = msgspec.structs.replace(snmp, users=users, trap_servers=())
    domain = wanted.management.domain if wanted.management.dns else None
    kept = msgspec.structs.replace(
        wanted,
        snmp=snmp,
        ssh=msgspec.structs.replace(wanted.ssh, allow=()),
        management=msgspec.structs.replace(wanted.management, domain=domain, allow=()),
    )
    return msgspec.structs.replace(device, services=kept)


def listed(device: Switch) -> Switch:
    """The same with prefixes of both families that may use SSH and gNMI; BFD, which they would shut out, is off."""
    allow = (ip_network("192.0.2.0/24"), ip_network("198.51.100.0/24"), ip_network("2001:db8::/32"))
    wanted = device.services
    ssh = msgspec.structs.replace(wanted.ssh, allow=allow)
    management = msgspec.structs.replace(wanted.management, allow=allow[:1])
    services = msgspec.structs.replace(wanted, ssh=ssh, management=management)
    return no_bfd(msgspec.structs.replace(device, services=services))


def no_bfd(device: Switch) -> Switch:
    """The same without BFD."""
    return make.change_routing(device, bfd_interval_ms=None)


def for_bgpcfgd(device: Switch) -> Switch:
    """The same with nothing that needs a policy: one AS number above, hosts in VLANs, no secrets."""
    sessions = tuple(
        msgspec.structs.replace(one, remote_asn=4_200_000_001, password=None)
        for one in device.routing.neighbors
        if one.address is not None and one.relation is not Relation.EXTERNAL
    )
    ports = tuple(
        msgspec.structs.replace(port, addresses=())
        if port.role in {LinkRole.HOST, LinkRole.ATTACHMENT}
        else port
        for port in device.ports
    )
    return make.change_routing(
        make.change(device, ports=ports),
        neighbors=sessions,
        password=None,
        bfd_interval_ms=None,
        aggregates=(),
        allow_own_asn=min(device.routing.allow_own_asn, 1),
        max_paths=min(device.routing.max_paths, 256),
    )


def for_frrcfgd(device: Switch) -> Switch:
    """The same without secrets and with FRR's own BFD timers."""
    bfd = None if device.routing.bfd_interval_ms is None else 300
    sessions = tuple(msgspec.structs.replace(one, password=None) for one in device.routing.neighbors)
    return make.change_routing(
        device,
        neighbors=sessions,
        password=None,
        bfd_interval_ms=bfd,
        bfd_multiplier=3,
        max_paths=min(device.routing.max_paths, 256),
    )


def split_leaf() -> Switch:
    """Every cage split in two, on a model that has a sku of just these ports."""
    return make.leaf(128, 0)


def with_lines(device: Switch, **texts: str) -> Switch:
    """The same with the lines of an override, by section."""
    place = Origin(("overrides", 0))
    return make.change(
        device, extra=tuple(ExtraLines(name.replace("_", "-"), text, place) for name, text in texts.items())
    )


TRIM = """{"SWITCH_TRIMMING": {"GLOBAL": {"size": "128", "dscp_value": "48", "queue_index": "6"}},
 "BUFFER_PROFILE": {"q_lossy_profile": {"packet_discard_action": "trim"}}}"""


def trimming(switch: Switch) -> Switch:
    """Lossy packets are cut, not dropped."""
    assert switch.queueing is not None
    cut = trimmed("sonic", SPECTRUM)
    return msgspec.structs.replace(switch, queueing=msgspec.structs.replace(switch.queueing, trimming=cut))


CASES = {
    "leaf": lambda: on(make.leaf()),
    "leaf on Spectrum": lambda: on(make.leaf(), SPECTRUM, "master"),
    "spine": lambda: on(make.spine(4, 2)),
    "spine on Spectrum": lambda: on(make.spine(4, 2), SPECTRUM),
    "superspine": lambda: on(generic.superspine()),
    "ipv6": lambda: on(generic.ipv6()),
    "dual stack": lambda: on(generic.dual()),
    "unnumbered": lambda: on(generic.unnumbered(), SPECTRUM),
    "vlan gateway": lambda: on(generic.vlan_gateway()),
    "all services": lambda: on(sayable(generic.all_services())),
    "lists": lambda: on(listed(sayable(generic.all_services()))),
    "tacacs": lambda: on(sayable(generic.tacacs())),
    "default vrf": lambda: on(sayable(generic.default_vrf())),
    "lossy": lambda: on(generic.lossy()),
    "notifying watchdog": lambda: on(generic.notifying()),
    "no policy": lambda: on(generic.no_policy()),
    "drained": lambda: on(generic.drained()),
    "external": lambda: on(generic.external()),
    "guarded": lambda: on(generic.guarded()),
    "zone": lambda: on(generic.zone()),
    "no BFD": lambda: on(no_bfd(make.leaf())),
    "every cage split": lambda: on(split_leaf()),
    "packet trimming": lambda: on(trimming(make.leaf()), SPECTRUM),
    "packet trimming by an override": lambda: on(with_lines(make.leaf(), config_db=TRIM), SPECTRUM),
    "frrcfgd": lambda: on(for_frrcfgd(make.leaf()), release="202511-frrcfgd"),
    "frrcfgd drained": lambda: on(for_frrcfgd(generic.drained()), release="master-frrcfgd"),
    "frrcfgd unnumbered": lambda: on(for_frrcfgd(generic.unnumbered()), SPECTRUM, "202511-frrcfgd"),
    "frrcfgd superspine": lambda: on(for_frrcfgd(generic.superspine()), release="202511-frrcfgd"),
    "frrcfgd external": lambda: on(for_frrcfgd(external_by_halves()), release="202511-frrcfgd"),
    "bgpcfgd": lambda: on(for_bgpcfgd(generic.vlan_gateway()), release="202511-bgpcfgd"),
    "bgpcfgd dual stack": lambda: on(for_bgpcfgd(generic.dual()), release="master-bgpcfgd"),
}
"""By what they prove."""


def external_by_halves() -> Switch:
    """A border leaf whose prefixes frrcfgd compares rightly: `"32" > "10"`, but not `"128" > "8"`."""
    made = generic.external()
    sessions = tuple(
        one
        if one.relation is not Relation.EXTERNAL
        else msgspec.structs.replace(one, accept=(), advertise=one.advertise[:1])
        for one in made.routing.neighbors
    )
    return make.change_routing(made, neighbors=sessions)
