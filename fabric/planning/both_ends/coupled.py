"""What of a plan must change at both ends of a link at once, and in which phases it does."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import NamedTuple

import msgspec

from fabric.configuration import compare
from fabric.devices.model import Device
from fabric.planning.both_ends.coupling import Ends, HostCoupling, Touch, couplings, holds_after
from fabric.planning.both_ends.ends import is_narrower, outdating
from fabric.planning.both_ends.idle import idle
from fabric.planning.both_ends.kept_passwords import kept_passwords
from fabric.planning.both_ends.partial_text import PartialText, Side
from fabric.planning.both_ends.phases import Phase, link_of, phase
from fabric.planning.cut_off.withdrawn import withdrawing
from fabric.planning.impact import worst
from fabric.planning.judging import judged, lockouts
from fabric.planning.kept_secrets import keeps_secrets
from fabric.planning.model import Coupling, Impact, Observation
from fabric.planning.options import PlanOptions, is_shared
from fabric.planning.texts import digest, masked
from fabric.planning.waves import Candidate
from fabric.planning.ways import End, Ways
from fabric.platforms.base import Artifact, Facts
from fabric.platforms.registry import platform

MILD = (Impact.NONE, Impact.HITLESS)


class Site(NamedTuple):
    """What a plan is made of."""

    artifacts: Mapping[str, Artifact]
    seen: Mapping[str, Observation]
    switches: Mapping[str, Device]
    options: PlanOptions


class Coupled(NamedTuple):
    """Links whose ends must change together, and what is done about it."""

    phase: Phase = Phase()
    refused: tuple[Coupling, ...] = ()
    """Links that no phase helps: an end is not known or left out, or their ends do not fit together afterwards."""
    hosts: tuple[HostCoupling, ...] = ()
    """Ports at whose other end hosts or attachments must follow."""
    keeping: frozenset[str] = frozenset()
    """Of those that the plan is refused for: devices that keep a password which the other end shows to be outdated."""

    narrowed: frozenset[str] = frozenset()
    """Switches whose links get a smaller IP MTU now: whatever is still sent in larger packets is lost there."""

    idle: frozenset[End] = frozenset()
    """Ends of links that carry nothing until the phases are done, of devices that change in them."""

    @property
    def links(self) -> tuple[Coupling, ...]:
        """Of the plan: those that change now, or that it is refused for."""
        return self.refused or self.phase.couplings


def coupled(
    touched: Mapping[str, Touch],
    changed: Collection[str],
    places: Mapping[str, Candidate],
    site: Site,
    ways: Callable[[], Ways],
) -> Coupled:
    """What is coupled of a change of some devices. `touched`: which of their links the change may break."""
    if not touched:
        return Coupled()
    facts = _Facts(changed, site, {name: touch.outdated for name, touch in touched.items()})
    kept = kept_passwords(touched, site.switches, facts.keeps, facts.old)
    facts = facts._replace(kept=kept)
    ends = Ends(facts.old, facts.new)
    links, hosts = couplings(touched, site.switches, ends)
    refused = tuple(link for link in links if not holds_after(link_of(link), ends))
    if refused or not links:
        narrowed = _narrowed((), hosts, ends)
        return Coupled(refused=refused and links, hosts=hosts, keeping=frozenset(kept), narrowed=narrowed)
    if not site.options.phased:
        members = frozenset(device for link in links for device, _ in link_of(link))
        return Coupled(
            Phase(groups=(members,), couplings=links), hosts=hosts, narrowed=_narrowed(links, hosts, ends)
        )
    # Products that encode a password anew each time would show it as outdated after its phase too: none may be left.
    is_unseen = any(touch.outdated for touch in touched.values())
    carrying_nothing = idle({device for link in links for device, _ in link_of(link)}, site.switches, ends)
    ways_now = cache(lambda: ways().without(carrying_nothing))
    now = phase(links, places, _Texts(site, ends), ways=ways_now, at_once=is_unseen)
    waiting = {*now.held, *now.texts}
    hosts = tuple(host for host in hosts if host.device not in waiting)
    return Coupled(now, hosts=hosts, narrowed=_narrowed(now.couplings, hosts, ends), idle=carrying_nothing)


def _narrowed(links: Iterable[Coupling], hosts: Iterable[HostCoupling], ends: Ends) -> frozenset[str]:
    found = {host.device for host in hosts if host.narrows}
    for link in map(link_of, links):
        sides = [(ends.end(*end, 0), ends.end(*end, 1)) for end in link]
        if any(old and new and is_narrower(old, new) for old, new in sides):
            found.update(device for device, _ in link)
    return frozenset(found)


def after(phase: Phase, artifacts: Mapping[str, Artifact]) -> Mapping[str, Artifact]:
    """What devices shall run after a phase."""
    texts = {
        name: msgspec.structs.replace(artifacts[name], text=text, digest=digest(text))
        for name, text in phase.texts.items()
    }
    return ChainMap(texts, artifacts) if texts else artifacts  # type: ignore[arg-type]  # nothing is put there


class _Facts(NamedTuple):
    """What devices say before and after."""

    changed: Collection[str]
    site: Site
    outdated: Mapping[str, Collection[str]]
    """Neighbours of devices whose password is not the intended one."""
    kept: Mapping[str, Collection[str]] = {}
    """The same of devices that keep it, as their neighbours show."""

    def keeps(self, name: str) -> bool:
        """Whether a device keeps the secrets that it runs, whatever changes there."""
        site = self.site
        if name not in site.seen or name not in site.switches:
            return False
        return keeps_secrets(platform(site.switches[name].platform), site.seen[name], site.options)

    def old(self, name: str) -> Facts | None:
        """As a device runs; None if it is not known."""
        seen = self.site.seen
        if name not in seen or name not in self.site.switches:
            return None
        if seen[name].matches:
            return self.new(name)
        outdated = {*self.outdated.get(name, ()), *self.kept.get(name, ())}
        return outdating(self._read(name, seen[name].text), outdated)

    def new(self, name: str) -> Facts | None:
        """As it is intended; of a device that does not change, as it runs."""
        if name not in self.changed and name in self.site.seen and not self.site.seen[name].matches:
            return self.old(name)
        return outdating(self._read(name, self.site.artifacts[name].text), self.kept.get(name, ()))

    def _read(self, name: str, text: str) -> Facts:
        return platform(self.site.switches[name].platform).read(text).facts


class _Texts:
    """Texts of devices some of whose links have changed."""

    def __init__(self, site: Site, ends: Ends) -> None:
        self._site, self._ends = site, ends
        self._known: dict[str, PartialText] = {}

    def partial(self, device: str, ports: Collection[str], others: Collection[str]) -> str | None:
        """Of `phases.Texts`."""
        if device not in self._known:
            self._known[device] = self._between(device)
        return self._known[device].with_links(ports, others)

    def _between(self, device: str) -> PartialText:
        site = self._site
        known = (site.options.last_applied or {}).get(device)
        was, will = (self._ends.facts(device, age) for age in (0, 1))
        return PartialText(
            site.switches[device],
            Side(site.seen[device].text, was or Facts()),
            Side(site.artifacts[device].text, will or Facts()),
            known.ours if known else None,
            is_shared=is_shared(site.options),
        )

    def is_harmless_after(self, device: str, text: str) -> bool:
        """Of `phases.Texts`."""
        switch, dialect = (
            self._site.switches[device],
            platform(self._site.switches[device].platform).dialect(),
        )
        sides = (masked(dialect.plain(side)) for side in (text, self._site.artifacts[device].text))
        rest = compare(dialect, device, *sides).changes
        changes = withdrawing(judged(rest, switch), rest, switch) + lockouts(rest, switch)
        return worst(changes) in MILD
