"""The emulated devices and what is between them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import cast

import msgspec

from fabric.diagnostics import Refused
from fabric.platforms.emulation import Emulated, Emulator, HasRoutes, LineRefused, Wire
from fabric.platforms.registry import platform
from fabric.platforms.routing.emulated_routes import Routes, Routing
from fabric.sandbox.virtual_time import Clock, Later, later_in_thread

NO_WIRES: Mapping[str, Wire] = {}


class Growth(msgspec.Struct, frozen=True):
    """What has changed about a network that runs."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    rewired: tuple[str, ...] = ()
    """Devices that stay, with other cables."""


class Network(Mapping[str, Emulator]):
    """Every device of a sandbox by name, and the cables. To its devices it is their `Surroundings`."""

    def __init__(self, devices: Iterable[Emulated], later: Later = later_in_thread) -> None:
        self.clock = Clock(later)
        self._devices: dict[str, Emulator] = {}
        self._up_at: dict[str, float] = {}
        self._routing: dict[str, Routing] = {}
        self._routes: Routes | None = None
        self._are_stale = False
        self.disconnect: Callable[[str], None] = lambda _name: None
        """Drops the connections to a device."""
        self.reconfigured: Callable[[str], None] = lambda _name: None
        """Told when a device runs another configuration, or begins or ends a restart."""
        self._specs: dict[str, Emulated] = {}
        self._wires: dict[str, dict[str, Wire]] = {}
        """By device and port."""
        self._around: dict[str, list[tuple[str, str]]] = {}
        """Name to its neighbours, each with its port towards that name."""
        self.update(devices)

    def update(self, devices: Iterable[Emulated]) -> Growth:
        """Add, remove and recable devices until these are there, cabled like this; those that stay keep what they run.

        One of another product or model is a new one, fresh out of its box. `Refused` if one cannot be played: then
        nothing has changed.
        """
        specs = {spec.name: spec for spec in devices}
        old, self._wires = (
            self._wires,
            {**self._wires, **{n: _wired(s) for n, s in specs.items() if self._is_new(s)}},
        )
        try:
            made = {name: switched_on(spec, self) for name, spec in specs.items() if self._is_new(spec)}
        except BaseException:
            self._wires = old
            raise
        gone = [name for name in self._devices if name not in specs or name in made]
        stay = [name for name in self._devices if name not in gone]
        rewired = [name for name in stay if _wired(specs[name]) != self._wires[name]]
        for name in rewired:
            self._devices[name].look()  # counters moved as they did, up to now
        for name in gone:
            self._remove(name)
        self._devices = {name: made.get(name) or self._devices[name] for name in specs}
        self._connect(specs)
        for name, spec in specs.items():
            if name not in made or spec.config:  # one fresh out of its box has no sessions that could end
                self._devices[name].look()
        return Growth(tuple(made), tuple(name for name in gone if name not in made), tuple(rewired))

    def _is_new(self, spec: Emulated) -> bool:
        known = self._specs.get(spec.name)
        return known is None or (known.platform, known.hardware) != (spec.platform, spec.hardware)

    def _remove(self, name: str) -> None:
        self.disconnect(name)
        del self._devices[name]
        self._up_at.pop(name, None)

    def _connect(self, specs: Mapping[str, Emulated]) -> None:
        """From now on these cables count."""
        self._specs = {
            name: self._specs[name] if not self._is_new(spec) else spec for name, spec in specs.items()
        }
        self._wires = {name: _wired(spec) for name, spec in specs.items()}
        self._around = {}
        for name, wires in self._wires.items():
            for wire in wires.values():
                self._around.setdefault(wire.peer, []).append((name, wire.port))
        self._routing.clear()
        self._routes, self._are_stale = None, True

    def wires(self, name: str) -> Mapping[str, Wire]:
        """The cables of a device by its port, as they are now."""
        return self._wires.get(name, NO_WIRES)

    def now(self) -> float:
        """Seconds since the epoch."""
        return self.clock.now()

    def later(self, delay_s: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call something after a delay. The answer cancels it."""
        return self.clock.later(delay_s, call)

    def restarts(self, name: str) -> None:
        """A device restarts: its connections drop, and nobody answers there for `Faults.reboot_s`."""
        if name not in self._devices:  # it was removed with a timer that runs
            return
        down_s = self._devices[name].faults.reboot_s
        self._up_at[name] = self.now() + down_s
        self.disconnect(name)
        self.changed(name)
        if down_s:
            self.later(down_s, lambda: self.changed(name))

    def changed(self, name: str) -> None:
        """A device runs another configuration than before: its neighbours look at it."""
        self.reconfigured(name)
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


def _wired(spec: Emulated) -> dict[str, Wire]:
    return {wire.port: wire for wire in spec.wires}


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
