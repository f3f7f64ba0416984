"""What the contract of drivers needs to know of Cumulus Linux."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from tests.contract.sandbox_bench import SandboxBench, sandbox_bench


def bench(_folder: Path) -> AbstractContextManager[SandboxBench]:
    """An emulated switch with NVUE's REST API."""
    return sandbox_bench(
        "cumulus",
        refuse=lambda text: f"{text}- set:\n    system:\n      frobnicate: 7\n",
        typed=("system message pre-login typed-on-the-console",),
    )
