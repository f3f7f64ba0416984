"""The whole intent: one site, its hosts, its networks."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from fabric.diagnostics import Diagnostic
from fabric.documents import Sources
from fabric.hardware import Catalogue
from fabric.intent.inventory import Inventory
from fabric.intent.lock import Lock
from fabric.intent.model.hosts import Attachment, HostGroup, Tenant
from fabric.qos.policy import LosslessPolicy
from fabric.intent.model.services import Services
from fabric.intent.model.tiers import Network
from fabric.documents.words import Asn, CageList, Count, Name, Part, Text
from fabric.intent.state import State


class Capacity(Part, kw_only=True):
    """What the site may grow to. Sizes, strides, port maps and name widths come from here."""

    units: Count | None = None
    """Default: the units installed."""
    hosts_per_unit: Annotated[
        Count | None,
        Meta(description="Host positions of a unit; default: what the groups fill, spares included."),
    ] = None


class Override(Part, kw_only=True):
    """A departure from the rule for some devices. Later ones win over earlier ones."""

    device: Name | None = None
    role: Literal["leaf", "spine", "superspine"] | None = None
    network: Name | None = None
    reason: Text | None = None
    release: str | None = None
    asn: Asn | None = None
    max_paths: Annotated[int, Meta(ge=1, le=1024)] | None = None
    down_cages: CageList | None = None
    up_cages: CageList | None = None
    shutdown_ports: tuple[str, ...] = ()
    extra: dict[Name, Annotated[str, Meta(pattern=r"^[\t\n -~]{0,20000}$(?!\n)")]] = field(
        default_factory=dict
    )
    """Verbatim lines in the product's language, each block under a name. They are ours: plan and apply keep them."""


class Site(Part, kw_only=True):
    """What the files say, defaults filled in."""

    site: Name
    description: Text | None = None
    units: Count | Literal["auto"] = 1
    """Scalable units installed."""
    capacity: Capacity = field(default_factory=Capacity)
    hosts: dict[Name, HostGroup]
    networks: dict[Name, Network]
    attachments: dict[Name, Attachment] = field(default_factory=dict)
    tenants: dict[Name, Tenant] = field(default_factory=dict)
    services: Services = field(default_factory=Services)
    overrides: tuple[Override, ...] = ()
    ownership: Literal["lines", "full"] = "lines"
    """`lines`: what we did not write on a switch is carried along. `full`: it is removed."""


class Intent(msgspec.Struct, frozen=True, kw_only=True):
    """Stage 1: the site as written, and the files beside it. Nothing here is computed."""

    site: Site
    policies: dict[str, LosslessPolicy]
    """Every lossless policy that a network names."""
    inventory: Inventory
    state: State
    lock: Lock | None
    hardware: Catalogue
    """The shipped models and those of the site's own `hardware/` folder."""
    sources: Sources
    """Which file, line and column each path stands at."""
    diagnostics: tuple[Diagnostic, ...] = ()
