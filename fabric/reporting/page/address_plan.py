"""Addresses by what they are for: how many, and from which to which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address

from fabric.exports.network_view import View
from fabric.intent.inventory import DeviceFacts
from fabric.reporting.page.facts import PageTable
from fabric.topology.roles import NONE, Role

Found = dict[tuple[str, int], list[int]]


def address_plan(views: Iterable[View]) -> PageTable:
    """A row for each use and family of each network."""
    rows: list[tuple[str, ...]] = []
    for view in views:
        for (use, version), values in _addresses(view).items():
            kind = IPv4Address if version == 4 else IPv6Address
            first, last = str(kind(min(values))), str(kind(max(values)))
            rows.append((view.topology.name, use, f"IPv{version}", f"{len(values):,}", first, last))
    return PageTable(
        title="Address plan",
        headings=("NETWORK", "USE", "FAMILY", "ADDRESSES", "LOWEST", "HIGHEST"),
        rows=tuple(rows),
        numbers=(False, False, False, True, False, False),
    )


def _addresses(view: View) -> Found:
    found: Found = {}
    for use, version, value in _all(view):
        found.setdefault((use, version), []).append(value)
    return found


def _all(view: View) -> Iterator[tuple[str, int, int]]:
    yield from _own(view)
    yield from _of_links(view)


def _own(view: View) -> Iterator[tuple[str, int, int]]:
    """Loopbacks and management addresses."""
    net = view.topology
    for node in net.switches:
        if net.loopback[node] != NONE:
            yield "loopbacks", 4, net.loopback[node]
        if net.loopback6 and net.loopback6[node] != NONE:
            yield "loopbacks", 6, net.loopback6[node]
        facts = view.facts(node)
        if isinstance(facts, DeviceFacts) and facts.address:
            address = ip_address(str(facts.address).partition("/")[0])
            yield "management", address.version, int(address)


def _of_links(view: View) -> Iterator[tuple[str, int, int]]:
    net = view.topology
    for low, port, high, peer in view.links():
        use = f"{Role(net.role[low]).name.lower()} to {Role(net.role[high]).name.lower()}"
        for end in (port, peer):
            if net.address[end] != NONE:
                yield use, 4, net.address[end]
            if net.address6 and net.address6[end] != NONE:
                yield use, 6, net.address6[end]
