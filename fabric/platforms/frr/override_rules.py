"""What lines of an override may say beside ours in frr.conf."""

from __future__ import annotations

from fabric.platforms.overrides.rules import OverrideRules
from fabric.platforms.overrides.vtysh import HARMLESS, WHOLE

PART = "frr.conf"


def override_rules(section: str) -> OverrideRules | None:
    """Lines of frr.conf. Interfaces, sysctl and the script have checks of their own."""
    if section in ("interfaces", "sysctl", "qos"):
        return None
    return OverrideRules(harmless=HARMLESS, whole=WHOLE, part=PART)
