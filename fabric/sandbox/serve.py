"""The sandbox as a process: `python -m fabric.sandbox.serve CONTROL PORT BLOCK`, devices as JSON on its input.

It says `READY` when every device listens, and ends on SIGTERM or SIGINT. `fabric.sandbox.process` starts it.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from pathlib import Path

import msgspec

from fabric.platforms.emulation import Emulated
from fabric.sandbox.control import Control
from fabric.sandbox.sandbox import Sandbox


def main(arguments: list[str]) -> int:
    """Run until told to end."""
    control, port, block = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    devices = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[Emulated, ...])
    # Configurations are trees of millions of small objects that live as long as the process.
    gc.disable()
    try:
        sandbox = Sandbox(devices, port=port, block=block)
        gc.freeze()
        gc.enable()
        asyncio.run(_serve(sandbox, control))
    except Exception as error:  # whatever it is: the one who started us shows it
        sys.stdout.write(f"FAILED {error}\n")
        return 1
    finally:
        control.unlink(missing_ok=True)
    return 0


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
