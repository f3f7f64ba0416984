"""What a candidate would change, as the switch sees it: no passwords."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from fabric.platforms.frr.agent import changes, parts, routing
from fabric.platforms.frr.agent.parts import PARTS, ROUTING
from fabric.platforms.frr.agent.system import Refused


def differences(change: str) -> str:
    """frr.conf by frr-reload.py, the other files line by line, each with when it takes effect."""
    folder = changes.candidate_of(change)
    if not (folder / "meta.json").exists():
        raise Refused("command", f"there is no candidate {change}")
    new, old = parts.texts_in(folder / "texts"), changes.running()
    blocks: list[str] = []
    for name in PARTS:
        if name == ROUTING and name in new:
            blocks.extend(_routing(routing.delta(folder / "texts" / name)))
        elif name in new and parts.differs(name, new[name], old.get(name)):
            blocks.extend(_file(name, old.get(name, ""), new[name]))
    return "\n".join(blocks)


def _routing(delta: routing.Delta) -> Iterator[str]:
    if not delta.is_empty:
        yield f"# {ROUTING}: takes effect {PARTS[ROUTING].effect}"
        for sign, lines in (("-", delta.removed), ("+", delta.added)):
            yield from (f"{sign}{routing.hidden(line)}" for line in lines)


def _file(name: str, old: str, new: str) -> Iterator[str]:
    yield f"# {name}: takes effect {PARTS[name].effect}"
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)
    yield from [line for line in lines if not line.startswith(("---", "+++"))]
