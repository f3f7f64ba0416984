"""A simulated subnet: one ibsim, OpenSMs on hosts of it, and the real tools. Ends what it started, by process."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

from fabric.devices.model import SubnetManager
from fabric.devices.subnet import Subnet
from fabric.exports.ibsim import adapter_id, netlist, switch_id
from fabric.platforms.opensm.simulation import simulated
from tests.conftest import needed

UMAD = Path("/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so")
PROGRAMS = ("ibsim", "opensm", "ibnetdiscover", "saquery", "smpquery", "dump_lfts", "ibdmchk")
MANAGEMENT_KEY = "1"
"""The SA_Key that `simulated` writes."""

TIED = ("setpriv", "--pdeathsig", "TERM")
"""Ends a program when the test process goes, however it goes."""


def need_tools() -> None:
    """Skip, by name, where the tools of a simulated subnet are missing."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing or not UMAD.exists():
        needed(", ".join(missing) or str(UMAD))


def until(true: Callable[[], object], seconds: float, what: str) -> None:
    """Wait for something, in a bounded loop."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.02)


class Simulator:
    """ibsim with the nodes and cables of a subnet. Its name keeps subnets side by side apart."""

    def __init__(self, subnet: Subnet, work: Path, net: str | None = None) -> None:
        self.subnet, self.work = subnet, work
        self.name = f"fabric-{os.getpid()}-{id(self):x}"
        work.mkdir(parents=True, exist_ok=True)
        (work / "fabric.net").write_text(net or netlist(subnet))
        self.log = work / "ibsim.log"

    def __enter__(self) -> Self:
        subnet = self.subnet
        nodes = len(subnet.switches) + len(subnet.ends) + 8
        ports = sum(switch.ports + 1 for switch in subnet.switches) + 2 * len(subnet.ends) + 64
        sizes = ["-N", str(nodes), "-S", str(len(subnet.switches) + 8), "-P", str(ports)]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*TIED, "ibsim", "-s", *sizes, "fabric.net"],
                stdin=subprocess.PIPE,  # at its end ibsim would spin
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.work,
                env={**os.environ, "IBSIM_SOCKNAME": self.name},
                text=True,
            )
        until(self._ready, 60, "ibsim")
        return self

    def _ready(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(f"ibsim ended: {self.log.read_text()[-600:]}")
        return "simulator ready" in self.log.read_text()

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.communicate("Quit\n", timeout=10)

    def console(self, line: str) -> str:
        """One command of ibsim's console, and what it answers before the next prompt."""
        before = self.log.stat().st_size
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

        def said() -> str:
            return self.log.read_bytes()[before:].decode(errors="replace")

        until(lambda: "sim> " in said(), 10, f"ibsim console: {line}")
        return said().split("sim> ")[0].strip()

    def unplug(self, node: int, port: int | None = None) -> None:
        """Take a cable out, or all of a switch."""
        self.console(f'Unlink "{self._id(node)}"{self._port(port)}')

    def plug(self, node: int, port: int | None = None) -> None:
        """Put back what was unplugged."""
        self.console(f'ReLink "{self._id(node)}"{self._port(port)}')

    def _port(self, port: int | None) -> str:
        return "" if port is None else f"[{port}]"

    def _id(self, node: int) -> str:
        is_switch = any(switch.guid == node for switch in self.subnet.switches)
        return switch_id(node) if is_switch else adapter_id(node)

    def environment(self, node: int | None = None) -> dict[str, str]:
        """What a tool needs in order to see the simulated subnet, from one HCA of it."""
        place = {} if node is None else {"SIM_HOST": adapter_id(node)}
        return {**os.environ, "LD_PRELOAD": str(UMAD), "IBSIM_SOCKNAME": self.name, **place}

    def tool(self, *words: str, node: int | None = None, seconds: float = 120) -> str:
        """What a tool prints, run at the first host or at an HCA."""
        folder = tempfile.mkdtemp(dir=self.work)  # umad2sim leaves ./sys-<pid> where it runs
        try:
            done = subprocess.run(
                words,
                env=self.environment(node),
                cwd=folder,
                timeout=seconds,
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return done.stdout + "".join(
            x for x in done.stderr.splitlines(keepends=True) if "sim_connect" not in x
        )

    def reap(self) -> None:
        """Free the slots of clients that were killed: ibsim has ten, and never notices by itself."""
        for slot, pid in re.findall(r"Client (\d+): pid (\d+)", self.console("Attached")):
            if not Path(f"/proc/{pid}").exists():
                self.console(f"X {slot}")


class Manager:
    """One OpenSM on a host of a simulated subnet, with the files that were compiled for it."""

    def __init__(
        self, simulator: Simulator, manager: SubnetManager, text: str, options: Sequence[str] = ()
    ) -> None:
        self.simulator, self.manager = simulator, manager
        self.folder = simulator.work / manager.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.write(text, options)

    def write(self, text: str, options: Sequence[str] = ()) -> None:
        """Put its files there, with more lines of opensm.conf."""
        files = simulated(text, self.manager.subnet, self.folder)
        files["opensm.conf"] += "".join(f"{line}\n" for line in options)
        for name, content in files.items():
            (self.folder / name).write_text(content)

    def __enter__(self) -> Self:
        place = f"{self.folder}/"
        mine = next(e.node_guid for e in self.manager.subnet.ends if e.port_guid == self.manager.port_guid)
        with (self.folder / "stdout").open("w") as out:
            self.process = subprocess.Popen(
                [*TIED, "opensm", "-F", f"{place}opensm.conf", "-f", f"{place}opensm.log"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env={**self.simulator.environment(mine), "OSM_CACHE_DIR": place, "OSM_TMP_DIR": place},
            )
        return self

    def log(self) -> str:
        """What it has logged."""
        path = self.folder / "opensm.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def wait(self, text: str = "SUBNET UP", seconds: float = 60, after: int = 0) -> None:
        """Until it logs something behind a place of its log."""

        def there() -> bool:
            if self.process.poll() is not None:
                raise RuntimeError(f"opensm ended: {self.log()[-800:]}")
            return text in self.log()[after:]

        until(there, seconds, f"{self.manager.name}: {text}")

    def reload(self) -> None:
        """Read the files again."""
        self.process.send_signal(signal.SIGHUP)

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it, and free its place in the simulator."""
        if self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(15)
        self.simulator.reap()
