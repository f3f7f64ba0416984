"""A host with the real OpenSM on a simulated subnet: the product's files come in, and OpenSM runs what ibsim can.

`furnish` makes a folder that looks like such a host to the driver: a folder of files, a cache, a log, commands
that start, end and reload OpenSM, and a saquery and an sminfo that ask the simulated subnet. Run as a program with
`prepare FOLDER`, this module writes what OpenSM shall read.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from fabric.decoding import from_msgpack
from fabric.devices.infiniband.model import Subnet
from fabric.platforms.base import PART
from fabric.platforms.opensm.names import FILES, LID_FILE
from fabric.platforms.opensm.simulation import simulated

SEND_WORDS = '/control" commit "$2"'
"""Of the command by which the driver commits: faults of the sandbox strike there."""
QUICK = ("sminfo_polling_timeout 1000", "polling_retry_number 3")
"""A waiting manager takes over after 4 s, not after 40."""
SUBNET, OPTIONS = "subnet.msgpack", "options"

SERVICE = """#!/bin/sh
# service start|stop|reload: OpenSM on the simulated subnet, with the files of ../etc as ibsim can have them.
cd {folder} || exit 1
running() {{ [ -s pid ] && kill -0 "$(cat pid)" 2>/dev/null; }}
prepare() {{ {python} -m fabric.platforms.opensm.emulator prepare {folder}; }}
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
    kill -CONT "$(cat pid)" # as systemd does: one that was stopped would not hear the first word
    for _ in $(seq 300); do running || exit 0; sleep 0.05; done
    kill -KILL "$(cat pid)"
    for _ in $(seq 100); do running || exit 0; sleep 0.05; done
    exit 1 ;;
reload) running && prepare && kill -HUP "$(cat pid)" ;;
esac
"""

SAQUERY = """#!/bin/sh
# Tells the P_Key tables of the simulated subnet, asked port by port: ibsim 0.10 delivers the first segment of an
# answer only. `saquery -s` tells the ports with a manager.
[ "$1" != -s ] || exec {folder}/bin/tool saquery -s
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) && cd "$work" || exit 1
cat >key
setsid -w xargs -a {folder}/lids -n 1 -P {slots} {folder}/bin/table
cat said.* 2>/dev/null
rm -rf "$work"
"""
TABLE = """#!/bin/sh
# table LID: one port's table, into a file; without a terminal saquery reads the SA_Key from its input.
timeout 30 env {environment} saquery --smkey x PKTR "$1" <key >"said.$1" 2>/dev/null || rm -f "said.$1"
"""
TOOL = """#!/bin/sh
# A program of infiniband-diags on the simulated subnet; the library that simulates leaves ./sys-PID where it runs,
# hundreds of files: in memory, if there is room.
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) && cd "$work" || exit 1
env {environment} "$@" </dev/null
code=$?
rm -rf "$work"
exit $code
"""
SMINFO = """#!/bin/sh
exec {folder}/bin/tool sminfo "$@"
"""
SLOTS = 5
"""ibsim serves ten programs at once; OpenSMs and other tools need some of them."""


def furnish(
    folder: Path, subnet: Subnet, environment: Mapping[str, str], options: Sequence[str] = QUICK
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
    (folder / "commit").write_text(SEND_WORDS)
    (folder / "lids").write_text("".join(f"{end.lid}\n" for end in subnet.ends))
    _program(folder / "bin" / "saquery", SAQUERY.format(folder=shlex.quote(str(folder)), slots=SLOTS))
    _program(folder / "bin" / "table", TABLE.format(environment=words))
    _program(folder / "bin" / "tool", TOOL.format(environment=words))
    _program(folder / "bin" / "sminfo", SMINFO.format(folder=shlex.quote(str(folder))))
    return {
        "folder": str(folder / "etc"),
        "cache": str(folder / "cache"),
        "defaults": str(folder / "ports"),
        "log": str(folder / "run" / "opensm.log"),
        "tools": str(folder / "bin"),
        **{verb: f"{shlex.quote(str(service))} {verb}" for verb in ("start", "stop", "reload")},
    }


def _program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def prepare(folder: Path) -> None:
    """Write what OpenSM shall read under ibsim from what the host's folder of files holds now."""
    subnet = from_msgpack((folder / SUBNET).read_bytes(), Subnet)
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
    prepare(Path(sys.argv[2]))
