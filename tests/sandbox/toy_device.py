"""A device that speaks whatever it is told to: these tests are about the sandbox's servers, not about a product."""

from __future__ import annotations

from typing import Any

from fabric.platforms.emulated_ends import LinkEnd, SessionEnd
from fabric.platforms.emulation import (
    ConnectionDies,
    Emulated,
    Faults,
    HttpReply,
    HttpRequest,
    SshReply,
    Surroundings,
)
from fabric.platforms.routing.emulated_routes import Routing

USER, PASSWORD = "netops", "correct horse"


class Terminal:
    """A shell that repeats each line in capitals."""

    def __init__(self) -> None:
        self.ended = False

    def feed(self, data: bytes) -> bytes:
        lines = data.replace(b"\r", b"").split(b"\n")
        if not data:
            return b"toy> "
        self.ended = b"exit" in lines
        return data.upper() + b"toy> "

    def hang_up(self) -> None:
        self.ended = True


class ToyDevice:
    """Speaks HTTPS and SSH."""

    transports: Any = ("https", "ssh")

    def __init__(self, spec: Emulated, surroundings: Surroundings) -> None:
        self.name, self._spec, self.around = spec.name, spec, surroundings
        self.faults = Faults()
        self.files: dict[str, bytes] = {}
        self.silent: set[str] = set()
        """Protocols that its configuration has lost."""
        self.ran: list[tuple[str, bytes]] = []

    def listens(self, transport: str) -> bool:
        return transport not in self.silent

    def request(self, request: HttpRequest) -> HttpReply:
        return HttpReply(200, request.path.encode())

    def login(self, username: str, password: str) -> bool:
        return (username, password) == (self._spec.username, self._spec.password)

    def login_with_key(self, username: str, key: str) -> bool:
        return username == self._spec.username and self._spec.public_key.split()[:2] == key.split()

    def reads_input(self, command: str) -> bool:
        return command.startswith("cat")

    def run(self, command: str, given: bytes) -> SshReply:
        self.ran.append((command, given))
        if command == "die":
            raise ConnectionDies
        if command == "lose ssh":
            self.silent.add("ssh")
        return SshReply(3 if command == "false" else 0, given or command.encode(), b"warning")

    def channel(self, kind: str) -> Terminal | None:
        return Terminal() if kind in {"shell", "netconf"} else None

    def running_config(self) -> str:
        return ""

    def drift(self, lines: tuple[str, ...]) -> None:
        self.ran.append(("drift", "\n".join(lines).encode()))

    def reboot(self) -> None:
        self.ran.append(("reboot", b""))

    def link_end(self, port: str) -> LinkEnd | None:  # noqa: ARG002  # the protocol's
        return None

    def session_end(self, port: str, address: str) -> SessionEnd | None:  # noqa: ARG002  # the protocol's
        return None

    def routing(self) -> Routing:
        return Routing()

    def look(self, port: str = "") -> None:
        self.ran.append(("look", port.encode()))


def make(spec: Emulated, surroundings: Surroundings) -> ToyDevice:
    return ToyDevice(spec, surroundings)


def toy(name: str, **changes: Any) -> Emulated:
    return Emulated(name=name, platform="toy", **{"username": USER, "password": PASSWORD, **changes})
