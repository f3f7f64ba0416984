"""Changes of management services alone: no session, port or address is given up, and no neighbour is told anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from fabric.configuration import Change, Node
from fabric.configuration.syntaxes.syntax import Sectioned
from fabric.platforms.base import AnyPlatform, Facts

LLDP = "lldp"
"""The service that neighbours hear of."""


def is_services_only(product: AnyPlatform, changes: Iterable[Change]) -> bool:
    """Whether each section that differs is management services and nothing else, before the change and after it.

    Asked of changes that interrupt nobody. False where that is not seen at once.
    """
    if not isinstance(product.dialect().syntax, Sectioned):
        return False
    return all(
        (change.old or change.new)
        and _are_services(product, change.old)
        and _are_services(product, change.new)
        for change in changes
    )


def _are_services(product: AnyPlatform, nodes: Sequence[Node]) -> bool:
    if not nodes:
        return True
    reading = product.read(product.dialect().written(nodes))
    services = reading.facts.services
    if reading.unread or not services or LLDP in services:
        return False
    return replace(reading.facts, services={}) == Facts()
