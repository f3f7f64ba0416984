"""A wave between the site's programs: hosts are taken out of service before it, and brought back however it ends.

What is owed to the hosts is in the journal before the first program runs: a run that was interrupted, or killed, while
one of them ran brings the hosts back when it is gone on with (`resume`), and a rollback of it does at its end. Hosts
that a wave leaves without a path stay out of service, and the run after which they have one again brings them back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec

from fabric.deployment.between_waves.cordon import Answer, CordonedWave
from fabric.deployment.interruptions import Interrupted, shielded
from fabric.deployment.jobs import Job
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.refusal_message import named
from fabric.deployment.results import WaveResult
from fabric.deployment.waves.bring_back import (
    about_wave,
    bring_back_wave,
    placed,
    wait_for_paths,
    waiting_for_program,
)
from fabric.deployment.waves.hosts_without_path import rails_of, with_rails_before
from fabric.deployment.waves.run import Run
from fabric.diagnostics import JournalFailed, Refused

CANNOT = (JournalFailed, Refused)
"""Why hosts are left to the next run: what is owed to them cannot be read, or the lock of this one was taken away."""


def cordoned(
    run: Run,
    number: int,
    jobs: Sequence[Job],
    wave: Callable[[], WaveResult],
    held: Callable[[str], WaveResult],
) -> WaveResult:
    """A wave between the programs of the site, if it isolates a host.

    `wave` carries it out; `held` is what becomes of it where the program before it has failed, with the reason.
    """
    cordon = run.cordon
    devices = cordon.concerned(jobs, run.allow)
    if not devices:
        return wave()
    with placed(f"wave {number} of run {run.id} touched no further device"):
        owed = run.journal.cordoned(run.id).get(number)
        new = _new(run, devices)
        about = about_wave(run, run.id, number, (owed or new).with_more(new))
        run.journal.check_held(run.id)  # leaves that were asked may have taken long to answer
        if cordon.after:
            run.journal.cordon(run.id, number, new)
    with _back_if_it_breaks(run, number, devices):
        reason, has_begun = _run_before(run, number, about, new)
        if not has_begun and cordon.after:
            # Who was not cordoned may have been drained by somebody else: nobody brings them back.
            run.journal.uncordoned(run.id, number, "nothing was cordoned", owed, by=run.id)
            if owed is None:
                return held(f"{reason}; nothing was cordoned, so `after` does not run")
        result = held(reason) if reason else wave()
        without = wait_for_paths(run, number)
    problem = bring_back_wave(run, number, without)
    return msgspec.structs.replace(result, reason=result.reason or problem)


def _run_before(run: Run, number: int, about: CordonedWave, new: Cordoned) -> Answer:
    """The program that takes hosts out of service.

    Whoever took the lock away while it ran may have brought them back, before it has taken them out: they are owed to
    the next run once more.
    """
    answer = Answer("")
    try:
        answer = run.cordon.run(run.cordon.before, about, waiting_for_program(run, number))
    finally:
        with suppress(JournalFailed):  # which the next step meets too
            if run.cordon.after and answer.has_begun and run.journal.is_lost(run.id):
                run.journal.cordon(run.id, number, new)
    run.journal.check_held(run.id)
    return answer


def _new(run: Run, devices: tuple[str, ...]) -> Cordoned:
    """Who is about to be taken out of service. Who is already had every path that it is to have again."""
    wave = Cordoned(run.id, devices, run.cordon.hosts(devices))
    if run.cordon.after is None:
        return wave
    wave = msgspec.structs.replace(wave, rails=rails_of(run, wave.hosts))
    waves = (owed for of in run.journal.cordoned_by_run(run.site).values() for owed in of.values())
    are_out = {host for owed in waves for host in owed.hosts}
    in_service = wave.of(host for host in wave.hosts if host not in are_out)
    return wave.with_more(with_rails_before(run, in_service))


@contextmanager
def _back_if_it_breaks(run: Run, number: int, devices: tuple[str, ...]) -> Iterator[None]:
    """Bring the hosts of a wave back if what is done within is interrupted, or breaks."""
    if run.cordon.after is None:
        yield
        return
    try:
        yield
    except Interrupted:
        with shielded(f"`{run.cordon.after}` brings hosts of wave {number} back"), suppress(*CANNOT):
            bring_back_wave(run, number, wait_for_paths(run, number))
        raise
    except JournalFailed as failed:
        try:
            bring_back_wave(run, number, wait_for_paths(run, number))
        except CANNOT:
            hosts = f"hosts behind {named(devices)} may still be cordoned"
            raise JournalFailed(f"{failed.reason}; {hosts}", failed.hint) from None
        raise
    except BaseException:
        with suppress(*CANNOT):
            bring_back_wave(run, number, wait_for_paths(run, number))
        raise
