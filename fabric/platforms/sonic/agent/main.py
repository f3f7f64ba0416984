"""What requests ask for. Or the timer, or the start of the machine."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any

from fabric.platforms.sonic.agent import (
    candidates,
    commit,
    confirm,
    lease,
    recover,
    state,
    take_back,
    texts,
    timer,
)
from fabric.platforms.sonic.agent.linux import Linux
from fabric.platforms.sonic.agent.machine import NAME, Machine, Refused
from fabric.platforms.sonic.agent.pending import pending

Request = dict[str, Any]
Answer = dict[str, Any]
Serve = Callable[[Callable[[Mapping[str, Any]], Answer]], None]
PATIENCE_S = 15.0
"""So long one request waits for another."""
TIMER_PATIENCE_S = 2400.0
"""So long the timer waits for a request that works on the switch: a reload and its return, and more."""
AGAIN_S = 60.0


def main(program: str, serve: Serve) -> None:
    """`program` is the whole text of what runs here: the timer needs it, too. `serve` brings requests."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    machine = Linux()
    if NAME in sys.argv[1:-1]:
        by_systemd(machine, sys.argv[sys.argv.index(NAME) + 1 :])
        return
    serve(lambda request: answered(machine, dict(request), program))


def answered(machine: Machine, request: Request, program: str) -> Answer:
    """Do what was asked for, alone on the switch unless it only looks."""
    try:
        verb = request["verb"]
        if verb in LOOKS:
            return {"answer": LOOKS[verb](machine, request)}
        with machine.alone(PATIENCE_S):
            recover.recover(machine)
            return {
                "answer": CALLS[verb](machine, request | {"program": program, "token": os.urandom(6).hex()})
            }
    except Refused as error:
        return {"refused": error.kind, "message": str(error)}
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return {"refused": "command", "message": f"{where}{error.strerror or error}"}


def by_systemd(machine: Machine, words: list[str]) -> None:
    """`timer TOKEN`, `guard TOKEN` or `boot`."""
    with machine.alone(TIMER_PATIENCE_S):
        if words[0] == "boot":
            recover.started(machine)
            return
        waits = pending(machine)
        if waits.get("token") != words[1] or (words[0] == timer.GUARD and waits["state"] == "waiting"):
            return
        try:
            if waits["state"] == "confirming":
                confirm.finish(machine)
            else:
                take_back.take_back(machine, "not confirmed in time")
        except (Refused, OSError) as error:
            machine.note(f"{waits['change']} is tried again in {AGAIN_S:.0f} s: {error}")
            timer.armed(machine, words[1], AGAIN_S, f"again-{machine.now():.0f}")


def _pending(machine: Machine, _request: Request) -> object:
    waits = pending(machine)
    if not waits:
        return None
    left_s = max(0.0, waits["deadline"] - machine.now())
    return {"change": waits["change"], "owner": waits["owner"], "left_s": left_s}


def _commit(machine: Machine, r: Request) -> None:
    more = r["program"], r["token"], r.get("message", "")
    commit.commit(machine, r["change"], r["owner"], r["revert_in"], *more)


CALLS: dict[str, Callable[[Machine, Request], object]] = {
    "running": lambda m, _r: texts.running(m),
    "startup": lambda m, _r: texts.startup(m),
    "candidate": lambda m, r: candidates.candidate(m, r["change"])["texts"],
    "load": lambda m, r: candidates.load(m, r["change"], r["owner"], r["texts"], r["patience_s"]),
    "load_before": lambda m, r: candidates.load_before(m, r["source"], r["change"], r["owner"]),
    "compare": lambda m, r: "\n".join(candidates.compare(m, r["change"])),
    "drop": lambda m, r: candidates.drop(m, r["change"]),
    "candidates": lambda m, _r: candidates.candidates(m),
    "lock": lambda m, r: lease.take(m, r["change"], r["owner"]),
    "unlock": lambda m, r: lease.give_back(m, r["change"], r["owner"]),
    "commit": _commit,
    "pending": _pending,
    "confirm": lambda m, r: confirm.confirm(m, r["change"]),
    "rollback": lambda m, r: commit.roll_back(m, r["change"], r["program"], r["token"]),
    "save": lambda m, _r: confirm.save(m),
}
LOOKS: dict[str, Callable[[Machine, Request], object]] = {
    "hello": lambda m, _r: state.hello(m),
    "show": lambda m, r: state.shown(m, r["commands"]),
    "ports": lambda m, _r: state.ports(m),
    "hardware": lambda m, _r: state.hardware(m),
    "lldp": lambda m, _r: state.lldp(m),
    "facts": lambda m, _r: state.facts(m),
}
