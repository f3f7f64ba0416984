"""`fabric.lock`: the sizes that capacity decided. Committed, so that growth moves nothing."""

from __future__ import annotations

from msgspec import field

from fabric.documents.words import Name, Part


class NetworkLock(Part, kw_only=True):
    """What is fixed for one network. All numbers are capacities, not what is installed."""

    units: int
    units_per_pod: int
    host_slots: int
    """Host positions of a unit."""
    rails: int
    leaves_per_unit: int
    """Per plane."""
    planes: int
    leaf_uplinks: int
    spines: int
    """Of one group."""
    spine_groups: int
    """Of one plane."""
    links_per_leaf_spine: int
    spine_uplinks: int = 0
    superspines: int = 0
    superspine_groups: int = 0
    links_per_spine_superspine: int = 0
    name_widths: dict[str, int] = field(default_factory=dict)
    asn_bases: dict[str, int] = field(default_factory=dict)
    port_maps: dict[str, str] = field(default_factory=dict)
    """Per tier: the cages of each direction in order, as a digestible text."""


class Lock(Part, kw_only=True):
    """The content of `fabric.lock`."""

    format: int = 1
    networks: dict[Name, NetworkLock] = field(default_factory=dict)
