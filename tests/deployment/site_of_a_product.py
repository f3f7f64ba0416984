"""The small site with all switches of one product, played by the sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from fabric import api, planning
from fabric.deployment import Pace, Workplace
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.chaos.random_fabric import FACTORY_USERS
from tests.contract.sandbox_bench import LOGIN, PASSWORD, USERNAME
from tests.platforms.sites import Words, files
from tests.ports import free_port

PACE = Pace(revert_in_s=120, gate_timeout_s=20, gate_poll_s=0.5)


def _login(_name: str) -> tuple[str, str]:
    return USERNAME, PASSWORD


class Site:
    """Its folder, and its switches: fresh, until the first plan is applied. A context manager."""

    def __init__(self, product: str, folder: Path, *words: Words) -> None:
        self.product, self.folder = product, folder
        self._words = (FACTORY_USERS, LOGIN, *words)
        self.write()
        specs = emulated_switches(self.compiled.devices.values(), _login)
        self.sandbox = Sandbox(specs, port=free_port())

    def __enter__(self) -> Self:
        self.sandbox.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.sandbox.__exit__(*error)

    @property
    def every(self) -> set[str]:
        """The names of all switches."""
        return set(self.sandbox.targets)

    @property
    def hides_hashes(self) -> bool:
        """Whether its product shows hashes of passwords to nobody: the first leaf is asked."""
        seen = api.observe(self.compiled, self.place, ["leaf-0-0"])
        return seen["leaf-0-0"].hides_hashes

    def write(self, *more: Words) -> None:
        """Let the files say this too."""
        for name, text in files(self.product, *self._words, *more).items():
            (self.folder / name).write_text(text)
        self.compiled = api.compile(self.folder)

    def grow(self, *more: Words) -> set[str]:
        """Let the files say this too, and the sandbox have the switches of it: those that are new."""
        before = self.every
        self.write(*more)
        self.sandbox.update(emulated_switches(self.compiled.devices.values(), _login))
        return self.every - before

    def replace(self, name: str) -> None:
        """Put another switch of its kind in the place of one, fresh from the factory."""
        specs = list(emulated_switches(self.compiled.devices.values(), _login))
        self.sandbox.update(spec for spec in specs if spec.name != name)
        self.sandbox.update(specs)

    def planned(self, *, rotate: bool = False) -> planning.Plan:
        """A plan, which is saved."""
        plan, texts = api.plan(self.compiled, self.place, adopt=True, rotate_secrets=rotate)
        planning.save(plan, texts, self.folder / "plan")
        return plan

    def changed(self, *, rotate: bool = False) -> set[str]:
        """The switches that a plan changes. The plan is saved."""
        return {device.device for device in self.planned(rotate=rotate).changed}

    def applied(self, *allowed: str) -> str:
        """How an apply of the saved plan ends."""
        allow = ("lockout:*", *allowed)
        return api.apply(self.folder / "plan", self.compiled, self.place, allow=allow, pace=PACE).outcome

    @property
    def place(self) -> Workplace:
        """How its switches are reached, and where the journal is."""
        return Workplace(folder=self.folder, replaced=self.sandbox.targets)
