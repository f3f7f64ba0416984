"""Which sessions come up: both ends must name each other's address, AS number, family and password."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fabric.analysis.routes.model import Passing
from fabric.devices.addresses import Ip
from fabric.devices.model import Relation, Switch

End = tuple[str, str, int]
"""Switch, port and address family."""


class Side(msgspec.Struct, frozen=True, gc=False):
    """One end of a session, as its switch is configured."""

    peer: End
    relation: Relation
    asn: int
    remote_asn: int
    addresses: tuple[Ip, ...]
    """Of the own port."""
    remote_address: Ip | None
    password: str | None
    up: bool


def sides(switch: Switch) -> Iterator[tuple[End, Side]]:
    """The ends of the fabric sessions of a switch."""
    ports = {port.name: port for port in switch.ports}
    routing = switch.routing
    for neighbor in routing.neighbors:
        if neighbor.relation is not Relation.EXTERNAL:
            port = ports[neighbor.port]
            yield (
                (switch.name, neighbor.port, neighbor.family),
                Side(
                    (neighbor.peer, port.peer_port, neighbor.family),
                    neighbor.relation,
                    routing.asn,
                    neighbor.remote_asn,
                    tuple(address.ip for address in port.addresses),
                    neighbor.address,
                    neighbor.password or routing.password,
                    port.enabled and not switch.drained,
                ),
            )


def disagreement(end: End, side: Side, other: Side | None) -> str:
    """Why a session does not come up although both ports are; empty if it does."""
    if other is None or other.peer != end:
        return f"{side.peer[0]} has no session back"
    for near, far, name in ((side, other, side.peer[0]), (other, side, end[0])):
        if near.remote_asn != far.asn:
            return f"{far.peer[0]} expects AS {near.remote_asn} of {name}, which has AS {far.asn}"
        if near.remote_address is not None and near.remote_address not in far.addresses:
            return f"{far.peer[0]} expects {near.remote_address} of {name}, whose port has another address"
    if side.password != other.password:
        return "the two ends have different passwords"
    return ""


def passing(sender: Side, receiver: Side) -> Passing:
    """How routes pass from `sender` to `receiver`."""
    return sender.relation is Relation.DOWN, receiver.relation in {Relation.UP, Relation.ACROSS}
