"""Secrets that a program of the operator's or the keyring keeps: who is asked, for what, and what is told of it."""

from __future__ import annotations

import io
import logging
import os
import pickle
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fabric.cli.open_sandbox import StandIns
from fabric.deployment import SecretSource
from fabric.diagnostics import Invalid
from fabric.documents import InvalidDocument
from fabric.intent.load import load_text
from fabric.planning import save
from tests.deployment import conftest
from tests.deployment.conftest import SECRET, Network, everything_written
from tests.programs import needed_module

keyring = needed_module("keyring")
KeyringBackend: Any = needed_module("keyring.backend").KeyringBackend
NoKeyring: Any = needed_module("keyring.backends.fail").Keyring

WORD = "HUNTER2-of-the-vault"
NAME = "lab/bgp"


class InMemory(KeyringBackend):
    """A backend of the real package."""

    priority = 1

    def __init__(self, entries: dict[tuple[str, str], str]) -> None:
        self.entries = entries
        self.asked: list[tuple[str, str]] = []

    def get_password(self, service: str, username: str) -> str | None:
        self.asked.append((service, username))
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError

    def delete_password(self, service: str, username: str) -> None:
        raise NotImplementedError


class Failing(InMemory):
    """One that quotes what it got."""

    def get_password(self, service: str, username: str) -> str | None:
        self.asked.append((service, username))
        message = f"cannot decode {WORD}"
        raise RuntimeError(message)


@pytest.fixture
def keep() -> Iterator[Callable[[Any], Any]]:
    """Make a backend the keyring of this process."""
    before = keyring.get_keyring()

    def kept(backend: Any) -> Any:
        keyring.set_keyring(backend)
        return backend

    yield kept
    keyring.set_keyring(before)


def program(folder: Path, body: str, name: str = "vault") -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def by_command(command: object, folder: Path) -> SecretSource:
    return SecretSource(environ={"FABRIC_SECRET_COMMAND": str(command)}, folder=folder)


def refused(source: SecretSource, reference: str) -> str:
    with pytest.raises(Invalid) as caught:
        source.resolve([reference])
    chained = "".join(traceback.format_exception(caught.value))
    hints = " ".join(str(d.hint) for d in caught.value.diagnostics)
    return f"{chained} {caught.value} {hints}"


def test_a_program_is_asked_for_a_name_without_a_shell_in_the_sites_folder(tmp_path: Path) -> None:
    program(tmp_path, f'printf "%s\\n" "$PWD" "$#" "$@" > heard; echo {WORD}')

    assert by_command("./vault 'kv get' '$(id)'", tmp_path).resolve([f"cmd:{NAME}"])[f"cmd:{NAME}"] == WORD
    assert (tmp_path / "heard").read_text().splitlines() == [str(tmp_path), "3", "kv get", "$(id)", NAME]


def test_the_name_may_stand_within_a_word(tmp_path: Path) -> None:
    program(tmp_path, f'echo "$@" > heard; echo {WORD}')
    by_command("./vault get --path=secret/{}/v --to {}", tmp_path).resolve(["cmd:a@b.c"])

    assert (tmp_path / "heard").read_text() == "get --path=secret/a@b.c/v --to a@b.c\n"


def test_one_line_end_is_no_part_of_a_secret(tmp_path: Path) -> None:
    program(tmp_path, f"printf '{WORD}\\n\\n'")

    assert "FAB702" in refused(by_command("./vault", tmp_path), "cmd:a")


def test_nobody_is_asked_twice_in_a_process(tmp_path: Path) -> None:
    program(tmp_path, f"echo once >> heard; echo {WORD}")
    source = by_command("./vault", tmp_path)
    for _ in range(3):
        source.resolve(["cmd:a"])
    source.resolve(["cmd:a", "cmd:b"])

    assert (tmp_path / "heard").read_text() == "once\n" * 2


FAULTS = {
    "fails": (f"echo {WORD}; echo {WORD} >&2; exit 3", "exited with 3"),
    "ended": (f"echo {WORD} >&2; kill -9 $$", "ended by signal 9"),
    "says nothing": (f"echo {WORD} >&2", "is empty"),
    "never stops": (f"while :; do echo {WORD}; done", "more than 4,096 bytes"),
    "two lines": (f"echo {WORD}; echo {WORD}", "line break"),
    "not text": (f"printf '{WORD}\\377'", "printable"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_program_does_wrong_is_told_without_what_it_says(
    fault: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    body, words = FAULTS[fault]
    program(tmp_path, body)
    told = refused(by_command("./vault", tmp_path), "cmd:a")

    assert words in told
    assert WORD not in told + "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("", "FABRIC_SECRET_COMMAND is not set"),
        ("  ", "is blank"),
        ("'vault", "cannot be split"),
        ("./none", "does not run: No such file"),
        ("./plain", "does not run: Permission denied"),
    ],
)
def test_a_program_that_cannot_run_is_told(command: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")

    assert words in refused(by_command(command, tmp_path), "cmd:a")


def test_no_later_program_finds_the_secret_in_its_environment_or_arguments(tmp_path: Path) -> None:
    program(tmp_path, f"echo {WORD}")
    source = by_command("./vault", tmp_path)
    secrets = source.resolve(["cmd:a"])

    assert WORD not in repr((os.environ, sys.argv, source, source.answers, secrets))
    assert WORD.encode() not in Path("/proc/self/cmdline").read_bytes()
    assert WORD.encode() not in pickle.dumps(source.answers)


def test_no_file_of_a_site_can_say_which_program_is_asked() -> None:
    """Whatever is written as a reference: a program, its options, a path, a way out of the store."""
    site = "site: lab\nunits: 1\nhosts: {gpu: {per_unit: 1, nics: {c: {count: 1, speed: 400G}}}}\nnetworks:\n"
    site += "  c: {tiers: {leaf: {model: arista-7060x6-64pe}}}\n"
    wrong = (
        *(
            "cmd:",
            "cmd:/bin/sh",
            "cmd:./x",
            "cmd:../x",
            "cmd:a/../b",
            "cmd:-n",
            "cmd:a/-n",
            "cmd:a b",
            "cmd:$(id)",
        ),
        *("cmd:a;b", "cmd:a/", "cmd:{}", "keyring:", "keyring:../x", "keyring:-x", "exec:a", "cmd:a\nb"),
    )
    for reference in (*wrong, "cmd:a", "keyring:a/b"):
        inventory = msgspec.json.encode({"credentials": {"ops": {"username": "u", "password": reference}}})
        files = {"site.yaml": site, "inventory.yaml": inventory.decode()}
        if reference in wrong:
            with pytest.raises(InvalidDocument, match="FAB027"):
                load_text(files)
        else:
            assert load_text(files).inventory.credentials["ops"].password == reference


def test_stand_ins_ask_nobody(tmp_path: Path, keep: Callable[[Any], Any]) -> None:
    backend = keep(InMemory({("fabric", "a"): WORD}))
    program(tmp_path, "touch heard")
    source = msgspec.structs.replace(
        StandIns(frozenset({"cmd:key"})).source(tmp_path), environ={"FABRIC_SECRET_COMMAND": "./vault"}
    )
    found = source.resolve(["cmd:a_B", "keyring:a", "cmd:key"])

    assert (found["cmd:a_B"], found["keyring:a"]) == ("sandbox-a-b", "sandbox-a")
    assert 0 < int(found["cmd:key"], 16) < 2**64
    assert backend.asked == []
    assert not (tmp_path / "heard").exists()


def test_the_keyring_is_asked_for_our_own_service_only(keep: Callable[[Any], Any]) -> None:
    backend = keep(InMemory({("fabric", NAME): WORD, ("login", NAME): "another's"}))

    assert SecretSource(environ={}).resolve([f"keyring:{NAME}"])[f"keyring:{NAME}"] == WORD
    assert backend.asked == [("fabric", NAME)]


@pytest.mark.parametrize(
    ("backend", "words"),
    [
        (InMemory({}), "keyring set fabric lab/bgp"),
        (InMemory({("fabric", NAME): ""}), "is empty"),
        (NoKeyring(), "there is no backend"),
        (Failing({}), "it failed (RuntimeError)"),
    ],
)
def test_what_a_keyring_lacks_is_told(backend: Any, words: str, keep: Callable[[Any], Any]) -> None:
    keep(backend)
    told = refused(SecretSource(environ={}), f"keyring:{NAME}")

    assert words in told
    assert WORD not in told


def test_a_keyring_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)

    assert "fabric-as-code[keyring]" in refused(SecretSource(environ={}), "keyring:a")


SOURCES = {"env": "env:NETOPS", "file": "file:netops", "cmd": "cmd:netops", "keyring": "keyring:netops"}


def source_of(folder: Path, keep: Callable[[Any], Any]) -> SecretSource:
    """Every way to the same secret; the file and the program are no part of what is written afterwards."""
    folder.mkdir()
    keep(InMemory({("fabric", "netops"): SECRET}))
    (folder / "netops").write_text(SECRET)
    program(folder, f"echo {SECRET} | tee /dev/stderr")
    return SecretSource(environ={"NETOPS": SECRET, "FABRIC_SECRET_COMMAND": "./vault"}, folder=folder)


@pytest.mark.parametrize("kind", SOURCES)
def test_nothing_that_is_written_or_told_holds_a_secret_wherever_it_comes_from(
    kind: str,
    make: Callable[..., Network],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    keep: Callable[[Any], Any],
    capfd: pytest.CaptureFixture[str],
) -> None:
    log = io.StringIO()
    logging.getLogger().addHandler(handler := logging.StreamHandler(log))
    monkeypatch.setattr(conftest, "SOURCE", source_of(tmp_path / "boxes-apart", keep))
    network = make()
    network.edit("<secret:env:NETOPS>", f"<secret:{SOURCES[kind]}>")
    saved = network.plan(adopt=True)
    save(*saved, tmp_path / "plan")
    told = [repr(network.apply(saved))]
    assert all(SECRET[::-1] in network.box(name).running for name in network.site.switches)
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = network.plan()
    network.box("leaf-0-0-0").fail("load", "rollback")
    told.append(repr(network.apply(saved)))
    logging.getLogger().removeHandler(handler)
    told += [repr(network.observe()), repr(network.targets()), log.getvalue(), *capfd.readouterr()]
    told += [msgspec.json.encode(event).decode() for event in network.events]

    everything = "\n".join(told).encode() + everything_written(tmp_path)
    assert f"<secret:{SOURCES[kind]}>".encode() in everything
    for secret in (SECRET, SECRET[::-1]):
        assert secret.encode() not in everything
