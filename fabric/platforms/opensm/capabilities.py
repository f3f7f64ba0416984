"""What OpenSM supports. The words of Ethernet do not apply: all of them stay at *cannot*."""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities


def capabilities(release: str | None, _hardware: SwitchModel) -> Capabilities:
    """The same on every switch: the manager runs on a host."""
    return Capabilities(release=release)
