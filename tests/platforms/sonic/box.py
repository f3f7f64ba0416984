"""A SONiC switch in a box: real sshd, Redis and FRR, with SONiC's commands (`box_commands.py`) between them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fabric.platforms.sonic.agent import database, timer
from fabric.platforms.sonic.session import SonicDriver, driver_options
from tests.platforms.frr.switches import SwitchBox
from tests.platforms.sonic.box_commands import COMMANDS, MODELS, SOCKET
from tests.programs import ROOT
from tests.yang import models

PROGRAMS = ("redis-server", "redis-cli")
DAEMONS = """bgpd=yes
bfdd=yes
staticd=yes
frr_profile=traditional
zebra_options="-A 127.0.0.1 -s 90000000 -M dplane_fpm_nl"
bgpd_options="-A 127.0.0.1"
staticd_options="-A 127.0.0.1"
bfdd_options="-A 127.0.0.1"
"""
SCRIPT = """#!/bin/sh
export FABRIC_YANG_DIR={models} PYTHONDONTWRITEBYTECODE=1
cd {root} && exec {python} -m tests.platforms.sonic.box_commands {name} "$@"
"""

CONTAINER = """#!/bin/sh
[ "$1 $2 $3 $4" = "exec -i bgp vtysh" ] || exit 1
shift 4; exec vtysh "$@"
"""
"""FRR's container is the box."""


class SonicBox(SwitchBox):
    """One switch. A context manager; gone with its first process."""

    def __init__(self, files: Mapping[str, str], folder: Path, interfaces: tuple[str, ...]) -> None:
        self._database = files["config_db.json"]
        routing = {"frr.conf": files["frr.conf"], "daemons": DAEMONS}
        vtysh = {"vtysh.conf": "service integrated-vtysh-config\n"}
        super().__init__("leaf-0-0", {**routing, **vtysh}, folder, interfaces)

    def install(self, files: Mapping[str, str]) -> None:
        """Both files, and the commands."""
        super().install(files)
        (self.root / "etc/sonic").mkdir(exist_ok=True)
        (self.root / "etc/sonic/frr").symlink_to("/etc/frr")
        self.write(database.FILE[1:], self._database)
        self.write("etc/sonic/sonic_version.yml", "build_version: '202511.0'\n")
        for name in COMMANDS:
            text = SCRIPT.format(root=ROOT, models=models(MODELS).parent, python=sys.executable, name=name)
            self.write(f"usr/local/bin/{name}", text)
        self.write("usr/local/bin/docker", CONTAINER)
        self.run("sh", "-c", "chmod 755 /usr/local/bin/*", exits=range(256))

    def start(self) -> None:
        """What is enabled at the start, CONFIG_DB from its file, then FRR from its own."""
        self.run("sh", "-c", f"rm -rf /run/units {SOCKET}")
        self.run("redis-server", "--port", "0", "--unixsocket", SOCKET, "--save", "", "--daemonize", "yes")
        self.wait((self.root / SOCKET[1:]).exists, "Redis")
        if (self.root / f"etc/sonic/enabled-{timer.UNIT}").exists():
            self.run("sh", "-c", " ".join((*timer.PYTHON, timer.PROGRAM, "fabric-sonic", "boot")))
        self.run("sh", "-c", "$0", "load-startup")
        super().start()

    def sonic(self, change: str = "", **options: Any) -> SonicDriver:
        """A driver that is connected, for a change of that name."""
        target = self.target
        options = driver_options(target) | options
        driver = SonicDriver(target.address, "root", "", timeout=target.timeout_s, optional_args=options)
        driver.open()
        if change:
            driver.name_change(change)
        return driver
