"""`fabric trust` on every driven product: what it records lets the driver in, and nobody else who answers there."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric.deployment.connection.check_trust import Identity, State, identities, record
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.recorded_trust import record_host_keys
from fabric.deployment.connection.targets import addresses
from fabric.deployment.connection.trust_findings import trust_findings
from fabric.diagnostics import DeviceError
from fabric.documents.schema.scalar_types import decode
from fabric.intent.inventory import Inventory
from fabric.planning.findings import is_another
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


def of_the_inventory(device: Bench, site: Path) -> dict[str, Trust]:
    """What may be known of a device, right and wrong, by a word on each."""
    shown, *_ = looked(device, site)
    other = f"sha256:{'0' * 64}"
    keys = {one.host: one.host_key for one in looked(device, site) if one.host_key}
    right, wrong = site / "right", site / "wrong"
    record_host_keys(right, keys)
    record_host_keys(wrong, dict.fromkeys(keys, OTHER_KEY))
    return {
        "nothing": Trust(),
        "all that its bench knows": device.target.trust,
        "its fingerprint": Trust(fingerprint=shown.fingerprint),
        "another fingerprint": Trust(fingerprint=other),
        "its fingerprint, and keys": Trust(fingerprint=shown.fingerprint, known_hosts=str(right)),
        "its fingerprint, and other keys": Trust(fingerprint=shown.fingerprint, known_hosts=str(wrong)),
        "its certificate, and keys": Trust(certificate=shown.fingerprint, known_hosts=str(right)),
        "another certificate": Trust(certificate=other, known_hosts=str(right)),
        "other keys": Trust(certificate=shown.fingerprint, known_hosts=str(wrong)),
        "another name": msgspec.structs.replace(device.target.trust, server_name="leaf.example.org"),
    }


# GitHub's, which is public.
OTHER_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"


def test_known_is_what_the_driver_takes(device: Bench, site: Path) -> None:
    """And nothing else is."""
    endpoints = platform(device.platform).endpoints
    known, taken = {}, {}
    for what, trust in of_the_inventory(device, site).items():
        way = msgspec.structs.replace(device.target, trust=trust)
        with ThreadPoolExecutor(1) as executor:
            found = identities({way.name: way}, lambda _name: endpoints, site, executor)
        known[what] = set(states(found).values()) == {State.KNOWN}
        try:
            opened(device, trust)
            taken[what] = True
        except Exception:  # noqa: BLE001  # whatever a driver raises: it is not in
            taken[what] = False

    assert known == taken
    assert {True, False} == set(taken.values())


def test_the_users_own_file_comes_first(device: Bench, site: Path) -> None:
    """What it says otherwise is changed there by hand: nothing of ours may stand against it."""
    found = looked(device, site)
    record(found, site, new=True, replaced=())
    before = written(site)
    own = Path("~/.ssh/known_hosts").expanduser()
    keys = {one.host: OTHER_KEY for one in found if one.host_key}
    record_host_keys(own, keys)

    again = looked(device, site)

    assert {one.state for one in again if one.host_key} == {State.CHANGED for _ in keys}
    assert record(again, site, new=True, replaced=[device.target.name]) == ()
    assert written(site) == before
    if keys:
        with pytest.raises(Exception, match=r".+"):
            opened(device, reached(device, site).trust)
    for finding in trust_findings(again):
        assert "ssh-keygen -R" in (finding.hint or "")
    assert len(trust_findings(again)) == len(keys)


@EMULATED
def test_who_shows_another_key_than_the_known_one_is_told_as_that(device: Bench, site: Path) -> None:
    """A driver's own words do not tell it from a device of which nothing is known yet."""
    kind = platform(device.platform)
    new = _refused(device, site)
    record(looked(device, site), site, new=True, replaced=())
    for endpoint in kind.endpoints:
        device.faults(**STRANGERS[endpoint.protocol])
        changed = _refused(device, site)
        device.faults()

        assert not is_another(new), new
        assert is_another(changed), changed
        assert f"{device.target.name} shows the " in changed
        assert device.target.password not in changed + new


def _connected(device: Bench, site: Path) -> Connection:
    return Connection(reached(device, site), platform(device.platform))


def _refused(device: Bench, site: Path) -> str:
    with pytest.raises(DeviceError) as caught, _connected(device, site) as connection:
        connection.stage(device.texts[0], "fabric-1.1-x")  # over all protocols that the product has
    assert not caught.value.is_login
    return str(caught.value)
