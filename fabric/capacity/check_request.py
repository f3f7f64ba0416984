"""What is wrong with a request before any layout is looked at."""

from __future__ import annotations

from fractions import Fraction

from fabric.capacity import codes
from fabric.capacity.candidates import planes_of, rail_leaves_of
from fabric.capacity.request import Request
from fabric.diagnostics import Diagnostic, Invalid, Origin
from fabric.units import counted


def check(request: Request) -> None:
    """`Invalid` for planes that the NICs have no ports for, and for more to be left than any layout leaves."""
    if request.planes not in (None, 1, request.nic_ports):
        rule = f"NICs of {counted(request.nic_ports, 'port')} do not go on {counted(request.planes, 'plane')}"
        raise Invalid(
            (codes.NICS_UNEVEN.at(Origin(), rule, value=request.planes, hint=codes.NICS_UNEVEN.fix),)
        )
    planes, nics = max(each.count for each in planes_of(request)), request.nics_per_host
    leaves = max(1, *rail_leaves_of(request)) * planes
    ports = counted(nics * request.nic_ports, ("port", "ports"))
    spread = f"{ports} of a host on {counted(leaves, 'leaf')}"
    if request.keep_leaf > (left := 1 - Fraction(1, leaves)):
        raise Invalid((_never(f"{spread} keep {_percent(left)} when one leaf fails", request.keep_leaf),))
    if request.keep_plane > (left := 1 - Fraction(1, planes)):
        of_planes = f"{ports} of a host on {counted(planes, 'plane')}"
        raise Invalid((_never(f"{of_planes} keep {_percent(left)} when one fails", request.keep_plane),))


def _never(rule: str, asked: Fraction) -> Diagnostic:
    text = f"{rule}; {_percent(asked)} is asked for"
    return codes.NEVER_KEPT.at(Origin(), text, value=_percent(asked), hint=codes.NEVER_KEPT.fix)


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):.4g} %"
