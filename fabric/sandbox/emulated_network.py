"""The emulated devices and what is between them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

from fabric.diagnostics import Refused
from fabric.platforms.emulation import Emulated, Emulator, HasRoutes, LineRefused
from fabric.platforms.registry import platform
from fabric.platforms.routing.emulated_routes import Routes, Routing
from fabric.sandbox.virtual_time import Clock, Later, later_in_thread


class Network(Mapping[str, Emulator]):
    """Every device of a sandbox by name. To its devices it is their `Surroundings`."""

    def __init__(self, devices: Iterable[Emulated], later: Later = later_in_thread) -> None:
        self.clock = Clock(later)
        self._devices: dict[str, Emulator] = {}
        self._up_at: dict[str, float] = {}
        self._routing: dict[str, Routing] = {}
        self._routes: Routes | None = None
        self._are_stale = False
        self.disconnect: Callable[[str], None] = lambda _name: None
        """Drops the connections to a device."""
        self._around: dict[str, list[tuple[str, str]]] = {}
        """Name to its neighbours, each with its port towards that name."""
        specs = tuple(devices)
        for spec in specs:
            self._devices[spec.name] = switched_on(spec, self)
        for spec in specs:
            for wire in spec.wires:
                self._around.setdefault(wire.peer, []).append((spec.name, wire.port))
        for spec in specs:
            if spec.config:  # one fresh out of its box has no sessions that could end
                self._devices[spec.name].look()

    def now(self) -> float:
        """Seconds since the epoch."""
        return self.clock.now()

    def later(self, delay_s: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call something after a delay. The answer cancels it."""
        return self.clock.later(delay_s, call)

    def restarts(self, name: str) -> None:
        """A device restarts: its connections drop, and nobody answers there for `Faults.reboot_s`."""
        down_s = self._devices[name].faults.reboot_s
        self._up_at[name] = self.now() + down_s
        self.disconnect(name)
        self.changed(name)
        if down_s:
            self.later(down_s, lambda: self.changed(name))

    def changed(self, name: str) -> None:
        """A device runs another configuration than before: its neighbours look at it."""
        self._routing.pop(name, None)
        self._are_stale = True
        for neighbor, port in self._around.get(name, ()):
            self._devices[neighbor].look(port)
            self._routing.pop(neighbor, None)

    def routes(self) -> Routes:
        """BGP's routes, evaluated when something has changed and somebody asks."""
        now = self.now()
        expired = [name for name, routing in self._routing.items() if routing.valid_until_s <= now]
        if self._routes is None or self._are_stale or expired:
            for name in expired:
                del self._routing[name]
            for name, device in self._devices.items():
                if name not in self._routing:
                    is_asked = isinstance(device, HasRoutes) and self.is_up(name)
                    self._routing[name] = cast("HasRoutes", device).routing() if is_asked else Routing()
            self._routes, self._are_stale = Routes(self._routing, self._routes), False
        return self._routes

    def is_up(self, name: str) -> bool:
        """Whether a device runs, or restarts just now."""
        return self._up_at.get(name, 0.0) <= self.now()

    def peer(self, name: str) -> Emulator | None:
        """The device of that name; None if a wire leads out of the sandbox."""
        return self._devices.get(name)

    def __getitem__(self, name: str) -> Emulator:
        return self._devices[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._devices)

    def __len__(self) -> int:
        return len(self._devices)


def switched_on(spec: Emulated, network: Network) -> Emulator:
    """One device, made by its platform. `Refused` if the sandbox cannot play it."""
    target = platform(spec.platform).emulator
    if not target:
        message = f"{spec.name}: the sandbox has no emulator for {spec.platform}"
        raise Refused(message, "use the platform's lab, or real devices")
    module, _, function = target.partition(":")
    try:
        emulator: Emulator = getattr(importlib.import_module(module), function)(spec, network)
    except LineRefused as error:
        message = f"{spec.name}: the device refuses its first configuration: {error}"
        raise Refused(message, "correct the configuration it shall boot with") from error
    return emulator
