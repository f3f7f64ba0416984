"""Compare two states of a site, such as two commits: in the intent, in what is built, and in what devices would run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec

from fabric import __version__, deployment, planning
from fabric.compiler import Compiled
from fabric.diagnostics import Origin, Path
from fabric.documents.places import Place
from fabric.documents.redaction import MASK, is_name, is_secret_path
from fabric.operations.wave_costs import with_costs
from fabric.planning import Plan, PlanOptions, Texts
from fabric.planning.codes import UNOBSERVED
from fabric.topology.additions import additions
from fabric.topology.resize import Move, differences

WRITTEN = ("intent", "inventory", "state")
"""The documents that people write, in the order in which they are listed; models and policies of the site follow."""
LOCK = "lock"
"""Written by the program: what it changes is a move."""


class IntentChange(msgspec.Struct, frozen=True):
    """One value that is written otherwise; None: it is not written."""

    document: str
    key: str
    """Its path: `networks.compute.tiers.leaf.uplinks`."""
    old: Any
    new: Any
    place: Place | None
    """Where it stands in the new state, or what it has gone from; None if its file is gone."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between two states of a site."""

    intent: tuple[IntentChange, ...]
    moves: tuple[Move, ...]
    """What a technician, or another system, has to change: cables, ports, names, addresses, AS numbers."""
    additions: tuple[Move, ...]
    """Devices to rack and cables to lay."""
    plan: Plan
    """What devices that run the old state would change to run the new one."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all differs, written values included."""
        return not (self.intent or self.moves or self.additions or self.plan.changed or self.plan.removed)


def compare_sites(old: Compiled, new: Compiled) -> tuple[Comparison, Texts]:
    """What differs from `old` to `new`, and the texts of the plan. `Invalid` if one of both does not compile.

    Devices are taken to run exactly what `old` compiles to: nothing is connected to.
    """
    plan, texts = _plan(old, new)
    comparison = Comparison(
        intent=tuple(intent_changes(old, new)),
        moves=differences(old.topology, new.topology),
        additions=additions(old.topology, new.topology),
        plan=plan,
    )
    return comparison, texts


def intent_changes(old: Compiled, new: Compiled) -> Iterator[IntentChange]:
    """Every written value that is added, removed or changed, document by document; secrets are masked."""
    before, after = old.intent.sources, new.intent.sources
    others = sorted({*before.documents, *after.documents} - {*WRITTEN, LOCK})
    for name in (*WRITTEN, *others):
        was = dict(_values(before.documents[name].value)) if name in before.documents else {}
        now = dict(_values(after.documents[name].value)) if name in after.documents else {}
        for path in (*now, *(path for path in was if path not in now)):
            if was.get(path) != now.get(path):
                place = after.place(Origin(path, name))
                yield IntentChange(name, _key(path), _shown(path, was), _shown(path, now), place)


def _values(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every scalar of a document, and every empty list and mapping, by its path."""
    if isinstance(value, dict) and value:
        for key, below in value.items():
            yield from _values(below, (*path, key))
    elif isinstance(value, list) and value:
        for index, below in enumerate(value):
            yield from _values(below, (*path, index))
    else:
        yield path, value


def _key(path: Path) -> str:
    words = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(words).removeprefix(".")


def _shown(path: Path, values: Mapping[Path, Any]) -> Any:
    value = values.get(path)
    return MASK if value is not None and is_secret_path(path) and not is_name(path) else value


def _plan(old: Compiled, new: Compiled) -> tuple[Plan, Texts]:
    now = datetime.now(UTC)
    for site in (old, new):
        site.artifacts.check_together()
        site.artifacts.check_each()
    options = PlanOptions(
        site=new.intent.site.site,
        program=__version__,
        intent=new.digest,
        created=now,
        mode="offline",
        ownership="full",
        removed=tuple(sorted(set(old.artifacts) - set(new.artifacts))),
    )
    seen = deployment.as_running(old.artifacts, new.artifacts, now)
    plan, texts = planning.plan(new.artifacts, seen, switches=new.devices, options=options)
    findings = tuple(found for found in plan.diagnostics if found.code != UNOBSERVED.code)  # nobody was to be
    return with_costs(new, msgspec.structs.replace(plan, diagnostics=findings)), texts
