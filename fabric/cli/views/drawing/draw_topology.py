"""A topology as a picture: one self-contained SVG, the same bytes for the same topology.

Tiers are rows, units and spine groups are frames, rails are fills, planes are outlines and line colours. Lines are
drawn one path per class of links. Where single links would be a grey haze they are bundled: a leaf to a group of
spines, or a unit to a group of spines.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape

from fabric.cli.views.drawing import svg_elements
from fabric.cli.views.drawing.shapes import LEFT, Cell, Frame, Layout
from fabric.cli.views.drawing.switch_positions import lay_out, pod_word
from fabric.topology.model import NetworkTopology, Node, Topology
from fabric.topology.roles import NONE, Role

MOST_LINES = 900
"""More lines than this between two tiers are bundled."""
ONE = {
    Role.LEAF: "leaf",
    Role.SPINE: "spine",
    Role.SUPERSPINE: "superspine",
    Role.HOST: "host",
    Role.ATTACHMENT: "other",
}
MANY = {
    Role.LEAF: "leaves",
    Role.SPINE: "spines",
    Role.SUPERSPINE: "superspines",
    Role.HOST: "hosts",
    Role.ATTACHMENT: "others",
}
DEPTH = {Role.HOST: 0, Role.ATTACHMENT: 0, Role.LEAF: 1, Role.SPINE: 2, Role.SUPERSPINE: 3}

Pair = tuple[Role, Role, str, int, int]
"""Lower role, upper role, colour class, lower cell, upper cell."""


def draw(topology: Topology, network: str | None = None) -> str:
    """The picture of one network, or of all networks below each other. `KeyError` if there is none of that name."""
    chosen = topology.networks.values() if network is None else [topology.networks[network]]
    top, width = 10.0, 0.0
    body: list[str] = []
    for each in chosen:
        drawn, top, right = _network(each, topology.site, top + (16 if body else 0))
        body += drawn
        width = max(width, right)
    size = f"{svg_elements.number(width + 10)} {svg_elements.number(top)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fabric" viewBox="0 0 {size}" '
        f'width="{svg_elements.number(width + 10)}" height="{svg_elements.number(top)}" role="img">'
        f"<title>{escape(topology.site)}</title>{svg_elements.style()}"
        f"{svg_elements.box(0, 0, width + 10, top, 'ground')}{''.join(body)}</svg>\n"
    )


def _network(network: NetworkTopology, site: str, top: float) -> tuple[list[str], float, float]:
    """One network's elements, where it ends, and how wide it is."""
    layout = lay_out(network, top + 76)
    lines, bundled = _links(network, layout)
    body = [
        svg_elements.text(10, top + 16, f"{site} / {network.name}", "head"),
        svg_elements.text(10, top + 36, _counts(network), "dim"),
        *lines,
        *(_frame(frame) for frame in layout.frames),
        *(element for cell in layout.cells for element in _cell(network, cell)),
        *_tier_names(network, layout),
    ]
    end = layout.height + 26
    legend, right = _legend(network, layout, end, bundled=bundled)
    return [*body, *legend], end + 26, max(layout.width, right, LEFT + 420)


def _counts(network: NetworkTopology) -> str:
    """Switches, hosts and links; rails, planes and pods where there are several."""
    tiers = [_number(network, role) for role in ONE if network.role_start[role]]
    links = sum(peer > port for port, peer in enumerate(network.peer))
    rails = network.sizes.rails if any(network.rail[i] != NONE for i in network.role_start[Role.LEAF]) else 1
    pods = len({network.pod[i] for i in network.role_start[Role.LEAF]})
    shape = (("rails", rails), ("planes", network.sizes.planes), (pod_word(network) + "s", pods))
    shape_counts = [f"{count:,} {word}" for word, count in shape if count > 1]
    return f"{', '.join(tiers)}; {links:,} links" + (f"; {', '.join(shape_counts)}" if shape_counts else "")


def _number(network: NetworkTopology, role: Role) -> str:
    return _counted(len(network.role_start[role]), role)


def _counted(count: int, role: Role) -> str:
    return f"{count:,} {ONE[role] if count == 1 else MANY[role]}"


# --- cells


def _frame(frame: Frame) -> str:
    if frame.role in (Role.HOST, Role.ATTACHMENT):
        return ""
    drawn = svg_elements.box(frame.x, frame.y, frame.width, frame.height, "frame")
    if not frame.label:
        return drawn
    below = frame.role is Role.LEAF
    y = frame.y + frame.height + 14 if below else frame.y - 6
    label = frame.label
    if len(label) * LETTER > frame.width + 8:
        label = "/".join(word.rpartition(" ")[2] for word in label.split(", "))
    return drawn + svg_elements.label(frame.x + frame.width / 2, y, label, "mid")


LETTER = 6.6
"""Pixels of one letter, at most. A label wider than its frame keeps its numbers only."""


def _cell(network: NetworkTopology, cell: Cell) -> Iterator[str]:
    css = _fill(network, cell)
    soft = " soft" if cell.label and css.startswith("r") else ""
    yield svg_elements.box(cell.x, cell.y, cell.width, cell.height, css + soft, _title(network, cell))
    if cell.label:
        yield svg_elements.text(cell.middle, cell.y + cell.height / 2 + 4, cell.label, "in")


def _fill(network: NetworkTopology, cell: Cell) -> str:
    """Rail decides the fill of a leaf, plane its outline; plane the fill of what is above."""
    node = Node(network, cell.nodes[0])
    if not node.role.is_switch:
        return "host" if node.role is Role.HOST else "out"
    plane = node.plane % len(svg_elements.PLANE_COLORS)
    several = network.sizes.planes > 1 and node.plane != NONE
    if node.rail != NONE and len(cell.nodes) == 1:
        return f"r{node.rail % len(svg_elements.RAIL_COLORS)}" + (f" p{plane}" if several else "")
    return f"q{plane}" if several else "plain"


def _title(network: NetworkTopology, cell: Cell) -> str:
    """What a pointer over a cell shows."""
    node = Node(network, cell.nodes[0])
    if len(cell.nodes) > 1:
        last = network.names[cell.nodes[-1]]
        return f"{len(cell.nodes):,} {MANY[node.role]}: {node.name} to {last}"
    facts = [f"{node.name} ({ONE[node.role]})"]
    words = (("pod", node.pod), ("unit", node.unit), ("rail", node.rail), ("plane", node.plane))
    facts += [f"{word} {value}" for word, value in words if value != NONE]
    if node.role.is_switch:
        facts.append(network.port_maps[network.port_map[node.id]].model)
        facts += [f"AS {node.asn}"] if node.asn > 0 else []
        facts += [str(node.loopback)] if node.loopback else []
    return "\n".join(facts)


def _tier_names(network: NetworkTopology, layout: Layout) -> Iterator[str]:
    for role, y, height in layout.tiers:
        nodes = network.role_start[role]
        model = network.port_maps[network.port_map[nodes[0]]].model
        yield svg_elements.text(10, y + height / 2, _number(network, role))
        yield svg_elements.text(10, y + height / 2 + 14, model[:20], "dim")
    hosts = [cell for cell in layout.cells if cell.nodes[0] in network.role_start[Role.HOST]]
    if hosts:
        yield svg_elements.text(10, hosts[0].y + 17, _number(network, Role.HOST))
    others = Counter(cell.y for cell in layout.cells if cell.nodes[0] in network.role_start[Role.ATTACHMENT])
    for y, count in sorted(others.items()):
        yield svg_elements.text(10, y + 17, _counted(count, Role.ATTACHMENT))


# --- lines


def _links(network: NetworkTopology, layout: Layout) -> tuple[list[str], bool]:
    """Every link class as a path, and whether any is bundled."""
    tiers: dict[tuple[Role, Role], Counter[Pair]] = {}
    for pair in _pairs(network, layout):
        tiers.setdefault(pair[:2], Counter())[pair] += 1
    elements: list[str] = []
    bundled = False
    for (lower, upper), pairs in sorted(tiers.items()):
        paths = _line_paths(layout, pairs)
        bundled |= len(paths) < pairs.total()
        opacity = "0.75" if len(paths) < 80 else "0.45" if len(paths) < 400 else "0.3"
        for css in sorted({css for css, _piece in paths}):
            links = sum(count for pair, count in pairs.items() if pair[2] == css)
            title = f"{ONE[lower]} to {ONE[upper]}: {links:,} links"
            elements.append(svg_elements.path((piece for c, piece in paths if c == css), css, opacity, title))
    return elements, bundled


def _pairs(network: NetworkTopology, layout: Layout) -> Iterator[Pair]:
    """Each link as the cells that it joins."""
    owner = array("i")
    for node in range(len(network.names)):
        owner.extend([node] * (network.port_base[node + 1] - network.port_base[node]))
    roles = [Role(role) for role in network.role]
    cell_of = layout.cell_of
    folded = _folded(network, layout)
    for port, peer in enumerate(network.peer):
        if peer > port:
            low, high = owner[port], owner[peer]
            if DEPTH[roles[low]] > DEPTH[roles[high]]:
                low, high = high, low
            yield (
                roles[low],
                roles[high],
                _color(network, low, high, folded=folded),
                cell_of[low],
                cell_of[high],
            )


def _folded(network: NetworkTopology, layout: Layout) -> bool:
    """Whether leaves of several rails share a cell."""
    return any(len(layout.cells[layout.cell_of[leaf]].nodes) > 1 for leaf in network.role_start[Role.LEAF])


def _color(network: NetworkTopology, low: int, high: int, *, folded: bool) -> str:
    """Lines to hosts show the rail; lines between switches the plane, or the rail where there is one plane."""
    role = network.role[low]
    if role == Role.ATTACHMENT:
        return ""
    leaf = high if role == Role.HOST else low
    rail = NONE if folded else network.rail[leaf]
    plane = network.plane[leaf] if network.sizes.planes > 1 else NONE
    if plane != NONE and (role != Role.HOST or rail == NONE):
        return f"p{plane % len(svg_elements.PLANE_COLORS)}"
    return f"r{rail % len(svg_elements.RAIL_COLORS)}" if rail != NONE else ""


def _line_paths(layout: Layout, pairs: Iterable[Pair]) -> list[tuple[str, str]]:
    """Colour and path of each line: cell to cell, or if there are too many cell to frame, or frame to frame."""
    cells, frames = layout.cells, layout.frames
    known = sorted({pair[2:] for pair in pairs})
    if len(known) <= MOST_LINES:
        return [(css, _straight(layout, cells[low], cells[high])) for css, low, high in known]
    half = sorted({(css, low, cells[high].frame) for css, low, high in known})
    if len(half) <= MOST_LINES:
        return [(css, _to_frame(layout, cells[low], frames[high])) for css, low, high in half]
    whole = sorted({(css, cells[low].frame, cells[high].frame) for css, low, high in known})
    return [(css, _between(layout, frames[low], frames[high])) for css, low, high in whole]


def _straight(layout: Layout, low: Cell, high: Cell) -> str:
    """From cell to cell. Lines end at the edges of frames, so that none crosses another row of its own tier."""
    lower, upper = layout.frames[low.frame], layout.frames[high.frame]
    if low.y == high.y:
        return svg_elements.arc(low.middle, high.middle, low.y, 24)
    x = _foot(low, lower)
    if lower.role is Role.ATTACHMENT:  # it stands above what it is cabled to
        x = min(max(_foot(high, upper), low.x + 4), low.x + low.width - 4)
        return svg_elements.segment(x, low.y + low.height, _foot(high, upper), upper.y)
    if not lower.role.is_switch:
        x = min(max(_foot(high, upper), low.x + 4), low.x + low.width - 4)
    return svg_elements.segment(x, _top(low, lower), _foot(high, upper), upper.y + upper.height)


def _foot(cell: Cell, frame: Frame) -> float:
    """Where lines meet a cell: the rows of a frame side by side, not one over the other."""
    if not frame.role.is_switch:
        return cell.middle
    return cell.middle + ((cell.y + cell.height / 2 - frame.y) / frame.height - 0.5) * cell.width * 0.7


def _top(cell: Cell, frame: Frame) -> float:
    return frame.y if frame.role.is_switch else cell.y


def _to_frame(layout: Layout, low: Cell, high: Frame) -> str:
    """To the lower edge of a group, spread over it as the lower ends are over the picture."""
    frame = layout.frames[low.frame]
    x, y = _foot(low, frame), _top(low, frame)
    if frame.role is Role.ATTACHMENT:
        return svg_elements.segment(x, low.y + low.height, _spread(layout, x, high), high.y)
    if y <= high.y + high.height:
        return svg_elements.arc(x, high.x + high.width / 2, high.y, 24)
    return svg_elements.segment(x, y, _spread(layout, x, high), high.y + high.height)


def _between(layout: Layout, low: Frame, high: Frame) -> str:
    middle = low.x + low.width / 2
    if low.role is Role.ATTACHMENT:
        return svg_elements.segment(middle, low.y + low.height, _spread(layout, middle, high), high.y)
    if low.y == high.y:
        return svg_elements.arc(middle, high.x + high.width / 2, high.y, 24)
    return svg_elements.segment(middle, low.y, _spread(layout, middle, high), high.y + high.height)


def _spread(layout: Layout, x: float, frame: Frame) -> float:
    share = (x - LEFT) / (layout.width - LEFT)
    return frame.x + frame.width * min(max(share, 0.01), 0.99)


# --- legend


def _legend(network: NetworkTopology, layout: Layout, y: float, *, bundled: bool) -> tuple[list[str], float]:
    """Swatches for rails and planes, and where they end."""
    rails = sorted({network.rail[i] for i in network.role_start[Role.LEAF]} - {NONE})
    rails = [] if _folded(network, layout) else rails
    planes = range(network.sizes.planes) if network.sizes.planes > 1 else ()
    swatches = [(f"r{r % len(svg_elements.RAIL_COLORS)}", _rails(network, rails, r)) for r in rails]
    swatches += [(f"q{p % len(svg_elements.PLANE_COLORS)}", f"plane {p}") for p in planes]
    shapes, x = [], 10.0
    for css, label in swatches:
        shapes += [svg_elements.box(x, y, 12, 12, css), svg_elements.text(x + 17, y + 10, label)]
        x += 17 + 7 * len(label) + 14
    if bundled:
        shapes.append(svg_elements.text(x, y + 10, "a line stands for all links between its ends", "dim"))
        x += 260
    return shapes, x


def _rails(network: NetworkTopology, firsts: list[int], first: int) -> str:
    """`rail 3`; where rails share a leaf, which ones: `rails 2-3`, or `rails 0, 4` if they take turns."""
    share = network.sizes.rails // len(firsts)
    if share <= 1:
        return f"rail {first}"
    if len(firsts) > 1 and firsts[1] == 1:
        return "rails " + ", ".join(str(rail) for rail in range(first, network.sizes.rails, len(firsts)))
    return f"rails {first}-{first + share - 1}"
