"""Switches that between them use every section, by what they prove."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address, ip_network

import msgspec

from fabric.devices.model import (
    ExtraLines,
    HostAddressing,
    HostGateway,
    LinkRole,
    ManagementPort,
    Relation,
    Switch,
)
from fabric.diagnostics import Origin
from fabric.intent.model import Certificate, Gnmi, Management, Ntp, Snmp, SnmpUser, Ssh, Syslog, Tacacs, User
from fabric.platforms.eos.names import port_name
from fabric.qos.model import WatchdogTimers
from fabric.units import Duration
from tests.platforms.eos.devices import (
    FABRIC_PROFILE,
    HASH,
    HOST_PROFILE,
    address,
    change,
    change_routing,
    fabric_port,
    hardware,
    host,
    host_port,
    leaf,
    queueing,
    queueing_of,
    routing,
    services,
    session,
    slot,
    span,
    spine,
    switch,
)

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBd netops@example.net"


def superspine() -> Switch:
    """Only leaves of the fabric below it, one AS number for all superspines."""
    made = spine(3, name="superspine-0", role="superspine")
    return change_routing(made, asn=4_200_000_900, allow_own_asn=1)


def ipv6() -> Switch:
    """IPv6 everywhere: /127 links, a /64 loopback pool, static hosts."""
    up = [fabric_port(i, addresses=(address(f"fd00:128::{2 * i + 1:x}/127"),)) for i in range(3)]
    down = [host_port(i, addresses=(address(f"fd00::{2 * i:x}/127"),)) for i in range(2)]
    return switch(
        ports=(*down, *up),
        loopbacks=(address("10.255.1.1/32"), address("fd00:255::1/128")),
        routing=routing(
            families=(6,),
            neighbors=tuple(session(port) for port in up),
            aggregates=(ip_network("fd00::/120"),),
            loopbacks=(span("fd00:255::/64", 128, 128),),
            host_prefixes=(span("fd00::/120", 127, 127),),
            accepted=(span("fd00:255::/64", 128, 128), span("fd00::/32", 32, 127)),
        ),
        queueing=queueing(HOST_PROFILE, FABRIC_PROFILE),
        management=ManagementPort((address("2001:db8::11/64"),), host("2001:db8::1"), "MGMT"),
    )


def dual() -> Switch:
    """Both families, each with sessions of its own."""
    up = [
        fabric_port(
            i, addresses=(address(f"10.128.0.{2 * i + 1}/31"), address(f"fd00:128::{2 * i + 1:x}/127"))
        )
        for i in range(2)
    ]
    both = tuple(
        session(port, address=type(host("10.0.0.0"))(ours.value ^ 1, ours.version), family=ours.version)
        for port in up
        for ours in port.addresses
    )
    return switch(
        ports=tuple(up),
        loopbacks=(address("10.255.1.1/32"), address("fd00:255::1/128")),
        routing=routing(
            families=(4, 6),
            neighbors=both,
            loopbacks=(span("10.255.0.0/16", 32, 32), span("fd00:255::/64", 128, 128)),
            accepted=(span("10.0.0.0/10", 10, 31), span("fd00::/32", 40, 128)),
        ),
        queueing=queueing(FABRIC_PROFILE),
    )


def unnumbered() -> Switch:
    """IPv4 next hops over IPv6 link-local sessions (RFC 5549), carrying both families."""
    up = [fabric_port(i, addresses=(), link_local=True) for i in (0, 1, 9)]
    both = tuple(
        session(fabric_port(0), peer=port.peer, port=port.name, address=None, family=family)
        for port in up
        for family in (4, 6)
    )
    return switch(
        ports=(host_port(0), *up),
        routing=routing(families=(4, 6), neighbors=both, loopbacks=(span("10.255.0.0/16", 32, 32),)),
        queueing=queueing(HOST_PROFILE, FABRIC_PROFILE),
    )


def vlan_gateway() -> Switch:
    """Hosts in a VLAN with its gateway here, addresses by relay."""
    ports = tuple(host_port(i, addresses=(), vlan=10) for i in range(3))
    gateway = HostGateway(10, (address("10.1.0.1/24"), address("fd00:1::1/64")), 9000)
    made = leaf(0, 2)
    return change_routing(
        change(
            made,
            ports=(*ports, *made.ports),
            gateways=(gateway,),
            host_addressing=HostAddressing("dhcp_relay", (host("10.9.9.9"), host("fd00:9::9"))),
        ),
        host_prefixes=(span("10.1.0.0/24", 24, 24),),
    )


def dual_tor() -> Switch:
    """One of two leaves that a host's bond spans."""
    ports = tuple(host_port(i, addresses=(), vlan=10, bond=i + 1) for i in range(3))
    gateway = HostGateway(10, (address("10.1.0.1/24"), address("fd00:1::1/64")), 9000, arp_hosts=True)
    made = leaf(0, 2, unit=3, rail=5)
    return change_routing(
        change(made, ports=(*ports, *made.ports), gateways=(gateway,), bond_system=2),
        host_prefixes=(span("10.1.0.0/24", 24, 32),),
        aggregates=(),
    )


def slaac() -> Switch:
    """Hosts make their own IPv6 addresses; storage beside them does not."""
    down = tuple(host_port(i, addresses=(address(f"fd00:0:0:{i}::1/64"),)) for i in range(2))
    storage = host_port(2, role=LinkRole.ATTACHMENT, peer="store", addresses=(address("fd00:0:0:9::/127"),))
    made = leaf(0, 2)
    return change(made, ports=(*down, storage, *made.ports), host_addressing=HostAddressing("slaac"))


def dhcp() -> Switch:
    """Routed host ports with DHCP relay in both families."""
    both = tuple(
        host_port(i, addresses=(address(f"10.0.0.{4 * i}/30"), address(f"fd00::{i}:0/127"))) for i in range(2)
    )
    made = leaf(0, 2)
    relay = HostAddressing("dhcp_relay", (host("10.9.9.9"), host("10.9.9.10"), host("fd00:9::9")))
    return change(made, ports=(*both, *made.ports), host_addressing=relay)


def all_services() -> Switch:
    """Every management service at once."""
    return leaf(
        1,
        1,
        services=services(
            management=Management(
                dns=tuple(map(ip_address, ("192.0.2.53", "192.0.2.5"))),
                domain="dc1.example.net",
                allow=(ip_network("198.51.100.0/24"),),
            ),
            ntp=Ntp(servers=tuple(map(ip_address, ("192.0.2.30", "192.0.2.4", "192.0.2.20")))),
            syslog=Syslog(servers=tuple(map(ip_address, ("192.0.2.9", "192.0.2.10"))), level="warnings"),
            snmp=Snmp(
                users={
                    "watcher": SnmpUser(auth_secret="env:SNMP_AUTH", privacy_secret="env:SNMP_PRIV"),
                    "auditor": SnmpUser(
                        auth="sha512", auth_secret="file:/run/a", privacy="aes", privacy_secret="file:/run/p"
                    ),
                },
                location="hall 1, row 2",
                contact="noc@example.net",
                trap_servers=(ip_address("192.0.2.40"), ip_address("192.0.2.41")),
            ),
            users={
                "netops": User(password_hash=HASH, role="admin", ssh_keys=(KEY, KEY.replace("Bd", "Be"))),
                "viewer": User(password_secret="env:VIEWER_HASH", ssh_keys=(KEY,)),
            },
            ssh=Ssh(
                idle_timeout_ms=Duration(600_000),
                allow=(ip_network("198.51.100.0/24"), ip_network("10.9.0.0/16")),
            ),
            gnmi=Gnmi(port=50051),
            certificate=Certificate(name="fabric", client_ca="fabric-ca"),
            banner="Authorised access only.\n\nEverything is logged.",
        ),
    )


def tacacs() -> Switch:
    """TACACS+ with accounting, SNMP without traps, no LLDP."""
    return spine(
        2,
        services=services(
            tacacs=Tacacs(servers=(ip_address("192.0.2.70"), ip_address("192.0.2.71")), secret="env:TACACS"),
            snmp=Snmp(users={"watcher": SnmpUser(auth_secret="env:A", privacy_secret="env:P")}),
            lldp=False,
        ),
    )


def default_vrf() -> Switch:
    """Management without a VRF of its own."""
    return leaf(
        1,
        1,
        management=ManagementPort((address("198.51.100.11/24"),), host("198.51.100.1"), "default"),
        services=services(
            tacacs=Tacacs(servers=(ip_address("192.0.2.70"),), secret="env:TACACS", accounting=False),
            snmp=Snmp(
                users={"watcher": SnmpUser(auth_secret="env:A", privacy_secret="env:P")},
                trap_servers=(ip_address("192.0.2.40"),),
            ),
            gnmi=Gnmi(),
            certificate=Certificate(name="fabric"),
            ssh=Ssh(allow=(ip_network("2001:db8::/32"),)),
        ),
    )


def flowlets() -> Switch:
    """Dynamic load balancing, a BGP password, no BFD."""
    return change_routing(
        spine(2, 2), load_balancing="flowlet", password="env:BGP", bfd_interval_ms=None, max_paths=128
    )


def jericho() -> Switch:
    """A chassis with line cards and virtual output queues."""
    chassis = hardware("tx-queue", cages="3/1-36")
    ports = []
    for i in range(4):
        place = slot(i + 1, card=3 + i % 2)
        ports.append(
            fabric_port(i, LinkRole.DOWN, slot=place, name=port_name(place, chassis), peer=f"leaf-0-{i}")
        )
    ports.sort(key=lambda port: (port.slot.slot, port.slot.cage))
    made = spine(0)
    sessions = tuple(session(port, Relation.DOWN, 4_200_000_101 + i) for i, port in enumerate(ports))
    chassis = hardware("tx-queue", cages="3/1-36,4/1-36")
    return change_routing(change(made, hardware=chassis, ports=tuple(ports)), neighbors=sessions)


def lossy() -> Switch:
    """ECN without PFC."""
    kinds = [queueing_of(400_000, lossless=False), queueing_of(800_000, 40, lossless=False)]
    made = leaf(2, 1)
    ports = (
        *(host_port(i, queueing=kinds[0]) for i in range(2)),
        fabric_port(0, queueing=kinds[1]),
    )
    return change(made, ports=ports, queueing=queueing(*kinds))


def notifying() -> Switch:
    """A watchdog that only tells."""
    return leaf(
        1,
        1,
        queueing=queueing(HOST_PROFILE, FABRIC_PROFILE, watchdog=WatchdogTimers("notify", 500, 300, 150)),
    )


def no_policy() -> Switch:
    """No lossless policy at all: no queueing is written."""
    made = leaf(0, 0, queueing=None)
    return change(made, ports=(host_port(0, queueing=None), fabric_port(0, queueing=None)))


def drained() -> Switch:
    """Out of service, one port shut, one unused."""
    made = leaf(3, 2, drained=True)
    shut = host_port(1, enabled=False)
    unused = host_port(
        2, role=LinkRole.UNUSED, peer="", peer_port="", enabled=False, addresses=(), queueing=None
    )
    return change(made, ports=(made.ports[0], shut, unused, *made.ports[3:]))


def external() -> Switch:
    """A border leaf: two routers, one of them in both families, one with a password."""
    places = [
        host_port(i, role=LinkRole.ATTACHMENT, peer=f"border-{i}", peer_port="xe-0", queueing=None)
        for i in range(2)
    ]
    places[1] = host_port(
        1,
        role=LinkRole.ATTACHMENT,
        peer="border-1",
        peer_port="xe-0",
        queueing=None,
        addresses=(address("10.0.9.0/31"), address("fd00:9::/127")),
    )
    taken = {"accept": (ip_network("0.0.0.0/0"),), "advertise": (ip_network("10.0.0.0/10"),)}
    taken6 = {"accept": (ip_network("::/0"),), "advertise": ()}
    sessions = (
        session(
            places[0], Relation.EXTERNAL, 64512, password="env:BORDER", bfd=True, max_prefixes=100, **taken
        ),
        session(places[1], Relation.EXTERNAL, 64513, **taken),
        session(places[1], Relation.EXTERNAL, 64513, address=host("fd00:9::1"), family=6, **taken6),
    )
    made = leaf(0, 1)
    return change_routing(
        change(made, ports=(*places, *made.ports)),
        neighbors=(*made.routing.neighbors, *sessions),
        families=(4, 6),
    )


def zone() -> Switch:
    """A spine joined to spines of another zone."""
    made = spine(2)
    across = fabric_port(9, LinkRole.ACROSS, peer="spine-9")
    sessions = (session(across, Relation.ACROSS, 4_200_000_555), *made.routing.neighbors)
    return change_routing(change(made, ports=(*made.ports, across)), neighbors=sessions)


def overridden() -> Switch:
    """Verbatim lines of two overrides."""
    place = Origin(("overrides", 0))
    lines = (
        ExtraLines("clock", "clock timezone Europe/Berlin", place),
        ExtraLines(
            "counters", "hardware counter feature ecn out\ninterface Ethernet1/1\n   load-interval 5", place
        ),
    )
    return leaf(1, 1, extra=lines)


def guarded() -> Switch:
    """A border leaf that takes nothing of its routers from further than one hop."""
    made = external()
    return change_routing(
        made,
        neighbors=tuple(
            msgspec.structs.replace(one, ttl_security=one.relation is Relation.EXTERNAL)
            for one in made.routing.neighbors
        ),
    )


CASES: dict[str, Callable[[], Switch]] = {
    "leaf": leaf,
    "spine": lambda: spine(4, 2),
    "superspine": superspine,
    "ipv6": ipv6,
    "dual stack": dual,
    "unnumbered": unnumbered,
    "vlan gateway": vlan_gateway,
    "dual ToR": dual_tor,
    "slaac": slaac,
    "dhcp relay": dhcp,
    "all services": all_services,
    "tacacs": tacacs,
    "default vrf": default_vrf,
    "flowlets": flowlets,
    "jericho": jericho,
    "lossy": lossy,
    "notifying watchdog": notifying,
    "no policy": no_policy,
    "drained": drained,
    "external": external,
    "guarded": guarded,
    "zone": zone,
    "overridden": overridden,
}
