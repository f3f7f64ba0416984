"""The first process of a lab: `python -m fabric.lab.supervisor FOLDER`, in namespaces of its own.

Whatever runs in the lab is below it in its process namespace: when it ends, for whatever reason, the kernel ends all of
it, and network namespaces, cables, mounts and layers go with them. It ends by itself when the one who started it does
so before saying `keep`. Protocol, a line each way at a time: it says `{"pid": N}`, reads a `Blueprint` with the SSH
key, says `{"boxes": …}` or `{"failed": …}`, reads `keep`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from fabric.decoding import from_json
from fabric.diagnostics import FabricError, Refused
from fabric.lab import box_scripts
from fabric.lab.management_network import BRIDGE, UPLINK, batch
from fabric.lab.model import MANAGEMENT, OWN, Blueprint, Box
from fabric.lab.protocol import KEEP, Answer, Order, cable_line, enter, namespace
from fabric.lab.run_programs import ENVIRONMENT, failure, run
from fabric.lab.state import BOXES, BoxState, process

WORKERS = 6
"""Boxes started at once: they mostly wait for daemons."""
BOX_STARTS_WITHIN_S = 120.0


def main() -> None:
    """Build a lab, then hold it."""
    folder = Path(sys.argv[1]) / BOXES
    kept = threading.Event()
    _say(Answer(pid=own_pid()))
    order = from_json(sys.stdin.buffer.readline(), Order)
    threading.Thread(target=_watch, args=(kept,), daemon=True).start()
    try:
        boxes = _build(order, folder)
    except FabricError as error:
        _say(Answer(failed=str(error), hint=getattr(error, "hint", None)))
        return
    _say(Answer(boxes=boxes))
    kept.wait()
    sys.stdout.close()
    _collect()


def own_pid() -> int:
    """The number of this process where /proc was mounted: outside of the lab."""
    return int(Path("/proc/self").readlink().name)


def _say(answer: Answer) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    sys.stdout.buffer.flush()


def _watch(kept: threading.Event) -> None:
    """End at once, and everything with it, if the starter goes before it has written down where the lab is."""
    while line := sys.stdin.buffer.readline():
        if line == KEEP:
            kept.set()
            return
    os._exit(1)


def _collect() -> None:
    """Wait for children until killed: a box that ends leaves a process number behind, which is to be collected."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    while True:
        try:
            os.wait()
        except ChildProcessError:
            time.sleep(1)  # every box is dead


def _build(order: Order, folder: Path) -> dict[str, BoxState]:
    folder.mkdir(exist_ok=True)
    _must("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", str(folder))
    batch(
        (
            "link set lo up",
            f"link add {BRIDGE} type bridge",
            f"link set {UPLINK} master {BRIDGE}",
            f"link set {UPLINK} up",
            f"link set {BRIDGE} up",
        )
    )
    boxes = order.blueprint.boxes
    with ThreadPoolExecutor(WORKERS) as workers:
        prepared = partial(_start_box, folder, order.authorized_key)
        pids = dict(zip((box.name for box in boxes), workers.map(prepared, boxes), strict=True))
        batch(_cabling(order.blueprint, pids))
        list(workers.map(lambda box: _start_programs(box, pids[box.name]), boxes))
    return {box.name: _state(box, folder, pids[box.name]) for box in boxes}


def _start_box(folder: Path, authorized_key: str, box: Box) -> int:
    """The first process of a box, as this machine counts; its namespaces are there, its links not yet."""
    own = folder / box.name
    address = box.address.partition("/")[0]
    files = {
        f"{OWN}/sshd_config": box_scripts.SSHD_CONFIG.format(address=address),
        f"{OWN}/authorized_keys": authorized_key,
        **box.files,
    }
    for path, text in files.items():
        _write(own / "upper" / path.lstrip("/"), text)
    folders = (path for pair in box.folders.items() if Path(pair[0]).is_dir() for path in pair)
    script = own / "first-process"
    script.write_text(box_scripts.FIRST_PROCESS)
    namespaces = ("--net", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child")
    with (own / "log").open("wb") as log:
        child = subprocess.Popen(  # noqa: S603  # our own script
            ["unshare", *namespaces, "sh", str(script), box.name, str(own), *folders],  # noqa: S607
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=ENVIRONMENT,
            cwd="/",
        )
    _until((own / "ready").exists, child, own / "log", box.name)
    return int((own / "pid").read_text())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o640)  # frr.conf may hold passwords


def _until(done: Callable[[], bool], child: subprocess.Popen[Any], log: Path, name: str) -> None:
    deadline = time.monotonic() + BOX_STARTS_WITHIN_S
    while not done():
        if child.poll() is not None or time.monotonic() > deadline:
            lines = log.read_text(errors="replace").strip().splitlines()
            message = f"box {name} does not start: {lines[-1][:300] if lines else 'without a message'}"
            raise Refused(message)
        time.sleep(0.005)


def _cabling(blueprint: Blueprint, pids: dict[str, int]) -> list[str]:
    """Lines of `ip` for every cable, and for the management port of every box."""
    lines = [cable_line(cable, pids) for cable in blueprint.cables]
    for number, box in enumerate(blueprint.boxes):
        lines += [
            f"link add {MANAGEMENT} netns {namespace(pids[box.name])} type veth peer name m{number}",
            f"link set m{number} master {BRIDGE}",
            f"link set m{number} up",
        ]
    return lines


def _start_programs(box: Box, pid: int) -> None:
    words = (box_scripts.LOGGED, "sh", box_scripts.START + box.start)
    done = run(*enter(pid), "sh", "-c", *words)
    if done.returncode:
        raise Refused(failure(f"starting the programs of {box.name}", done))


def _state(box: Box, folder: Path, pid: int) -> BoxState:
    key = (folder / box.name / "upper" / OWN.lstrip("/") / "host_key.pub").read_text()
    address = box.address.partition("/")[0]
    return BoxState(kind=box.kind, process=process(pid), address=address, host_key=" ".join(key.split()[:2]))


def _must(*words: str) -> None:
    done = run(*words)
    if done.returncode:
        raise Refused(failure(words[0], done))


if __name__ == "__main__":
    main()
