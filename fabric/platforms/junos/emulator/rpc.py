"""What each call of NETCONF does on the device: locks, candidates, commits, and what it shows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from xml.etree.ElementTree import Element

from fabric.platforms.emulation import Step
from fabric.platforms.junos.emulator.database import USUAL_MIN, Database
from fabric.platforms.junos.emulator.judge import Fault, Refused
from fabric.platforms.junos.emulator.netconf import Reply, child, errors, local, node, value
from fabric.platforms.junos.emulator.show import SHOWN
from fabric.platforms.junos.emulator.switch import JunosSwitch
from fabric.platforms.junos.emulator.tree import comparison


def moment(at_s: float) -> str:
    """A time as Junos prints it."""
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


class Calls:
    """The calls of one session."""

    def __init__(
        self,
        switch: JunosSwitch,
        session: int,
        user: str,
        strikes: Callable[[Step], AbstractContextManager[None]],
    ) -> None:
        self._switch, self._session, self._user, self._strikes = switch, session, user, strikes

    @property
    def _database(self) -> Database:
        return self._switch.database

    def answer(self, operation: Element) -> Reply:
        """The reply to one call. `ConnectionDies` if a fault says so."""
        name = local(operation)
        call: Callable[[Element], Reply] | None = getattr(self, f"on_{name.replace('-', '_')}", None)
        step = self._step(name, operation)
        try:
            with self._strikes(step) if step else nullcontext():
                if call is not None:
                    return call(operation)
                if name in SHOWN:
                    return SHOWN[name](self._switch, operation)
        except Refused as refused:
            if name == "load-configuration":
                count = node("load-error-count", text=str(len(refused.faults)))
                return [node("load-configuration-results", *errors(refused.faults), count)]
            return errors(refused.faults)
        return errors([Fault("syntax error", bad_element=name)])

    def _step(self, name: str, operation: Element) -> Step | None:
        """Which step of a driver a call is; None: none of its own (locks, dropping a candidate)."""
        waits = self._database.timer is not None
        if name == "load-configuration":
            if operation.get("rollback") == "0":
                return None
            return "rollback" if waits and operation.get("rollback") else "load"
        if name == "commit-configuration":
            if not waits:
                return "commit"
            return "rollback" if self._database.edited(self._session) != self._database.running else "confirm"
        if operation.get("compare"):
            return "compare"
        return "read" if name.startswith("get-") else None

    def on_lock_configuration(self, _operation: Element) -> Reply:
        """Exclusive lock."""
        self._database.lock(self._session, self._user)
        return [node("ok")]

    def on_unlock_configuration(self, _operation: Element) -> Reply:
        """Give it back."""
        self._database.unlock(self._session)
        return [node("ok")]

    on_lock, on_unlock = on_lock_configuration, on_unlock_configuration

    def on_open_configuration(self, operation: Element) -> Reply:
        """A candidate of one's own."""
        if child(operation, "private") is None:
            raise Refused((Fault("syntax error", bad_element="open-configuration"),))
        self._database.private[self._session] = self._database.running
        return [node("ok")]

    def on_close_configuration(self, _operation: Element) -> Reply:
        """Drop it."""
        self._database.private.pop(self._session, None)
        return [node("ok")]

    def on_discard_changes(self, _operation: Element) -> Reply:
        """`rollback 0`."""
        self._database.load_rollback(self._session, 0)
        return [node("ok")]

    def on_load_configuration(self, operation: Element) -> Reply:
        """Text into the candidate, or an earlier configuration."""
        number = operation.get("rollback")
        if number is not None:
            self._database.load_rollback(self._session, int(number) if number.isdigit() else -1)
            return [node("load-configuration-results", node("ok"))]
        action, form = operation.get("action", "merge"), operation.get("format", "xml")
        text = child(operation, "configuration-text")
        if action not in {"override", "merge", "replace"} or form != "text" or text is None:
            message = f"{form} cannot be loaded with {action} here"
            raise Refused((Fault(message, bad_element="load-configuration"),))
        self._database.load(self._session, text.text or "", overrides=action == "override")
        return [node("load-configuration-results", node("ok"))]

    def on_commit_configuration(self, operation: Element) -> Reply:
        """Commit, with or without a timer, or check."""
        results = node("name", text="re0")
        if child(operation, "check") is not None:
            self._database.check(self._session)
            return [node("commit-results", node("routing-engine", results, node("commit-check-success")))]
        minutes = None
        if child(operation, "confirmed") is not None:
            text = value(operation, "confirm-timeout", str(USUAL_MIN))
            minutes = int(text) if text.isdigit() else 0
        self._database.commit(self._session, self._user, log=value(operation, "log"), minutes=minutes)
        done = [node("commit-success")]
        if minutes is not None:
            words = (
                f"commit confirmed will be automatically rolled back in {minutes} minutes unless confirmed"
            )
            done.append(node("output", text=words))
        return [node("commit-results", node("routing-engine", results, *done))]

    def on_kill_session(self, operation: Element) -> Reply:
        """End another session."""
        session = value(operation, "session-id")
        if not session.isdigit() or not self._switch.kill(int(session)):
            raise Refused((Fault("invalid session-id", bad_element=session),))
        return [node("ok")]

    def on_get_configuration(self, operation: Element) -> Reply:
        """A configuration, or a comparison."""
        database = self._database
        edited = database.edited(self._session)
        if operation.get("compare") == "rollback":
            number = int(operation.get("rollback", "0"))
            if number >= len(database.history):
                raise Refused((Fault(f"rollback {number}: no such configuration"),))
            text = comparison(database.history[number].text, edited)
            output = node("configuration-output", text=f"\n{text}" if text else "\n")
            return [node("configuration-information", output)]
        text = database.running if operation.get("database") == "committed" else edited
        newest = database.history[0]
        head = f"\n## Last commit: {moment(newest.at_s)} by {newest.user}\nversion {self._switch.release};\n"
        return [node("configuration-text", text=head + text)]

    def on_get_config(self, _operation: Element) -> Reply:
        """Who edits; the configuration itself is not asked for as XML."""
        status = [
            node(
                "database-status",
                node("user", text=editor.user),
                node("terminal", text=editor.terminal),
                node("pid", text=str(editor.pid)),
                node("edit-path", text="[edit]"),
            )
            for editor in self._database.editors
        ]
        return [node("data", node("database-status-information", *status))]

    def on_get_commit_information(self, _operation: Element) -> Reply:
        """The history of commits."""
        database = self._database
        entries = []
        for number, entry in enumerate(database.history):
            at = node("date-time", text=moment(entry.at_s), junos_seconds=str(int(entry.at_s)))
            words = [("comment", entry.comment), ("log", entry.log)]
            if number == 0 and database.timer is not None:
                words.append(("commit-confirmed", "rollback pending"))
            entries.append(
                node(
                    "commit-history",
                    node("sequence-number", text=str(number)),
                    node("user", text=entry.user),
                    node("client", text=entry.client),
                    at,
                    *(node(name, text=text) for name, text in words if text),
                )
            )
        return [node("commit-information", *entries)]


__all__ = ["Calls", "moment"]
