"""A simulated subnet: one ibsim, OpenSMs on hosts of it, and the real tools. Ends what it started, by process.

    with Simulator(subnet, folder) as simulator, Manager(simulator, manager, text) as running:
        running.wait()                        # SUBNET UP
        print(simulator.tool("ibnetdiscover"))
        mark = running.mark()
        simulator.unplug(spine.guid)
        running.wait(after=mark)              # up again, without the spine

Nothing here sleeps for a fixed time, and nothing waits without a bound.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from fabric.devices.infiniband.model import EndPort, Subnet
from fabric.devices.model import SubnetManager
from fabric.exports.ibsim import adapter_id, netlist, switch_id
from fabric.platforms.opensm.simulation import simulated
from fabric.verification.infiniband.reading.run_tools import in_memory
from tests.programs import ANY, LIMIT_S, SEARCHED, needed, needed_programs, path_of, run, start
from tests.waiting import PATIENCE_S, until

UMAD = Path("/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so")
PROGRAMS = ("ibsim", "opensm", "ibnetdiscover", "saquery", "smpquery", "dump_lfts", "ibdmchk")
MANAGEMENT_KEY = "1"
"""The SA_Key that `simulated` writes."""

TIED = ("setpriv", "--pdeathsig", "TERM")
"""Ends a program when the test process goes, however it goes."""

QUICK_HANDOVER = ("sminfo_polling_timeout 500", "polling_retry_number 3")
"""A standby asks after its master each half second, and believes it dead after three questions. Default: 40 s."""

QUICK_SWEEP = ("sweep_interval 1",)
"""A change that is told while OpenSM sweeps is sometimes seen by its next sweep only. Default: 10 s."""

STALL_S = 30
"""OpenSM 3.3.23 may wait for ever for an answer that ibsim has lost, when two managers are there and one of them ends
or hands over: after so long it is restarted. A handover takes two seconds."""

DUMPS = ("log_flags 0x43",)
"""OpenSM leaves opensm-subnet.lst and opensm.fdbs beside its log, which `ibdmchk` reads."""


def need_tools() -> None:
    """Skip, by name, where the tools of a simulated subnet are missing."""
    needed_programs(*PROGRAMS)
    if not UMAD.exists():
        needed(f"{UMAD} (ibsim-utils)")


def with_strangers(subnet: Subnet, guids: Sequence[int]) -> str:
    """The netlist of a subnet, and beside it adapters that nobody knows, without cables yet."""
    strangers = (f'\ncaguids={guid:#x}\nCa\t1 "{adapter_id(guid)}"\t\t# "stranger"\n' for guid in guids)
    return netlist(subnet) + "".join(strangers)


def port_guid(end: EndPort) -> int:
    """The GUID that the simulator gives a port, whatever it is in reality."""
    return end.node_guid + end.port


def ended(process: subprocess.Popen[str] | subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Wait for the end of a process that was asked to; then end it."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(seconds)


class Simulator:
    """ibsim with the nodes and cables of a subnet. Its name keeps subnets side by side apart."""

    def __init__(self, subnet: Subnet, work: Path, net: str | None = None) -> None:
        self.subnet, self.work = subnet, work
        self.name = f"fabric-{os.getpid()}-{id(self):x}"
        work.mkdir(parents=True, exist_ok=True)
        (work / "fabric.net").write_text(net or netlist(subnet))
        self.log = work / "ibsim.log"
        self.place: int | None = None
        """Node GUID of the HCA at which tools run; None: the first one, a manager's."""

    def __enter__(self) -> Self:
        subnet = self.subnet
        nodes = len(subnet.switches) + len(subnet.ends) + 8
        ports = sum(switch.ports + 1 for switch in subnet.switches) + 2 * len(subnet.ends) + 64
        sizes = ["-N", str(nodes), "-S", str(len(subnet.switches) + 8), "-P", str(ports)]
        with self.log.open("w") as log:
            self.process = start(
                *(*TIED, path_of("ibsim"), "-s", *sizes, "fabric.net"),
                stdin=subprocess.PIPE,  # at its end ibsim would spin
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.work,
                env={**os.environ, "IBSIM_SOCKNAME": self.name},
                text=True,
            )
        try:
            until(self._ready, PATIENCE_S, "ibsim")
        except BaseException:
            self.process.kill()
            raise
        return self

    def _ready(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(f"ibsim ended: {self.log.read_text()[-600:]}")
        return "simulator ready" in self.log.read_text()

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self._say("Quit")
        ended(self.process)
        assert self.process.stdin is not None
        self.process.stdin.close()

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def console(self, line: str) -> str:
        """One command of ibsim's console, and what it answers before the next prompt."""
        before = self.log.stat().st_size
        self._say(line)

        def said() -> str:
            return self.log.read_bytes()[before:].decode(errors="replace")

        until(lambda: "sim> " in said(), PATIENCE_S, f"ibsim console: {line}")
        return said().split("sim> ")[0].strip()

    def unplug(self, node: int, port: int | None = None) -> None:
        """Take a cable out, or all of a switch."""
        self.console(f'Unlink "{self._id(node)}"{self._port(port)}')

    def plug(self, node: int, port: int | None = None) -> None:
        """Put back what was unplugged."""
        self.console(f'ReLink "{self._id(node)}"{self._port(port)}')

    def join(self, node: int, port: int, other: int, other_port: int) -> None:
        """Put a cable between two free ports."""
        self.console(f'Link "{self._id(node)}"[{port}] "{self._id(other)}"[{other_port}]')

    def _port(self, port: int | None) -> str:
        return "" if port is None else f"[{port}]"

    def _id(self, node: int) -> str:
        return switch_id(node) if self._is_switch(node) else adapter_id(node)

    def _is_switch(self, node: int) -> bool:
        return any(switch.guid == node for switch in self.subnet.switches)

    def environment(self, node: int | None = None) -> dict[str, str]:
        """What a tool needs in order to see the simulated subnet, from one HCA of it."""
        at = self.place if node is None else node
        place = {} if at is None else {"SIM_HOST": adapter_id(at)}
        own = {"PATH": SEARCHED, "LD_PRELOAD": str(UMAD), "IBSIM_SOCKNAME": self.name}
        return {**os.environ, **own, **place}

    def tool(self, *words: str, node: int | None = None, seconds: float = LIMIT_S) -> str:
        """What a tool prints, run at an HCA by its node GUID; default: at `place`."""
        done = self._run(words, node, seconds)
        if "connect failed" in done.stderr:  # no slot was free: somebody was killed
            self.reap()
            done = self._run(words, node, seconds)
        lines = done.stderr.splitlines(keepends=True)
        return done.stdout + "".join(line for line in lines if "sim_connect" not in line)

    def _run(
        self, words: Sequence[str], node: int | None, seconds: float
    ) -> subprocess.CompletedProcess[str]:
        """Exit codes are not looked at: some tools end with another than 0 for what is found, and tests read it."""
        # umad2sim makes hundreds of files in ./sys-<pid> where it runs: in memory, or it is most of the work.
        folder = tempfile.mkdtemp(dir=in_memory() or self.work)
        try:
            return run(*words, exits=ANY, env=self.environment(node), cwd=folder, limit_s=seconds)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def reap(self) -> None:
        """Free the slots of clients that were killed: ibsim has ten, and never notices by itself."""
        for slot, pid in re.findall(r"Client (\d+): pid (\d+)", self.console("Attached")):
            if not Path(f"/proc/{pid}").exists():
                self.console(f"X {slot}")

    def pkeys(self, node: int, port: int = 1) -> frozenset[int]:
        """The P_Keys of a port by node GUID, 0x8000 added to those of full members, as the port itself says."""
        at = (f"{node:#x}", str(port)) if self._is_switch(node) else (f"{node + port:#x}",)
        said = self.tool("smpquery", "-G", "pkeys", *at)
        return frozenset(int(key, 16) for key in re.findall(r"0x([0-9a-f]{4})\b", said)) - {0}

    def path(self, source: int, destination: int, pkey: int | None = None) -> dict[str, str] | None:
        """The path record between two LIDs as the subnet administrator gives it; None if it refuses."""
        wanted = () if pkey is None else ("--pkey", str(pkey))
        ends = ("--slid", str(source), "--dlid", str(destination))
        said = self.tool("saquery", "--smkey", MANAGEMENT_KEY, "-p", *ends, *wanted)
        if said.strip() and "PathRecord" not in said:
            raise RuntimeError(said[-300:])
        return dict(re.findall(r"(\w+)\.{2,}(\S+)", said)) or None


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
        self.start()
        return self

    def start(self) -> None:
        """Run it, with an empty log."""
        place = f"{self.folder}/"
        (self.folder / "opensm.log").unlink(missing_ok=True)
        mine = next(e.node_guid for e in self.manager.subnet.ends if e.port_guid == self.manager.port_guid)
        with (self.folder / "stdout").open("w") as out:
            self.process = start(
                *(*TIED, path_of("opensm"), "-F", f"{place}opensm.conf", "-f", f"{place}opensm.log"),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                env={**self.simulator.environment(mine), "OSM_CACHE_DIR": place, "OSM_TMP_DIR": place},
            )

    def log(self) -> str:
        """What it has logged."""
        path = self.folder / "opensm.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def mark(self) -> int:
        """The end of its log, to wait for what comes behind it."""
        return len(self.log())

    def wait(self, text: str = "SUBNET UP", seconds: float = PATIENCE_S, after: int = 0) -> None:
        """Until it logs something behind a place of its log."""

        def there() -> bool:
            if self.process.poll() is not None:
                raise RuntimeError(f"opensm ended: {self.log()[-800:]}")
            return text in self.log()[after:]

        until(there, seconds, f"{self.manager.name}: {text}")

    def takes_over(self, after: int = 0, seconds: float = STALL_S) -> None:
        """Until it is master by itself and the subnet is up; nobody else answers.

        OpenSM 3.3.23 may discover for ever, or enter the state MASTER and never sweep: it waits for the answer of one
        that has ended. SIGHUP does not wake it, a restart does.
        """
        try:
            self.wait("Entering MASTER state", seconds, after)
            self.wait(seconds=seconds, after=after)
        except TimeoutError:
            self.restart()
            self.wait()

    def stands_by(self, seconds: float = STALL_S) -> None:
        """Until it, just started beside a master, stands by; restarted once if it discovers for ever."""
        try:
            self.wait("Entering STANDBY state", seconds)
        except TimeoutError:
            self.restart()
            self.wait("Entering STANDBY state")

    @property
    def role(self) -> int:
        """What it says of itself: 2 stands by, 3 is the master; 0 if it does not answer."""
        mine = next(e.node_guid for e in self.manager.subnet.ends if e.port_guid == self.manager.port_guid)
        found = re.search(r" state (\d) ", self.simulator.tool("sminfo", "-D", "0", node=mine))
        return int(found[1]) if found else 0

    def rules_over(self, other: Manager, seconds: float = STALL_S) -> None:
        """Until it is the master and has swept, and the other one stands by.

        If they stall in the handover both are ended, and started one after the other.
        """

        def rules() -> bool:
            last = self.log().rpartition("Entering MASTER state")[2]
            return (self.role, other.role) == (3, 2) and "SUBNET UP" in last

        try:
            until(rules, seconds, f"{self.manager.name} as the master")
        except TimeoutError:
            for one in (self, other):
                one.stop()
            self.start()
            self.wait()
            other.start()
            other.stands_by()
            until(rules, PATIENCE_S, f"{self.manager.name} as the master, after a restart")

    def restart(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it and start it again."""
        self.stop(how)
        self.start()

    def reload(self) -> None:
        """Read the files again."""
        self.process.send_signal(signal.SIGHUP)

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it, and free its place in the simulator."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        ended(self.process)
        for left in self.folder.glob("sys-*"):
            shutil.rmtree(left, ignore_errors=True)
        if self.simulator.process.poll() is None:
            self.simulator.reap()
