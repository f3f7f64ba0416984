"""Cables as a technician needs them: a row for each run from device to device, a label for each plug."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import msgspec

from fabric.exports.network_view import View
from fabric.exports.printing import csv_lines
from fabric.topology.roles import NONE
from fabric.units import Length, Speed


class CableRun(msgspec.Struct, frozen=True):
    """Links that lie in one cable and join the same two devices. The fields are the columns of the list."""

    cable: str
    """Its number, unique in the site."""
    from_device: str
    from_rack: str | None
    from_rack_unit: int | None
    from_ports: tuple[str, ...]
    to_device: str
    to_rack: str | None
    to_rack_unit: int | None
    to_ports: tuple[str, ...]
    label: str
    length_m: int
    type: str
    speed_mbps: int | None
    """Of one link."""
    links: int
    network: str


RunOfLinks = list[tuple[int, int, int, int]]
"""Lower node, lower port, upper node, upper port of each link of a run."""


def cable_runs(view: View, only: Collection[str] | None = None) -> Iterator[CableRun]:
    """Every run of a network, or those that end at one of `only`, by their lower end.

    The legs of a cable that ends at several devices are several runs with the same cable number.
    """
    names = view.topology.names
    for run in _runs(view):
        if only is None or names[run[0][0]] in only or names[run[0][2]] in only:
            yield _run(view, run)


def _runs(view: View) -> Iterator[RunOfLinks]:
    waiting: dict[tuple[int, int, int], RunOfLinks] = {}
    lower = NONE
    for link in view.links():
        if link[0] != lower:  # all links of a cable with this end belong to one device: they are complete
            yield from waiting.values()
            waiting, lower = {}, link[0]
        waiting.setdefault((view.topology.cable[link[1]], link[0], link[2]), []).append(link)
    yield from waiting.values()


def _run(view: View, run: RunOfLinks) -> CableRun:
    low, port, high, peer = run[0]
    here = tuple(view.port(p, low) for _, p, _, _ in run)
    there = tuple(view.port(p, high) for _, _, _, p in run)
    names = view.topology.names
    return CableRun(
        view.topology.cable_label(view.topology.cable[port]),
        names[low],
        *_rack(view, low),
        here,
        names[high],
        *_rack(view, high),
        there,
        f"{names[low]}:{here[0]} > {names[high]}:{there[0]}",
        view.cable_m(low, high),
        view.cable_kind(low, high),
        view.speed_mbps(port, peer),
        len(run),
        view.topology.name,
    )


def _rack(view: View, node: int) -> tuple[str | None, int | None]:
    facts = view.facts(node)
    return (facts.rack, facts.position) if facts else (None, None)


# --- labels


class Plug(msgspec.Struct, frozen=True):
    """One end of a cable: a device, and the ports that it goes into."""

    device: str
    rack: str | None
    rack_unit: int | None
    ports: tuple[str, ...]

    def __str__(self) -> str:
        place = " ".join(
            (*([self.rack] if self.rack else []), *([f"U{self.rack_unit}"] if self.rack_unit else []))
        )
        return f"{place + '  ' if place else ''}{self.device} {'+'.join(self.ports)}"


class Label(msgspec.Struct, frozen=True):
    """The label of one plug: where it goes in, and what is at the other end."""

    network: str
    cable: str
    end: str
    """`A1`, `A2`, ... nearer to the hosts, `B1`, `B2`, ... the other end."""
    near: Plug
    far: tuple[Plug, ...]
    """Several where the cable breaks out."""
    length_m: int
    type: str
    speed_mbps: int | None


def labels(view: View) -> Iterator[Label]:
    """A label for every plug of every cable, by cable number."""
    cables: dict[int, RunOfLinks] = {}
    for link in view.links():
        cables.setdefault(view.topology.cable[link[1]], []).append(link)
    for number in sorted(cables):
        yield from _labels(view, number, cables[number])


def _labels(view: View, number: int, links: RunOfLinks) -> Iterator[Label]:
    low, port, high, peer = links[0]
    lower = _plugs(view, ((node, p) for node, p, _, _ in links))
    upper = _plugs(view, ((node, p) for _, _, node, p in links))
    for letter, near, far in (("A", lower, upper), ("B", upper, lower)):
        for i, plug in enumerate(near, 1):
            yield Label(
                view.topology.name,
                view.topology.cable_label(number),
                f"{letter}{i}",
                plug,
                far,
                view.cable_m(low, high),
                view.cable_kind(low, high),
                view.speed_mbps(port, peer),
            )


def _plugs(view: View, ends: Iterable[tuple[int, int]]) -> tuple[Plug, ...]:
    """Ports of one cage are one plug; a NIC's port is one too."""
    cages: dict[tuple[int, int, int], dict[str, None]] = {}
    for node, port in ends:
        slot = view.slot(port, node)
        cage = (slot.slot or 0, slot.cage) if slot else (NONE, port)
        cages.setdefault((node, *cage), {})[view.port(port, node)] = None
    return tuple(
        Plug(view.topology.names[node], *_rack(view, node), tuple(ports))
        for (node, _, _), ports in cages.items()
    )


# --- as files


def cable_list(views: Iterable[View]) -> Iterator[str]:
    """The list as CSV: what `fabric show cables --format csv` prints."""
    yield from csv_lines([CableRun.__struct_fields__])
    for view in views:
        yield from csv_lines(msgspec.structs.astuple(run) for run in cable_runs(view))


LABEL_COLUMNS = (
    "network", "cable", "end", "rack", "rack_unit", "device", "ports", "far", "length_m", "type", "speed_mbps",
)  # fmt: skip


def label_list(views: Iterable[View]) -> Iterator[str]:
    """A row for each label, for the mail merge of a label printer."""
    yield from csv_lines([LABEL_COLUMNS])
    for view in views:
        yield from csv_lines(
            (
                label.network,
                label.cable,
                label.end,
                label.near.rack,
                label.near.rack_unit,
                label.near.device,
                label.near.ports,
                "; ".join(map(str, label.far)),
                label.length_m,
                label.type,
                label.speed_mbps,
            )
            for label in labels(view)
        )


def label_sheet(views: Iterable[View]) -> Iterator[str]:
    """Labels to print: cable and end, here, there, what cable; a blank line between two."""
    for view in views:
        for label in labels(view):
            speed = f" {Speed(label.speed_mbps)}" if label.speed_mbps else ""
            yield f"{label.network} {label.cable} {label.end}\n"
            yield f"here:  {label.near}\n"
            yield from (f"there: {plug}\n" for plug in label.far)
            yield f"{Length(label.length_m)} {label.type}{speed}\n\n"
