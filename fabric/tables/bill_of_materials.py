"""What to buy: switches, cables and hosts, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fabric.exports.cables import labels
from fabric.tables.chosen_names import Chosen, is_chosen
from fabric.tables.table import Column, Row, Table
from fabric.tables.topology import NETWORK, SWITCHES
from fabric.tables.value_formats import ROLE_NAMES, View, length, speed
from fabric.topology.roles import Role
from fabric.units import counted

Link = tuple[int, int, int, int]
"""Lower node, lower port, upper node, upper port."""
Links = Sequence[Link]
Cage = tuple[int, ...]
"""A switch with line card and cage, or a host with the port of its NIC."""
PLURALS = {"switch": "switches", "storage": "storage systems"}
"""Of kinds that do not end in a plain s."""
FIBRE = ("mmf", "smf")
"""Cables that need a transceiver at each plug; all others bring their own."""
SPARE_PERCENT = 2
"""Parts to keep on the shelf, rounded up; a rule of thumb, for there is no rate of failures of each part at hand."""


def bom_table(views: Sequence[View], only: Chosen = None) -> Table:
    """One row a kind of thing: of all, or of some devices and of the cables that end at one of them."""

    def rows() -> Iterator[Row]:
        hosts: set[str] = set()
        for view in views:
            links = _links(view, only)
            yield from _switches(view, only)
            yield from _cables(view, links)
            yield from _plugs(view, links)
            yield from _hosts_and_attachments(view, only, hosts)

    columns = (
        Column(key="count", heading="COUNT", right=True, style=lambda _v: "bold"),
        Column(key="kind", heading="KIND"),
        Column(key="item", heading="ITEM"),
        Column(key="length_m", heading="LENGTH", right=True, show=length),
        Column(key="speed_mbps", heading="SPEED", right=True, show=speed),
        Column(key="for", heading="FOR"),
        NETWORK,
        Column(key="spares", heading="SPARES", right=True),
    )
    return Table(name="bom", columns=columns, rows=rows, noun=("item", "items"), total=lambda: _total(rows()))


def _total(rows: Iterator[Row]) -> str:
    """`18 switches, 544 cables, 32 hosts`."""
    total: Counter[str] = Counter()
    for count, kind, *_rest in rows:
        total[kind] += count
    return ", ".join(counted(count, (kind, PLURALS.get(kind, f"{kind}s"))) for kind, count in total.items())


def _links(view: View, only: Chosen) -> Links:
    """Links of the cables that end at one of the devices; of a breakout all of them."""
    links = tuple(view.links())
    if only is None:
        return links
    topology = view.topology
    names, cable = topology.names, topology.cable
    cables = {cable[port] for low, port, high, _ in links if is_chosen(only, names[low], names[high])}
    return tuple(link for link in links if cable[link[1]] in cables)


def _chosen(view: View, only: Chosen, role: Role) -> Iterator[int]:
    nodes = view.topology.role_start[role]
    return (node for node in nodes if is_chosen(only, view.topology.names[node]))


def _switches(view: View, only: Chosen) -> Iterator[Row]:
    for role in SWITCHES:
        models = Counter(view.model(node) for node in _chosen(view, only, role))
        for model, count in sorted(models.items(), key=str):
            known = view.intent.hardware.switches.get(model or "")
            title = known.model if known else model
            yield count, "switch", title, None, None, ROLE_NAMES[role], view.topology.name, _spares(count)


def _cables(view: View, links: Links) -> Iterator[Row]:
    """Cables by kind, length and speed. A cable that ends at several devices is counted once."""
    topology = view.topology
    seen: set[int] = set()
    cables: Counter[tuple[str, str, int, int]] = Counter()
    for low, port, high, peer in links:
        cable = topology.cable[port]
        if cable in seen:
            continue
        seen.add(cable)
        ends = f"{ROLE_NAMES[Role(topology.role[low])]} to {ROLE_NAMES[Role(topology.role[high])]}"
        kind = view.cable_kind(low, high)
        cables[ends, kind, view.cable_m(low, high), view.speed_mbps(port, peer) or 0] += 1
    for (ends, kind, metres, mbps), count in sorted(cables.items()):
        yield count, "cable", kind, metres, mbps, ends, topology.name, _spares(count)


def _plugs(view: View, links: Links) -> Iterator[Row]:
    """Transceivers of cables that have none of their own, by end; and what parts a cable for several plugs."""
    topology, name = view.topology, view.topology.name
    plugs = Counter(_transceivers(view, links).values())
    for (kind, at, mbps), count in sorted(plugs.items()):
        yield count, "transceiver", kind, None, mbps, at, name, _spares(count)
    cables = {topology.cable_label(topology.cable[port]) for _, port, _, _ in links}
    ends = Counter((label.cable, label.type, label.end[0]) for label in labels(view))
    splitters = Counter((kind, n) for (cable, kind, _), n in ends.items() if n > 1 and cable in cables)
    for (kind, parts), count in sorted(splitters.items()):
        yield count, "splitter", f"{kind} 1:{parts}", None, None, "breakout", name, _spares(count)


def _transceivers(view: View, links: Links) -> dict[Cage, tuple[str, str, int]]:
    """Fibre, role and speed of what sits in each cage of a switch and each port of a NIC that one of the links uses.

    The speed is that of all links in a cage, also of those of other cables.
    """
    used = {cage for link in links for cage in _cages(view, link)}
    transceivers: dict[Cage, tuple[str, str, int]] = {}
    for link in view.links() if used else ():
        kind, mbps = view.cable_kind(link[0], link[2]), view.speed_mbps(link[1], link[3]) or 0
        for cage in used.intersection(_cages(view, link)):
            at = ROLE_NAMES[Role(view.topology.role[cage[0]])]
            transceivers[cage] = (kind, at, transceivers.get(cage, ("", "", 0))[2] + mbps)
    return transceivers


def _cages(view: View, link: Link) -> Iterator[Cage]:
    """Where both ends of a link have a transceiver; none if its cable brings its own."""
    low, port, high, peer = link
    for node, end in ((low, port), (high, peer)) if view.cable_kind(low, high) in FIBRE else ():
        slot = view.slot(end, node)
        yield (node, slot.slot or 0, slot.cage) if slot else (node, end)


def _spares(count: int) -> int:
    """Parts to keep on the shelf."""
    return -(-count * SPARE_PERCENT // 100)


def _hosts_and_attachments(view: View, only: Chosen, known: set[str]) -> Iterator[Row]:
    """Hosts by group, each once in the site, and attachments by kind."""
    topology = view.topology
    new = [node for node in _chosen(view, only, Role.HOST) if topology.names[node] not in known]
    known.update(topology.names[node] for node in new)
    groups = Counter(topology.host_group[node] for node in new)
    for group, count in sorted(groups.items()):
        model = view.intent.site.hosts[group].model
        yield count, "host", model or group, None, None, group, topology.name, 0
    for node in _chosen(view, only, Role.ATTACHMENT):
        name = topology.names[node]
        kind = view.intent.site.attachments[name].kind
        yield 1, kind, name, None, None, "attachment", topology.name, 0
