"""Elevations of the racks that the inventory knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from fabric.exports.network_view import View
from fabric.reporting.drawing.scopes import Fabric
from fabric.reporting.drawing.shapes import Label
from fabric.reporting.drawing.svg import number, rectangle, text
from fabric.reporting.drawing.tier_plans import color_of
from fabric.topology.roles import Role

WIDE, UNIT, LEAST_UNITS = 210, 17, 42
MOST_RACKS = 120
"""More racks than this are a table only."""


@dataclass(frozen=True)
class Rack:
    """One rack: its devices by the lowest unit that they stand in, from the top."""

    name: str
    devices: tuple[tuple[int, str, str], ...]
    """Rack unit (0: not known), name, class."""

    @property
    def units(self) -> int:
        """Height, as far as it is known."""
        return max([LEAST_UNITS, *(at for at, _name, _css in self.devices)])

    @property
    def svg(self) -> str:
        """The elevation. Heights of devices are not known: each is drawn one unit high."""
        height = self.units * UNIT + 8
        parts = [rectangle(28, 2, WIDE - 30, height - 4, "panel", ' rx="4"')]
        parts += [
            text(Label(22, self._y(at) + 12, str(at), "dim", "end")) for at in range(5, self.units + 1, 5)
        ]
        for at, name, css in self.devices:
            if at:
                y = self._y(at)
                parts.append(f"<g><title>{escape(name)}, unit {at}</title>")
                parts.append(rectangle(32, y, WIDE - 38, UNIT - 2, f"cell {css} soft", ' rx="2"'))
                parts.append(text(Label(40, y + 11.5, name[:24], f"{css} soft" if css[0] in "rq" else "")))
                parts.append("</g>")
        words = escape(f"rack {self.name}, {len(self.devices)} devices")
        return (
            f'<svg class="fabric" viewBox="0 0 {WIDE} {number(height)}" width="{WIDE}" height="{number(height)}" '
            f'role="img" aria-label="{words}">{"".join(parts)}</svg>'
        )

    def _y(self, at: int) -> float:
        return 5 + (self.units - at) * UNIT


def racks(fabrics: Iterable[Fabric]) -> tuple[Rack, ...]:
    """Every rack, by name."""
    found: dict[str, dict[str, tuple[int, str]]] = {}
    for fabric in fabrics:
        view: View = fabric.view
        for node, name in enumerate(fabric.net.names):
            facts = view.facts(node)
            if facts is not None and facts.rack:
                css = color_of(fabric, node) if fabric.net.role[node] <= Role.SUPERSPINE else "host"
                found.setdefault(facts.rack, {}).setdefault(name, (facts.position or 0, css))
    return tuple(
        Rack(rack, tuple(sorted(((at, name, css) for name, (at, css) in devices.items()), reverse=True)))
        for rack, devices in sorted(found.items())
    )
