"""One emulated SR Linux switch on a loopback address, and drivers that reach it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fabric.platforms.emulation import Emulated
from fabric.platforms.srlinux.documents import load, merge
from fabric.platforms.srlinux.emulator.factory import factory
from fabric.platforms.srlinux.session import SrlinuxDriver, driver_options
from fabric.sandbox import Sandbox
from tests.ports import free_port

NAME, USER, PASSWORD = "leaf-0-0", "admin", "L0GIN-of-a-box"
CHANGE, OTHER = "fabric-7.2-6923c5e0-4711-a3f1-ana", "fabric-8.1-6923c5e1-4712-b4f2-ben"
LOCATION = "/system/information/location"


class Box:
    """The switch."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.device: Any = sandbox.network[NAME]
        self.store = self.device.store

    @contextmanager
    def driver(self, change: str = CHANGE, **options: Any) -> Iterator[SrlinuxDriver]:
        """An open connection."""
        target = self.sandbox.targets[NAME]
        options = {**driver_options(target), **options}
        connection = SrlinuxDriver(target.address, USER, PASSWORD, 10, options)
        connection.open()
        connection.name_change(change)
        try:
            yield connection
        finally:
            connection.close()

    def text(self, location: str, **system: Any) -> str:
        """What the switch runs, with a location and what else is said of `system`."""
        tree = load(json.dumps(self.store.running))
        merge(
            tree, {"srl_nokia-system:system": {"srl_nokia-system-info:information": {"location": location}}}
        )
        merge(tree, {"srl_nokia-system:system": system})
        return json.dumps(tree)

    def location(self) -> str:
        """The location that it runs."""
        return str(self.store.setting(LOCATION, ""))

    def commit(self, location: str, change: str = CHANGE, revert_in: int | None = 60) -> None:
        """Change the location."""
        with self.driver(change) as connection:
            connection.load_replace_candidate(config=self.text(location))
            connection.commit_config(revert_in=revert_in)

    def checkpoints(self) -> set[str]:
        """Names of all."""
        return {known.name for known in self.store.checkpoints}


@contextmanager
def box(release: str | None = None, **running: Any) -> Iterator[Box]:
    """A switch as it leaves provisioning, with more of `system`."""
    spec = Emulated(
        name=NAME,
        platform="srlinux",
        release=release,
        management="198.51.100.11/24",
        username=USER,
        password=PASSWORD,
    )
    tree = factory(spec)
    merge(tree, {"srl_nokia-system:system": running})
    spec = Emulated(
        **{field: getattr(spec, field) for field in spec.__struct_fields__} | {"config": json.dumps(tree)}
    )
    with Sandbox([spec], port=free_port()) as sandbox:
        yield Box(sandbox)
