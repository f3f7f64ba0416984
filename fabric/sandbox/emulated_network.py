"""The emulated devices and what is between them."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Timer

from fabric.diagnostics import Refused
from fabric.platforms.emulation import Emulated, Emulator, LineRefused
from fabric.platforms.registry import platform

Later = Callable[[float, Callable[[], None]], Callable[[], None]]


def later_in_thread(delay_s: float, call: Callable[[], None]) -> Callable[[], None]:
    """A timer of its own thread, for networks without an event loop."""
    timer = Timer(delay_s, call)
    timer.daemon = True
    timer.start()
    return timer.cancel


class Network(Mapping[str, Emulator]):
    """Every device of a sandbox by name. To its devices it is their `Surroundings`."""

    def __init__(self, devices: Iterable[Emulated], later: Later = later_in_thread) -> None:
        self._later = later
        self._devices: dict[str, Emulator] = {}
        for spec in devices:
            self._devices[spec.name] = switched_on(spec, self)

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def later(self, delay_s: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call something after a delay. The answer cancels it."""
        return self._later(delay_s, call)

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
