"""Simulated InfiniBand subnets: one ibsim for each, and for each of its managers a host behind a real sshd."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import msgspec

from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import Device, SubnetManager
from fabric.diagnostics import Refused
from fabric.exports.ibsim import adapter_id, netlist
from fabric.platforms.base import Target, Trust
from fabric.platforms.registry import platform
from fabric.sandbox.host_faults import HostFaults
from fabric.sandbox.ssh_server import SshServer

LIBRARY = "*/umad2sim/libumad2sim.so"
"""Below /usr/lib: leads a program's management datagrams to ibsim."""
READY_WITHIN_S = 120
ENDS_WITHIN_S = 60
TIED = ("setpriv", "--pdeathsig", "TERM")
"""Ends a program when this process goes, however it goes."""


class SimulatedManager(msgspec.Struct, frozen=True, kw_only=True):
    """One subnet manager of a sandbox."""

    name: str
    platform: str
    network: str
    node_guid: int
    """Of the adapter that it manages through."""
    subnet: Subnet


def simulated(devices: Iterable[Device]) -> Iterator[SimulatedManager]:
    """The subnet managers that can be played: those whose product runs on a simulated subnet."""
    for device in devices:
        if isinstance(device, SubnetManager) and platform(device.platform).simulated_host is not None:
            node = next(end.node_guid for end in device.subnet.ends if end.port_guid == device.port_guid)
            yield SimulatedManager(
                name=device.name,
                platform=device.platform,
                network=device.network,
                node_guid=node,
                subnet=device.subnet,
            )


class Subnets:
    """The subnets of a sandbox and their managers' hosts. A context manager: inside, they answer.

    Fresh hosts: nothing is managed until something is applied.
    """

    def __init__(
        self, managers: Iterable[SimulatedManager], folder: Path, addresses: Iterable[str], port: int
    ) -> None:
        self._managers = tuple(managers)
        self._folder, self._port = folder.absolute(), port
        self._addresses = tuple(addresses)
        self._stack = ExitStack()
        self.targets: dict[str, Target] = {}
        """Where each host is reached."""
        self.faults: dict[str, HostFaults] = {}
        """What is wrong with each host."""

    def __enter__(self) -> Self:
        shutil.rmtree(self._folder, ignore_errors=True)
        with ExitStack() as stack:
            led: dict[str, dict[str, str]] = {}
            for manager, address in zip(self._managers, self._addresses, strict=True):
                if manager.network not in led:
                    led[manager.network] = stack.enter_context(
                        Simulation(manager.subnet, self._folder / manager.network)
                    )
                self._furnish(stack, manager, address, led[manager.network])
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _furnish(
        self, stack: ExitStack, manager: SimulatedManager, address: str, led: dict[str, str]
    ) -> None:
        folder = self._folder / manager.network / manager.name
        furnish = platform(manager.platform).simulated_host
        assert furnish is not None  # noqa: S101  # `simulated` has chosen by it
        environment = {**led, "SIM_HOST": adapter_id(manager.node_guid)}
        host = furnish(folder, manager.subnet, environment)
        lines = "".join(f"{name}={value}\n" for name, value in environment.items())
        (folder / "environment").write_text(lines)
        server = stack.enter_context(SshServer(folder / "ssh", address, self._port))
        stack.callback(subprocess.run, ["sh", "-c", host["stop"]], check=False, timeout=ENDS_WITHIN_S)
        self.faults[manager.name] = HostFaults(folder, server)
        self.targets[manager.name] = Target(
            name=manager.name,
            address=address,
            port=self._port,
            username=server.user,
            password="",
            key_file=str(server.key_file),
            host=host,
            trust=Trust(known_hosts=str(server.known_hosts)),
        )


SOCKETS = Path("/proc/net/unix")


def environments(folder: Path) -> dict[str, dict[str, str]]:
    """By network, what leads InfiniBand's tools to each subnet that is simulated now.

    `folder` is that of `Subnets`. One whose ibsim, or library, is gone is left out: its tools would ask this machine's
    own adapters instead.
    """
    listening = SOCKETS.read_text(encoding="utf-8") if SOCKETS.exists() else ""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(folder.glob("*/*/environment")):
        lines = (line.partition("=") for line in file.read_text(encoding="utf-8").splitlines())
        led = {name: value for name, _equals, value in lines}
        if Path(led["LD_PRELOAD"]).is_file() and led["IBSIM_SOCKNAME"] in listening:
            found.setdefault(file.parent.parent.name, led)
    return found


class Simulation:
    """One ibsim. A context manager: inside, programs with its environment see the subnet."""

    def __init__(self, subnet: Subnet, folder: Path) -> None:
        self._subnet, self._folder = subnet, folder
        self._name = f"fabric-{os.getpid()}-{folder.name}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> dict[str, str]:
        library = max(Path("/usr/lib").glob(LIBRARY), default=None)
        if shutil.which("ibsim") is None or library is None:
            message = "there is no ibsim on this machine: InfiniBand cannot be simulated"
            raise Refused(
                message, "install ibsim-utils, infiniband-diags and the manager's own package (Debian)"
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / "fabric.net").write_text(netlist(self._subnet))
        log = self._folder / "ibsim.log"
        with log.open("wb") as out:
            self._process = subprocess.Popen(  # noqa: S603  # the system's ibsim on our own file
                [*TIED, "ibsim", "-s", *self._sizes(), "fabric.net"],
                stdin=subprocess.PIPE,  # at its end ibsim would spin
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                env={**os.environ, "IBSIM_SOCKNAME": self._name},
            )
        self._await(log)
        return {"LD_PRELOAD": str(library), "IBSIM_SOCKNAME": self._name}

    def _sizes(self) -> tuple[str, ...]:
        """Room for all nodes and ports: ibsim's own is 256 switches."""
        subnet = self._subnet
        nodes, switches = len(subnet.switches) + len(subnet.ends) + 8, len(subnet.switches) + 8
        ports = sum(switch.ports + 1 for switch in subnet.switches) + 2 * len(subnet.ends) + 64
        return ("-N", str(nodes), "-S", str(switches), "-P", str(ports))

    def _await(self, log: Path) -> None:
        end = time.monotonic() + READY_WITHIN_S
        while "simulator ready" not in (printed := log.read_text(errors="replace")):
            if self._process is None or self._process.poll() is not None or time.monotonic() > end:
                message = f"ibsim does not start: {printed.strip().rpartition(chr(10))[2]}"
                raise Refused(message, f"its log is {log}")
            time.sleep(0.05)

    def __exit__(self, *_: object) -> None:
        if self._process is not None and self._process.poll() is None:
            try:
                self._process.communicate(b"Quit\n", timeout=ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.communicate()
