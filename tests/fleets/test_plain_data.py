"""What travels to a worker is plain data, whole again at its other end, and nobody else's."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, get_type_hints

import msgspec
import pytest

from fabric.deployment import device_steps
from fabric.deployment.connection.secrets import Secrets
from fabric.deployment.device_steps import Work
from fabric.deployment.fleet import plain_data, sealing
from fabric.deployment.fleet.sealing import Seal, Unsealable
from fabric.deployment.gates import manager_gate
from fabric.deployment.gates.manager_gate import ManagerAccess
from fabric.deployment.jobs import Job
from fabric.deployment.observing import ask_answers, observe_devices
from fabric.deployment.waves import settle_devices, undo_devices
from fabric.planning import Impact
from fabric.platforms.base import Target

SEAL = Seal(bytes(range(32)))
REACHED = Target(
    name="leaf-0",
    address="192.0.2.1",
    port=22,
    username="netops",
    password="H1DDEN",
    enable="AS-W3LL",
    references={"password": "env:LOGIN", "enable": "file:enable"},
)
SECRETS = Secrets({"env:BGP": "B3TWEEN-PEERS"})
LOOKED_UP = Secrets({"env:BGP": "B3TWEEN-PEERS", "env:LOGIN": "H1DDEN", "file:enable": "AS-W3LL"})
JOB = Job(device="leaf-0", platform="eos", wave=1, impact=Impact.NONE, text="t", before="b")
WORK = Work(JOB, REACHED, "hostname leaf-0\n", SECRETS, "fabric-1.1-x")
HIDDEN = (b"H1DDEN", b"AS-W3LL", b"B3TWEEN-PEERS")


def steps() -> list[Callable[..., Any]]:
    """Every function whose first argument says which device it is about."""
    modules: tuple[ModuleType, ...] = (
        device_steps,
        settle_devices,
        undo_devices,
        observe_devices,
        ask_answers,
        manager_gate,
    )
    found = [
        function
        for module in modules
        for function in vars(module).values()
        if inspect.isfunction(function) and function.__module__ == module.__name__
    ]
    firsts = (Work, Target, ManagerAccess)
    return [f for f in found if next(iter(get_type_hints(f).values()), None) in firsts and _is_whole(f)]


def _is_whole(function: Callable[..., Any]) -> bool:
    """Not a part of a step, which has the connection already."""
    return not {"device", "running"} & set(get_type_hints(function))


@pytest.mark.parametrize("step", steps(), ids=lambda step: step.__name__)
def test_every_step_says_what_it_takes_and_gives_in_types_that_travel(step: Callable[..., Any]) -> None:
    for kind in get_type_hints(step).values():
        msgspec.msgpack.Decoder(kind, dec_hook=lambda _kind, value: value)
    assert plain_data.function(f"{step.__module__}:{step.__qualname__}") is step


def test_there_are_steps() -> None:
    names = {step.__name__ for step in steps()}

    assert {
        "push",
        "confirm",
        "revert",
        "undo",
        "settle",
        "prepare",
        "inspect",
        "_observe",
        "_ask",
        "begin",
    } <= names


@pytest.mark.parametrize("named", [True, False])
def test_arguments_come_back_as_they_were(*, named: bool) -> None:
    given = plain_data.order(device_steps.push, (WORK, 300), "site", SEAL, named=named)
    sent = msgspec.msgpack.encode(given)
    received = msgspec.msgpack.decode(sent, type=plain_data.Order)
    work, seconds = plain_data.arguments(received, LOOKED_UP if named else Secrets())

    assert seconds == 300
    assert (work.job, work.target, work.text, work.session) == (
        WORK.job,
        WORK.target,
        WORK.text,
        WORK.session,
    )
    assert work.secrets.reveal() == SECRETS.reveal()
    assert any(secret in sent for secret in HIDDEN) is not named
    assert set(received.secrets) == ({"env:BGP", "env:LOGIN", "file:enable"} if named else set())
    assert plain_data.secrets_of([work]).hide("H1DDEN AS-W3LL B3TWEEN-PEERS").count("<secret:") == 3


def test_what_is_no_step_of_this_program_is_not_run() -> None:
    with pytest.raises(ValueError, match="os:system is not a step"):
        plain_data.function("os:system")


def test_only_the_other_end_opens_it_and_only_as_what_it_was_sealed_for() -> None:
    (ours, our_public), (theirs, their_public) = sealing.key_pair(), sealing.key_pair()
    stranger, _ = sealing.key_pair()
    here = sealing.shared(ours, their_public, "one command")
    there = sealing.shared(theirs, our_public, "one command")
    sealed = here.close(b"a push", "order 1")

    assert there.open(sealed, "order 1") == b"a push"
    assert b"a push" not in sealed
    assert (
        here.fingerprint("env:A", "x") == there.fingerprint("env:A", "x") != there.fingerprint("env:B", "x")
    )
    for seal, about, text in (
        (there, "order 2", sealed),
        (sealing.shared(theirs, our_public, "another command"), "order 1", sealed),
        (sealing.shared(stranger, our_public, "one command"), "order 1", sealed),
        (there, "order 1", sealed[:-1]),
        (there, "order 1", b""),
    ):
        with pytest.raises(Unsealable):
            seal.open(text, about)
