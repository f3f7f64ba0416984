"""What Dell Enterprise SONiC settles itself: nothing to change, something to know."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Origin
from fabric.platforms.dellsonic import codes
from fabric.platforms.dellsonic.names import MANAGEMENT_VRF, TITLE


def notes(switch: Switch) -> Iterator[Diagnostic]:
    """Findings without a need to act."""
    for origin, text, hint in _notes(switch):
        yield codes.OWN_WAY.at(origin, f"{TITLE} {text}", hint=hint)


def _notes(switch: Switch) -> Iterator[tuple[Origin, str, str]]:
    vrf = switch.management.vrf
    if vrf not in (MANAGEMENT_VRF, "default"):
        yield (
            Origin(("services", "management", "vrf")),
            f"names the VRF of its management port `{MANAGEMENT_VRF}`, not `{vrf}`",
            f"write `vrf: {MANAGEMENT_VRF}` where all switches are of this platform",
        )
    yield (
        Origin(("services", "ssh", "idle_timeout")),
        "closes idle sessions after a time of its own: no source tells the unit of `login exec-timeout`",
        "set `login exec-timeout` by hand, and look how long a session stays",
    )
    if switch.queueing is not None and any(kind.priorities for kind in switch.queueing.profiles):
        yield (
            Origin((), f"policy:{switch.queueing.policy}").child("classes"),
            "reboots at `buffer init lossless`, and ports that are split later work after the next reboot only",
            "split all cages first, then send `buffer init lossless`, then the rest",
        )
