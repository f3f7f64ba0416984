"""What the laws over all platforms must know of one: a record of each, in `tests/platforms/<name>/expectations.py`.

A new platform needs that file and no change here: the laws find it by the name in the registry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from fabric.platforms.facts import Facts
from fabric.platforms.registry import platform
from tests.platforms.profiles import Found
from tests.platforms.read_policies import Ways, by_route_maps

Written = tuple[str, int]
"""Lines of a block, and the number of the last one that counts."""

NAMELESS = "classes have numbers, not names"
INSIDE = "inside the switch only: the queue stands for it"
BYTES = "of products that mark at percent of a queue"


def by_lines(path: Sequence[str]) -> Written:
    """A statement of a product that is told by indented lines."""
    return "\n".join(f"{' ' * 3 * depth}{step}" for depth, step in enumerate(path)), len(path)


def nested(path: Sequence[str]) -> Any:
    """A statement as a mapping in a mapping."""
    *steps, value = path
    return reduce(lambda below, step: {step: below}, reversed(steps), value)


@dataclass(frozen=True, kw_only=True)
class Section:
    """What lines of an override may and may not say in one block. In braces: port, other, asn, neighbor."""

    programs: Sequence[str]
    """Lines that would run a program."""
    harm: Sequence[str]
    """Lines that would shut or move what is ours."""
    taken: Sequence[str] = ()
    """Lines of what is not ours."""
    theirs: str = ""
    """What stands above the line in question, and is never blamed."""
    refused: Sequence[Written] = ()
    """Lines that do more than add, and the line that is blamed."""
    harmless: Sequence[str] = ()
    changes: Sequence[str] = ()
    """Lines that give another value to what is ours."""
    new: Sequence[str] = ()
    """Lines of which we print nothing."""
    template: str = "{{ 7*7 }}"
    """Words of a template, in the syntax of the product."""
    of_the_product: tuple[str, ...] = ()
    """First words of lines that the product prints itself."""
    write: Callable[[Sequence[str]], Written] | None = None
    """How a statement of ours is written; None: the section has no statements."""
    section_depth: int = 1
    """Steps of the shortest path that is a section."""


@dataclass(frozen=True, kw_only=True)
class StaticRoute:
    """Where a static route to 192.0.2.0/24 stands in a printed text: a pattern, and what takes its place."""

    place: str
    written: str
    """`{route}` is one of two that differ in where they lead."""
    routes: tuple[str, str]

    def added(self, text: str, route: str) -> str:
        """The text with a route."""
        made, count = re.subn(self.place, self.written.replace("{route}", route), text, count=1)
        assert count == 1
        return made


@dataclass(frozen=True, kw_only=True)
class Expectations:
    """What is told of every platform."""

    own_files: Mapping[str, str] = field(default_factory=dict)
    """Modules that only this product has, and what each is for."""


ExpectationsT = TypeVar("ExpectationsT", bound=Expectations)


@dataclass(frozen=True, kw_only=True)
class SubnetExpectations(Expectations):
    """Of the manager of a subnet."""

    has_sharp: bool = False
    """It can be told of SHARP and of adaptive routing."""


@dataclass(frozen=True, kw_only=True)
class SwitchExpectations(Expectations):
    """Of a product that runs on switches."""

    model: str
    """Of the catalogue: the 64-cage switch that it is sold on for such fabrics."""
    profiles: Callable[[str], Found]
    """Every queueing profile of a text."""
    policies: Callable[[Facts, str, int], Ways] = by_route_maps
    """What its reader makes of the policies of a group, for IPv4 or IPv6."""
    dropped: str
    """A pattern for the route that drops `{}`, an escaped prefix, at distance 250."""
    unmarked: str
    """How our mark is taken out of a route, without spaces beside brackets and colons."""
    obeys_graceful_shutdown: bool = False
    """It prefers other routes to those with GRACEFUL_SHUTDOWN without a policy, and sends it at one line (RFC 8326)."""
    adds_communities: bool = True
    """A policy can add a community to those of a route; else it replaces them."""
    sends_own_asn: bool = True
    """It advertises routes that hold the AS number of their receiver, without being told."""
    disagreements: frozenset[str] = frozenset()
    """What a port does otherwise than the policy says, and a mixed fabric is told of."""
    names: str = r"[A-Za-z][A-Za-z0-9_.-]{0,62}"
    """A pattern for names of objects."""
    timers: Sequence[tuple[str, str, str]] = ()
    """Timers of BFD that it does not take: key, value, and the nearest one that it takes."""
    is_told_idle_timeout: bool = True
    """An idle timeout of no whole second is told."""
    counts_idle_minutes: bool = False
    """It closes idle sessions after whole minutes."""
    most: Mapping[str, int] = field(default_factory=dict)
    """How many it takes of some services, by their place below `services`."""
    not_said: Mapping[str, str] = field(default_factory=dict)
    """Fields of a switch that it has no line for, and why nothing is lost."""
    not_in_facts: frozenset[str] = frozenset()
    """Fields that its text has, and its reader does not tell yet."""
    builds_sessions_anew_for_limits: bool = False
    """A session whose limit of prefixes is another one is built anew, also where it is a higher one."""
    management_route: StaticRoute | None = None
    """A static route of the VRF that management is in."""
    default_route: StaticRoute | None = None
    """The same of the default routing table, if management may be in it."""
    overrides: Mapping[str, Section]
    """The blocks that an override may name."""


def expectations(name: str) -> Expectations:
    """Those of a platform. An `AssertionError` says what to write, if they are missing."""
    kind = SwitchExpectations if platform(name).technology == "ethernet" else SubnetExpectations
    return _loaded(name, kind)


def switch_expectations(name: str) -> SwitchExpectations:
    """Those of a product that runs on switches."""
    return _loaded(name, SwitchExpectations)


def subnet_expectations(name: str) -> SubnetExpectations:
    """Those of the manager of a subnet."""
    return _loaded(name, SubnetExpectations)


def _loaded(name: str, kind: type[ExpectationsT]) -> ExpectationsT:
    file = Path(__file__).parent / name / "expectations.py"
    module = import_module(f"tests.platforms.{name}.expectations") if file.exists() else None
    expected = getattr(module, "EXPECTED", None)
    assert isinstance(expected, kind), (
        f"write tests/platforms/{name}/expectations.py with EXPECTED = {kind.__name__}(...): "
        "tests/platforms/expectations.py says what the laws need"
    )
    return expected
