"""What operators do at night. Kept in git, with reason, owner and expiry; never undone by `apply`."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta

from fabric.documents.words import Name, Part

Reason = Annotated[str, Meta(pattern=r"^[ -~]{3,240}$(?!\n)", description="Why, for the next shift.")]


class Entry(Part, kw_only=True):
    """What each entry has: why, who, and until when (UTC)."""

    reason: Reason
    owner: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.@-]{1,64}$(?!\n)")]
    expires: date


class Drained(Entry, kw_only=True):
    """A switch that carries no traffic: its BGP sessions are down."""

    device: Name


class ShutPort(Entry, kw_only=True):
    """A port that is administratively down."""

    device: Name
    port: Annotated[
        str, Meta(pattern=r"^[A-Za-z0-9/:._-]{1,40}$(?!\n)", description="As the product calls it.")
    ]


class ExcludedLink(Entry, kw_only=True):
    """A link that is not to be used: both its ports are shut."""

    device: Name
    peer: Name
    port: Annotated[str, Meta(pattern=r"^[A-Za-z0-9/:._-]{1,40}$(?!\n)")]


class State(Part, kw_only=True):
    """The content of `state.yaml`."""

    drained: tuple[Drained, ...] = ()
    shut_ports: tuple[ShutPort, ...] = ()
    excluded_links: tuple[ExcludedLink, ...] = ()
