"""Our program on a switch, over one SSH channel: it is sent once, and then a line of JSON a request and an answer."""

from __future__ import annotations

import json
import select
import shlex
import time
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import paramiko

LARGEST_BYTES = 256_000_000
CHUNK_BYTES = 65536
LOOK_S = 1.0
NO_SUCH_PROGRAM = 127
START = 'import sys; p = sys.stdin.buffer.read({size}).decode(); exec(p, {{"PROGRAM": p}})'
"""What Python is told in its arguments; the program itself comes on its input."""
LAST_LINE = (
    'start({package!r}, {sources!r}, globals().get("PROGRAM") or open(__file__, encoding="utf-8").read())\n'
)
AS_ROOT = 'command -v python3 >/dev/null || exit 127; [ "$(id -u)" = 0 ] || exec sudo -n "$@"; exec "$@"'
"""Whoever logs in must be root, or a user who may become it without a password."""


@cache
def program(agent: str, modules: tuple[str, ...]) -> str:
    """What runs on the switch, as one text: modules of a package, in the order of their imports."""
    folder = resources.files(agent)
    sources = {name: (folder / f"{name}.py").read_text(encoding="utf-8") for name in modules}
    loader = resources.files(__package__) / "session_loader.py"
    return f"{loader.read_text(encoding='utf-8')}\n\n{LAST_LINE.format(package=agent, sources=sources)}"


def command(text: str, label: str) -> str:
    """The command that runs a program which comes on its input; its processes have the label in their arguments."""
    words = ["python3", "-I", "-X", "utf8", "-c", START.format(size=len(text.encode())), label]
    return shlex.join(["sh", "-c", AS_ROOT, label, *words])


class Ended(Exception):
    """The program has ended without an answer: why, as far as it is known."""


class Conversation:
    """One channel on which the program runs. Whoever asks waits for the answer; another thread needs its own."""

    def __init__(self, transport: paramiko.Transport, text: str, label: str, seconds: float) -> None:
        self._rest = bytearray()
        """What came behind the last answer."""
        self._channel = transport.open_session(timeout=seconds)
        try:
            self._channel.settimeout(seconds)
            self._channel.exec_command(command(text, label))
            self._channel.sendall(text.encode())
        except BaseException:
            self._channel.close()
            raise

    @property
    def is_open(self) -> bool:
        """Whether the program still reads, as far as we know."""
        return not (self._channel.closed or self._channel.eof_received)

    def close(self) -> None:
        """Hang up; a request that it is at work on goes on."""
        self._channel.close()

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The answer. `Ended` if there is none, `TimeoutError` if it does not come in time, however slowly."""
        deadline = time.monotonic() + seconds
        self._channel.settimeout(seconds)
        try:
            self._channel.sendall(f"{json.dumps(request)}\n".encode())
        except OSError:
            if self.is_open:
                raise
        return self._answer(deadline)

    def _answer(self, deadline: float) -> dict[str, Any]:
        channel, errors = self._channel, bytearray()
        while True:
            is_over = channel.eof_received or channel.closed
            if channel.recv_ready():
                if (answer := self._line(channel.recv(CHUNK_BYTES))) is not None:
                    return answer
            elif channel.recv_stderr_ready():
                errors += channel.recv_stderr(CHUNK_BYTES)
            elif is_over:
                raise Ended(_problem(channel.recv_exit_status(), errors.decode(errors="replace")))
            elif (left := deadline - time.monotonic()) <= 0:
                raise TimeoutError
            else:
                select.select([channel], [], [], min(left, LOOK_S))
            if len(self._rest) + len(errors) > LARGEST_BYTES:
                message = "its answer is too long"
                raise paramiko.SSHException(message)

    def _line(self, data: bytes) -> dict[str, Any] | None:
        """The answer, once its line is whole."""
        self._rest += data
        if b"\n" not in data:
            return None
        line, _, rest = bytes(self._rest).partition(b"\n")
        self._rest = bytearray(rest)
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Ended(
                _problem(0, "its answer cannot be read" if b"{" in line else line.decode(errors="replace"))
            )
        return answer


def _problem(status: int, errors: str) -> str:
    """Why there is no answer."""
    said = errors.strip().rpartition("\n")[2]
    if status == NO_SUCH_PROGRAM:
        return "python3 is not installed there: on a switch with FRR it comes with frr-pythontools"
    if "sudo" in said:
        return f"the user may not become root: {said}"
    return said or (f"what runs there has ended with {status}" if status >= 0 else "the connection is gone")
