"""A host with the real OpenSM on a simulated subnet: the product's files come in, and OpenSM runs what ibsim can.

`furnish` makes a folder that looks like such a host to the driver: a folder of files, a cache, a log, commands
that start, end and reload OpenSM, and a saquery that asks the simulated subnet.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from fabric.devices.subnet import Subnet
from fabric.platforms.base import PART
from fabric.platforms.opensm.names import FILES, LID_FILE
from fabric.platforms.opensm.simulation import simulated

SUBNET, OPTIONS = "subnet.msgpack", "options"

SERVICE = """#!/bin/sh
# service start|stop|reload: OpenSM on the simulated subnet, with the files of ../etc as ibsim can have them.
cd {folder} || exit 1
running() {{ [ -s pid ] && kill -0 "$(cat pid)" 2>/dev/null; }}
prepare() {{ {python} -m fabric.platforms.opensm.emulator {folder}; }}
case $1 in
start)
    ! running || exit 0
    prepare || exit 1
    cd run || exit 1
    env {environment} OSM_CACHE_DIR={folder}/run/ OSM_TMP_DIR={folder}/run/ setsid \\
        opensm -F {folder}/run/opensm.conf -f {folder}/run/opensm.log </dev/null >stdout 2>&1 &
    echo $! >../pid ;;
stop)
    running || exit 0
    kill "$(cat pid)"
    for _ in $(seq 300); do running || exit 0; sleep 0.05; done
    exit 1 ;;
reload) running && prepare && kill -HUP "$(cat pid)" ;;
esac
"""

TOOL = """#!/bin/sh
# Asks the simulated subnet. The library that simulates leaves ./sys-PID where it runs.
here=$(mktemp -d) && cd "$here" || exit 1
env {environment} {tool} "$@"
code=$?
cd / && rm -rf "$here"
exit $code
"""


def furnish(
    folder: Path, subnet: Subnet, environment: Mapping[str, str], options: Sequence[str] = ()
) -> dict[str, str]:
    """Make a host in a folder; returns what the inventory would say of it (`ManagerHost`).

    `environment` leads a program to the simulated subnet; `options` are more lines of opensm.conf.
    """
    for name in ("etc", "cache", "run", "bin"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / SUBNET).write_bytes(msgspec.msgpack.encode(subnet))
    (folder / OPTIONS).write_text("".join(f"{line}\n" for line in options))
    words = " ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items())
    service = folder / "bin" / "service"
    _program(
        service,
        SERVICE.format(
            folder=shlex.quote(str(folder)), python=shlex.quote(sys.executable), environment=words
        ),
    )
    for tool in ("saquery", "ibnetdiscover"):
        _program(folder / "bin" / tool, TOOL.format(environment=words, tool=f"/usr/sbin/{tool}"))
    return {
        "folder": str(folder / "etc"),
        "cache": str(folder / "cache"),
        "log": str(folder / "run" / "opensm.log"),
        "tools": str(folder / "bin"),
        **{verb: f"{shlex.quote(str(service))} {verb}" for verb in ("start", "stop", "reload")},
    }


def _program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def prepare(folder: Path) -> None:
    """Write what OpenSM shall read under ibsim from what the host's folder of files holds now."""
    subnet = msgspec.msgpack.decode((folder / SUBNET).read_bytes(), type=Subnet)
    etc, run = folder / "etc", folder / "run"
    texts = {name: (etc / name).read_text() for name in FILES if (etc / name).exists()}
    lids = folder / "cache" / LID_FILE
    texts[LID_FILE] = lids.read_text() if lids.exists() else ""
    text = "".join(f"{PART}{name}\n{body}" for name, body in texts.items()).replace(f"{etc}/", f"{run}/")
    files = simulated(text, subnet, run)
    files["opensm.conf"] += (folder / OPTIONS).read_text()
    for name, body in files.items():
        (run / name).write_text(body)


if __name__ == "__main__":
    prepare(Path(sys.argv[1]))
