"""The commands of an emulated switch. Each refuses what the real one refuses."""

from __future__ import annotations

import re
from typing import Any

from fabric.platforms.nxos.emulator import show
from fabric.platforms.nxos.emulator.judge import COLUMN
from fabric.platforms.nxos.emulator.replace import CliError, Replacer
from fabric.platforms.nxos.emulator.switch import NxosSwitch

FLASH = "bootflash:"
COPIED = """[########################################] 100%
Copy complete, now saving to disk (please wait)...
Copy complete.
"""
STARTUP = "\n!Command: show startup-config\n!Startup config saved at: {now}\n\n"
ASKS = ("delete ", "configure replace ", "copy ")
"""Commands with a question, which nobody answers over NX-API without `terminal dont-ask`."""
REPLACE = re.compile(r"configure replace (\S+)(?: (verify-only)| commit-timeout (\d+))?")


class Commands:
    """Runs commands, each request with its own terminal."""

    def __init__(self, switch: NxosSwitch) -> None:
        self._switch = switch
        self.replacer = Replacer(switch)

    def run(self, command: str, user: str, *, is_text: bool, asks: bool) -> Any:
        """A body for tables, a text otherwise. `CliError` if it is refused."""
        command = " ".join(command.split())
        if not is_text and command in show.TABLES:
            return show.TABLES[command](self._switch)
        if command == "show config-replace log exec":
            log = self.replacer.log
            return "".join(log) if is_text else {"log_entry": log} if log else {}
        if asks and command.startswith(ASKS):
            message = "ERROR: this command asks a question: use `terminal dont-ask`"
            raise CliError(message)
        return self._act(command, user)

    def _act(self, command: str, user: str) -> str:
        if (text := self._printed(command)) is not None:
            return text
        if command == "configure replace commit":
            return self.replacer.commit()
        if match := REPLACE.fullmatch(command):
            text = self._file(match[1])
            if match[2]:
                return self.replacer.verify(text)
            return self.replacer.replace(text, user, int(match[3]) if match[3] else None)
        return self._on_files(command.split())

    def _printed(self, command: str) -> str | None:
        """What changes nothing, as text; None if it is another command."""
        switch = self._switch
        if command in show.TEXTS:
            return show.TEXTS[command](switch)
        match command:
            case "terminal dont-ask" | "no terminal dont-ask":
                return ""
            case "show running-config":
                return switch.running_config()
            case "show startup-config":
                return f"{STARTUP.format(now=switch.time())}{switch.startup}"
            case "dir bootflash:":
                return self._listing()
        return None

    def _on_files(self, words: list[str]) -> str:
        match words:
            case ["show", "file", path]:
                return self._file(path)
            case ["delete", path]:
                self._file(path)
                del self._switch.flash[path]
                return ""
            case ["copy", "running-config", "startup-config"]:
                self._needs_room()
                self._switch.startup = self._switch.text
                return COPIED
            case ["copy", "running-config", path] if path.startswith(FLASH):
                self._needs_room()
                self._switch.flash[path] = self._switch.running_config().encode()
                return COPIED
            case ["copy", source, path] if path.startswith(FLASH):
                text = self._file(source)
                self._needs_room()
                self._switch.flash[path] = text.encode()
                return COPIED
        raise CliError(COLUMN)

    def _needs_room(self) -> None:
        if self._switch.faults.disk_full:
            message = "No space left on device"
            raise CliError(message)

    def _file(self, path: str) -> str:
        data = self._switch.flash.get(path)
        if data is None:
            message = f"{path}: No such file or directory"
            raise CliError(message)
        return data.decode(errors="replace")

    def _listing(self) -> str:
        rows = [
            f"{len(data):>11}    {self._switch.time()[4:]}  {path.removeprefix(FLASH)}\n"
            for path, data in sorted(self._switch.flash.items())
        ]
        return f"{''.join(rows)}\nUsage for bootflash://\n"
