"""`fabric trust` on every driven product: what it records lets the driver in, and nobody else who answers there."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric.deployment.connection.check_trust import Identity, State, identities, record
from fabric.deployment.connection.targets import addresses
from fabric.documents.schema.scalar_types import decode
from fabric.intent.inventory import Inventory
from fabric.platforms.base import Target, Trust
from fabric.platforms.registry import platform
from tests.contract.bench import Bench, driven, driver

STRANGERS: Mapping[str, dict[str, Any]] = {
    "https": {"wrong_certificate": "self_signed"},
    "ssh": {"wrong_host_key": True},
}
"""The fault by which somebody else answers."""
EMULATED = pytest.mark.parametrize(
    "device", [name for name in driven() if platform(name).emulator], indirect=True
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site that has recorded nothing, of a user who knows no hosts."""
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def reached(device: Bench, site: Path) -> Target:
    """The device by what its site has recorded alone: the inventory says nothing."""
    name = device.target.name
    facts = {"address": f"{device.target.address}/24"}
    inventory = msgspec.convert({"devices": {name: facts}}, Inventory, dec_hook=decode)
    found, missing = addresses(inventory, [name], site)
    assert missing == ()
    return msgspec.structs.replace(device.target, trust=found[name].trust)


def looked(device: Bench, site: Path) -> tuple[Identity, ...]:
    endpoints = platform(device.platform).endpoints
    way = reached(device, site)
    with ThreadPoolExecutor(2) as executor:
        found = identities({way.name: way}, lambda _name: endpoints, site, executor)
    assert [one.protocol for one in found] == [endpoint.protocol for endpoint in endpoints]
    return found


def states(found: tuple[Identity, ...]) -> dict[str, State]:
    return {one.protocol: one.state for one in found}


def written(site: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(site.rglob("*")) if path.is_file()}


def opened(device: Bench, trust: Trust) -> None:
    connection = driver(device, trust=trust)
    connection.open()
    try:
        connection.load_replace_candidate(config=device.texts[0])  # over all protocols that the product has
    finally:
        connection.close()


def test_what_is_recorded_lets_the_driver_in(device: Bench, site: Path) -> None:
    first = looked(device, site)
    assert set(states(first).values()) == {State.NEW}
    assert written(site) == {}
    assert record(first, site, new=False, replaced=[device.target.name]) == ()

    assert record(first, site, new=True, replaced=()) == first
    after = written(site)
    again = looked(device, site)

    assert set(states(again).values()) == {State.KNOWN}
    assert [one.fingerprint for one in again] == [one.fingerprint for one in first]
    assert record(again, site, new=True, replaced=[device.target.name]) == ()
    assert written(site) == after
    opened(device, reached(device, site).trust)


@EMULATED
def test_somebody_else_is_told_and_written_only_when_named(device: Bench, site: Path) -> None:
    record(looked(device, site), site, new=True, replaced=())
    before = written(site)

    for protocol in states(looked(device, site)):
        device.faults(**STRANGERS[protocol])
        found = looked(device, site)
        device.faults()

        assert states(found)[protocol] is State.CHANGED
        assert record(found, site, new=True, replaced=["another"]) == ()
        assert written(site) == before
        (replaced,) = record(found, site, new=False, replaced=[device.target.name])
        assert replaced.protocol == protocol
        own = looked(device, site)  # the device again, which shows a certificate of its own made anew
        assert states(own)[protocol] is State.CHANGED
        record(own, site, new=False, replaced=[device.target.name])
        assert set(states(looked(device, site)).values()) == {State.KNOWN}
        before = written(site)


@EMULATED
def test_a_driver_refuses_what_the_site_has_not_recorded(device: Bench, site: Path) -> None:
    record(looked(device, site), site, new=True, replaced=())
    trust = reached(device, site).trust

    for endpoint in platform(device.platform).endpoints:
        device.faults(**STRANGERS[endpoint.protocol])
        with pytest.raises(Exception, match=r".+") as refused:
            opened(device, trust)
        device.faults()
        assert device.target.password not in str(refused.value)


def test_the_endpoints_are_those_of_the_driver(device: Bench) -> None:
    """Its usual ports, and that of the inventory in place of the first."""
    first, *others = platform(device.platform).endpoints
    options = platform(device.platform).driver_options

    def ports(**changed: Any) -> list[int]:
        way = msgspec.structs.replace(device.target, ports={}, **changed)
        return sorted(value for key, value in options(way).items() if key.endswith("port"))

    assert ports(port=None) == sorted([first.port, *(one.port for one in others)])
    assert ports(port=7) == sorted([7, *(one.port for one in others)])
