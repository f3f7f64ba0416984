"""A sandbox that outlives the command that started it: up, status, down, faults.

Its state is `state.json` in a folder of its own (`.fabric/sandbox/`), readable by its owner only. It holds where
each device is, and no password: whoever plans resolves that from the inventory, as for real devices.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from fabric.decoding import from_json
from fabric.diagnostics import Refused
from fabric.exports.ibsim import netlist
from fabric.platforms.base import Trust
from fabric.platforms.emulation import Emulated
from fabric.resources import written_as
from fabric.sandbox.control_channel import EVERY, UPDATE_TIMEOUT_S, Request, ask
from fabric.sandbox.emulated_network import Growth
from fabric.sandbox.sandbox import DEFAULT_PORT
from fabric.sandbox.simulated_subnets import SimulatedManager
from fabric.units import counted

STATE = "state.json"
LOG = "sandbox.log"
PLACES = "places.json"
"""Where everything is reached; the process of the sandbox writes it down."""
SUBNETS = "subnets"
"""Folder of the simulated subnets and their managers' hosts."""
FAILED = "FAILED "
"""First word of a sandbox that cannot start; behind it the reason, a tab and the hint."""
ENDS_WITHIN_S = 120
MAX_SOCKET_PATH_BYTES = 100
"""Paths of UNIX sockets end at 108 bytes on Linux, at 104 on macOS."""


class Place(msgspec.Struct, frozen=True):
    """Where an emulated device is reached."""

    address: str
    port: int
    username: str
    key_file: str = ""
    """SSH private key that lets us in; empty: the inventory's password does."""
    trust: Trust = Trust()
    host: dict[str, str] = {}
    """Where its files are and how it is started: of a subnet manager's host."""
    ports: dict[str, int] = {}
    """By protocol, of a device that speaks several."""
    has_routes: bool = True
    """Whether it evaluates BGP's routes."""


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """What the process of a sandbox has to emulate."""

    devices: tuple[Emulated, ...]
    managers: tuple[SimulatedManager, ...] = ()


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A sandbox as its starter wrote it down."""

    format: int = 1
    pid: int
    started_at: float
    control: str
    targets: dict[str, Place]
    intent: str = ""
    """Digest of the intent whose devices it plays."""
    managers: str = ""
    """Digest of its simulated subnets and their managers."""


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """How a sandbox is doing."""

    state: State
    memory_bytes: int
    faults: dict[str, dict[str, Any]]
    """By device; only those that are set."""


def up(
    devices: Iterable[Emulated],
    folder: Path,
    *,
    port: int = DEFAULT_PORT,
    block: int = 0,
    managers: Iterable[SimulatedManager] = (),
    intent: str = "",
) -> State:
    """Start a sandbox and wait until every device answers. `Refused` if one runs already, or it cannot start."""
    specs, hosts = tuple(devices), tuple(managers)
    running = _known(folder)
    if running is not None:
        many = counted(len(running.targets), ("device", "devices"))
        message = f"a sandbox runs already here, with {many} (process {running.pid})"
        raise Refused(message, "end it with `fabric sandbox down`")
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    control = _control(folder)
    pid = _started(Contents(devices=specs, managers=hosts), folder, control, port, block)
    places = from_json((folder / PLACES).read_bytes(), dict[str, Place])
    state = State(
        pid=pid,
        started_at=time.time(),
        control=str(control),
        targets=places,
        intent=intent,
        managers=_digest(hosts),
    )
    return _written(folder, state)


def update(
    devices: Iterable[Emulated],
    folder: Path,
    *,
    managers: Iterable[SimulatedManager] = (),
    intent: str = "",
) -> Growth:
    """Make these the devices of the sandbox that runs; those that stay keep what they run.

    `Refused` if none runs, if one cannot be played, or if simulated subnets would change: ibsim cannot do that.
    """
    state = _running(folder)
    if state.managers != _digest(tuple(managers)):
        message = "the InfiniBand networks of the site have changed, and ibsim cannot change one that runs"
        raise Refused(message, "`fabric sandbox down`, then `fabric sandbox up` begin anew")
    request = Request(action="update", devices=tuple(devices))
    growth = ask(Path(state.control), request, UPDATE_TIMEOUT_S).growth
    places = from_json((folder / PLACES).read_bytes(), dict[str, Place])
    _written(folder, msgspec.structs.replace(state, targets=places, intent=intent))
    return growth


def _digest(managers: tuple[SimulatedManager, ...]) -> str:
    """Changes with what is simulated, cables and managers; what the managers are told may change at any time."""
    played = [(m.name, m.platform, m.network, m.node_guid, netlist(m.subnet)) for m in managers]
    return sha256(msgspec.json.encode(played)).hexdigest() if managers else ""


def _written(folder: Path, state: State) -> State:
    _write(folder / STATE, msgspec.json.format(msgspec.json.encode(state), indent=2))
    return state


def status(folder: Path) -> Status | None:
    """How the sandbox of a folder is doing; None if none runs."""
    state = _known(folder)
    if state is None:
        return None
    faults = ask(Path(state.control), Request(action="faults")).devices
    set_ones = {name: values for name, values in faults.items() if values}
    return Status(state=state, memory_bytes=_memory_bytes(state.pid), faults=set_ones)


def down(folder: Path) -> bool:
    """End the sandbox of a folder. False if none ran."""
    state = _known(folder)
    if state is None:
        return False
    os.kill(state.pid, signal.SIGTERM)
    deadline = time.monotonic() + ENDS_WITHIN_S
    while _lives(state.pid):
        if time.monotonic() > deadline:
            message = f"the sandbox (process {state.pid}) does not end"
            raise Refused(message, f"look into {folder / LOG}")
        time.sleep(0.05)
    (folder / STATE).unlink(missing_ok=True)
    if (home := Path(state.control).parent).resolve() != folder.resolve():
        home.rmdir()
    return True


def inject(folder: Path, device: str = EVERY, **faults: Any) -> dict[str, Any]:
    """Set faults by their names in `Faults` (`latency_ms=200`, `refuse=True`, `die_in_commit="after"`)."""
    return _asked(folder, Request(action="set", device=device, faults=faults))


def clear(folder: Path, device: str = EVERY) -> dict[str, Any]:
    """Make devices whole again."""
    return _asked(folder, Request(action="clear", device=device))


def drift(folder: Path, device: str, *lines: str) -> dict[str, Any]:
    """Type configuration lines on a device's console, bypassing the deployment."""
    return _asked(folder, Request(action="drift", device=device, lines=lines))


def reboot(folder: Path, device: str) -> dict[str, Any]:
    """Restart a device from its startup configuration."""
    return _asked(folder, Request(action="reboot", device=device))


def advance(folder: Path, seconds: float) -> None:
    """Let so much time pass at once on all devices."""
    _asked(folder, Request(action="advance", seconds=seconds))


def running_config(folder: Path, device: str) -> str:
    """What a device runs."""
    return str(_asked(folder, Request(action="running", device=device))[device])


def _asked(folder: Path, request: Request) -> dict[str, Any]:
    return ask(Path(_running(folder).control), request).devices


def _running(folder: Path) -> State:
    state = _known(folder)
    if state is None:
        message = "no sandbox runs here"
        raise Refused(message, "start one with `fabric sandbox up`")
    return state


def _known(folder: Path) -> State | None:
    """The sandbox that runs; what a dead one left is removed."""
    file = folder / STATE
    try:
        state = from_json(file.read_bytes(), State)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        message = f"{file} is not readable: {error}"
        raise Refused(message, "remove it, if no sandbox runs") from error
    # The process number may belong to somebody else by now: only one of ours answers at this socket.
    if _lives(state.pid) and Path(state.control).exists():
        return state
    file.unlink(missing_ok=True)
    return None


def _lives(pid: int) -> bool:
    """Whether a process runs. One that ended does not, even if its exit code was not yet collected."""
    try:
        ended, _ = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        ended = 0  # somebody else's child, or nobody's
    if ended:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def _is_zombie(pid: int) -> bool:
    """As Linux says it; elsewhere never: there the first process of the system takes care of orphans."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] == "Z"  # behind the program's name, which may hold anything


def _control(folder: Path) -> Path:
    """A path for the control socket: in the folder, if it is short enough."""
    path = (folder / "control.sock").absolute()
    if len(os.fsencode(path)) > MAX_SOCKET_PATH_BYTES:
        path = Path(tempfile.mkdtemp(prefix="fabric-sandbox-")) / "control.sock"
    path.unlink(missing_ok=True)
    return path


def _started(contents: Contents, folder: Path, control: Path, port: int, block: int) -> int:
    """The process number of a sandbox that is ready."""
    command = [sys.executable, "-m", "fabric.sandbox.serve", str(control), str(port), str(block)]
    command.append(str(folder.absolute()))
    with (folder / LOG).open("wb") as log:
        child = subprocess.Popen(  # noqa: S603  # our own interpreter and module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, start_new_session=True
        )
    answer = _first_answer(child, msgspec.json.encode(contents))
    if answer.startswith("READY"):
        return child.pid
    child.wait()
    reason, _, hint = answer.removeprefix(FAILED).partition("\t")
    message = f"the sandbox did not start: {reason.strip() or 'no answer from it'}"
    raise Refused(message, hint.strip() or f"its log is {folder / LOG}")


def _first_answer(child: subprocess.Popen[bytes], text: bytes) -> str:
    """Tell a child what it needs, and wait for its first word; empty if it has none."""
    if child.stdin is None or child.stdout is None:
        return ""
    with child.stdin as ask, child.stdout as answer:
        try:
            ask.write(text)
            ask.close()
        except BrokenPipeError:
            return ""
        return answer.readline().decode().strip(" \n")


def _memory_bytes(pid: int) -> int:
    """Resident memory of a process; 0 where the system does not report it."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _write(path: Path, data: bytes) -> None:
    """Write a file for its owner only, in one step."""
    draft = path.with_suffix(".new")
    with written_as(path):
        draft.touch(mode=0o600)
        draft.write_bytes(data)
        draft.replace(path)
