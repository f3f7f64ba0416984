"""What `fabric trust` has recorded of a device opens the driver's connection, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from fabric.deployment.connection.check_trust import Identity, State, identities, record
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.targets import addresses
from fabric.diagnostics import DeviceError
from fabric.documents.schema.scalar_types import decode
from fabric.intent.inventory import Inventory
from fabric.platforms import registry, trust
from fabric.platforms.base import Target, Trust


def knows_nobody(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user and a machine that know no hosts."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(trust, "FILES", ("~/.ssh/known_hosts", str(home / "ssh_known_hosts")))
    (home / ".ssh").mkdir(parents=True)


def looked(way: Target, name: str, folder: Path) -> tuple[Identity, ...]:
    """What a device shows."""
    endpoints = registry.platform(name).endpoints
    with ThreadPoolExecutor(1) as executor:
        return identities({way.name: way}, lambda _name: endpoints, folder, executor)


def recorded(way: Target, folder: Path) -> Target:
    """The same, known by what the site has recorded."""
    inventory = msgspec.convert(
        {"devices": {way.name: {"address": f"{way.address}/8"}}}, Inventory, dec_hook=decode
    )
    known = addresses(inventory, [way.name], folder)[0][way.name].trust
    return msgspec.structs.replace(way, trust=known)


def opens(way: Target, name: str) -> str:
    """The empty text if the driver logs in, else why it does not."""
    try:
        with Connection(way, registry.platform(name)):
            return ""
    except DeviceError as error:
        return str(error)


def recording_opens_and_another_is_refused(
    name: str, way: Target, folder: Path, becomes_another: Callable[[], None]
) -> None:
    """New, recorded, known; then somebody else answers there, and is let in when that is recorded."""
    way = msgspec.structs.replace(way, trust=Trust())
    assert opens(way, name), "nobody has recorded it"
    for before, replaced in ((State.NEW, ()), (State.CHANGED, (way.name,))):
        found = looked(recorded(way, folder), name, folder)
        assert {one.state for one in found} == {before}
        assert record(found, folder, new=True, replaced=replaced) == found
        known = recorded(way, folder)
        assert {one.state for one in looked(known, name, folder)} == {State.KNOWN}
        assert opens(known, name) == "", opens(known, name)

        becomes_another()
        assert {one.state for one in looked(known, name, folder)} == {State.CHANGED}
        assert record(looked(known, name, folder), folder, new=True, replaced=()) == ()
        told = opens(known, name)
        assert told
        assert "Traceback" not in told
        assert not way.password or way.password not in told
