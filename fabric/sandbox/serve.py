"""The sandbox as a process: `python -m fabric.sandbox.serve CONTROL PORT BLOCK FOLDER`, devices as JSON on its input.

It says `READY` when every device listens, and ends on SIGTERM or SIGINT. `fabric.sandbox.sandbox_process` starts it.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from asyncio import sslproto
from pathlib import Path

import msgspec

from fabric.decoding import from_json
from fabric.platforms.base import Target
from fabric.platforms.emulation import Emulated, HasRoutes
from fabric.sandbox.control_channel import Control
from fabric.sandbox.emulated_network import Growth
from fabric.sandbox.loopback_addresses import allocate
from fabric.sandbox.sandbox import Sandbox
from fabric.sandbox.sandbox_process import FAILED, PLACES, SUBNETS, Contents, Place
from fabric.sandbox.simulated_subnets import Subnets

TLS_BUFFER_BYTES = 32 * 1024


def main(arguments: list[str]) -> int:
    """Run until stopped."""
    control, port, block = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    folder = Path(arguments[3])
    contents = from_json(sys.stdin.buffer.read(), Contents)
    _tune()
    try:
        sandbox = Sandbox(contents.devices, port=port, block=block, folder=folder)
        count = len(contents.devices)
        addresses = allocate(count + len(contents.managers), block=block)[count:]
        with Subnets(contents.managers, folder / SUBNETS, addresses, port) as subnets:
            _write_places(folder, sandbox, subnets)

            def update(devices: tuple[Emulated, ...]) -> Growth:
                growth = sandbox.update(devices, (target.address for target in subnets.targets.values()))
                _write_places(folder, sandbox, subnets)
                return growth

            asyncio.run(
                _serve(sandbox, Control(sandbox, update, subnets.faults), control, len(subnets.targets))
            )
    except Exception as error:  # noqa: BLE001  # whatever it is: the one who started us shows it
        hint = getattr(error, "hint", None) or ""
        sys.stdout.write(f"{FAILED}{error}\t{hint}\n".replace("\n", " ").rstrip(" ") + "\n")
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


def _write_places(folder: Path, sandbox: Sandbox, subnets: Subnets) -> None:
    targets: dict[str, Target] = {**sandbox.targets, **subnets.targets}
    routeless = {name for name, device in sandbox.network.items() if not isinstance(device, HasRoutes)}
    places = {
        name: Place(
            t.address,
            t.port or 0,
            t.username,
            t.key_file,
            t.trust,
            dict(t.host),
            dict(t.ports),
            name not in routeless,
        )
        for name, t in targets.items()
    }
    (folder / PLACES).write_bytes(msgspec.json.encode(places))


async def _serve(sandbox: Sandbox, served: Control, control: Path, hosts: int) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    with sandbox:
        server = await served.serve(control)
        sys.stdout.write(f"READY {len(sandbox.targets) + hosts}\n")
        sys.stdout.flush()
        await ended.wait()
        server.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
