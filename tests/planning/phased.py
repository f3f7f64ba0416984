"""A site that is changed plan by plan, in memory: what runs after each wave, and what each link of it is then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from fabric import api
from fabric.devices.model import Switch
from fabric.planning import LastApplied, Observation, Plan, plan
from fabric.planning.both_ends.coupling import ASPECTS
from fabric.planning.both_ends.ends import LinkEnd, link_end
from fabric.planning.texts import digest, masked
from fabric.planning.ways import FABRIC
from fabric.platforms.base import Facts
from fabric.platforms.registry import platform
from tests.planning.toy import NOW, options
from tests.platforms.sites import Words, files


def compiled_site(folder: Path, product: str, *words: Words) -> Any:
    """The small site of a product with changes of its intent, compiled in a folder that is made for it."""
    folder.mkdir()
    for name, text in files(product, *words).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return api.compile(folder)


KEPT = 256
"""Texts whose meaning is kept: a wave changes few of a site."""
MOST = 64
"""Plans after which a change that does not end is told."""


class Network(msgspec.Struct):
    """Switches, and what each of them runs."""

    switches: dict[str, Switch]
    running: dict[str, str]
    applied: dict[str, LastApplied]
    diffs: dict[str, str] = {}
    """What the device itself tells of a switch; of others it is not known."""

    @classmethod
    def of(cls, compiled: Any) -> Network:
        """As it is after the first apply of a compiled site."""
        switches = {n: d for n, d in compiled.devices.items() if isinstance(d, Switch)}
        made = cls(switches, {}, {})
        for name in switches:
            made.put(name, compiled.artifacts[name].text, compiled.artifacts[name].text)
        return made

    def plain(self, name: str, text: str) -> str:
        return _plain(self.switches[name].platform, text)

    def put(self, name: str, text: str, ours: str) -> None:
        self.running[name] = text
        self.applied[name] = LastApplied(digest(ours), self.plain(name, ours), digest(self.plain(name, text)))

    def seen(self) -> dict[str, Observation]:
        texts = {name: self.plain(name, text) for name, text in self.running.items()}
        return {
            name: Observation(
                device=name,
                source="device",
                when=NOW,
                text=text,
                digest=digest(text),
                device_diff=self.diffs.get(name),
            )
            for name, text in texts.items()
        }

    def planned(self, compiled: Any) -> tuple[Plan, Mapping[str, str]]:
        self.switches = {n: d for n, d in compiled.devices.items() if isinstance(d, Switch)}
        fields = options(last_applied=self.applied, ignore_secrets=not self.diffs)
        return plan(compiled.artifacts, self.seen(), switches=compiled.devices, options=fields)

    def changed(self, compiled: Any) -> Iterator[tuple[Plan, Mapping[str, str]]]:
        """Each plan, until nothing is left; what it says runs when the next one is asked for."""
        for _ in range(MOST):
            made, texts = self.planned(compiled)
            if not made.changed:
                return
            yield made, texts
            for device in made.changed:
                self.put(device.device, texts[device.candidate], texts[device.ours or device.candidate])
        raise AssertionError("it does not end")

    def facts(self, name: str) -> Facts:
        return _facts(self.switches[name].platform, self.running[name])

    def links(self) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
        for switch in self.switches.values():
            for port in switch.ports:
                here, there = (switch.name, port.name), (port.peer, port.peer_port)
                if port.role in FABRIC and here < there:
                    yield here, there

    def broken(self) -> dict[tuple[tuple[str, str], tuple[str, str]], str]:
        """The links whose ends do not agree, and in what."""
        facts = {name: self.facts(name) for name in self.switches}
        found = {}
        for link in self.links():
            a, b = (link_end(facts[device], port) for device, port in link)
            wrong = [aspect.what for aspect in ASPECTS if not aspect.agree(a, b)]
            if wrong or not (_carries(a) and _carries(b)):
                found[link] = ", ".join(wrong) or "nothing goes over it"
        return found


@lru_cache(maxsize=KEPT)
def _plain(product: str, text: str) -> str:
    return masked(platform(product).dialect().plain(text))


@lru_cache(maxsize=KEPT)
def _facts(product: str, text: str) -> Facts:
    return platform(product).read(text).facts


def _carries(end: LinkEnd) -> bool:
    return end.in_use
