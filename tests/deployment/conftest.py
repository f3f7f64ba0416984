"""A toy pod on toy devices."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest

from fabric.deployment import (
    ApplyOptions,
    Event,
    Journal,
    Observations,
    ObserveOptions,
    Pace,
    Result,
    SecretSource,
    apply,
    observe,
)
from fabric.planning import Plan, plan
from fabric.platforms.base import Target
from tests.deployment.box import Box, target
from tests.planning.toy import Site, options, pod, register

SECRET = "S3CRET-OF-OURS"
DEVICE_SECRET = "S3CRET-OF-THE-DEVICE"
ENVIRON = {"NETOPS": SECRET}
SOURCE = SecretSource(environ=ENVIRON)
FAST = Pace(revert_in_s=20, gate_timeout_s=0.4, gate_poll_s=0.05)


@pytest.fixture(autouse=True)
def _toy_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


class Network(msgspec.Struct):
    """Devices in a folder, what is intended for them, and a journal."""

    folder: Path
    site: Site
    journal: Journal
    events: list[Event] = msgspec.field(default_factory=list)

    def boxes(self) -> dict[str, Box]:
        return {name: Box(self.folder, name) for name in self.site.switches}

    def box(self, name: str) -> Box:
        return Box(self.folder, name)

    def targets(self) -> dict[str, Target]:
        return {name: target(self.folder, name) for name in self.site.switches}

    def observe(self) -> Observations:
        known = self.journal.last_applied("lab")
        return observe(
            self.targets(),
            self.site.artifacts(),
            lambda _name: "toy",
            options=ObserveOptions(last_applied=known, source=SOURCE),
        )

    def plan(self, **changed: object) -> tuple[Plan, Mapping[str, str]]:
        seen = self.observe()
        fields = {
            "last_applied": self.journal.last_applied("lab"),
            "unreachable": seen.unreachable,
            **changed,
        }
        return plan(self.site.artifacts(), seen, switches=self.site.switches, options=options(**fields))

    def apply(self, saved: tuple[Plan, Mapping[str, str]] | None = None, **changed: object) -> Result:
        saved = saved or self.plan(adopt=True)
        return apply(
            saved,
            targets=self.targets(),
            journal=self.journal,
            options=apply_options(**changed),
            on_event=self.events.append,
        )

    def edit(self, old: str, new: str, *names: str) -> None:
        self.site = self.site.edited(old, new, *names)


def apply_options(**changed: object) -> ApplyOptions:
    fields = {"intent": "i" * 64, "program": "0.1.0", "pace": FAST, "source": SOURCE, **changed}
    return ApplyOptions(**fields)  # type: ignore[arg-type]  # tests name the fields they mean


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Network]:
    def made(running: Callable[[str, str], str] | None = None, **shape: int) -> Network:
        folder = tmp_path / "boxes"
        folder.mkdir()
        site = pod(**shape)
        for name, text in site.texts.items():
            Box(folder, name).create(running(name, text) if running else _blank(text))
        return Network(folder, site, Journal(tmp_path / "journal.sqlite"))

    return made


def _blank(text: str) -> str:
    """A new device: it can be reached, and does nothing else."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.startswith("way-in"))


@pytest.fixture
def network(make: Callable[..., Network]) -> Network:
    return make()


@pytest.fixture
def applied(network: Network) -> Network:
    """The pod after its first apply."""
    assert network.apply().outcome == "done"
    network.events.clear()
    return network


def everything_written(folder: Path) -> bytes:
    """All bytes of all files below a folder, those of the devices left out."""
    found = []
    for root, _, files in os.walk(folder):
        found += [(Path(root) / name).read_bytes() for name in files if "boxes" not in root]
    return b"\n".join(found)
