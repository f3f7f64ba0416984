"""The product whose lines and paths the sandbox's own tests use: they are about the sandbox, not about the product."""

from __future__ import annotations

from fabric.sandbox import Emulated

PLATFORM = "eos"


def devices(count: int) -> tuple[Emulated, ...]:
    """Devices as provisioning leaves them."""
    return tuple(
        Emulated(name=f"switch-{i}", platform=PLATFORM, username="netops", password="correct horse")
        for i in range(count)
    )
