"""Switches in service that carry nothing now, whatever was applied to them: hosts do not come back over them."""

from __future__ import annotations

import time
from collections.abc import Collection

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.gates import running_sessions
from fabric.deployment.gates.waiting import ToldWaiting
from fabric.deployment.waves.gate import in_service
from fabric.deployment.waves.run import Run, work_of_asking
from fabric.diagnostics import DeviceError


def without_session(run: Run, names: Collection[str], waiting: ToldWaiting | None = None) -> tuple[str, ...]:
    """Those of some switches that should have sessions with others, and have none now, or do not answer.

    With `waiting`, sessions that are opening are waited for as long as a gate waits.
    """
    began = time.monotonic()
    dead = _dead(run, names)
    while dead and waiting and (elapsed_s := time.monotonic() - began) < run.pace.gate_timeout_s:
        waiting(dead, elapsed_s)
        time.sleep(run.pace.gate_poll_s)
        dead = _dead(run, dead)
    return dead


def _dead(run: Run, names: Collection[str]) -> tuple[str, ...]:
    at_work = in_service(run) if names else set()
    around = ((name, run.around(name)) for name in sorted(at_work & set(names)))
    known = {name: found for name, found in around if found is not None and found.sessions}
    asked = {name: work for name in known if (work := work_of_asking(run, name))}
    answers = dict(each(run.executor, device_steps.look, ((name, (work,)) for name, work in asked.items())))
    seen = {name: answer for name, answer in answers.items() if not isinstance(answer, DeviceError)}
    silent = answers.keys() - seen.keys()
    return tuple(sorted({*silent, *running_sessions.without_session(known, seen, asked, run.executor)}))
