"""What to buy: switches, cables and hosts, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fabric.cli.tables import Column, Row, Table, counted
from fabric.cli.views.labels import ROLE_NAMES, View, length, speed
from fabric.cli.views.topology import NETWORK, SWITCHES
from fabric.topology.model import Role

PLURALS = {"switch": "switches", "storage": "storage systems"}
"""Of kinds that do not end in a plain s."""


def bom_table(views: Sequence[View]) -> Table:
    """One row a kind of thing."""

    def rows() -> Iterator[Row]:
        for view in views:
            yield from _switches(view)
            yield from _cables(view)
            yield from _ends(view)

    columns = (
        Column(key="count", heading="COUNT", right=True, style=lambda _v: "bold"),
        Column(key="kind", heading="KIND"),
        Column(key="item", heading="ITEM"),
        Column(key="length_m", heading="LENGTH", right=True, show=length),
        Column(key="speed_mbps", heading="SPEED", right=True, show=speed),
        Column(key="for", heading="FOR"),
        NETWORK,
    )
    return Table(name="bom", columns=columns, rows=rows, noun=("item", "items"), total=lambda: _total(rows()))


def _total(rows: Iterator[Row]) -> str:
    """`18 switches, 544 cables, 32 hosts`."""
    found: Counter[str] = Counter()
    for count, kind, *_rest in rows:
        found[kind] += count
    return ", ".join(counted(count, (kind, PLURALS.get(kind, f"{kind}s"))) for kind, count in found.items())


def _switches(view: View) -> Iterator[Row]:
    for role in SWITCHES:
        for model, count in sorted(
            Counter(view.model(n) for n in view.topology.role_start[role]).items(), key=str
        ):
            known = view.intent.hardware.switches.get(model or "")
            title = known.model if known else model
            yield count, "switch", title, None, None, ROLE_NAMES[role], view.topology.name


def _cables(view: View) -> Iterator[Row]:
    """Cables by kind, length and speed. A cable that ends at several devices is counted once."""
    topology = view.topology
    seen: set[int] = set()
    found: Counter[tuple[str, str, int, int]] = Counter()
    for low, port, high, peer in view.links():
        cable = topology.cable[port]
        if cable in seen:
            continue
        seen.add(cable)
        ends = f"{ROLE_NAMES[Role(topology.role[low])]} to {ROLE_NAMES[Role(topology.role[high])]}"
        kind = view.cable_kind(low, high)
        found[ends, kind, view.cable_m(low, high), view.speed_mbps(port, peer) or 0] += 1
    for (ends, kind, metres, mbps), count in sorted(found.items()):
        yield count, "cable", kind, metres, mbps, ends, topology.name


def _ends(view: View) -> Iterator[Row]:
    """Hosts by group, and attachments by kind."""
    topology = view.topology
    if topology.role_start[Role.HOST]:
        groups = Counter(topology.host_group[node] for node in topology.role_start[Role.HOST])
        for group, count in sorted(groups.items()):
            model = view.intent.site.hosts[group].model
            yield count, "host", model or group, None, None, group, topology.name
    for node in topology.role_start[Role.ATTACHMENT]:
        name = topology.names[node]
        yield 1, view.intent.site.attachments[name].kind, name, None, None, "attachment", topology.name
