"""What devices say when they refuse a change: no secret of it is shown or kept, and no more than a person reads."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from fabric.cli.views.apply_events import event_lines
from fabric.deployment import Journal
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.error_words import LONGEST
from fabric.deployment.connection.secrets import Secrets
from fabric.deployment.events import DeviceStepped, WaveFinished
from fabric.diagnostics import DeviceError
from fabric.platforms.base import Target
from fabric.platforms.registry import names, platform
from tests.contract.sandbox_bench import HASHES, PASSWORD, USERNAME
from tests.deployment.conftest import everything_written
from tests.deployment.played_site import PLAYED, PlayedSite, played_site
from tests.platforms.sites import HASH, HASH256, LEAF, network, services

BGP = "Bgp5ecret-of-the-L1nks"
WORDS = network("routing: {bgp: {password: 'env:FABRIC_BGP'}}")
REFUSES = {
    "cumulus": "store",
    "eos": "store",
    "junos": "database",
    "nxos": "replace",
    "sonic": "shell",
    "srlinux": "store",
}
"""The module of each emulator that holds what a commit which is to fail answers (`COMMIT_FAILS`)."""
STEP = "error: "
"""NX-OS reports lines that hold such a word."""
BESIDE = 60
"""Letters that we put before what a device says: the step, its name."""


@pytest.fixture(scope="module", params=PLAYED)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    """Its switches run what it says; the first leaf refuses what is committed from here on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FABRIC_BGP", BGP)
        with played_site(tmp_path_factory.mktemp("site"), request.param, WORDS) as made:
            made.sandbox.set_faults(LEAF, fail_commit=True)
            yield made


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


def running(site: PlayedSite) -> str:
    dialect = platform(site.product).dialect()
    return dialect.lasting(site.sandbox.running_config(LEAF))


def of_device(site: PlayedSite) -> set[str]:
    """Hashes and keys that the device shows, and nobody else: words that its plain form has not."""
    dialect, text = platform(site.product).dialect(), running(site)
    words = {word.strip("\"',;") for word in text.split()}
    plain = dialect.plain(text)
    return {word for word in words if len(word) >= 12 and re.search("[0-9]", word) and word not in plain}


def with_secrets(site: PlayedSite) -> list[str]:
    """The lines of its configuration that hold one."""
    secrets = of_device(site) | {BGP, HASH, *HASHES.values()}
    return [line for line in running(site).splitlines() if any(secret in line for secret in secrets)]


def of_requests(_site: PlayedSite) -> str:
    return (
        f"{STEP}Authorization: Basic {encoded(f'{USERNAME}:{PASSWORD}')} and {encoded(BGP)}, "
        f"{encoded(PASSWORD)}, '{BGP}', \"{BGP[:-2]}\", '{BGP[:12]}..."
    )


HOSTILE: dict[str, Callable[[PlayedSite], str]] = {
    "requests": of_requests,
    "its own configuration": lambda site: "\n".join(with_secrets(site)),
    "lines in quotes": lambda site: "\n".join(f"{STEP}`{line.strip()}`" for line in with_secrets(site)[::-1]),
    "a whole configuration": lambda site: f"{running(site)}\n{STEP}at the end",
    "300 KB": lambda site: f"{STEP}{of_requests(site)} {'Z' * 300_000}{BGP} {of_requests(site)}",
    "300 KB of lines": lambda _site: "".join(f"{STEP}{line} {HASH}\n" for line in range(3000)),
}


@pytest.mark.covering(most=12)
@pytest.mark.parametrize("text", HOSTILE)
def test_a_refusal_holds_no_secret_and_no_more_than_is_read(
    site: PlayedSite, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    refuses = f"fabric.platforms.{site.product}.emulator.{REFUSES[site.product]}.COMMIT_FAILS"
    monkeypatch.setattr(refuses, HOSTILE[text](site))
    compiled, plan = site.planned(WORDS, services("ntp: {servers: [192.0.2.77]}"), only=[LEAF])
    assert [device.device for device in plan.changed] == [LEAF]
    result = site.carry_out(compiled)

    steps = [event.reason for event in site.of(DeviceStepped) if event.reason]
    waves = [event.reason for event in site.of(WaveFinished) if event.reason]
    assert result.outcome != "done"
    assert steps
    assert waves
    assert max(map(len, steps + waves)) <= LONGEST + BESIDE
    journal = Journal(site.folder / ".fabric" / "journal.sqlite")
    told = "".join(part for event in site.events for line in event_lines(event, 2) for part, _ in line)
    told += "".join(msgspec.json.encode(event).decode() for event in site.events)
    told += repr(result) + "".join(repr(journal.entries(run.id)) for run in journal.runs("test"))
    told += "".join(step.reason for run in journal.runs("test") for step in journal.steps(run.id))
    assert steps[0] in told
    kept = everything_written(site.folder / ".fabric") + everything_written(site.folder / "plan")
    ours = {HASH, HASH256, *HASHES.values()}  # of the site's files: what is pushed holds them
    secrets = {PASSWORD, BGP, BGP[:-2], BGP[:12], encoded(f"{USERNAME}:{PASSWORD}"), encoded(BGP)[:-4]}
    for secret in secrets | of_device(site) | ours:
        assert secret not in told, secret
        assert secret in ours or secret.encode() not in kept, secret
    assert b"Z" * LONGEST not in kept


DRIVEN = tuple(name for name in names() if platform(name).driver)
QUOTED = (
    f"CLI command 4 of 9 'username netops secret sha512 {HASH}' failed",
    f'load failed at encrypted-password "{HASH}"; ## SECRET-DATA',
    f"{{'hashed-password': '{HASH256}', 'name': 'x'}}",
    "bad line: neighbor 10.0.0.1 password 7 0458021B1C2E5A",
    "output: '! device\\nsnmp-server user u g v3 auth sha256 0x0102030405060708090a priv aes 0xabcdef0123456789ab\\n'",
    '{"SNMP_USER": {"u": {"SNMP_USER_AUTH_PASSWORD": "0458021B1C2E5A"}}}',
    f"line\n{HASH}\nline",
)
VALUES = (HASH, HASH256, "0458021B1C2E5A", "0x0102030405060708090a", "0xabcdef0123456789ab")
PLAIN = (
    "the password is wrong: type it again",
    "unknown key 'frobnicate' in section 'service': expected one of 'admin-state', 'description'",
    "Invalid input (at token 2: 'secret-level')",
    "configuration sessions are open: fabric-2.1-6b0bb42d-4610-c379-root.vm of ben",
    "et-0/0/3: port speed 400G: not supported; xe-0/0/1: no such port",
    "another commit waits for its confirmation: fabric-1-2 of ann@host",
)


class Refuses:
    """A driver that refuses with these words."""

    def __init__(self, words: str) -> None:
        self.words = words

    def compare_config(self) -> str:
        raise RuntimeError(self.words)


def error_of(product: str, words: str) -> str:
    target = Target(
        name=LEAF, address="192.0.2.1", port=None, username=USERNAME, password=PASSWORD, timeout_s=1
    )
    device = Connection(target, platform(product), Secrets({"env:BGP": BGP}))
    device._driver = Refuses(words)  # type: ignore[assignment]
    with pytest.raises(DeviceError) as raised:
        device.diff()
    return str(raised.value)


@pytest.mark.parametrize("product", DRIVEN)
def test_whatever_a_driver_says_is_told_without_what_it_quotes(product: str) -> None:
    for words in (*QUOTED, *(f"{'Z' * 200_000} {words}" for words in QUOTED)):
        told = error_of(product, f"{words} {BGP} {encoded(f'{USERNAME}:{PASSWORD}')}")

        assert not [value for value in (*VALUES, BGP, encoded(f"{USERNAME}:{PASSWORD}")) if value in told]
        assert "<masked>" in told
        assert len(told) <= LONGEST + BESIDE


@pytest.mark.parametrize("product", DRIVEN)
def test_what_a_person_needs_to_read_stays(product: str) -> None:
    for words in PLAIN:
        assert error_of(product, words) == f"{LEAF}: compare: {words}"


@pytest.mark.covering(most=18)
@pytest.mark.parametrize("product", DRIVEN)
@pytest.mark.parametrize("piece", ["Z", "Z-", "password 7 x ", "key\\n ", "'a: \"", "a\n"], ids=ascii)
def test_an_error_of_megabytes_is_cut_as_any_other(product: str, piece: str) -> None:
    assert len(error_of(product, piece * (500_000 // len(piece)))) <= LONGEST + BESIDE


def test_the_table_has_every_product_that_is_played() -> None:
    for product, module in REFUSES.items():
        assert import_module(f"fabric.platforms.{product}.emulator.{module}").COMMIT_FAILS
    assert sorted(REFUSES) == sorted(PLAYED)
