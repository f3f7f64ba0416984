"""From the inventory to how a device is reached."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fabric.deployment import SecretSource, targets
from fabric.diagnostics import Invalid
from fabric.documents.schema.scalar_types import decode
from fabric.intent.inventory import Inventory
from fabric.platforms.base import Target, Trust

INVENTORY = {
    "credentials": {"ops": {"username": "netops", "key_file": "keys/lab"}, "none": {"username": "netops"}},
    "default_credentials": "ops",
    "devices": {
        "sm-1": {
            "address": "192.0.2.1/24",
            "manager": {"folder": "/srv/sm"},
            "proof": {"known_hosts": "keys/known"},
        },
        "sm-2": {"address": "192.0.2.2/24", "credentials": "none"},
        "leaf": {"address": "192.0.2.3/24", "port": 4443},
    },
}


def known() -> Inventory:
    return msgspec.convert(INVENTORY, Inventory, dec_hook=decode)


def test_a_key_file_stands_in_for_a_password_and_starts_in_the_folder_of_the_site(tmp_path: Path) -> None:
    found = targets(known(), ["sm-1", "leaf"], SecretSource(environ={}, folder=tmp_path))

    assert (found["sm-1"].key_file, found["sm-1"].password) == (str(tmp_path / "keys/lab"), "")
    assert found["sm-1"].host == {"folder": "/srv/sm"}
    assert found["sm-1"].trust == Trust(known_hosts=str(tmp_path / "keys/known"))
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


def test_a_target_has_all_that_the_inventory_says_of_it(tmp_path: Path) -> None:
    paths = {"folder": "/srv/sm", "cache": "/var/cache/sm", "log": "/var/log/sm"}
    commands = {"start": "sm start", "stop": "sm stop"}
    files = {"known_hosts": "keys/known", "ca_file": "/etc/ca.pem"}
    raw = {
        "credentials": {"ops": {"username": "netops", "password": "env:PASS", "enable": "env:ENABLE"}},
        "proof": {"ca_file": "all.pem", "server_name": "sm.example"},
        "devices": {
            "sm": {
                "address": "192.0.2.1/24",
                "port": 22,
                "credentials": "ops",
                "manager": {**paths, **commands},
                "proof": files,
            }
        },
    }
    inventory = msgspec.convert(raw, Inventory, dec_hook=decode)
    found = targets(
        inventory, ["sm"], SecretSource(environ={"PASS": "HUNTER2", "ENABLE": "MORE"}, folder=tmp_path), 7
    )

    assert found == {
        "sm": Target(
            name="sm",
            address="192.0.2.1",
            port=22,
            username="netops",
            password="HUNTER2",
            timeout_s=7,
            key_file="",
            enable="MORE",
            trust=Trust(
                known_hosts=f"{tmp_path}/keys/known", ca_file="/etc/ca.pem", server_name="sm.example"
            ),
            host={**paths, **commands},
            references={"password": "env:PASS", "enable": "env:ENABLE"},
        )
    }


GAPS: dict[str, tuple[dict[str, object], str, str, str]] = {
    "an address": ({"credentials": "ops"}, "FAB703", "has no address", "have no address"),
    "credentials": ({"address": "192.0.2.1/24"}, "FAB704", "names no credentials", "name no credentials"),
    "known credentials": (
        {"address": "192.0.2.1/24", "credentials": "x"},
        "FAB704",
        "names the credentials 'x', which the inventory does not have",
        "name the credentials 'x', which the inventory does not have",
    ),
    "a login": (
        {"address": "192.0.2.1/24", "credentials": "bare"},
        "FAB704",
        "names the credentials 'bare', which have neither a password nor a key",
        "name the credentials 'bare', which have neither a password nor a key",
    ),
}
"""What a device lacks, and how it is told of one and of several."""


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("count", [1, 2, 1200])
def test_what_devices_lack_is_told_with_their_names_and_a_hint(gap: str, count: int) -> None:
    facts, code, one, several = GAPS[gap]
    names = [f"leaf-{n}" for n in range(count)]
    raw = {
        "credentials": {"ops": {"username": "netops", "key_file": "k"}, "bare": {"username": "netops"}},
        "devices": dict.fromkeys(names, facts),
    }
    with pytest.raises(Invalid) as refused:
        targets(msgspec.convert(raw, Inventory, dec_hook=decode), names, SecretSource(environ={}))

    (found,) = refused.value.diagnostics
    assert found.code == code
    assert found.rule == (f"leaf-0 {one}" if count == 1 else f"{count:,} devices {several}")
    assert found.subjects == (() if count == 1 else tuple(names))
    assert (found.origin.document, found.origin.path) == ("inventory", ("devices", *names[: count == 1]))
    assert found.hint


@pytest.mark.parametrize("reference", ["env:NEVER", "file:never", "cmd:never", "keyring:lab/never"])
@pytest.mark.parametrize("count", [1, 8, 1200])
def test_a_password_that_is_not_there_is_told_once_whoever_needs_it(
    reference: str, count: int, tmp_path: Path
) -> None:
    raw = {
        "credentials": {"ops": {"username": "netops", "password": reference}},
        "default_credentials": "ops",
        "devices": {f"leaf-{n}": {"address": "192.0.2.1/24"} for n in range(count)},
    }
    inventory = msgspec.convert(raw, Inventory, dec_hook=decode)
    with pytest.raises(Invalid) as refused:
        targets(inventory, inventory.devices, SecretSource(environ={}, folder=tmp_path))

    (found,) = refused.value.diagnostics
    assert (found.code, found.origin.path) == ("FAB701", (reference,))
    assert found.hint


def test_an_agent_stands_in_for_a_password_and_for_nothing_beside_one() -> None:
    login = {"username": "netops", "agent": True}
    for more, problem in (({}, ""), ({"password": "env:P"}, "beside"), ({"key_file": "k"}, "beside")):
        raw = {"credentials": {"ops": {**login, **more}}, "devices": {"a": {"address": "192.0.2.1/24"}}}
        inventory = msgspec.convert({**raw, "default_credentials": "ops"}, Inventory, dec_hook=decode)
        source = SecretSource(environ={"P": "x"})
        if problem:
            with pytest.raises(Invalid, match=f"FAB704.*{problem}"):
                targets(inventory, ["a"], source)
        else:
            assert (targets(inventory, ["a"], source)["a"].password, inventory.credentials["ops"].agent) == (
                "",
                True,
            )
