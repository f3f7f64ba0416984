"""What requests ask for. Or the timer, when called as such."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Mapping
from typing import Any

from fabric.platforms.frr.agent import changes, lease, state, timer
from fabric.platforms.frr.agent.system import LIMITS, Refused, alone, now, read_json

Request = Mapping[str, Any]
Answer = Mapping[str, Any]
Serve = Callable[[Callable[[Request], Answer]], None]
COMMAND_SHARE = 0.4
"""Of the caller's patience, for one program."""


def main(program: str, serve: Serve) -> None:
    """`program` is the whole text of what runs here: the timer needs it, too. `serve` brings requests."""
    for number in (signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    if "timer" in sys.argv:
        timer_of(sys.argv[-2], float(sys.argv[-1]))
        return
    serve(lambda request: answered(request, program))


def answered(request: Request, program: str) -> Answer:
    """What is sent back for a request."""
    try:
        return {"answer": done(request, program)}
    except Refused as error:
        return {"refused": error.kind, "message": str(error)}
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return {"refused": "command", "message": f"{where}{error.strerror or error}"}


def done(request: Request, program: str) -> object:
    """Do what was asked for, alone on the switch unless it only looks."""
    verb = request["verb"]
    if patience_s := request.get("patience_s"):
        LIMITS["command_s"] = max(1.0, COMMAND_SHARE * patience_s)
    if verb in LOOKS:
        return LOOKS[verb](request)
    with alone(max(1.0, COMMAND_SHARE * request.get("patience_s", 40.0))):
        changes.recover()
        return CALLS[verb](request, program)


def timer_of(token: str, deadline: float) -> None:
    """What the timer's process does."""

    def waits() -> bool:
        return read_json(changes.PENDING / "meta.json").get("token") == token

    def take_back() -> None:
        if waits():
            if changes.pending()["state"] == "confirming":
                changes.finish()
            else:
                changes.take_back("not confirmed in time")

    timer.fire(deadline, waits, take_back)


def _pending(_request: Request, _program: str) -> object:
    waits = changes.pending()
    if not waits:
        return None
    left_s = max(0.0, waits["deadline"] - now())
    return {"change": waits["change"], "owner": waits["owner"], "left_s": left_s}


def _compare(request: Request, _program: str) -> object:
    from fabric.platforms.frr.agent import compare

    return compare.differences(request["change"])


def _commit(request: Request, program: str) -> None:
    changes.commit(
        request["change"], request["owner"], request["revert_in"], program, request.get("message", "")
    )


CALLS: dict[str, Callable[[Request, str], object]] = {
    "hello": lambda _r, _p: None,
    "running": lambda _r, _p: changes.running(),
    "startup": lambda _r, _p: changes.startup(),
    "candidate": lambda r, _p: changes.candidate(r["change"]),
    "load": lambda r, _p: changes.load(r["change"], r["owner"], r["texts"]),
    "load_before": lambda r, _p: changes.load_before(r["source"], r["change"], r["owner"]),
    "compare": _compare,
    "drop": lambda r, _p: changes.drop(r["change"]),
    "candidates": lambda _r, _p: changes.candidates(),
    "lock": lambda r, _p: lease.take(r["change"], r["owner"]),
    "unlock": lambda r, _p: lease.give_back(r["change"], r["owner"]),
    "commit": _commit,
    "pending": _pending,
    "confirm": lambda r, _p: changes.confirm(r["change"]),
    "rollback": lambda r, p: changes.roll_back(r["change"], p),
    "save": lambda _r, _p: changes.save(),
}
LOOKS: dict[str, Callable[[Request], object]] = {
    "show": lambda r: state.shown(r["commands"]),
    "ports": lambda _r: state.ports(),
    "queues": lambda _r: state.queues(),
    "lldp": lambda _r: state.lldp(),
    "facts": lambda _r: state.facts(),
}
