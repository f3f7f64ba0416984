"""Any platform that the sandbox can play: these tests are about the sandbox, not about a product."""

from __future__ import annotations

from fabric.platforms.registry import names, platform
from fabric.sandbox import Emulated

PLATFORM = next(name for name in names() if platform(name).emulator)


def devices(count: int) -> tuple[Emulated, ...]:
    """Devices as provisioning leaves them."""
    return tuple(
        Emulated(name=f"switch-{i}", platform=PLATFORM, username="netops", password="correct horse")
        for i in range(count)
    )
