"""LLDP calls ports as each product does: a healthy fabric is quiet all the same, and a swapped cable is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
import pytest

from fabric.deployment import Thresholds
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.gates.judge import missing
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot, snapshot
from fabric.devices.model import Switch
from fabric.platforms.ports import announced_ports
from fabric.platforms.registry import platform
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import LEAF, SPINE, Words, network
from tests.verification.ethernet.played import PLAYED, Played, played, rewired, specs_of
from tests.verification.ethernet.played import network as network_of


def beside(product: str) -> Words:
    """Spines of another product than the leaves: each meets the next one."""
    other = PLAYED[(PLAYED.index(product) + 1) % len(PLAYED)]
    return network(f"{{lossless: null, tiers: {{spine: {{platform: {other}, model: {MODELS[other]}}}}}}}")


def names(site: Played, device: str) -> Mapping[str, str]:
    known = site.devices.get(device)
    return (
        announced_ports(platform(known.platform).announced_port, known) if isinstance(known, Switch) else {}
    )


def seen(site: Played, name: str) -> Snapshot:
    kind = platform(site.devices[name].platform)
    with Connection(site.sandbox.targets[name], kind) as device:
        return snapshot(device, kind)


def closed(site: Played, before: Snapshot, now: Snapshot, *purposes: Purpose) -> tuple[str, ...]:
    known = {purpose.device: purpose for purpose in purposes}
    return missing(LEAF, before, now, known, Thresholds(), lambda device: names(site, device))


@pytest.fixture(scope="module", params=PLAYED)
def site(request: pytest.FixtureRequest) -> Iterator[Played]:
    with played(network_of(request.param, beside(request.param))) as made:
        yield made


def test_every_name_that_a_product_announces_is_known(site: Played) -> None:
    """At both ends of each cable between switches of two products."""
    for name in site.devices:
        for port, host, peer in seen(site, name).neighbors:
            if host in site.devices:
                far = {p.name: p for p in site.devices[host].ports}[names(site, host)[peer.lower()]]
                assert (name, port) == (far.peer, far.peer_port)


def test_a_port_that_is_called_otherwise_than_before_is_the_same_one(site: Played) -> None:
    """By its name, its alias or its description: an update of the neighbour, or a line of its own, decides that."""
    before = seen(site, LEAF)
    ports = {port.name: port for port in site.devices[SPINE].ports}
    for called in ("name", "description"):
        otherwise = frozenset(
            (port, host, getattr(ports[names(site, SPINE)[peer.lower()]], called) if host == SPINE else peer)
            for port, host, peer in before.neighbors
        )
        assert closed(site, before, msgspec.structs.replace(before, neighbors=otherwise)) == ()


def test_a_neighbour_that_shuts_its_end_on_purpose_is_known_by_any_name(site: Played) -> None:
    before = seen(site, LEAF)
    cable = next(port for port in site.devices[SPINE].ports if port.peer == LEAF)
    gone = frozenset(n for n in before.neighbors if n[0] != cable.peer_port)
    down = {
        **before.ports,
        cable.peer_port: msgspec.structs.replace(before.ports[cable.peer_port], is_up=False),
    }
    now = msgspec.structs.replace(before, neighbors=gone, ports=down)

    assert closed(site, before, now, Purpose(SPINE, ports=frozenset({cable.name}))) == ()
    assert closed(site, before, now) == (
        f"{LEAF} {cable.peer_port}: LLDP does not see {SPINE} {cable.name} any more",
        f"{LEAF} {cable.peer_port}: is down",
    )


def test_a_swapped_cable_is_named_at_both_its_ports(site: Played) -> None:
    before = seen(site, LEAF)
    one, other = sorted(port.name for port in site.devices[LEAF].ports if port.peer in (SPINE, "spine-1"))[:2]
    swap = {(LEAF, one): (LEAF, other), (LEAF, other): (LEAF, one)}
    with played(site.devices, rewired(specs_of(site.devices), swap)) as swapped:
        now = seen(swapped, LEAF)
    told = closed(site, before, now)
    far = {port.name: f"{port.peer} {port.peer_port}" for port in site.devices[LEAF].ports}

    assert f"{LEAF} {one}: LLDP does not see {far[one]} any more, but {far[other]}" in told
    assert f"{LEAF} {other}: LLDP does not see {far[other]} any more, but {far[one]}" in told


def test_a_device_of_another_product_in_the_place_of_a_neighbour_is_no_loss(site: Played) -> None:
    """It calls its ports otherwise. One that the intent does not know there is another cable."""
    now = seen(site, LEAF)
    at = {port.name for port in site.devices[LEAF].ports if port.peer == SPINE}
    assert any(port in at for port, _, _ in now.neighbors)

    def former(name: str) -> Snapshot:
        links = {(port, host, name if port in at else peer) for port, host, peer in now.neighbors}
        return msgspec.structs.replace(now, neighbors=frozenset(links))

    assert closed(site, former("no-port-of-today"), now) == ()
    assert closed(site, now, former("no-port-of-today")) != ()
