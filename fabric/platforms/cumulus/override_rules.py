"""What lines of an override may say beside ours on Cumulus Linux.

Sources: NVUE reference (`nv set interface`, `nv set vrf`, `nv set acl`, `nv set router`, `nv set system`); Cumulus
Linux user guide, "BGP graceful shutdown" and "Switch maintenance" for what concerns the whole switch.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from fabric.configuration import Unreadable
from fabric.platforms.cumulus.settings import settings
from fabric.platforms.overrides.lines import Words
from fabric.platforms.overrides.rules import OverrideRules

HARMLESS = (
    "acl *",
    "bridge domain *",
    "interface *",
    "router bfd profile *",
    "router policy as-path-list *",
    "router policy community-list *",
    "router policy ext-community-list *",
    "router policy large-community-list *",
    "router policy prefix-list *",
    "router policy route-map *",
    "system message",
    "system timezone",
    "vrf *",
)
WHOLE = (
    "evpn",
    "mlag",
    "nve",
    "platform",
    "qos",
    "router",
    "service",
    "system",
    "unset",
    "vrf default",
    "vrf mgmt",
)


def override_rules(_section: str) -> OverrideRules:
    """One kind of lines, whatever the block is called."""
    return OverrideRules(harmless=HARMLESS, whole=WHOLE, statements=statements, by_line=False)


def statements(text: str) -> Iterator[tuple[int, Words]]:
    """Every setting with its value. A block that sets nothing is its own word. Nothing of what is not NVUE's."""
    with suppress(Unreadable):  # `lower` has refused it
        for number, path, value in settings(text):
            yield number, (*path, value) if value and isinstance(value, str) else path
