"""Random switches, each one that NX-OS can say: those of the generic strategies, made to fit."""

from __future__ import annotations

from ipaddress import ip_network

import msgspec
from hypothesis import strategies as st

from fabric.devices.model import HostAddressing, LinkRole, Neighbor, Relation, Switch, SwitchPort
from fabric.intent.model import Gnmi
from fabric.qos.model import ClassQueueing, Headroom, PortQueueing, Queueing, WatchdogTimers
from tests.platforms.eos import strategies as generic
from tests.platforms.eos.devices import change, host
from tests.platforms.nxos.devices import nexus

IPV4 = 4
QUEUES = range(7)
"""7 is for the strict class."""


@st.composite
def shares(draw: st.DrawFn, count: int) -> list[int]:
    """Whole percentages above 0 that sum to 100."""
    cuts = sorted(draw(st.sets(st.integers(1, 99), min_size=count - 1, max_size=count - 1)))
    return [high - low for low, high in zip([0, *cuts], [*cuts, 100], strict=True)]


@st.composite
def policies(draw: st.DrawFn) -> tuple[ClassQueueing, ...]:
    """Classes by weight, some paused, and perhaps a strict one; curves are drawn for each kind of port."""
    numbers = draw(st.lists(st.sampled_from(QUEUES), unique=True, min_size=1, max_size=5))
    paused = draw(st.sets(st.sampled_from([n for n in numbers if n] or [0]), max_size=3)) - {0}
    strict, rest = draw(st.booleans()), draw(st.booleans())
    points = draw(st.permutations(range(64)))
    parts = draw(shares(len(numbers)))
    count = len(numbers) + strict
    weighted = [
        ClassQueueing(
            name=f"c{number}",
            dscp=tuple(sorted(points[i::count])),
            is_rest=rest and i == 0,
            traffic_class=draw(st.integers(0, 7)),
            priority=number if number in paused else None,
            queue=number,
            share_percent=part,
            strict=False,
            ecn=None,
            is_cnp=False,
        )
        for i, (number, part) in enumerate(zip(numbers, parts, strict=True))
    ]
    first = ClassQueueing(
        name="first",
        dscp=tuple(sorted(points[count - 1 :: count])),
        is_rest=False,
        traffic_class=draw(st.integers(0, 7)),
        priority=None,
        queue=draw(st.integers(0, 7)),
        share_percent=None,
        strict=True,
        ecn=None,
        is_cnp=True,
    )
    return (*weighted, *([first] if strict else []))


@st.composite
def queueings(draw: st.DrawFn) -> Queueing:
    """One policy on two kinds of port, with the curves of each."""
    classes = draw(policies())
    lossless = any(one.priority is not None for one in classes)
    kinds = []
    for speed, cable in ((400_000, 5), (800_000, 100)):
        curves = [None if one.strict else draw(st.none() | generic.curves()) for one in classes]
        marked = tuple(
            msgspec.structs.replace(one, ecn=curve) for one, curve in zip(classes, curves, strict=True)
        )
        headroom = Headroom(100_000, 0, 100_000, None, "802.3 formula") if lossless else None
        kinds.append(PortQueueing(f"p-{speed}", speed, cable, marked, headroom))
    watchdog = WatchdogTimers("drop", 200, 200, 100) if lossless and draw(st.booleans()) else None
    return Queueing("random", tuple(kinds), watchdog, None)


@st.composite
def switches(draw: st.DrawFn) -> Switch:
    """Any switch that NX-OS can say."""
    made = draw(generic.switches().filter(lambda device: not device.bond_system))
    queueing = draw(st.none() | queueings())
    interval_ms = draw(st.none() | st.integers(50, 999))
    routing = msgspec.structs.replace(
        made.routing,
        max_paths=draw(st.integers(1, 64)),
        bfd_interval_ms=interval_ms,
        bfd_multiplier=3 if interval_ms else 0,
        load_balancing="ecmp",
        hash_seed=draw(st.none() | st.integers(1, 4_294_967_295)),
        neighbors=tuple(draw(outside(one)) for one in made.routing.neighbors),
    )
    ports = tuple(_queued(port, queueing) for port in made.ports)
    fitting = change(
        made,
        ports=ports,
        routing=routing,
        host_addressing=_addressing(made),
        services=_services(made),
        management=msgspec.structs.replace(made.management, vrf="MGMT"),
    )
    return nexus(fitting, queueing=queueing)


@st.composite
def outside(draw: st.DrawFn, one: Neighbor) -> Neighbor:
    """The same neighbour, or an external one with a secret of its own."""
    if one.address is None or draw(st.integers(0, 3)):
        return one
    theirs = (ip_network("10.9.0.0/16" if one.family == IPV4 else "fd00:9::/48"),)
    return msgspec.structs.replace(
        one,
        relation=Relation.EXTERNAL,
        password=draw(st.none() | generic.SECRETS),
        accept=theirs,
        advertise=theirs if draw(st.booleans()) else (),
    )


def _queued(port: SwitchPort, queueing: Queueing | None) -> SwitchPort:
    if queueing is None or port.role is LinkRole.UNUSED:
        return msgspec.structs.replace(port, queueing=None)
    return msgspec.structs.replace(port, queueing=queueing.profiles[port.role is not LinkRole.HOST])


def _addressing(made: Switch) -> HostAddressing:
    """Hosts make addresses in a /64 only, which the generic ports have."""
    return HostAddressing(made.host_addressing.assignment, (host("10.9.9.9"), host("fd00:9::9")))


def _services(made: Switch):
    port = made.services.gnmi and max(made.services.gnmi.port, 1024)
    return msgspec.structs.replace(made.services, gnmi=Gnmi(port=port) if port else None)
