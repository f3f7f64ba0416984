"""What operators do at night. Kept in git, with reason, owner and expiry; never undone by `apply`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from fabric.documents.schema.scalar_types import Login, Name, Part, PortName, Text

Reason = Annotated[
    str,
    Meta(
        pattern=r"^[ -~]{3,240}$(?!\n)",
        description="Why, for the next shift: one line of 3 to 240 printable ASCII characters.",
        examples=["optics are swapped"],
    ),
]


class Entry(Part, frozen=True, kw_only=True):
    """What each entry has: why, who, and until when (UTC)."""

    reason: Reason
    owner: Login
    """Who to ask."""
    expires: date
    """The last day (UTC) on which the entry holds; then it is reported."""


class Drained(Entry, frozen=True, kw_only=True):
    """A switch that carries no traffic. A drain has two steps: `graceful` until the traffic has left, then `shut`."""

    device: Name
    """The switch."""
    mode: Literal["graceful", "shut"] = "graceful"
    """`graceful`: sessions stay up, its routes carry GRACEFUL_SHUTDOWN (RFC 8326), and neighbours use them only if
    there is no other path. `shut`: its sessions are down as well."""


class ShutPort(Entry, frozen=True, kw_only=True):
    """A port that is administratively down."""

    device: Name
    """The switch."""
    port: PortName
    """The port, as the product calls it."""


class ExcludedLink(Entry, frozen=True, kw_only=True):
    """A link that is not to be used: both its ports are shut."""

    device: Name
    """One end of the link."""
    peer: Name
    """The other end."""
    port: PortName
    """The port of `device`, as the product calls it."""


class Accepted(Entry, frozen=True, kw_only=True):
    """A warning or remark that is known and not repeated. Errors cannot be accepted."""

    finding: Annotated[
        str, Meta(pattern=r"^FAB([0-9]{3}|[0-9]{4})$(?!\n)", description="Its code.", examples=["FAB342"])
    ]
    at: Text | None = None
    """Only at this place or below, as `fabric validate` prints it: `networks.compute.routing`. Default: everywhere."""


class State(Part, frozen=True, kw_only=True):
    """The content of `state.yaml`."""

    drained: tuple[Drained, ...] = ()
    """Switches that carry no traffic."""
    shut_ports: tuple[ShutPort, ...] = ()
    """Ports that are down."""
    excluded_links: tuple[ExcludedLink, ...] = ()
    """Links that are not used."""
    accept: tuple[Accepted, ...] = ()
    """Findings that are known and not repeated."""
