"""The sessions that switches have with each other as they run, where that is not as the intent has them."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor

from fabric.deployment import device_steps
from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.device_steps import Work
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.surroundings import Surroundings, as_it_runs, carries, is_as_intended
from fabric.diagnostics import DeviceError


def by_what_runs(
    places: Mapping[str, Surroundings],
    seen: Mapping[str, Snapshot],
    work: Mapping[str, Work],
    executor: Executor,
) -> dict[str, Surroundings]:
    """Those of some switches that have a way which is not up, with the neighbours that they have now."""
    jobs = [(name, (work[name],)) for name in sorted(places) if not is_as_intended(places[name], seen[name])]
    answers = each(executor, device_steps.sessions_by_port, jobs)
    return {
        name: as_it_runs(places[name], answer)
        for name, answer in answers
        if not isinstance(answer, DeviceError)
    }


def without_session(
    places: Mapping[str, Surroundings],
    seen: Mapping[str, Snapshot],
    work: Mapping[str, Work],
    executor: Executor,
) -> tuple[str, ...]:
    """Those of some switches that carry nothing: none of their sessions with others is up, under whatever address."""
    quiet = {name: places[name] for name in sorted(seen) if not carries(places[name], seen[name])}
    quiet |= by_what_runs(quiet, seen, work, executor)
    return tuple(name for name, known in quiet.items() if not carries(known, seen[name]))
