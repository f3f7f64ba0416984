"""From the inventory to how a device is reached."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fabric.deployment import SecretSource, targets
from fabric.diagnostics import Invalid
from fabric.documents.schema.scalar_types import decode
from fabric.intent.inventory import Inventory

INVENTORY = {
    "credentials": {"ops": {"username": "netops", "key_file": "keys/lab"}, "none": {"username": "netops"}},
    "default_credentials": "ops",
    "devices": {
        "sm-1": {"address": "192.0.2.1/24", "manager": {"folder": "/srv/sm", "known_hosts": "keys/known"}},
        "sm-2": {"address": "192.0.2.2/24", "credentials": "none"},
        "leaf": {"address": "192.0.2.3/24", "port": 4443},
    },
}


def known() -> Inventory:
    return msgspec.convert(INVENTORY, Inventory, dec_hook=decode)


def test_a_key_file_stands_in_for_a_password_and_starts_in_the_folder_of_the_site(tmp_path: Path) -> None:
    found = targets(known(), ["sm-1", "leaf"], SecretSource(environ={}, folder=tmp_path))

    assert (found["sm-1"].key_file, found["sm-1"].password) == (str(tmp_path / "keys/lab"), "")
    assert found["sm-1"].host == {"folder": "/srv/sm", "known_hosts": str(tmp_path / "keys/known")}
    assert (found["leaf"].port, found["leaf"].host) == (4443, {})


def test_credentials_with_neither_are_told() -> None:
    with pytest.raises(Invalid, match="neither a password nor a key"):
        targets(known(), ["sm-2"], SecretSource(environ={}))


def test_what_several_devices_lack_is_said_once() -> None:
    bare = msgspec.structs.replace(known(), default_credentials=None)

    with pytest.raises(Invalid) as refused:
        targets(bare, ["a", "b", "c"], SecretSource(environ={}))

    assert [("FAB703", ("a", "b", "c")), ("FAB704", ("a", "b", "c"))] == [
        (one.code, one.subjects) for one in refused.value.diagnostics
    ]
    assert all("3 devices" in one.rule for one in refused.value.diagnostics)
    assert {("inventory", ("devices",))} == {
        (one.origin.document, one.origin.path) for one in refused.value.diagnostics
    }
