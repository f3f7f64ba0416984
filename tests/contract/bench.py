"""What a platform brings so that its driver is held to the contract: one device, and hands behind its back."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from fabric.deployment.connection.device_session import _driver
from fabric.platforms.base import Driver, Target
from fabric.platforms.registry import ROWS, platform


class Bench(Protocol):
    """One device of a product."""

    platform: str
    target: Target
    """How its driver reaches it, as a login that may do everything."""
    texts: tuple[str, str]
    """Two whole configurations of the device, secrets filled in: it runs the first when a test begins."""
    refused: str
    """A whole configuration of which the device refuses one line."""

    def running(self) -> str:
        """What it runs, as its driver would read it, seen from behind."""

    def type_in(self) -> None:
        """Somebody changes the running configuration on the console: a line that nobody plans."""

    def faults(self, **faults: Any) -> None:
        """Set faults by their names in `emulation.Faults`; without any, all are cleared."""

    def pass_time(self, seconds: float) -> None:
        """Until so much time has passed on the device."""

    def reboot(self) -> None:
        """Restart it. Returns when it answers again."""

    def drop_connections(self) -> None:
        """As when the process that had them is killed."""


def driven() -> list[str]:
    """The Ethernet platforms that have a driver. Each brings a bench."""
    return [
        name for name in sorted(ROWS) if platform(name).driver and platform(name).technology == "ethernet"
    ]


def bench(name: str, folder: Path) -> AbstractContextManager[Bench]:
    """The bench that a platform brings in `tests/platforms/NAME/bench.py`."""
    make: Callable[[Path], AbstractContextManager[Bench]]
    make = importlib.import_module(f"tests.platforms.{name}.bench").bench
    return make(folder)


def driver(bench: Bench, **changed: Any) -> Driver:
    """A driver of the device, not yet open, as deployment makes it."""
    import msgspec

    return _driver(msgspec.structs.replace(bench.target, **changed), platform(bench.platform))
