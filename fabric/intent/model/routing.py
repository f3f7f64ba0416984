"""Routing between the switches: eBGP, valley-free."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.schema.scalar_types import Auto, Part, SecretRef
from fabric.units import Duration


class Bfd(Part, frozen=True, kw_only=True):
    """Bidirectional forwarding detection on the links between switches."""

    interval_ms: Duration = field(name="interval", default_factory=lambda: Duration(300))
    """Time between two packets, each way."""
    multiplier: Annotated[int, Meta(ge=3, le=50)] = 3
    """Packets that may be lost before the session is down."""


class Hashing(Part, frozen=True, kw_only=True):
    """What equal-cost paths are chosen by."""

    fields: Annotated[
        tuple[
            Literal["src_ip", "dst_ip", "src_port", "dst_port", "protocol", "ingress_port", "roce_qp"], ...
        ],
        Meta(min_length=1),
    ] = ("src_ip", "dst_ip", "src_port", "dst_port", "protocol")
    """Header fields that go into the hash."""
    seed: Literal["product", "per_tier", "per_device"] = "product"
    """`product`: as the product sets it. Seeds do not help against CRC hashes; see docs/lossless.md."""


class Bgp(Part, frozen=True, kw_only=True):
    """Timers and secrets of the sessions."""

    keepalive_ms: Duration = field(name="keepalive", default_factory=lambda: Duration(3000))
    """Time between keepalives."""
    hold_ms: Duration = field(name="hold", default_factory=lambda: Duration(9000))
    """Time without a message after which a session is down; at least three keepalives."""
    password: SecretRef | None = None
    """TCP MD5 secret of all sessions between switches."""
    ttl_security: bool = False
    """GTSM (RFC 5082) on all sessions between switches: they refuse packets that come from further than the link. Every
    product of the network must support it. Decide it before the links are in use: a session ends while one end alone
    has it, so a change of it takes down all sessions of a switch at once."""
    max_prefixes: Annotated[int, Meta(ge=1, le=1_000_000)] | Literal["auto", "none"] = "auto"
    """A session between switches is torn down when the other end sends more prefixes than that, per address family.
    `auto`: twice what the network has at full capacity, rounded up to a power of two, where the product supports it."""


class Routing(Part, frozen=True, kw_only=True):
    """eBGP on every link; a route received from upstream is never advertised upstream again."""

    bgp: Bgp = field(default_factory=Bgp)
    """Timers and secrets of the sessions."""
    bfd: Bfd | Literal["none"] = field(default_factory=Bfd)
    """Fast detection of dead links; `none` leaves it to BGP's hold time."""
    max_paths: Annotated[int, Meta(ge=1, le=1024)] | Auto = "auto"
    """ECMP width. Default: the number of equal paths, those to border routers too, rounded up to a power of two."""
    advertise_host_links: Literal["aggregate", "specific", "none"] = "aggregate"
    """A leaf advertises its hosts' prefixes as one block, one by one, or not at all."""
    hashing: Hashing = field(default_factory=Hashing)
    """What equal-cost paths are chosen by."""
    load_balancing: Literal["ecmp", "flowlet", "per_packet"] = "ecmp"
    """`flowlet`: dynamic load balancing by flowlets. `per_packet`: adaptive routing or spraying."""
    nics_reorder: bool = False
    """All NICs place packets that come out of order, those of attachments too. `per_packet` needs it, or
    `out_of_order` in the `system` of every host group."""
