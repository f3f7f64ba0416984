"""Random switches, each one that EOS can say."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from hypothesis import strategies as st

from fabric.devices.addresses import Ip, IpInterface
from fabric.devices.model import (
    HostAddressing,
    HostGateway,
    LinkRole,
    ManagementPort,
    Relation,
    Switch,
    SwitchPort,
)
from fabric.intent.model import Certificate, Gnmi, Management, Ntp, Snmp, SnmpUser, Ssh, Syslog, Tacacs, User
from fabric.qos.model import (
    ClassQueueing,
    EcnMarking,
    PortQueueing,
    Queueing,
    WatchdogTimers,
)
from fabric.units import Duration
from tests.platforms.eos.devices import (
    HASH,
    address,
    fabric_port,
    host,
    host_port,
    routing,
    services,
    session,
    span,
    switch,
)

PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)
NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,10}[a-z0-9]", fullmatch=True)
SECRETS = st.sampled_from(["env:SECRET", "file:/run/secrets/one"])
SERVERS = st.lists(
    st.sampled_from([ip_address(text) for text in ("192.0.2.1", "192.0.2.9", "192.0.2.10", "2001:db8::5")]),
    unique=True,
    max_size=3,
).map(tuple)


@st.composite
def curves(draw: st.DrawFn) -> EcnMarking:
    """A marking curve."""
    low = draw(st.integers(1000, 5_000_000))
    return EcnMarking(low, low + draw(st.integers(0, 5_000_000)), draw(st.integers(1, 100)), computed=False)


@st.composite
def queueings(draw: st.DrawFn) -> Queueing | None:
    """A policy of up to four classes on two kinds of port; weighted queues below strict ones."""
    if draw(st.booleans()):
        return None
    numbers = draw(st.permutations(range(1, 7)))[: draw(st.integers(1, 4))]
    numbers = sorted(numbers)
    strict_from = draw(st.integers(0, len(numbers)))
    points = draw(st.permutations(range(64)))
    kinds = []
    for speed, cable in ((400_000, 5), (800_000, 40)):
        classes = []
        for i, number in enumerate(numbers):
            mine = tuple(sorted(points[i :: len(numbers)]))
            strict = i >= strict_from
            lossless = draw(st.booleans()) if speed == 400_000 else kinds[0].classes[i].priority is not None
            classes.append(
                ClassQueueing(
                    name=f"c{number}",
                    dscp=mine,
                    is_rest=i == 0,
                    traffic_class=number,
                    priority=number if lossless else None,
                    queue=number,
                    share_percent=None if strict else draw(st.integers(1, 99)),
                    strict=strict,
                    ecn=draw(st.none() | curves()),
                    is_cnp=False,
                )
            )
        kinds.append(PortQueueing(f"p-{speed}", speed, cable, tuple(classes), None))
    lossless = any(kind.priorities for kind in kinds)
    detect, restore = draw(st.integers(10, 60_000)), draw(st.integers(10, 60_000))
    poll = draw(st.integers(5, max(5, min(detect, restore, 60_000) // 2)))
    timers = WatchdogTimers(draw(st.sampled_from(["drop", "notify"])), detect, restore, poll)
    return Queueing("random", tuple(kinds), timers if lossless and draw(st.booleans()) else None, None)


@st.composite
def all_services(draw: st.DrawFn):
    """Any mix of management services."""
    users = draw(
        st.dictionaries(
            NAMES,
            st.builds(
                User,
                password_hash=st.just(HASH) | st.none(),
                password_secret=st.just("env:HASH"),
                role=st.sampled_from(["admin", "operator"]),
                ssh_keys=st.lists(st.just("ssh-ed25519 AAAA me"), max_size=2).map(tuple),
            ),
            max_size=3,
        )
    )
    watchers = st.builds(
        SnmpUser,
        auth=st.sampled_from(["sha", "sha256", "sha512"]),
        auth_secret=SECRETS,
        privacy=st.sampled_from(["aes", "aes192", "aes256"]),
        privacy_secret=SECRETS,
    )
    return services(
        management=Management(dns=draw(SERVERS), domain=draw(st.none() | st.just("example.net"))),
        ntp=Ntp(servers=draw(SERVERS)),
        syslog=Syslog(servers=draw(SERVERS), level=draw(st.sampled_from(["errors", "informational"]))),
        snmp=draw(
            st.none()
            | st.builds(
                Snmp,
                users=st.dictionaries(NAMES, watchers, max_size=2),
                location=st.none() | PRINTABLE,
                contact=st.none() | PRINTABLE,
                trap_servers=SERVERS,
            )
        ),
        tacacs=draw(
            st.none()
            | st.builds(
                Tacacs,
                servers=st.just((ip_address("192.0.2.1"), ip_address("192.0.2.9"))),
                secret=SECRETS,
                accounting=st.booleans(),
            )
        ),
        users=users,
        ssh=Ssh(
            idle_timeout_ms=Duration(60_000 * draw(st.integers(1, 60))),
            allow=draw(st.sampled_from([(), (ip_network("10.0.0.0/8"),), (ip_network("2001:db8::/32"),)])),
        ),
        gnmi=draw(st.none() | st.builds(Gnmi, port=st.integers(1, 65535))),
        certificate=Certificate(name="fabric", client_ca=draw(st.none() | st.just("fabric-ca"))),
        lldp=draw(st.booleans()),
        banner=draw(st.none() | st.just("No entry.\n\ninterface Ethernet1/1\nend")),
    )


def links(kind: str, index: int) -> tuple[IpInterface, ...]:
    """The addresses of one end of a link."""
    four = (address(f"10.128.{index}.1/31"),)
    six = (address(f"fd00:128:{index}::1/127"),)
    return {"ipv4": four, "ipv6": six, "dual": four + six, "unnumbered": ()}[kind]


@st.composite
def host_ports(draw: st.DrawFn, mode: str, kind: str, queueing: Queueing | None) -> tuple[SwitchPort, ...]:
    """Ports to hosts, some shut, some unused."""
    profile = queueing.profiles[0] if queueing else None
    found = []
    for index in range(draw(st.integers(0, 5))):
        if draw(st.integers(0, 4)) == 0:
            found.append(
                host_port(
                    index,
                    role=LinkRole.UNUSED,
                    peer="",
                    peer_port="",
                    enabled=False,
                    addresses=(),
                    queueing=None,
                )
            )
            continue
        four, six = address(f"10.0.{index}.0/31"), address(f"fd00:0:0:{index}::1/64")
        routed = {"ipv4": (four,), "ipv6": (six,)}.get(kind, (four, six))
        found.append(
            host_port(
                index,
                enabled=draw(st.booleans()),
                addresses=routed if mode == "routed" else (),
                vlan=0 if mode == "routed" else 10,
                bond=index + 1 if mode == "lacp" else 0,
                queueing=profile,
                ip_mtu_bytes=draw(st.integers(1280, 9214) | st.just(1500)),
            )
        )
    return tuple(found)


@st.composite
def switches(draw: st.DrawFn) -> Switch:
    """Any switch that EOS can say."""
    kind = draw(st.sampled_from(["ipv4", "ipv6", "dual", "unnumbered"]))
    mode = draw(st.sampled_from(["routed", "vlan", "lacp"]))
    queueing = draw(queueings())
    profile = queueing.profiles[1] if queueing else None
    families = {"ipv4": (4,), "ipv6": (6,)}.get(kind, (4, 6))
    fabric, sessions = [], []
    for index in range(draw(st.integers(0, 5))):
        relation = draw(st.sampled_from([Relation.UP, Relation.DOWN, Relation.ACROSS]))
        port = fabric_port(
            index,
            LinkRole(relation.value),
            addresses=links(kind, index),
            link_local=kind == "unnumbered",
            queueing=profile,
            enabled=draw(st.booleans()),
            peer=draw(NAMES),
        )
        fabric.append(port)
        asn = draw(st.integers(1, 4_294_967_294))
        for family in families:
            ours = next((a for a in port.addresses if a.version == family), None)
            theirs = Ip(ours.value ^ 1, family) if ours else None
            sessions.append(
                session(
                    host_port(0), relation, asn, peer=port.peer, port=port.name, address=theirs, family=family
                )
            )
    gateways = (HostGateway(10, (address("10.1.0.1/24"),), 9000, arp_hosts=mode == "lacp"),)
    return switch(
        name=draw(NAMES),
        ports=(*draw(host_ports(mode, kind, queueing)), *fabric),
        gateways=() if mode == "routed" else gateways,
        bond_system=draw(st.integers(1, 2)) if mode == "lacp" else 0,
        host_addressing=HostAddressing(
            draw(st.sampled_from(["static", "dhcp_relay", "slaac"])), (host("10.9.9.9"), host("fd00:9::9"))
        ),
        loopbacks=(address("10.255.1.1/32"), address("fd00:255::1/128"))[: draw(st.integers(1, 2))],
        routing=routing(
            asn=draw(st.integers(1, 4_294_967_294)),
            families=families,
            neighbors=tuple(sessions),
            max_paths=draw(st.integers(1, 600)),
            bfd_interval_ms=draw(st.none() | st.integers(50, 60_000)),
            bfd_multiplier=draw(st.integers(3, 50)),
            keepalive_ms=1000 * draw(st.integers(1, 60)),
            password=draw(st.none() | SECRETS),
            aggregates=draw(st.sampled_from([(), (ip_network("10.0.0.0/24"), ip_network("fd00::/64"))])),
            host_prefixes=draw(
                st.sampled_from([(), (span("10.0.0.0/16", 31, 31), span("fd00::/32", 64, 127))])
            ),
            allow_own_asn=draw(st.integers(0, 10)),
            load_balancing=draw(st.sampled_from(["ecmp", "flowlet"])),
        ),
        queueing=queueing,
        services=draw(all_services()),
        management=ManagementPort(
            (address("198.51.100.11/24"), address("2001:db8::11/64"))[: draw(st.integers(1, 2))],
            draw(st.sampled_from([None, host("198.51.100.1"), host("2001:db8::1")])),
            draw(st.sampled_from(["MGMT", "default"])),
        ),
        drained=draw(st.booleans()),
    )
