"""How a run begins, changes hands and ends: always together with the lock of its site, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from fabric.deployment import codes
from fabric.deployment.jobs import Job, State
from fabric.deployment.journal_store import site_lock
from fabric.deployment.journal_store.given_up_locks import give_back_later
from fabric.deployment.journal_store.journal_access import JournalAccess
from fabric.deployment.journal_store.journal_records import (
    CHECKING,
    INTERRUPTED,
    REFUSED,
    RUNNING,
    STOPPED,
    NewRun,
    Run,
    record,
)
from fabric.deployment.moments import stamp
from fabric.deployment.refusal_message import refusal
from fabric.diagnostics import FabricError, JournalFailed, Refused


class RunLifecycle(JournalAccess):
    """Beginnings and ends of runs. A run that this object has begun or taken over is *held*, until its end."""

    def __init__(self, where: Path | str) -> None:
        super().__init__(where)
        self._tokens: dict[int, str] = {}
        """Of the runs that are held: what their locks are known by."""

    def begin(self, new: NewRun, *, closes: int | None = None) -> int:
        """Lock the site and write down a run with all its steps, in the state `checking`; returns its number.

        `closes`: the run that is held, and ends with this: its lock passes on. `Refused` if somebody else holds the
        lock, or another run that may have touched devices has not finished.
        """
        token = self._tokens[closes] if closes is not None else token_hex()
        known = site_lock.holder(self, new.site) if closes is None else None

        def write(connection: Any) -> int:
            written = site_lock.run_of(connection, token)
            if written not in (None, closes):  # done before, when the connection was lost behind its end
                return written
            if closes is None:
                site_lock.take(connection, new.site, new.owner, token, known)
            elif not site_lock.is_held(connection, token):
                raise lost(closes)
            self._close(connection, new.site, closes)
            number = self._insert(connection, new)
            site_lock.name(connection, token, number)
            return number

        number = self.write(write)
        if closes is not None:
            del self._tokens[closes]
        self._tokens[number] = token
        return number

    def start(self, run: int) -> None:
        """Write down that devices are changed from now on."""
        self.write(partial(self._go_on, run=run, state=RUNNING))

    def stop(self, run: int) -> None:
        """Write down that nobody goes on with it for now: its maintenance window has closed between two waves."""
        self.write(partial(self._go_on, run=run, state=STOPPED))

    def _go_on(self, connection: Any, run: int, state: str) -> None:
        """Not of a run that somebody else has ended meanwhile: it would be open again."""
        self.check_held_within(connection, run)
        self._set_state(connection, run, state)

    def is_lost(self, run: int) -> bool:
        """Whether a run was held, and its lock has been taken away."""
        token, t = self._tokens.get(run), self._tables.locks
        return token is not None and not self.rows(t.select().where(t.c.token == token))

    def check_held(self, run: int) -> None:
        """`Refused` if the lock of a run was taken away: nothing more is done in its name."""
        if self.is_lost(run):
            raise lost(run)

    def check_held_within(self, connection: Any, run: int) -> None:
        """The same within a transaction, for what is written in the name of the run."""
        token = self._tokens.get(run)
        if token is not None and not site_lock.is_held(connection, token):
            raise lost(run)

    def write_of(self, run: int, change: Callable[[Any], object]) -> None:
        """As `write`, about devices of a run. Nothing is written if the run was held and its lock has been taken away.

        Whoever has taken it writes of them from then on. Nothing is raised: devices are told of one by one, in the
        middle of what is to be done to all of them; the run ends where its wave is written down (`mark_wave`).
        """
        token = self._tokens.get(run)

        def write(connection: Any) -> None:
            if token is None or site_lock.is_held(connection, token):
                change(connection)

        self.write(write)

    def take_over(self, site: str, run: int, owner: str) -> None:
        """Lock the site to go on with a run, or to take it back. `Refused` if it has finished, or has an owner."""
        token, known = token_hex(), site_lock.holder(self, site)

        def write(connection: Any) -> None:
            site_lock.take(connection, site, owner, token, known)
            current = self._unfinished(connection, site)
            if current is None or current.id != run:
                raise refusal(
                    codes.NO_RUN,
                    f"run {run} has finished meanwhile",
                    "`fabric plan` shows what is left to do",
                )
            site_lock.name(connection, token, run)
            entry = {"run": run, "at": stamp(), "state": "taken over", "reason": owner}
            connection.execute(self._tables.entries.insert().values(**entry))

        self.write(write)
        self._tokens[run] = token

    def finish(self, run: int, state: str) -> None:
        """Write down how a run ended, and give its lock back."""
        token = self._tokens.get(run)

        def write(connection: Any) -> None:
            if token is not None and not site_lock.release(connection, token):
                t = self._tables.runs
                written = connection.execute(t.select().where(t.c.id == run)).mappings().first()
                if written is None or written["state"] != state:
                    raise lost(run)
            self._set_state(connection, run, state, finished=stamp())

        self.write(write)
        self._tokens.pop(run, None)

    def leave(self, run: int, reason: str = "") -> None:
        """Give back the lock of a run that is held and did not finish; it ends here if it has touched nothing.

        `reason`: what has refused it. Holds no secret.
        """
        if (token := self._tokens.pop(run, None)) is not None:
            self._leave(run, token, reason)

    def _leave(self, run: int, token: str, reason: str) -> None:
        def write(connection: Any) -> None:
            if not site_lock.release(connection, token):
                return
            if self._set_state(connection, run, REFUSED, finished=stamp(), only=CHECKING):
                entry = {"run": run, "at": stamp(), "state": REFUSED, "reason": reason}
                connection.execute(self._tables.entries.insert().values(**entry))

        self.write(write)

    @contextmanager
    def holding(self, run: int) -> Iterator[None]:
        """Leave a run, if that did not finish, whatever happens within."""
        reason = ""
        try:
            yield
        except FabricError as error:
            reason = str(error)
            raise
        finally:
            token = self._tokens.get(run, "")
            try:
                self.leave(run, reason)
            except JournalFailed:
                give_back_later(token, partial(self._leave, run, token, reason))

    @contextmanager
    def holding_site(self, site: str, run: int, owner: str) -> Iterator[None]:
        """Lock the site for what a run that has finished has left to do. `Refused` if somebody else holds it."""
        token, known = token_hex(), site_lock.holder(self, site)

        def take(connection: Any) -> None:
            site_lock.take(connection, site, owner, token, known)
            site_lock.name(connection, token, run)

        def release() -> None:
            self.write(lambda connection: site_lock.release(connection, token))

        self.write(take)
        self._tokens[run] = token
        try:
            yield
        finally:
            del self._tokens[run]
            try:
                release()
            except JournalFailed:
                give_back_later(token, release)

    def unfinished(self, site: str) -> Run | None:
        """The run of a site that has not finished, if there is one."""
        rows = self.rows(self._unfinished_query(site))
        return record(Run, rows[0]) if rows else None

    def _unfinished(self, connection: Any, site: str) -> Run | None:
        row = connection.execute(self._unfinished_query(site)).mappings().first()
        return record(Run, row) if row else None

    def _unfinished_query(self, site: str) -> Any:
        t = self._tables.runs
        return t.select().where((t.c.site == site) & t.c.finished.is_(None)).order_by(t.c.id.desc()).limit(1)

    def _close(self, connection: Any, site: str, closes: int | None) -> None:
        """Nothing is left open behind a new run: not the one that it closes, and none that has touched nothing."""
        current = self._unfinished(connection, site)
        if current is None:
            return
        if current.id != closes and not current.has_touched_nothing:
            raise did_not_finish(current)
        self._set_state(connection, current.id, INTERRUPTED, finished=stamp())

    def _insert(self, connection: Any, new: NewRun) -> int:
        fields = msgspec.structs.asdict(new)
        jobs = fields.pop("jobs")
        fields["is_modified"] = int(new.is_modified)
        row = {**fields, "started": stamp(), "state": CHECKING}
        result = connection.execute(self._tables.runs.insert().values(**row))
        (number,) = result.inserted_primary_key or (0,)
        if rows := [_row(int(number), job) for job in jobs]:
            connection.execute(self._tables.steps.insert(), rows)
        return int(number)

    def _set_state(
        self, connection: Any, run: int, state: str, *, finished: str | None = None, only: str = ""
    ) -> bool:
        t = self._tables.runs
        here = t.c.id == run if not only else (t.c.id == run) & (t.c.state == only)
        changed = connection.execute(t.update().where(here).values(state=state, finished=finished))
        return bool(changed.rowcount)


def did_not_finish(run: Run, left: str = "") -> Refused:
    """The refusal while an earlier run may have left unconfirmed changes behind; `left`: which, in words."""
    how = "stopped where its maintenance window closed" if run.state == STOPPED else "did not finish"
    reason = f"run {run.id} of {run.owner}, begun {run.started}, {how}"
    hint = f"`fabric apply --resume` goes on with it, `fabric rollback {run.id}` takes it back"
    if run.takes_back is not None:
        reason += f": it was taking back run {run.takes_back}"
        hint = (
            f"`fabric apply --resume` goes on with taking back run {run.takes_back}, "
            f"`fabric rollback {run.id}` brings back what run {run.id} has taken"
        )
    hint += f"; if a device is gone for good, `fabric unlock {run.id}` gives it up (again if it was locked)"
    return refusal(codes.UNFINISHED, "; ".join(filter(None, (reason, left))), hint)


def lost(run: int) -> Refused:
    """The refusal to write about a run whose lock was taken away."""
    reason = f"the lock of run {run} was taken away: somebody else may go on with it now"
    hint = "`fabric history` shows who, and which hosts are out of service; what waits on devices is theirs to confirm"
    return refusal(codes.LOCKED, reason, hint)


def _row(run: int, job: Job) -> dict[str, Any]:
    planned = {"state": State.PLANNED.value, "session": "", "after": "", "reason": "", "updated": stamp()}
    return {"run": run, "device": job.device, "wave": job.wave, "job": msgspec.json.encode(job), **planned}
