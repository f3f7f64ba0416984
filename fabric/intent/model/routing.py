"""Routing between the switches: eBGP, valley-free."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from fabric.documents.words import Auto, Part, SecretRef
from fabric.units import Duration


class Bfd(Part, kw_only=True):
    """Bidirectional forwarding detection on the links between switches."""

    interval_ms: Duration = field(name="interval", default_factory=lambda: Duration(300))
    multiplier: Annotated[int, Meta(ge=3, le=50)] = 3


class Hashing(Part, kw_only=True):
    """What equal-cost paths are chosen by."""

    fields: tuple[
        Literal["src_ip", "dst_ip", "src_port", "dst_port", "protocol", "ingress_port", "roce_qp"], ...
    ] = ("src_ip", "dst_ip", "src_port", "dst_port", "protocol")
    seed: Literal["product", "per_tier", "per_device"] = "product"
    """`product`: as the product sets it. Seeds do not help against CRC hashes; see docs/lossless.md."""


class Bgp(Part, kw_only=True):
    """Timers and secrets of the sessions."""

    keepalive_ms: Duration = field(name="keepalive", default_factory=lambda: Duration(3000))
    hold_ms: Duration = field(name="hold", default_factory=lambda: Duration(9000))
    password: SecretRef | None = None
    """TCP MD5 secret of all sessions between switches."""


class Routing(Part, kw_only=True):
    """eBGP on every link; a route that came from above is never told upward again."""

    bgp: Bgp = field(default_factory=Bgp)
    bfd: Bfd | Literal["none"] = field(default_factory=Bfd)
    max_paths: Annotated[int, Meta(ge=1, le=1024)] | Auto = "auto"
    """ECMP width. Default: the number of equal paths, rounded up to a power of two."""
    advertise_host_links: Literal["aggregate", "specific", "none"] = "aggregate"
    """A leaf tells its hosts' prefixes as one block, one by one, or not at all."""
    hashing: Hashing = field(default_factory=Hashing)
    load_balancing: Literal["ecmp", "flowlet", "per_packet"] = "ecmp"
    """`flowlet`: dynamic load balancing by flowlets. `per_packet`: adaptive routing or spraying."""
    nics_reorder: bool = False
    """The NICs place out-of-order packets. Needed by `per_packet`."""
