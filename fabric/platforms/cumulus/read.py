"""From an NVUE file of either dialect to neutral facts. Every setting that no row knows is returned."""

from __future__ import annotations

import re

from fabric.platforms.base import Facts, InterfaceFacts, Reading
from fabric.platforms.cumulus import read_interfaces, read_qos, read_routing, read_services
from fabric.platforms.cumulus.reading import Handler, State
from fabric.platforms.cumulus.tree import Leaf, leaves

ROWS = (*read_interfaces.ROWS, *read_services.ROWS, *read_routing.ROWS, *read_qos.ROWS)
Compiled = tuple[re.Pattern[str], Handler | None]


def _index() -> dict[str, list[Compiled]]:
    """The rows by the first word of the path."""
    found: dict[str, list[Compiled]] = {}
    for pattern, handle in ROWS:
        words = ("service", "system") if pattern.startswith("(?:service") else (pattern.split(" ")[0],)
        for word in words:
            found.setdefault(word.partition("(")[0], []).append((re.compile(pattern), handle))
    return found


INDEX = _index()


def read(text: str) -> Reading:
    """What an NVUE file says, and the lines that we do not know."""
    state = State()
    lines: list[str] | None = None
    unread: list[tuple[int, str]] = []
    for leaf in leaves(text):
        if not _known(state, leaf):
            lines = text.splitlines() if lines is None else lines
            line = lines[leaf.line - 1].strip() if leaf.line <= len(lines) else leaf.value
            unread.append((leaf.line, line))
    return Reading(_facts(state), tuple(unread))


def _known(state: State, leaf: Leaf) -> bool:
    if not leaf.path:
        return False
    path = " ".join(leaf.path)
    for pattern, handle in INDEX.get(leaf.path[0], ()):
        match = pattern.fullmatch(path)
        if match is not None:
            try:
                if handle is not None:
                    handle(state, match, leaf.value)
            except ValueError:  # a word where a number should be: reported as unread
                return False
            return True
    return False


def _facts(state: State) -> Facts:
    read_qos.unfold_preset(state)
    watchdog, (queueing, profiles) = state.watchdog, read_qos.bound_queues(state)
    for name, bound in queueing.items():
        state.interface(name)["queueing"] = bound
    poll = watchdog.get("poll", 0)
    return Facts(
        interfaces={
            name: InterfaceFacts(**(values | {"addresses": tuple(values.get("addresses", ()))}))
            for name, values in state.interfaces.items()
            if values or name not in state.cages
        },
        neighbors={key: read_routing.neighbor_facts(state, one) for key, one in state.neighbors.items()},
        dscp_to_traffic_class=dict(sorted(state.dscp.items())),
        traffic_class_to_queue=dict(sorted(state.queues.items())),
        profiles=profiles,
        watchdog=("drop", poll * watchdog.get("robustness", 3), 0, poll) if poll else None,
        policies={name: "; ".join(sorted(set(lines))) for name, lines in state.policies.items()},
        services={name: "\n".join(sorted(set(lines))) for name, lines in state.services.items()},
        **state.top,
    )
