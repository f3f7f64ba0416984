"""A small site of any product in a sandbox that runs what was compiled, and changes of its intent applied to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from fabric import api, planning
from fabric.compiler import Compiled
from fabric.deployment import Event, OnEvent, Pace, Result, Workplace
from fabric.planning import Plan
from fabric.platforms.registry import platform
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from tests.contract.sandbox_bench import LOGIN, PASSWORD, USERNAME
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import Words, files, network
from tests.ports import free_port
from tests.verification.ethernet.played import ADDRESSES, LLDP, PLAYED, SETTLED_S, configure

QUICK = network("routing: {bgp: {keepalive: 1s, hold: 3s}}")
PACE = Pace(revert_in_s=120, gate_timeout_s=6, gate_poll_s=0.2, counters_s=0.5)
__all__ = ["PACE", "PLAYED", "PlayedSite", "ended", "played_site"]


class PlayedSite:
    """The site's folder, and the sandbox that plays its switches."""

    def __init__(self, folder: Path, product: str, spine: str | None = None) -> None:
        """Of one product, or with spines of another one."""
        self.folder, self.product, self.spine = folder, product, spine or product
        self.events: list[Event] = []
        self.sandbox: Sandbox

    def compiled(self, *words: Words) -> Compiled:
        """The site with changes of its intent."""
        own = [
            getattr(import_module(f"tests.platforms.{name}.bench"), "WORDS", {})
            for name in (self.product, self.spine)
        ]
        spines = network(f"tiers: {{spine: {{platform: {self.spine}, model: {MODELS[self.spine]}}}}}")
        (self.folder / "state.yaml").unlink(missing_ok=True)
        for name, text in files(self.product, *own, spines, LOGIN, ADDRESSES, LLDP, QUICK, *words).items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        return api.compile(self.folder)

    @property
    def place(self) -> Workplace:
        return Workplace(folder=self.folder, replaced=self.sandbox.targets, timeout_s=60)

    def running(self, device: str) -> str:
        """What a switch runs, without what changes by itself."""
        product = self.spine if device.startswith("spine") else self.product
        return platform(product).dialect().plain(self.sandbox.running_config(device))

    def planned(
        self, *words: Words, rotate: bool = False, only: Collection[str] = ()
    ) -> tuple[Compiled, Plan]:
        """What a change of the intent would change, with `rotate` of its secrets too; it is saved."""
        compiled = self.compiled(*words)
        plan, texts = api.plan(compiled, self.place, adopt=True, rotate_secrets=rotate, only=only)
        planning.save(plan, texts, self.folder / "plan")
        return compiled, plan

    def apply(self, *words: Words, pace: Pace = PACE) -> Result:
        """A change of the intent, carried out."""
        compiled, _ = self.planned(*words)
        return self.carry_out(compiled, pace=pace)

    def carry_out(
        self,
        compiled: Compiled,
        pace: Pace = PACE,
        allow: Collection[str] = ("isolating", "lockout:*"),
        target: Collection[str] = (),
        on_event: OnEvent | None = None,
    ) -> Result:
        """The plan that was saved last, or what it does to some devices; `on_event` is told what happens as well."""
        self.events.clear()

        def told(event: Event) -> None:
            self.events.append(event)
            if on_event is not None:
                on_event(event)

        return api.apply(
            self.folder / "plan",
            compiled,
            self.place,
            target=target,
            allow=allow,
            pace=pace,
            on_event=told,
        )

    def of(self, kind: type[Event]) -> list[Any]:
        """What was told of a kind in the last run."""
        return [event for event in self.events if isinstance(event, kind)]


@contextmanager
def played_site(
    folder: Path, product: str, *words: Words, is_bare: bool = False, spine: str | None = None
) -> Iterator[PlayedSite]:
    """The site, whose switches run what it says, or nothing but their management."""
    site = PlayedSite(folder, product, spine)
    compiled = site.compiled(*words)
    specs = emulated_switches(compiled.devices.values(), lambda _name: (USERNAME, PASSWORD))
    with Sandbox(specs, port=free_port()) as site.sandbox:
        if not is_bare:
            configure(compiled.devices, site.sandbox)
        site.sandbox.advance(SETTLED_S)
        yield site


def ended(result: Result) -> str:
    """`done`, or why not."""
    return next((wave.reason for wave in result.waves if wave.reason), result.outcome)
