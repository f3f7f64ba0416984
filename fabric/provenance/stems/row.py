"""What one field of a device's model means, and which values of the intent it stems from."""

from __future__ import annotations

from dataclasses import dataclass

SIZES: tuple[str, ...] = (
    "units",
    "capacity.**",
    "hosts.*.per_unit",
    "hosts.*.total",
    "hosts.*.last_unit",
    "hosts.*.spare_per_unit",
    "hosts.*.model",
    "hosts.*.nics.**",
    "networks.{network}.rails.**",
    "networks.{network}.planes.**",
    "networks.{network}.pods.**",
    "networks.{network}.zones.**",
    "networks.{network}.layout.**",
    "networks.{network}.technology",
    "networks.{network}.tiers.*.model",
    "networks.{network}.tiers.*.down.**",
    "networks.{network}.tiers.*.up.**",
    "networks.{network}.tiers.*.reserved_ports",
    "networks.{network}.tiers.*.max_oversubscription",
    "networks.{network}.tiers.*.count",
    "networks.{network}.tiers.*.installed",
    "networks.{network}.tiers.*.groups",
    "networks.{network}.tiers.*.links_per_pair",
    "networks.{network}.tiers.*.group_by",
    "networks.{network}.tiers.*.order",
    "networks.{network}.cables.*.links",
    "networks.{network}.cables.*.split_at",
    "attachments.*.network",
    "attachments.*.kind",
    "attachments.*.links",
    "attachments.*.speed",
    "attachments.*.to.**",
    "attachments.*.lacp",
    "overrides.*.device",
    "overrides.*.role",
    "overrides.*.unit",
    "overrides.*.network",
    "overrides.*.model",
    "overrides.*.down_cages",
    "overrides.*.up_cages",
)
"""What decides how many devices there are, where each stands, and what its ports are cabled to."""
LOCKED: tuple[str, ...] = ("lock:networks.{network}.**", "lock:attachments.**")
NAMES: tuple[str, ...] = (
    "networks.{network}.tiers.*.name",
    "networks.{network}.tiers.*.role_name",
    "networks.{network}.prefix",
    "hosts.*.name",
    "site",
)
"""What devices and hosts are called by."""
PRODUCT: tuple[str, ...] = (
    "networks.{network}.tiers.{role}.model",
    "networks.{network}.tiers.{role}.platform",
    "networks.{network}.tiers.{role}.release",
    "overrides.*.model",
    "overrides.*.platform",
    "overrides.*.release",
)
"""What chooses hardware and software of a switch."""
PRODUCTS_BESIDE: tuple[str, ...] = (
    "networks.{network}.tiers.*.model",
    "networks.{network}.tiers.*.platform",
    "overrides.*.model",
    "overrides.*.platform",
)
"""Likewise of its neighbours."""
POOLS: tuple[str, ...] = (
    "networks.{network}.addressing.family",
    "networks.{network}.addressing.host_family",
    "networks.{network}.addressing.order",
    "networks.{network}.addressing.fabric_even",
    "networks.{network}.addressing.host_even",
    "networks.{network}.addressing.host_links.mode",
    "networks.{network}.addressing.host_links.prefix_length",
    "networks.{network}.addressing.host_links.prefix6_length",
    "networks.{network}.addressing.*pool*",
    "attachments.*.addresses",
    "attachments.*.prefix_length",
    "attachments.*.vlan",
    "attachments.*.lacp",
)
"""What addresses follow from, beside the sizes."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """Fields of one form."""

    fields: tuple[str, ...]
    """Names of columns; `*` stands for any steps."""
    meaning: str
    """In the field's words; with `{port}`, `{peer}`, `{class}` and the like."""
    values: tuple[str, ...] = ()
    """Paths into the intent that it stems from, or `policy:`, `inventory:`, `state:`, `lock:` and a path there. `*` is
    any key, `**` all that is written below; a path without either stands for its default too."""
    conditions: tuple[str, ...] = ()
    """What decides whether it is so, and where."""
    unit: str = ""
    is_narrow: bool = False
    """It has many values: what stands in a line is what the line stems from, the others decide whether."""
    is_cabling: bool = False
    """The sizes decide about it too."""
    derive: str = ""
    """Name of the function of `derivations` that tells how it is computed."""


def row(
    fields: str,
    meaning: str,
    values: str = "",
    conditions: tuple[str, ...] = (),
    *,
    unit: str = "",
    cabling: bool = False,
    narrow: bool = False,
    derive: str = "",
) -> Row:
    """A row; names and paths have blanks between. `NET` stands for the network of the device."""
    paths = tuple(path.replace("NET.", "networks.{network}.") for path in values.split())
    wholes = tuple(path.replace("NET.", "networks.{network}.") for path in conditions)
    return Row(
        fields=tuple(fields.split()),
        meaning=meaning,
        values=paths,
        conditions=wholes,
        unit=unit,
        is_cabling=cabling,
        is_narrow=narrow,
        derive=derive,
    )
