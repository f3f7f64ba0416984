"""Which switches, hosts and attachments of a site a list is for: the words of `--target`, as `plan` reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from fabric.tables.value_formats import ROLE_NAMES, View
from fabric.topology.model import NetworkTopology
from fabric.topology.roles import NONE, Role

Chosen = Collection[str] | None
"""Names; None for all."""


def is_chosen(only: Chosen, *names: str) -> bool:
    """Whether any of the names is among the chosen ones."""
    return only is None or any(name in only for name in names)


def targeted(words: Iterable[str], views: Sequence[View]) -> Chosen:
    """The names that any of the words matches; None for no words. `Refused` if a word matches nothing.

    As in a plan, a tag chooses the hosts that have it and the switches to which they are cabled.
    """
    if not (words := tuple(dict.fromkeys(words))):
        return None
    from fabric.planning import matching  # slow, and most lists are of everything

    values: dict[str, dict[str, set[str]]] = {}
    for view in views:
        for node, name in enumerate(view.topology.names):
            known = values.setdefault(name, {})
            for kind, text in _values(view.topology, node):
                known.setdefault(kind, set()).add(text)
        for name, tag in _tags(view):
            values[name].setdefault("tag", set()).add(tag)
    return matching(words, values)


def _values(topology: NetworkTopology, node: int) -> Iterable[tuple[str, str]]:
    numbers = {
        "rail": topology.rail[node],
        "plane": topology.plane[node],
        "unit": topology.unit[node],
        "pod": topology.pod[node],
    }
    yield "device", topology.names[node]
    yield "role", ROLE_NAMES[Role(topology.role[node])]
    yield from ((kind, str(number)) for kind, number in numbers.items() if number != NONE)


def _tags(view: View) -> Iterable[tuple[str, str]]:
    """Every tag with the host that has it, and with the switches at the other ends of its cables."""
    names, hosts = view.topology.names, view.intent.inventory.hosts
    tags = {name: host.tags for name, host in hosts.items() if host.tags}
    yield from ((name, tag) for name in names if name in tags for tag in tags[name])
    for low, _port, high, _peer in view.links() if tags else ():
        yield from ((names[high], tag) for tag in tags.get(names[low], ()))
        yield from ((names[low], tag) for tag in tags.get(names[high], ()))
