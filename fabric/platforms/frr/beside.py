"""What lines of an override may say beside ours in frr.conf."""

from __future__ import annotations

from fabric.platforms.beside import Beside
from fabric.platforms.vtysh import HARMLESS, WHOLE

PART = "frr.conf"


def beside(section: str) -> Beside | None:
    """Lines of frr.conf. Interfaces, sysctl and the script have checks of their own."""
    if section in ("interfaces", "sysctl", "qos"):
        return None
    return Beside(harmless=HARMLESS, whole=WHOLE, part=PART)
