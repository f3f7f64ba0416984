"""The networks of a site as one picture: the same bytes for the same site, and nothing asked for from outside."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fabric.exports.network_view import View
from fabric.reporting.drawing import svg
from fabric.reporting.drawing.palette import style
from fabric.reporting.drawing.scene import scene_of
from fabric.reporting.drawing.scopes import Fabric, fabric_of, hall, pod_word
from fabric.reporting.drawing.shapes import Label, Scene
from fabric.reporting.drawing.tier_plans import words_of
from fabric.topology.roles import NONE, Role

HEAD, FOOT, BETWEEN = 60.0, 34.0, 24.0
LEAST = 560.0
"""Width of a picture: its headings."""


def draw(views: Sequence[View]) -> str:
    """The picture of some networks below each other."""
    y, width, body = 10.0, LEAST, list[str]()
    for view in views:
        fabric = fabric_of(view)
        drawn = scene_of(fabric, hall(fabric))
        elements, right = _network(fabric, drawn, y)
        body += elements
        y += HEAD + drawn.height + FOOT + BETWEEN
        width = max(width, drawn.width, right)
    site = views[0].intent.site.site if views else ""
    size = f"{svg.number(width)} {svg.number(y)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fabric" viewBox="0 0 {size}" '
        f'width="{svg.number(width)}" height="{svg.number(y)}" role="img">'
        f"<title>{escape(site)}</title><style>{style()}</style>"
        f"{svg.rectangle(0, 0, width, y, 'ground')}{''.join(body)}</svg>\n"
    )


def _network(fabric: Fabric, drawn: Scene, y: float) -> tuple[list[str], float]:
    title = f"{fabric.view.intent.site.site} / {fabric.net.name}"
    swatches, right = svg.legend(fabric, y + HEAD + drawn.height + 14)
    elements = [
        svg.text(Label(10, y + 18, title, "head", size=16)),
        svg.text(Label(10, y + 36, summary(fabric), "dim")),
        *svg.elements(fabric, drawn, svg.Marks(), dy=y + HEAD),
        *swatches,
    ]
    return elements, right


def summary(fabric: Fabric) -> str:
    """Switches, hosts and links; rails, planes and pods where there are several."""
    net = fabric.net
    tiers = [words_of(len(net.role_start[role]), role) for role in Role if net.role_start[role]]
    links = sum(peer > port for port, peer in enumerate(net.peer))
    has_rails = any(net.rail[i] != NONE for i in net.role_start[Role.LEAF])
    pods = len({net.pod[i] for i in net.role_start[Role.LEAF]})
    shape = (
        ("rails", net.sizes.rails if has_rails else 1),
        ("planes", net.sizes.planes),
        (pod_word(net) + "s", pods),
    )
    several = [f"{count:,} {word}" for word, count in shape if count > 1]
    return f"{', '.join(tiers)}; {links:,} links" + (f"; {', '.join(several)}" if several else "")
