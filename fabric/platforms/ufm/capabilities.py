"""What UFM supports. The words of Ethernet do not apply: all of them stay at *cannot*."""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities


def capabilities(release: str | None, _hardware: SwitchModel) -> Capabilities:
    """The same on every switch: UFM runs on a server."""
    return Capabilities(release=release)
