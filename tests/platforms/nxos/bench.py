"""What the contract of drivers needs to know of NX-OS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.contract.sandbox_bench import SandboxBench, sandbox_bench

NXAPI = "feature nxapi\n"
"""No intent names it: plans carry it along."""


@contextmanager
def bench(_folder: Path) -> Iterator[SandboxBench]:
    """An emulated NX-OS switch."""
    with sandbox_bench(
        "nxos",
        refuse=lambda text: f"{NXAPI}{text}interface Ethernet1/3\n  frobnicate 7\n",
        typed=("ntp server 192.0.2.99 use-vrf management",),
    ) as device:
        device.texts = (NXAPI + device.texts[0], NXAPI + device.texts[1])
        yield device
