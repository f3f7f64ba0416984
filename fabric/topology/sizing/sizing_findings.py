"""Findings when something does not fit: always the tier, what is missing, and what would fit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fabric.diagnostics import Origin, Report
from fabric.intent.model import Tier
from fabric.topology import codes
from fabric.topology.port_maps import Demand, Panel, Shortage
from fabric.topology.roles import Facing
from fabric.units import Speed, counted, parse_ratio, ratio

PLACES = {
    Facing.DOWN: ("down",),
    Facing.UP: ("up",),
    Facing.ACROSS: ("up",),
    Facing.SPARE: ("reserved_ports",),
}
GIGABIT_MBPS = 1000


def complain(
    report: Report,
    at: Origin,
    panel: Panel,
    demands: Sequence[Demand],
    shortage: Shortage,
    role: str,
    exactly: Origin | None = None,
) -> None:
    """Report why the ports of a switch cannot be made from its cages.

    `at` is the tier; `exactly` the place of a wish that is not the tier's own.
    """
    demand, model = shortage.demand, panel.model.model
    place = at.child(*PLACES.get(demand.facing, ()))

    def here(key: str) -> Origin:
        return exactly or place.child(key)

    speed = Speed(demand.speed_mbps)
    if shortage.kind == "speed":
        offered = ", ".join(str(Speed(s)) for s in panel.speeds())
        rule = f"{model} has no port of {speed}; it offers {offered}"
        report.add(
            codes.NO_SUCH_SPEED.at(here("speed"), rule, value=str(speed), hint=f"choose one of {offered}")
        )
    elif shortage.kind == "breakout":
        offered = ", ".join(f"{n}x{speed}" for n in panel.breakouts(demand.speed_mbps))
        rule = f"a cage of {model} does not split into {demand.breakout}x{speed}; it offers {offered}"
        report.add(
            codes.NO_SUCH_BREAKOUT.at(
                here("breakout"), rule, value=demand.breakout, hint="choose one of these, or `auto`"
            )
        )
    elif shortage.kind == "cages":
        hint = f"the model has cages {', '.join(group.cages for group in panel.groups)}; name each once"
        rule = f"{model}: {shortage.detail}"
        report.add(codes.CAGES_TAKEN.at(here("cages"), rule, value=demand.cages, hint=hint))
    else:
        _too_few(report, exactly or place, demands, shortage, role, model)


PORTS = {
    Facing.DOWN: ("downlink", "downlinks"),
    Facing.UP: ("uplink", "uplinks"),
    Facing.ACROSS: (
        "link to other zones, groups or neighbours",
        "links to other zones, groups or neighbours",
    ),
    Facing.OUT: ("port of attachments", "ports of attachments"),
    Facing.SPARE: ("reserved port", "reserved ports"),
}
"""What ports that face one way are for."""


def _too_few(
    report: Report, place: Origin, demands: Sequence[Demand], shortage: Shortage, role: str, model: str
) -> None:
    demand = shortage.demand
    needed = " + ".join(
        f"{counted(d.count, PORTS[d.facing])} of {Speed(d.speed_mbps)}" for d in demands if d.count
    )
    missing = demand.count - shortage.fits
    limit = f" ({shortage.detail})" if shortage.detail else ""
    rule = f"{role} needs {needed}; {model} lacks {missing} of the {PORTS[demand.facing][1]}{limit}"
    hint = f"{shortage.fits} would fit: lower the number, or choose a larger model or another breakout"
    report.add(codes.PORTS_SHORT.at(place, rule, value=demand.count, hint=hint))


def below_ceiling(
    report: Report,
    at: Origin,
    tier: Tier,
    down_mbps: int,
    up_mbps: int,
    role: str,
    spare_mbps: int = 0,
    *,
    locked: bool = False,
) -> None:
    """Report a tier whose downlink bandwidth is more than its ceiling allows.

    `spare_mbps`: what spare hosts have of it, if an older lock left them out. Where they alone are too much, it is a
    warning. `locked`: the uplinks are those of `fabric.lock`, and stay.
    """
    actual, ceiling = Fraction(down_mbps, up_mbps), parse_ratio(tier.max_oversubscription)
    if _is_below(actual, ceiling):
        return
    place, value = at.child("max_oversubscription"), tier.max_oversubscription
    enough = _allowing(actual)
    rule = (
        f"{role}: {Speed(down_mbps)} down on {Speed(up_mbps)} up is {ratio(actual)}, "
        f"the ceiling is {tier.max_oversubscription}"
    )
    if _is_below(Fraction(down_mbps - spare_mbps, up_mbps), ceiling):
        rule += f"; {Speed(spare_mbps)} of it are spare hosts, which the lock leaves out"
        more = "run `fabric resize --anew` to see what more uplinks would move"
        hint = f"{more}, or set `max_oversubscription: {enough}`"
        report.add(codes.SPARES_OVERSUBSCRIBED.at(place, rule, value=value, hint=hint))
        return
    hint = f"set `max_oversubscription: {enough}`"
    if locked:
        hint += (
            ", which moves nothing; `fabric resize` shows what more uplinks than fabric.lock holds would move"
        )
    elif ceiling:
        needed = -int(-Fraction(down_mbps) // ceiling)
        fits = int((down_mbps + up_mbps) * ceiling / (1 + ceiling)) // GIGABIT_MBPS * GIGABIT_MBPS
        hint = (
            f"{Speed(needed)} of uplinks would meet it, or {Speed(fits)} down on the ports in use; or {hint}"
        )
    report.add(codes.OVERSUBSCRIBED.at(place, rule, value=value, hint=hint))


def _is_below(actual: Fraction, ceiling: Fraction) -> bool:
    # A ceiling of `1.067:1` stands for 16:15: what people write is rounded to three places.
    return actual <= ceiling or round(float(actual), 3) <= float(ceiling)


def _allowing(actual: Fraction) -> str:
    """A ceiling that allows a ratio: as people write it, or exactly where that would be rounded down."""
    text = ratio(actual)
    return text if _is_below(actual, parse_ratio(text)) else f"{actual.numerator}:{actual.denominator}"
