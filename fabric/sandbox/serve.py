"""The sandbox as a process: `python -m fabric.sandbox.serve CONTROL PORT BLOCK`, devices as JSON on its input.

It says `READY` when every device listens, and ends on SIGTERM or SIGINT. `fabric.sandbox.process` starts it.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from asyncio import sslproto
from pathlib import Path

import msgspec

from fabric.platforms.emulation import Emulated
from fabric.sandbox.control import Control
from fabric.sandbox.sandbox import Sandbox

TLS_BUFFER_BYTES = 32 * 1024


def main(arguments: list[str]) -> int:
    """Run until told to end."""
    control, port, block = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    devices = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[Emulated, ...])
    _tune()
    try:
        sandbox = Sandbox(devices, port=port, block=block)
        asyncio.run(_serve(sandbox, control))
    except Exception as error:  # noqa: BLE001  # whatever it is: the one who started us shows it
        sys.stdout.write(f"FAILED {error}\n")
        return 1
    finally:
        control.unlink(missing_ok=True)
    return 0


def _tune() -> None:
    """Make room for thousands of devices in one process."""
    # Configurations are trees of millions of small objects without cycles: looking for some is wasted time.
    gc.set_threshold(200_000, 50, 100)
    # asyncio sets this many bytes aside for each TLS connection, 256 KiB by itself; drivers keep a connection each.
    sslproto.SSLProtocol.max_size = TLS_BUFFER_BYTES


async def _serve(sandbox: Sandbox, control: Path) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    with sandbox:
        server = await Control(sandbox).serve(control)
        sys.stdout.write(f"READY {len(sandbox.targets)}\n")
        sys.stdout.flush()
        await ended.wait()
        server.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
