"""Commands that change devices end in order when they are interrupted, and say what they have left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from fabric.cli.online_commands import write_json_line
from fabric.cli.printing.command_output import Output
from fabric.deployment.interruptions import interruptible
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.journal import Journal
from fabric.deployment.journal_store.site_lock import under_way
from fabric.deployment.refusal_message import named
from fabric.diagnostics import FabricError


@contextmanager
def in_order(output: Output, journal: Journal, site: str) -> Iterator[None]:
    """Within, Ctrl-C, SIGTERM and SIGHUP have a wave taken back; what is left of the run is told at the end."""
    try:
        with interruptible():
            yield
    except BaseException as error:
        if isinstance(error, FabricError):  # it says itself where devices are
            raise
        with suppress(OSError, FabricError):  # the terminal, or the journal, may be what has gone
            _report(
                output, journal, site, "Interrupted" if isinstance(error, KeyboardInterrupt) else "Stopped"
            )
        raise


def _report(output: Output, journal: Journal, site: str, how: str) -> None:
    if (other := under_way(journal, site)) is not None:
        output.note(f"{how}: the site is locked by {other} now, so what is left is not told.")
        output.next("Run `fabric history` to see what becomes of it.")
        return
    run, left = journal.unfinished(site), _cordoned(journal, site)
    if run is None:
        output.note(f"{how}: no device was changed.")
        _tell_of_hosts(output, left)
        if left:
            output.next("Run `fabric apply` to run `after`.")
        return
    states = Counter(step.state for step in journal.steps(run.id))
    back = ", and to run `after`" if left else ""
    hint = f"Run `fabric apply --resume` to go on with it{back}, or `fabric rollback {run.id}` to take it back{back}."
    if not output.is_text:
        counts = {state.value: number for state, number in states.items()}
        record = {"run": run.id, "kind": run.kind, "devices": counts, "cordoned": left, "hint": hint}
        write_json_line({"type": "interrupted", **record})
    shown = ", ".join(f"{states[state]:,} {state.value}" for state in State if states[state])
    output.note(f"{how}: run {run.id} ({run.kind}) did not finish: {shown}.")
    _tell_of_hosts(output, left)
    output.next(hint)


def _cordoned(journal: Journal, site: str) -> dict[int, tuple[str, ...]]:
    """The devices whose hosts may be out of service, but those that a wave has left without a path: by wave."""
    left: dict[int, tuple[str, ...]] = {}
    for waves in journal.cordoned_by_run(site).values():
        for number, cordoned in waves.items():
            if not cordoned.is_over:
                left[number] = (*left.get(number, ()), *cordoned.devices)
    return left


def _tell_of_hosts(output: Output, left: Mapping[int, tuple[str, ...]]) -> None:
    for number, names in left.items():
        hosts = f"hosts behind wave {number} ({named(names)})"
        output.note(f"`after` of `cordon` has not ended: {hosts} may still be out of service.")
