"""A sandbox: emulated devices behind real sockets on loopback addresses, in a thread of this process."""

from __future__ import annotations

import asyncio
import resource
import shutil
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from fabric.decoding import convert
from fabric.diagnostics import Refused
from fabric.platforms.base import Target, Trust
from fabric.platforms.emulation import Emulated, Faults, Transport
from fabric.sandbox.emulated_network import Growth, Network
from fabric.sandbox.identities import Authority, Identity
from fabric.sandbox.listeners import Listener, listener
from fabric.sandbox.loopback_addresses import allocate

T = TypeVar("T")

DEFAULT_PORT = 8443
SPARE_FILES = 256
"""Descriptors for everything but devices and their clients."""


def raise_file_limit(devices: int) -> None:
    """Allow two open files a device: its listener and a client. `Refused` if the system does not."""
    needed = 2 * devices + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        if hard != resource.RLIM_INFINITY and hard < needed:
            message = f"{devices} devices need {needed} open files, this system allows {hard}"
            raise Refused(message, "raise the hard limit (`ulimit -Hn`), or run fewer devices")
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


class Sandbox:
    """Emulated devices, each on its own 127.x.y.z. A context manager: inside, they answer.

    A NAPALM driver of this process that is garbage collected closes itself over the network, in whatever thread
    collects it: in ours, it would wait for itself. Hold drivers until they are closed.

    with Sandbox(devices) as sandbox:
        driver = get_network_driver("eos")(sandbox.targets["leaf1"].address, ...)
    """

    def __init__(
        self,
        devices: Iterable[Emulated],
        *,
        port: int = DEFAULT_PORT,
        block: int = 0,
        folder: Path | None = None,
    ) -> None:
        self._specs = tuple(devices)
        self._port, self._block = port, block
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._serve, name="fabric-sandbox", daemon=True)
        self._listeners: dict[str, list[Listener]] = {}
        self._own_folder = folder is None
        self._folder = folder or Path(gettempdir()) / f"fabric-sandbox-{token_hex(8)}"
        addresses = dict(
            zip((s.name for s in self._specs), allocate(len(self._specs), block=block), strict=True)
        )
        self.network = Network(self._specs, self._later)
        self.network.disconnect = self._disconnect
        self.network.reconfigured = self._look_soon
        self.authority = Authority()
        self.identities = {
            name: Identity(self.authority, address, self.network[name].faults)
            for name, address in addresses.items()
        }
        self.targets = {spec.name: self._target(spec, addresses[spec.name]) for spec in self._specs}
        """Where each device is reached: what replaces the inventory."""

    @property
    def ca_file(self) -> Path:
        """Certificate of the authority that signed those of all devices."""
        return self._folder / "ca.pem"

    @property
    def known_hosts(self) -> Path:
        """SSH host keys of all devices."""
        return self._folder / "known_hosts"

    def _target(self, spec: Emulated, address: str) -> Target:
        ports = self._ports(spec)
        return Target(
            name=spec.name,
            address=address,
            port=next(iter(ports.values())),
            ports={str(transport): number for transport, number in ports.items()},
            username=spec.username,
            password=spec.password,
            trust=Trust(ca_file=str(self.ca_file), known_hosts=str(self.known_hosts)),
        )

    def _ports(self, spec: Emulated) -> dict[Transport, int]:
        """By protocol: ours for the first, those behind it for the others."""
        transports = self.network[spec.name].transports
        return {name: spec.ports.get(name, self._port + i) for i, name in enumerate(transports)}

    def start(self) -> Self:
        """Listen. Returns when every device does. `Refused` if an address is taken."""
        raise_file_limit(len(self._specs))
        self._write_identities()
        self._thread.start()
        try:
            self._call(self._open()).result()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Close every listener and connection."""
        if self._loop.is_running():
            self._call(self._close()).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread.is_alive():
            self._thread.join()
        if not self._loop.is_closed():
            self._loop.close()
        if self._own_folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def run(self, call: Callable[[], T]) -> T:
        """Run something in the sandbox's thread, where the devices live."""

        async def runs() -> T:
            return call()

        future: Future[T] = self._call(runs())
        return future.result()

    def set_faults(self, name: str, **faults: Any) -> None:
        """Set faults of a device by their names in `Faults`. `msgspec.ValidationError` if a value is wrong."""
        convert(faults, Faults)
        device = self.network[name]

        def change() -> None:
            links_change = faults.get("ports", device.faults.ports) != device.faults.ports
            if links_change:
                device.look()  # counters moved as they did, up to now
            for fault, value in faults.items():
                setattr(device.faults, fault, value)
            if links_change:
                device.look()
                self.network.changed(name)
            self._look(name)

        self.run(change)

    def clear_faults(self, name: str) -> None:
        """Make a device whole again."""
        self.set_faults(name, **msgspec.structs.asdict(Faults()))

    def drift(self, name: str, *lines: str) -> None:
        """Somebody types configuration lines on a device's console."""
        self.run(lambda: self.network[name].drift(lines))

    def reboot(self, name: str) -> None:
        """Restart a device from its startup configuration: connections drop, and it takes `Faults.reboot_s`."""
        self.run(self.network[name].reboot)

    def advance(self, seconds: float) -> None:
        """Let so much time pass at once, on all devices: timers fire in their order. `ValueError` if it is negative."""
        self.run(lambda: self.network.clock.advance(seconds))

    def running_config(self, name: str) -> str:
        """What a device runs."""
        return self.run(self.network[name].running_config)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def _call(self, coroutine: Any) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def _later(self, delay_s: float, call: Callable[[], None]) -> Callable[[], None]:
        return self._loop.call_later(delay_s, call).cancel

    def _write_identities(self) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=not self._own_folder or self._thread.is_alive())
        self.ca_file.write_bytes(self.authority.pem)
        lines = (
            self.identities[spec.name].known_hosts_line(port)
            for spec in self._specs
            for transport, port in self._ports(spec).items()
            if transport == "ssh"
        )
        self.known_hosts.write_text("".join(lines))

    def update(self, devices: Iterable[Emulated], taken: Iterable[str] = ()) -> Growth:
        """Make these the devices of the sandbox while it runs; those that stay keep what they run, and their address.

        `taken`: addresses that others of its block have. `Refused` if one cannot be played, or its address is taken.
        """
        growth: Growth = self._call(self._updated(tuple(devices), frozenset(taken))).result()
        return growth

    async def _updated(self, specs: tuple[Emulated, ...], taken: frozenset[str]) -> Growth:
        raise_file_limit(len(specs))
        growth = self.network.update(specs)
        self._specs = specs
        for name in {*self.targets} - {spec.name for spec in specs} | {*growth.added}:
            for server in self._listeners.pop(name, ()):
                server.close()
            self.identities.pop(name, None)
            self.targets.pop(name, None)
        used = taken.union(target.address for target in self.targets.values())
        possible = allocate(len(specs) + len(used), block=self._block)
        free = (address for address in possible if address not in used)
        for spec in specs:
            if spec.name not in self.targets:
                address = next(free)
                self.identities[spec.name] = Identity(self.authority, address, self.network[spec.name].faults)
                self.targets[spec.name] = self._target(spec, address)
        self._write_identities()
        await self._open()
        return growth

    async def _open(self) -> None:
        for spec in self._specs:
            if spec.name not in self._listeners:
                self._listeners[spec.name] = await self._opened(spec)

    async def _opened(self, spec: Emulated) -> list[Listener]:
        """The servers of one device; none of them if one cannot listen."""
        servers: list[Listener] = []
        try:
            for transport, port in self._ports(spec).items():
                servers.append(self._listener(spec.name, transport, port))
                await servers[-1].open()
        except BaseException:
            for server in servers:
                server.close()
            raise
        return servers

    def _listener(self, name: str, transport: Transport, port: int) -> Listener:
        device, identity, address = self.network[name], self.identities[name], self.targets[name].address

        def is_open() -> bool:
            return not device.faults.refuse and self.network.is_up(name) and device.listens(transport)

        return listener(transport, device, is_open, identity, address, port)

    def _look_soon(self, name: str) -> None:
        """When it has done what it does now."""
        self._loop.call_soon(self._look, name)

    def _look(self, name: str) -> None:
        """The device listens where it should now."""
        for server in self._listeners.get(name, ()):
            server.look()

    def _disconnect(self, name: str) -> None:
        for server in self._listeners.get(name, ()):
            server.drop()

    async def _close(self) -> None:
        for listeners in self._listeners.values():
            for each in listeners:
                each.close()
        self._listeners.clear()
        # One turn of the loop, in which dropped connections say good-bye.
        await asyncio.sleep(0)
