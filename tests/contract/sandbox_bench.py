"""A bench of any emulated product: one switch of a small site in a sandbox, with its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from fabric.platforms.base import Target
from fabric.platforms.registry import platform
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.platforms.sites import LEAF, Words, compiled, inventory, printed, services
from tests.ports import free_port

USERNAME, PASSWORD = "netops", "L0GIN-of-the-bench"
HASHES = {
    "password_hash": "$6$benchbench$"
    ".3NiJoklpPBwrisv3UB2qC.HkaJjdKLosqRxT0FdDyqWnDTOBSX.3umG7Bmpw1E5mCp5MhcLSvtRXMmNGjGut/",
    "password_hash_sha256": "$5$benchbench$yRpjd7MlDBTU2Nc3DHnvIItVr5cx.3OtHdlAQKmyno7",
}
"""Of the password, by `openssl passwd -6` and `-5`."""
LOGIN: Words = {"site.yaml": {"services": {"users": {USERNAME: HASHES}}}}
ADDRESSES = inventory(f"devices: {{{LEAF}: {{address: 198.51.100.11/24}}}}")


class SandboxBench:
    """One of a sandbox's devices."""

    def __init__(
        self, name: str, sandbox: Sandbox, texts: tuple[str, str], refused: str, typed: tuple[str, ...]
    ) -> None:
        self.platform, self.texts, self.refused = name, texts, refused
        self.target: Target = sandbox.targets[LEAF]
        self._sandbox, self._typed = sandbox, typed

    def running(self) -> str:
        return self._sandbox.running_config(LEAF)

    def type_in(self) -> None:
        self._sandbox.drift(LEAF, *self._typed)

    def faults(self, **faults: Any) -> None:
        self._sandbox.clear_faults(LEAF)
        if faults:
            self._sandbox.set_faults(LEAF, **faults)

    def pass_time(self, seconds: float) -> None:
        self._sandbox.advance(seconds)

    def reboot(self) -> None:
        self._sandbox.reboot(LEAF)

    def drop_connections(self) -> None:
        self._sandbox.run(lambda: self._sandbox.network.disconnect(LEAF))


@contextmanager
def sandbox_bench(
    name: str, *, refuse: Callable[[str], str], typed: tuple[str, ...], words: Words | None = None
) -> Iterator[SandboxBench]:
    """A switch that runs the first of its two texts, which differ in a time server.

    `refuse` puts a line into a text that the device refuses; `typed` is what somebody types on its console; `words`
    change the small site where the product needs it.
    """
    now = compiled(name, LOGIN, ADDRESSES, words or {})
    new = compiled(name, LOGIN, ADDRESSES, words or {}, services("ntp: {servers: [192.0.2.77]}"))
    first, second = printed(now[LEAF]), printed(new[LEAF])
    specs = [
        msgspec.structs.replace(spec, config=first) if spec.name == LEAF else spec
        for spec in emulated_switches(now.values(), lambda _name: (USERNAME, PASSWORD))
    ]
    assert platform(name).emulator
    with Sandbox(specs, port=free_port()) as sandbox:
        yield SandboxBench(name, sandbox, (first, second), refuse(second), typed)
