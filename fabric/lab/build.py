"""Starting and ending a lab: the process that holds it, its access from this machine, its folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from fabric.decoding import from_json
from fabric.diagnostics import Refused
from fabric.lab import locking
from fabric.lab.locking import exclusive
from fabric.lab.management_network import Block, claim
from fabric.lab.model import Blueprint
from fabric.lab.neighbour_tables import raise_limits, restore_limits
from fabric.lab.protocol import KEEP, Answer, Order
from fabric.lab.run_programs import SYSTEM, failure, run
from fabric.lab.state import KEY, LabState, process, read_state, write_state
from fabric.units import counted

LOG = "lab.log"
LOCK = "lock"
JOURNAL = ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm")
"""With what SQLite keeps beside it where a program was killed."""
OURS = (LOG, "lab.json", "lab.json.new", KEY, f"{KEY}.pub", "known_hosts", *JOURNAL)
ENDS_WITHIN_S = 60.0
NAMESPACES = ("--net", "--mount", "--pid", "--ipc", "--fork", "--kill-child", "--propagation", "private")

Design = Callable[[Block], Blueprint]
"""The lab on a block of addresses."""


class Supervisor:
    """The process that holds a lab, seen by the one who starts it. It ends with us unless it is `kept`."""

    def __init__(self, folder: Path) -> None:
        command = [
            "unshare",
            *NAMESPACES,
            sys.executable,
            "-m",
            "fabric.lab.supervisor",
            str(folder.absolute()),
        ]
        source = str(Path(__file__).parents[2])
        environment = {"PATH": SYSTEM, "LC_ALL": "C", "PYTHONPATH": source, "PYTHONDONTWRITEBYTECODE": "1"}
        with (folder / LOG).open("wb") as log:
            self.child = subprocess.Popen(  # noqa: S603  # our own interpreter and module
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                env=environment,
            )
        self._log = folder / LOG
        try:
            self.process = process(self.answer().pid)
        except BaseException:
            self.child.kill()
            self.child.wait()
            raise

    def answer(self) -> Answer:
        """Its next answer. `Refused` with its reason if it cannot build the lab."""
        line = _open(self.child.stdout).readline()
        if not line:
            message = "the process of the lab has ended before the lab was there"
            raise Refused(message, f"its log is {self._log}")
        answer = from_json(line, Answer)
        if answer.failed:
            raise Refused(answer.failed, answer.hint)
        return answer

    def send(self, line: bytes) -> None:
        """Send one line. `Refused` if it has ended."""
        try:
            _open(self.child.stdin).write(line)
            _open(self.child.stdin).flush()
        except BrokenPipeError:
            message = "the process of the lab has ended"
            raise Refused(message, f"its log is {self._log}") from None

    def keep(self) -> None:
        """Let it go on without us."""
        self.send(KEEP)

    def close(self) -> None:
        """End it, and the lab with it."""
        for pipe in (self.child.stdin, self.child.stdout):
            with suppress(BrokenPipeError):
                _open(pipe).close()
        if self.process.is_alive:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
        self.child.wait()  # its parent, which collects it


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # noqa: S101  # it was asked for
    return pipe


def build(
    design: Design, folder: Path, *, site: str, configured: bool, keep: bool
) -> tuple[Supervisor, LabState]:
    """Build a lab in a folder. Unless it is to `keep`, it ends with this process.

    `Refused` if one runs there already, or it cannot be built; nothing is left then.
    """
    with locked(folder):
        folder.chmod(0o700)
        running = read_state(folder)
        if running is not None and running.process.is_alive:
            boxes = counted(len(running.boxes), ("box", "boxes"))
            message = f"a lab runs already here, with {boxes} (process {running.process.pid})"
            raise Refused(message, "end it with `fabric lab down`")
        _clean(folder)
        supervisor = Supervisor(folder)
        state = LabState(site=site, process=supervisor.process, configured=configured, started_at=time.time())
        try:
            state = _built(supervisor, design, folder, state)
            if keep:
                supervisor.keep()
        except BaseException:
            supervisor.close()
            restore_limits()
            raise
        return supervisor, state


def _built(supervisor: Supervisor, design: Design, folder: Path, state: LabState) -> LabState:
    write_state(folder, state)  # before anything can be left behind
    block = claim(supervisor.process.pid)
    state = msgspec.structs.replace(state, number=block.number, interface_index=block.interface_index)
    write_state(folder, state)
    blueprint = design(block)
    raise_limits(2 * (len(blueprint.cables) + len(blueprint.boxes)), supervisor.process)
    order = Order(blueprint=blueprint, authorized_key=_new_key(folder))
    supervisor.send(msgspec.json.encode(order) + b"\n")
    boxes = supervisor.answer().boxes
    state = msgspec.structs.replace(state, boxes=boxes, cables=blueprint.cables)
    write_state(folder, state)
    (folder / "known_hosts").write_text("".join(f"{box.address} {box.host_key}\n" for box in boxes.values()))
    return state


def _new_key(folder: Path) -> str:
    """The public key of a new pair. The private one is for the folder's owner only."""
    done = run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "fabric-lab", "-f", str(folder / KEY))
    if done.returncode:
        raise Refused(failure("ssh-keygen", done))
    return (folder / f"{KEY}.pub").read_text()


def end(folder: Path) -> bool:
    """End the lab of a folder and remove what it left, also where starting it was cut short. False: none ran.

    `Refused` if it does not end.
    """
    if not folder.is_dir():
        restore_limits()
        return False
    with locked(folder):
        state = read_state(folder)
        is_alive = state is not None and state.process.is_alive
        if state is not None:
            if is_alive:
                os.kill(state.process.pid, signal.SIGKILL)
            wait_for_end(state)
        _clean(folder)
        restore_limits()
        locking.remove(folder / LOCK)
    return is_alive


def wait_for_end(state: LabState) -> None:
    """Wait until the kernel has ended the lab's processes and taken down its veth. `Refused` if it does not."""
    deadline = time.monotonic() + ENDS_WITHIN_S
    block = Block(state.number)
    while state.process.is_alive or (
        state.interface_index and block.interface_index == state.interface_index
    ):
        if time.monotonic() > deadline:
            message = f"the lab (process {state.process.pid}, interface {block.interface}) does not end"
            raise Refused(message, f"look at /proc/{state.process.pid}/status")
        time.sleep(0.02)


def _clean(folder: Path) -> None:
    """Remove our files. The folder of layers is empty outside of the lab."""
    for name in OURS:
        (folder / name).unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        (folder / "boxes").rmdir()


def remove(folder: Path) -> None:
    """Remove a folder that was made for one lab."""
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """While nobody else starts, ends or changes the lab of a folder. `Refused` if somebody does."""
    with ExitStack() as held:
        try:
            held.enter_context(exclusive(folder / LOCK, wait=False))
        except BlockingIOError:
            message = f"another command is at work on the lab in {folder}"
            raise Refused(message, "wait until it has ended") from None
        yield
