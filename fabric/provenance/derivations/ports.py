"""How names of ports are made."""

from __future__ import annotations

from fabric.provenance.derivations.case import Case
from fabric.provenance.model import Derivation


def port_name(case: Case) -> Derivation | None:
    """The name of a port, by its place on the front panel."""
    slot = case.device.ports[int(case.place[1])].slot
    part = f", port {slot.sub_port} of {slot.sub_ports}" if slot.sub_ports > 1 else ""
    return Derivation(
        what="port", value=str(case.value), formula=f"cage {slot.cage}{part}, as the product numbers them"
    )
