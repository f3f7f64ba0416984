"""What the contract of drivers needs to know of SONiC."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from tests.contract.sandbox_bench import SandboxBench, sandbox_bench


def bench(_folder: Path) -> AbstractContextManager[SandboxBench]:
    """An emulated SONiC switch."""
    return sandbox_bench(
        "sonic",
        refuse=lambda text: text.replace(
            '"NTP_SERVER": {', '"FROBNICATE": {"x":{"y":"7"}},\n"NTP_SERVER": {'
        ),
        typed=("sonic-db-cli CONFIG_DB HSET 'NTP_SERVER|203.0.113.9' association_type server",),
    )
