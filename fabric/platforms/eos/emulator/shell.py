"""One request's command line: privileged commands, configuration modes, sessions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from fabric.platforms.eos.emulator import show
from fabric.platforms.eos.emulator.device import EosSwitch
from fabric.platforms.eos.emulator.eapi import COULD_NOT_RUN, INVALID_COMMAND, NOT_CONVERTED, CommandFailed
from fabric.platforms.eos.emulator.grammar import CliError, refuse
from fabric.platforms.eos.emulator.store import Session, settled, text, timer_s
from fabric.platforms.eos.emulator.tree import Editor

NAME = r"[A-Za-z0-9_.:-]+"
SESSION = re.compile(rf"configure session ({NAME})(?: (commit|abort)(?: timer (\S+))?)?\Z")
COPY = re.compile(r"copy (\S+) (\S+)\Z")
FLASH = re.compile(r"(dir|more|delete) flash:(\S*)\Z")
REPLACE = re.compile(r"configure replace (\S+)(?: ignore-errors)?\Z")
Answer = dict[str, Any]


class Shell:
    """The state that lasts for one request."""

    def __init__(self, device: EosSwitch, user: str, form: str) -> None:
        self._device = device
        self._store = device.store
        self._user = user
        self._form = form
        self._editor: Editor | None = None
        self._session: Session | None = None

    def run(self, commands: list[Any]) -> list[Answer]:
        """Run commands until one fails (`CommandFailed`)."""
        done: list[Answer] = []
        try:
            for number, command in enumerate(commands):
                line, text = command_text(command)
                try:
                    done.append(self._answer(line, text))
                except show.NotConverted as failure:
                    raise CommandFailed(number, line, str(failure), done, NOT_CONVERTED) from None
                except CliError as failure:
                    code = (
                        INVALID_COMMAND
                        if str(failure).startswith(("Invalid", "Incomplete"))
                        else COULD_NOT_RUN
                    )
                    raise CommandFailed(number, line, str(failure), done, code) from None
        finally:
            self._leave()
        return done

    def _answer(self, line: str, text: str | None) -> Answer:
        if self._editor is not None and not line.startswith("show "):
            return self._edit(self._editor, line, text)
        return self._execute(line)

    def _edit(self, editor: Editor, line: str, text: str | None) -> Answer:
        """A line typed in a configuration mode."""
        session = self._session
        if line == "end" or (line == "exit" and editor.at_top):
            self._leave()
        elif session is not None and (line in {"commit", "abort"} or line.startswith("commit timer ")):
            self._leave()
            self._close(
                session.name,
                line.split(" ", 1)[0],
                line.removeprefix("commit timer ") if " " in line else None,
            )
        elif line == "rollback clean-config" and session is not None:
            editor.clear()
        elif line.startswith("configure session ") or line == "configure replace":
            self._leave()
            return self._execute(line)
        else:
            editor.feed(line, text)
        return {}

    def _leave(self) -> None:
        """Out of every configuration mode."""
        editor, self._editor = self._editor, None
        session, self._session = self._session, None
        if editor is None:
            return
        if session is not None:
            session.config = settled(editor, self._store.running)
        else:
            self._store.run(settled(editor, self._store.running))

    def _execute(self, line: str) -> Answer:
        if line in {"enable", "disable", "", "end", "exit"} or line.startswith("terminal "):
            return {}
        if line in {"configure", "configure terminal"}:
            self._editor = self._store.editor(self._store.running)
            return {}
        if line.startswith("show "):
            return show.answer(self._device, line, self._form)
        if line in {"write", "write memory"}:
            self._store.copy("running-config", "startup-config")
            return self._message("Copy completed successfully.")
        return self._stored(line)

    def _stored(self, line: str) -> Answer:
        """Commands on sessions and files."""
        if match := SESSION.match(line):
            name, action, timer = match.groups()
            if action is None:
                self._session = self._store.session(name, self._user)
                self._editor = self._store.editor(self._session.config)
            else:
                self._close(name, action, timer)
            return {}
        if match := COPY.match(line):
            self._store.copy(*match.groups())
            return self._message("Copy completed successfully.")
        if match := REPLACE.match(line):
            self._store.replace(match[1])
            return {}
        if match := FLASH.match(line):
            return {"output": self._flash(match[1], match[2])}
        raise refuse(line.split(), 0)

    def _flash(self, verb: str, name: str) -> str:
        """Files on flash, for people: programs may ask for the text only."""
        if self._form != "text":
            message = "Command cannot be converted to JSON"
            raise show.NotConverted(message)
        if verb == "dir":
            return listing(self._store.flash)
        if verb == "more":
            return f"! Command: show running-config\n{text(self._store.file(f'flash:{name}'))}!\nend\n"
        self._store.delete(f"flash:{name}")
        return ""

    def _close(self, name: str, action: str, timer: str | None) -> None:
        if action == "abort" and timer is None:
            self._store.abort(name)
        elif action == "commit":
            self._store.commit(name, None if timer is None else timer_s(timer))
        else:
            raise refuse([action], 0)

    def _message(self, text: str) -> Answer:
        return {"output": f"{text}\n"} if self._form == "text" else {"messages": [text]}


def listing(flash: Iterable[str]) -> str:
    """As `dir flash:` prints it: rights, size, time, name."""
    rows = "".join(
        f"       -rwx        4096           Nov 20 10:00  {name.removeprefix('flash:')}\n" for name in flash
    )
    return f"Directory of flash:/\n\n{rows}\n4093313024 bytes total (2563903488 bytes free)\n"


def command_text(command: object) -> tuple[str, str | None]:
    """A command and its input. It comes as a text, or as `{"cmd": ..., "input": ...}`."""
    if isinstance(command, dict):
        text = command.get("input")
        return str(command.get("cmd", "")).strip(), str(text) if text is not None else None
    return str(command).strip(), None
