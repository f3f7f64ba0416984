"""What the contract of drivers needs to know of EOS."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from tests.contract.sandbox_bench import SandboxBench, sandbox_bench


def bench(_folder: Path) -> AbstractContextManager[SandboxBench]:
    """An emulated EOS switch."""
    return sandbox_bench(
        "eos",
        refuse=lambda text: f"{text}interface Ethernet1/1\n   frobnicate 7\n",
        typed=("banner login", "typed by somebody", "EOF"),
    )
