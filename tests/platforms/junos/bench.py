"""What the contract of drivers needs to know of Junos."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from tests.contract.sandbox_bench import SandboxBench, sandbox_bench


def bench(_folder: Path) -> AbstractContextManager[SandboxBench]:
    """An emulated switch with Junos Evolved."""
    return sandbox_bench(
        "junos",
        refuse=lambda text: f"{text}system {{\n    frobnicate 7;\n}}\n",
        typed=("system { ntp { server 192.0.2.99; } }",),
    )
