"""The refusal of packet trimming, the same for every platform that cannot say it."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin
from fabric.platforms.base import Capabilities


def untrimmed(switch: Switch, can: Capabilities) -> Iterator[tuple[Origin, str, str]]:
    """Place, feature and fix, if the policy trims packets and the product cannot."""
    queueing = switch.queueing
    if queueing is not None and queueing.trimming is not None and not can.packet_trimming:
        feature = f"no packet trimming: no public source shows it on {switch.hardware.asic}"
        hint = "leave `trim` out of the policy, or use SONiC or Cumulus Linux on Spectrum-4 or later"
        yield Origin(("trim",), f"policy:{queueing.policy}"), feature, hint
