"""A site whose devices a fleet changes: EOS leaves, SONiC spines, in a sandbox of this process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from fabric import api, planning
from fabric.deployment import OnEvent, Pace, Result, Workplace, ignore
from fabric.platforms.base import Target
from fabric.platforms.registry import platform
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.chaos.random_fabric import VARIABLE, Intent
from tests.contract.sandbox_bench import PASSWORD, USERNAME
from tests.platforms.sites import merged, services
from tests.ports import free_port

TACACS = "TACACS-K3Y-of-the-fleet"
TACACS_VARIABLE = "FLEET_TACACS"
ENVIRONMENT = {VARIABLE: PASSWORD, TACACS_VARIABLE: TACACS}
"""Of whoever resolves the site's secrets."""
TIMER_S = 120
POLL_S = 1.0
"""Between two looks of the gate: it watches for longer than five seconds, and each look costs CPU."""
ALLOW = ("lockout:*", "isolating")
WITH_SECRET = services(f"tacacs: {{servers: [192.0.2.70], secret: 'env:{TACACS_VARIABLE}'}}")


class Products(Random):
    """Chooses these first."""

    def __init__(self, *products: str) -> None:
        super().__init__(1)
        self.products = list(products)

    def choice(self, among: Any) -> Any:
        return self.products.pop(0) if self.products else super().choice(among)


class FleetSite:
    """The site, its sandbox, and what an operator does."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.journal_url = f"sqlite:///{folder.parent / 'journal.sqlite'}"
        self.intent = Intent(folder, Products("eos", "sonic"))
        self.intent.write(merged(self.intent.words, WITH_SECRET))
        self.compiled = api.compile(folder)
        self.sandbox = Sandbox(
            emulated_switches(self.compiled.devices.values(), lambda _name: (USERNAME, PASSWORD)),
            port=free_port(),
        )

    @property
    def targets(self) -> dict[str, Target]:
        """Those of the sandbox, as an inventory would have them."""
        return {
            name: msgspec.structs.replace(target, references={"password": f"env:{VARIABLE}"})
            for name, target in self.sandbox.targets.items()
        }

    def place(self, executor: Executor | None = None, url: str = "") -> Workplace:
        return Workplace(
            folder=self.folder,
            replaced=self.targets,
            has_routes=False,
            journal_url=self.journal_url,
            given_executor=executor,
            executor_url=url,
        )

    def edit(self, ntp: str) -> None:
        """Another time server: a change of every switch."""
        self.intent.write(merged(self.intent.words, services(f"ntp: {{servers: [{ntp}]}}")))
        self.compiled = api.compile(self.folder)

    def plan(self, place: Workplace) -> planning.Plan:
        """The plan, saved."""
        made, texts = api.plan(self.compiled, place, adopt=True)
        planning.save(made, texts, self.folder / "plan")
        return made

    def apply(self, place: Workplace, on_event: OnEvent = ignore) -> Result:
        """Carry out the saved plan."""
        pace = Pace(revert_in_s=TIMER_S, gate_poll_s=POLL_S)
        return api.apply(
            self.folder / "plan", self.compiled, place, allow=ALLOW, pace=pace, on_event=on_event
        )

    def finished(self) -> bool:
        """By this process alone: what is left to do is done, and then there is nothing more."""
        done = not self.plan(self.place()).changed or self.apply(self.place()).outcome == "done"
        return done and not self.plan(self.place()).changed

    def running(self) -> Mapping[str, str]:
        """What each device runs, in its plain form."""
        return {
            name: platform(self.compiled.platform_of(name)).dialect().plain(self.sandbox.running_config(name))
            for name in self.compiled.artifacts
        }


@contextmanager
def fleet_site(folder: Path) -> Iterator[FleetSite]:
    """The site with its devices as they leave their boxes."""
    site = FleetSite(folder)
    with site.sandbox:
        yield site


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """Variables of this process, for as long."""
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        for name in values:
            os.environ.pop(name)
        os.environ.update(before)
