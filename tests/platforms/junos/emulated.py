"""A leaf with Junos in a sandbox, and its driver in front of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from fabric.devices.model import Switch
from fabric.platforms.junos.emulator import JunosEmulator
from fabric.platforms.junos.session import JunosDriver, driver_options
from fabric.platforms.sha512crypt import sha512_crypt
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.platforms.sites import LEAF, Words, compiled, inventory, printed, services
from tests.ports import free_port

USER, PASSWORD = "netops", "L0GIN-planted"
LOGIN: Words = {
    "site.yaml": {"services": {"users": {USER: {"password_hash": sha512_crypt(PASSWORD, "benchbench")}}}}
}
ADDRESSES = inventory(f"devices: {{{LEAF}: {{address: 198.51.100.11/24}}}}")
NEW_SERVER = "192.0.2.77"
TYPED = "system { ntp { server 192.0.2.99; } }"
"""What somebody types who is not us."""
CHANGE, OTHER = "fabric-7.2-6923c5e0-4711-a3f1-ana.bastion", "fabric-8.1-6923c5e1-4712-b4f2-ben.bastion"


class Lab:
    """One leaf, its neighbours, and two texts of it."""

    def __init__(self, sandbox: Sandbox, old: str, new: str) -> None:
        self.sandbox, self.old, self.new = sandbox, old, new
        self.opened: list[JunosDriver] = []

    @property
    def device(self) -> JunosEmulator:
        device = self.sandbox.network[LEAF]
        assert isinstance(device, JunosEmulator)
        return device

    def driver(self, change: str = CHANGE, *, timeout_s: int = 20, **changed: Any) -> JunosDriver:
        """A driver, open."""
        target = msgspec.structs.replace(self.sandbox.targets[LEAF], **changed)
        driver = JunosDriver(
            target.address, target.username, target.password, timeout_s, driver_options(target)
        )
        driver.open()
        driver.name_change(change)
        self.opened.append(driver)
        return driver

    def running(self) -> str:
        return self.sandbox.running_config(LEAF)

    def runs_new(self) -> bool:
        return NEW_SERVER in self.running()

    def committed(self, change: str = CHANGE, revert_in: int | None = 60) -> None:
        """The new text, by a driver that has gone since."""
        driver = self.driver(change)
        driver.load_replace_candidate(config=self.new)
        driver.commit_config(revert_in=revert_in)
        driver.close()


def texts(*words: Words) -> dict[str, Switch]:
    return {
        name: device
        for name, device in compiled("junos", LOGIN, ADDRESSES, *words).items()
        if isinstance(device, Switch)
    }


@contextmanager
def lab(*words: Words) -> Iterator[Lab]:
    """A small site, every switch running what was compiled for it."""
    old, new = texts(*words), texts(*words, services(f"ntp: {{servers: [{NEW_SERVER}]}}"))
    specs = [
        msgspec.structs.replace(spec, config=printed(old[spec.name]))
        for spec in emulated_switches(old.values(), lambda _name: (USER, PASSWORD))
    ]
    with Sandbox(specs, port=free_port()) as sandbox:
        made = Lab(sandbox, printed(old[LEAF]), printed(new[LEAF]))
        yield made
        for driver in made.opened:
            driver.close()
