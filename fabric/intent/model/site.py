"""The whole intent: one site, its hosts, its networks."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from fabric.diagnostics import Diagnostic
from fabric.documents import Sources
from fabric.documents.schema.scalar_types import (
    Asn,
    CageList,
    Count,
    CountOrZero,
    FilePath,
    Name,
    Part,
    PortName,
    Release,
    Text,
)
from fabric.hardware import Catalogue
from fabric.intent.inventory import Inventory
from fabric.intent.model.deployment import Deployment
from fabric.intent.model.hosts import Attachment, HostGroup, Tenant
from fabric.intent.model.lock import Lock
from fabric.intent.model.services import Services
from fabric.intent.model.tiers import Network
from fabric.intent.state import Accepted, State
from fabric.qos.policy import LosslessPolicy


class Capacity(Part, frozen=True, kw_only=True):
    """What the site may grow to. Sizes, strides, port maps and name widths come from here."""

    units: Count | None = None
    """Default: the units installed."""
    hosts_per_unit: Annotated[
        Count | None,
        Meta(description="Host positions of a unit; default: what the groups fill, spares included."),
    ] = None


class Override(Part, frozen=True, kw_only=True):
    """A departure from the rule for some devices. Later ones win over earlier ones."""

    device: Name | None = None
    """One device by name."""
    role: Literal["leaf", "spine", "superspine"] | None = None
    """All devices of a role."""
    unit: CountOrZero | None = None
    """Only leaves of this unit, counted from 0."""
    network: Name | None = None
    """Only devices of this network."""
    reason: Text | None = None
    """Why, for the reviewer."""
    model: Name | None = None
    """Another switch model of the hardware catalogue. It must have ports of the tier's speeds, and as many."""
    platform: Name | None = None
    """Another product. Default with `model`: the first that the catalogue lists for it and that we have."""
    release: Release | None = None
    """Software release."""
    asn: Asn | None = None
    """AS number of the device."""
    max_paths: Annotated[int, Meta(ge=1, le=1024)] | None = None
    """ECMP width."""
    down_cages: CageList | None = None
    """Cages towards hosts or the tier below, in the order of use."""
    up_cages: CageList | None = None
    """Cages towards the tier above, in the order of use."""
    shutdown_ports: tuple[PortName, ...] = ()
    """Ports that are administratively down, as the product calls them."""
    extra: dict[
        Name,
        Annotated[str, Meta(pattern=r"^[\t\n -~]{0,20000}$(?!\n)", description="Lines of printable ASCII.")],
    ] = field(default_factory=dict)
    """Verbatim lines in the product's language, each block under a name. They are ours: plan and apply keep them. They
    add sections that are not ours and do not concern the whole switch; below our sections only lines that are known to
    change nothing there are taken."""


class Site(Part, frozen=True, kw_only=True):
    """What the files say, defaults filled in."""

    site: Annotated[Name, Meta(examples=["fra1"])]
    """Name of the site; part of names and of the journal."""
    description: Text | None = None
    """For people."""
    include: tuple[FilePath, ...] = ()
    """More files of the site. Their mappings join those of the same key, their lists follow; nothing may be
    defined twice."""
    units: Count | Literal["auto"] = 1
    """Scalable units installed."""
    capacity: Capacity = field(default_factory=Capacity)
    """What the site may grow to."""
    hosts: dict[Name, HostGroup]
    """Groups of equal hosts by name."""
    networks: dict[Name, Network]
    """Fabrics by name; the hosts are cabled to each that they have NICs for."""
    attachments: dict[Name, Attachment] = field(default_factory=dict)
    """What else hangs on the fabrics, by name."""
    tenants: dict[Name, Tenant] = field(default_factory=dict)
    """Hosts that may talk to each other, by name."""
    services: Services = field(default_factory=Services)
    """Management of every switch."""
    deployment: Deployment = field(default_factory=Deployment)
    """How `fabric apply` changes the network."""
    overrides: tuple[Override, ...] = ()
    """Departures from the rule; later ones win over earlier ones."""
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
    accepted: tuple[Accepted, ...] = ()
    """The entries of `state.accept` whose day has not passed."""
    diagnostics: tuple[Diagnostic, ...] = ()
