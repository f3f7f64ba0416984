"""Secrets are read at the push, and stand nowhere else."""

from __future__ import annotations

import io
import json
import logging
import pickle
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import msgspec
import pytest

from fabric.deployment import Secrets, SecretSource, rollback
from fabric.deployment.codes import NO_SECRET
from fabric.deployment.connection.hide_secrets import hidden_from_logs
from fabric.deployment.connection.secrets import references
from fabric.diagnostics import Invalid, Refused
from fabric.documents import Sources
from fabric.documents.print_findings import placed_findings
from fabric.planning import save
from fabric.platforms.registry import platform
from tests.deployment.conftest import DEVICE_SECRET, SECRET, Network, apply_options, everything_written
from tests.work import LINEAR, growth

PLANTED = (SECRET, SECRET[::-1], DEVICE_SECRET, DEVICE_SECRET[::-1], "LOGIN-PASSWORD")


def test_a_reference_is_filled_and_hidden_again() -> None:
    secrets = Secrets({"env:A": "aaa", "file:b/c": "bbb"})

    assert secrets.fill("x <secret:env:A> y <secret:file:b/c>") == "x aaa y bbb"
    assert secrets.hide("x aaa y bbb") == "x <secret:env:A> y <secret:file:b/c>"
    assert references(["<secret:env:A>", "<secret:file:b/c> <masked>", ""]) == {"env:A", "file:b/c"}


def test_the_longer_of_two_secrets_is_hidden_first() -> None:
    assert Secrets({"env:A": "abc", "env:B": "abcdef"}).hide("abcdef") == "<secret:env:B>"


def test_a_password_that_is_none_hides_nothing() -> None:
    assert Secrets({"password:sm-1": ""}).hide("a reason") == "a reason"


BGP, LOGIN = "Bgp5ecret-of-the-L1nks", "L0gin/of+the~operator"
HELD = Secrets({"env:BGP": BGP, "password:leaf-0": LOGIN, "enable:leaf-0": ""})


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


@pytest.mark.parametrize("before", ["", "a", "ab", "fabric:", "netops:", '{"key": "'])
@pytest.mark.parametrize("code", [b64encode, urlsafe_b64encode])
@pytest.mark.parametrize("behind", ["", "x", '"}', "-and-more"])
def test_a_secret_is_hidden_wherever_in_a_text_it_was_encoded(
    before: str, code: Callable[[bytes], bytes], behind: str
) -> None:
    """As HTTP Basic has a login, and as SONiC keeps a key."""
    for value, shown in ((BGP, "<secret:env:BGP>"), (LOGIN, "<secret:password:leaf-0>")):
        word = code(f"{before}{value}{behind}".encode()).decode()

        assert HELD.hide(f"Authorization: Basic {word}\r\n") == f"Authorization: Basic {shown}\r\n"
        assert HELD.hide(word) == shown


@pytest.mark.parametrize("value", ["abcd", "abcde", "p4ss", "H7nter2", "\"q&<>'\\$", "x" * 200])
def test_short_and_strange_secrets_are_hidden_in_every_form_too(value: str) -> None:
    held = Secrets({"env:A": value})
    forms = (value, json.dumps(value)[1:-1], escape(value), encoded(value), encoded(f"me:{value}"))

    assert [held.hide(f"'{form}'") for form in forms] == ["'<secret:env:A>'"] * 5


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"invalid value '{BGP[:12]}'", "invalid value '<secret:env:BGP>'"),
        (f"invalid value '{BGP[:12]} at the end", "invalid value '<secret:env:BGP> at the end"),
        (f'key "{BGP[:-1]}"', 'key "<secret:env:BGP>"'),
        (f"key {BGP[:8]}...", "key <secret:env:BGP>..."),
        (f"key={BGP[:9]}…", "key=<secret:env:BGP>…"),
        (f"neighbor 10.0.0.1 password {BGP[:8]}", "neighbor 10.0.0.1 password <secret:env:BGP>"),
        (f"Basic {encoded(f'netops:{LOGIN}')[:-6]}", "Basic <secret:password:leaf-0>"),
    ],
)
def test_what_a_device_has_left_of_a_secret_is_hidden(text: str, shown: str) -> None:
    assert HELD.hide(text) == shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("administrator1", "no user 'administrator'"),
        ("Configuration-2", "'Configuration' is not a command"),
        ("20260101x", "since 20260101"),
        ("leaf-0-0-0-key", "leaf-0-0-0: refused by leaf-0-0 at once"),
        (BGP, f"'{BGP[:7]}' and x{BGP[:12]}' and {BGP[:12]} there"),
        ("AAAAB3NzaC1yc2E", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFIcb3MJ9yc"),
    ],
)
def test_words_that_have_nothing_to_do_with_a_secret_are_left_alone(value: str, text: str) -> None:
    assert Secrets({"env:A": value}).hide(text) == text


def test_a_plain_word_with_dots_behind_it_is_what_is_left_of_one() -> None:
    assert Secrets({"env:A": "administrator1"}).hide("administra...") == "<secret:env:A>..."


@pytest.mark.parametrize("piece", [f"{BGP[:10]}-", encoded(BGP), f"{encoded(BGP)} ", f"'{BGP[:10]}' ", "Z"])
def test_hiding_costs_as_much_as_reading_the_text(piece: str) -> None:
    """Of one in which a secret begins, or is encoded, again and again."""
    assert growth(lambda size: HELD.hide(piece * size), 1_000) <= LINEAR


def test_printing_a_holder_shows_no_value() -> None:
    secrets = Secrets({"env:A": "HUNTER2"})

    assert "HUNTER2" not in f"{secrets} {secrets!r} {SecretSource(environ={'A': 'HUNTER2'})}"
    assert pickle.loads(pickle.dumps(secrets)).fill("<secret:env:A>") == "HUNTER2"  # noqa: S301  # our own


def test_a_file_is_read_below_the_site_and_loses_one_line_end(tmp_path: Path) -> None:
    (tmp_path / "bgp").write_text("pa55\n")

    assert SecretSource(environ={}, folder=tmp_path).resolve(["file:bgp"])["file:bgp"] == "pa55"


def test_everything_that_is_missing_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    source = SecretSource(environ={"EMPTY": ""}, folder=tmp_path)
    with pytest.raises(Invalid) as caught:
        source.resolve(["env:EMPTY", "env:NONE", "file:none", "file:empty", "file:binary"])

    assert [(d.code, d.origin.path[0]) for d in caught.value.diagnostics] == [
        ("FAB701", "env:EMPTY"),
        ("FAB701", "env:NONE"),
        ("FAB701", "file:binary"),
        ("FAB701", "file:empty"),
        ("FAB701", "file:none"),
    ]


@pytest.mark.parametrize("kind", ["env:", "file:", "cmd:", "keyring:"])
@pytest.mark.parametrize("name", ["plain", "FABRIC_PASSWORD", "secrets/token"])
def test_why_a_secret_is_missing_is_shown_whatever_its_reference_is_called(
    tmp_path: Path, kind: str, name: str
) -> None:
    """A name that looks like a secret's place is that of a reference: nothing of a value is in the message."""
    with pytest.raises(Invalid) as caught:
        SecretSource(environ={}, folder=tmp_path).resolve([f"{kind}{name}"])
    (finding,) = caught.value.diagnostics
    (shown,) = placed_findings([finding], Sources())

    assert (shown.rule, shown.hint) == (finding.rule, finding.hint)
    assert shown.rule != NO_SECRET.title


@pytest.mark.parametrize(
    "value",
    [
        "HUNTER2\nb",
        "HUNTER2 b",
        "HUNTER2\tb",
        "HUNTER2\x1b",
        "HUNTER2ä",
        "HUNTER2\x7f",
        "HUNTER2\r",
        "HUNTER2" * 999,
    ],
)
def test_a_secret_that_could_change_the_configuration_is_refused(value: str) -> None:
    with pytest.raises(Invalid, match="FAB702") as caught:
        SecretSource(environ={"BAD": value}).resolve(["env:BAD"])

    assert "HUNTER2" not in str(caught.value)


def test_no_log_record_holds_a_secret() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.getLogger("some.library")
    logger.addHandler(handler)
    try:
        with hidden_from_logs(Secrets({"env:A": "HUNTER2"})):
            logger.error("request %s", {"password": "HUNTER2"})
            _fail_loudly(logger)
        logger.error("afterwards %s", "plain")
    finally:
        logger.removeHandler(handler)

    assert "HUNTER2" not in stream.getvalue()
    assert "<secret:env:A>" in stream.getvalue()
    assert "ValueError" in stream.getvalue()
    assert "afterwards plain" in stream.getvalue()


def _fail_loudly(logger: logging.Logger) -> None:
    try:
        int("HUNTER2")
    except ValueError:
        logger.exception("it failed with HUNTER2")


def test_nothing_that_is_written_or_told_holds_a_secret(
    make: Callable[..., Network], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    network = make(
        lambda _n, text: text.replace("<secret:env:NETOPS>", "x") + f"foreign secret {DEVICE_SECRET}\n"
    )
    told: list[str] = []
    saved = network.plan(adopt=True)
    save(*saved, tmp_path / "plan")
    told.append(repr(network.apply(saved)))
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = network.plan()
    for name in ("leaf-0-0-0", "spine-0-0"):
        network.box(name).fail("load", "after commit", "rollback")
    told.append(repr(network.apply(saved)))
    for name in ("leaf-0-0-0", "spine-0-0"):
        network.box(name).fail()
    told.append(repr(network.observe()))
    told.append(repr(network.observe().unreachable))
    told += [msgspec.json.encode(event).decode() for event in network.events]
    network.box("leaf-0-0-0").fail("open")
    with pytest.raises(Refused) as refused:
        rollback("lab", 1, targets=network.targets(), journal=network.journal, options=apply_options())
    told.append(str(refused.value))
    network.box("leaf-0-0-0").fail("rollback")
    told.append(
        repr(rollback("lab", 1, targets=network.targets(), journal=network.journal, options=apply_options()))
    )
    told += [repr(network.targets()), caplog.text]
    for run in network.journal.runs("lab"):
        told += [repr(network.journal.entries(run.id)), repr(network.journal.steps(run.id))]
        for step in network.journal.steps(run.id):
            told += [network.journal.text(key) for key in (step.job.text, step.job.owned) if key]
    told += [network.journal.text(a.after) for a in network.journal.applied("lab").values()]

    everything = "\n".join(told).encode() + everything_written(tmp_path)
    assert "refused, password <secret:" in everything.decode(errors="replace")
    for secret in PLANTED:
        assert secret.encode() not in everything


@pytest.mark.parametrize("name", ["junos", "sonic", "srlinux", "eos", "frr"])
def test_a_secret_that_breaks_quotes_is_put_in_as_the_product_wants_it(name):
    """Products with quotes see an escape, the others the bare value; neither leaks when it is told."""
    value = 'a"b\\c$d'
    secrets = Secrets({"env:A": value})
    text = {"sonic": '#!part config_db.json\n{"TACPLUS": {"global": {"passkey": "<secret:env:A>"}}}\n'}.get(
        name, 'key "<secret:env:A>"\n' if name in ("junos", "srlinux") else "key <secret:env:A>\n"
    )

    told = secrets.fill(text, platform(name))

    assert (r"a\"b\\c$d" in told) == (name in ("junos", "sonic", "srlinux"))
    assert (value in told) == (name in ("eos", "frr"))
    assert value not in secrets.hide(told)
    assert r"a\"b" not in secrets.hide(told)
