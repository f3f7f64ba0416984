"""What NX-OS settles itself, told once for each switch: nothing to change, something to know or to look at."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Diagnostic, Origin
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.names import MANAGEMENT_VRF, TITLE


def notes(switch: Switch) -> Iterator[Diagnostic]:
    """Findings without a need to act."""
    for place, text, hint in _notes(switch):
        yield codes.OWN_WAY.at(place, f"{TITLE} {text}", hint=hint)


def _notes(switch: Switch) -> Iterator[tuple[Origin, str, str]]:
    vrf = switch.management.vrf
    if vrf not in (MANAGEMENT_VRF, "default"):
        yield (
            Origin(("services", "management", "vrf")),
            f"names the VRF of mgmt0 `{MANAGEMENT_VRF}`, not `{vrf}`",
            f"write `vrf: {MANAGEMENT_VRF}` where all switches are of this platform",
        )
    if switch.services.gnmi is not None and switch.services.certificate is None:
        yield (
            Origin(("services", "gnmi")),
            "serves gNMI with a certificate that it makes itself, valid for a day, until one is imported",
            "import a certificate on the switch and name it: `certificate: {name: TRUSTPOINT}` below `services`",
        )
    yield (
        switch.origin,
        "polices what is sent to its processor by the profile of its first boot: `strict`, but none after POAP",
        "look at `show copp status`, and set `copp profile strict` on a switch without one",
    )
    unnumbered = any(peer.address is None for peer in switch.routing.neighbors)
    if unnumbered and switch.routing.bfd_interval_ms is not None:
        yield (
            Origin(("networks", switch.network, "routing", "bfd")),
            "is not documented to run BFD over link-local sessions",
            "look at `show bfd neighbors` of one switch; without BFD, dead links are found by hold time",
        )
