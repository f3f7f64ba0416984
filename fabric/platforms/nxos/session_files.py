"""Files of changes on bootflash: candidates, notes of commits that wait, and what ran before."""

from __future__ import annotations

from fabric.platforms.nxos import session_commits as commits
from fabric.platforms.nxos.session_requests import Requests
from fabric.platforms.nxos.session_transport import Login, put

FLASH = "bootflash:"
NO_QUESTIONS = "terminal dont-ask"


class Bootflash:
    """Our files on one switch, by their names there."""

    def __init__(self, requests: Requests, login: Login) -> None:
        self._requests, self._login = requests, login

    def names(self, kind: str) -> list[str]:
        """Those whose names begin so."""
        listing = self._requests.ask(f"dir {FLASH}")
        return sorted({name for name in commits.OURS.findall(listing) if name.startswith(kind)})

    def kept(self) -> list[str]:
        """What ran before commits, the oldest first: their names begin with the time."""
        return self.names(commits.BEFORE)

    def put(self, name: str, text: str) -> None:
        """Write a file, over SCP."""
        put(self._login, FLASH + name, text)

    def read(self, name: str) -> str:
        """What a file holds."""
        return self._requests.ask(f"show file {FLASH}{name}")

    def copy(self, name: str, target: str) -> None:
        """Copy a file."""
        self._requests.send(NO_QUESTIONS, f"copy {FLASH}{name} {FLASH}{target}")

    def delete(self, name: str) -> None:
        """Remove a file, if it is there."""
        if name in self.names(name):
            self._requests.send(NO_QUESTIONS, f"delete {FLASH}{name}")

    def clean_up(self) -> None:
        """Remove notes of commits that are over, and all but the last configurations."""
        for name in (*self.names(commits.NOTE), *self.kept()[: 1 - commits.KEPT_FILES]):
            self.delete(name)
