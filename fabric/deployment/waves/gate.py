"""The gates of a wave, of its devices and of its subnet's managers: while they change, and as long as they soak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from fabric.deployment.device_steps import Ready, Work
from fabric.deployment.gates.bystanders import Beside
from fabric.deployment.gates.manager_gate import EventContext, ManagerGate, manager_access
from fabric.deployment.gates.manager_roles import States
from fabric.deployment.gates.surroundings import Surroundings
from fabric.deployment.gates.watch import Gate
from fabric.deployment.jobs import Job
from fabric.deployment.waves.run import Run


def wave_gate(
    run: Run,
    number: int,
    work: Mapping[str, Work],
    ready: Mapping[str, Ready],
    beside: Mapping[str, Beside] | None = None,
) -> Gate:
    """Of some devices of a wave, as they were just before their change, and of the switches beside them."""
    return Gate(
        work=work,
        ready=ready,
        thresholds=run.thresholds,
        pace=run.pace,
        executor=run.executor,
        about={"run": str(run.id), "wave": str(number), "site": run.site, "devices": " ".join(work)},
        folder=run.folder,
        hide=run.hide,
        port_names=run.port_names,
        returning=_returning(run, ready),
        beside=beside or {},
    )


def gate_of_managers(
    run: Run, number: int, jobs: Iterable[Job], before: States | None = None
) -> ManagerGate | None:
    """Of the subnet whose managers some jobs of a wave change; None if they change none that is reached."""
    jobs = tuple(jobs)
    known = manager_access(jobs, run.targets, run.secrets)
    context = EventContext(run.id, number, run.on_event)
    return ManagerGate(jobs, known, run.pace, run.executor, context, before) if known else None


def _returning(run: Run, ready: Mapping[str, Ready]) -> dict[str, Surroundings]:
    """Devices that go back into service, and their sessions with switches in service, as far as the journal knows."""
    names = {name for name, one in ready.items() if one.purpose.returns}
    at_work = in_service(run) - names if names else set()
    known = {name: found for name in names if (found := run.around(name)) is not None}
    sessions = {
        name: tuple(session for session in found.sessions if session.peer in at_work)
        for name, found in known.items()
    }
    return {
        name: msgspec.structs.replace(known[name], sessions=some) for name, some in sessions.items() if some
    }


def in_service(run: Run) -> set[str]:
    """The devices of a site that are not drained, by what was applied last."""
    return {name for name, last in run.journal.applied(run.site).items() if not last.drained}
