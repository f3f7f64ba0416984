"""A drawing as the elements of an SVG. Plain text, no library, no script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from fabric.reporting.drawing.palette import rail_class
from fabric.reporting.drawing.scopes import Fabric
from fabric.reporting.drawing.shapes import Bundle, Cell, Label, Panel, Point, Scene, bent
from fabric.topology.model import Node
from fabric.topology.roles import NONE, Role
from fabric.units import Speed, counted

LINKS = ("link", "links")
THICK = ((1, 1.0), (4, 1.4), (16, 2.0), (64, 2.8), (256, 3.6))
"""A line of so many links and more is so many pixels wide."""


def number(value: float) -> str:
    """A coordinate with at most one decimal: short, and the same on every machine."""
    return f"{round(value, 1):g}"


def text(label: Label) -> str:
    """One line of text."""
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    css = f' class="{label.css}"' if label.css else ""
    return f'<text x="{number(label.x)}" y="{number(label.y)}"{anchor}{css}>{escape(label.text)}</text>'


def rectangle(x: float, y: float, width: float, height: float, css: str, more: str = "") -> str:
    """A rectangle without its end tag's sign."""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect {place} class="{css}"{more}/>'


def path_of(points: tuple[Point, ...]) -> str:
    """The line of a bundle."""
    spots = [f"{number(x)} {number(y)}" for x, y in points]
    if len(points) == 2:
        return f"M{spots[0]}L{spots[1]}"
    if len(points) == 4:
        return f"M{spots[0]}C{spots[1]} {spots[2]} {spots[3]}"
    curve = " ".join(f"{number(x)} {number(y)}" for x, y in bent(points[1:])[1:])
    return f"M{spots[0]}L{spots[1]}C{curve}"


class Marks:
    """What the page's script must find again: numbers of cells, panels and their nodes. None in a lone picture."""

    def cell(self, number_: int, cell: Cell) -> str:  # noqa: ARG002
        """Of a cell."""
        return ""

    def panel(self, number_: int, panel: Panel) -> str:  # noqa: ARG002
        """Of a panel."""
        return ""

    def bundle(self, number_: int, bundle: Bundle) -> str:  # noqa: ARG002
        """Of a bundle."""
        return ""

    has_names = True
    """Whether names of nodes are written; else the script writes them, so that equal units share one drawing."""


def elements(fabric: Fabric, scene: Scene, marks: Marks, *, dy: float = 0, dx: float = 0) -> Iterator[str]:
    """Lines first, then what stands over them; moved down by `dy` and right by `dx`."""
    moved = f' transform="translate({number(dx)} {number(dy)})"' if dx or dy else ""
    yield f"<g{moved}>"
    for i, panel in enumerate(scene.panels):
        more = marks.panel(i, panel)
        css = "group" if panel.role is Role.HOST else "panel"
        yield rectangle(panel.x, panel.y, panel.width, panel.height, css, f' rx="6"{more}')
    yield from _lines(fabric, scene, marks)
    for i, cell in enumerate(scene.cells):
        yield from _cell(fabric, i, cell, marks)
    yield from map(text, scene.labels)
    yield "</g>"


def _lines(fabric: Fabric, scene: Scene, marks: Marks) -> Iterator[str]:
    count = len(scene.bundles)
    opacity = "0.85" if count < 80 else "0.6" if count < 300 else "0.32"
    yield f'<g stroke-opacity="{opacity}">'
    for start, end in scene.stubs:
        yield f'<path class="stub" d="{path_of((start, end))}"/>'
    for i, bundle in enumerate(scene.bundles):
        wide = next(width for links, width in reversed(THICK) if bundle.links >= links)
        css = f"link {bundle.css}".strip() + (" cut" if bundle.out == bundle.links else "")
        head = f'<path class="{css}" stroke-width="{number(wide)}"{marks.bundle(i, bundle)}'
        title = f"<title>{escape(bundle_words(fabric, scene, bundle))}</title>" if marks.has_names else ""
        yield f'{head} d="{path_of(bundle.points)}">{title}</path>'
    yield "</g>"


def bundle_words(fabric: Fabric, scene: Scene, bundle: Bundle) -> str:
    """`leaf-0-0 to 4 spines: 16 links of 400G`."""
    ends = [end_words(fabric, scene, kind, at) for kind, at in (bundle.low, bundle.high)]
    speed = f" of {Speed(bundle.mbps)}" if bundle.mbps else ""
    out = f", {bundle.out:,} of them out" if bundle.out else ""
    return f"{ends[0]} to {ends[1]}: {counted(bundle.links, LINKS)}{speed}{out}"


def end_words(fabric: Fabric, scene: Scene, kind: str, at: int) -> str:
    """What a line ends at."""
    if kind == "p":
        return scene.panels[at].words
    cell = scene.cells[at]
    return cell.words or fabric.net.names[cell.nodes[0]]


def _cell(fabric: Fabric, at: int, cell: Cell, marks: Marks) -> Iterator[str]:
    has_name = len(cell.nodes) == 1 and cell.label == fabric.net.names[cell.nodes[0]]
    soft = " soft" if has_name and cell.css.startswith("r") else ""
    css = f"cell {cell.css}{soft}" + (" drained" if cell.drained else "")
    yield f"<g{marks.cell(at, cell)}>"
    if marks.has_names:
        yield f"<title>{escape(cell_words(fabric, cell))}</title>"
    yield rectangle(cell.x, cell.y, cell.width, cell.height, css, ' rx="3"')
    if cell.stripes:
        wide = (cell.width - 4) / len(cell.stripes)
        for i, stripe in enumerate(cell.stripes):
            yield rectangle(cell.x + 2 + i * wide, cell.y + 2, wide, 3, stripe)
    if cell.drained and cell.width >= 20:
        yield text(Label(cell.x + cell.width - 3, cell.y + 9, "!", "alarm name", "end", 12))
    if cell.label:
        lower = 5 if cell.stripes else 4
        place = Label(
            cell.middle,
            cell.y + cell.height / 2 + lower,
            "" if _is_left(marks, cell) else cell.label,
            f"{cell.css}{soft}" if cell.css[0] in "rq" else "",
            "middle",
        )
        yield text(place)
    yield "</g>"


def _is_left(marks: Marks, cell: Cell) -> bool:
    """Whether the script writes the name."""
    return not marks.has_names and not cell.words and len(cell.nodes) == 1 and not cell.label.isdecimal()


FACTS: tuple[tuple[str, Callable[[Node], int]], ...] = (
    ("pod", lambda node: node.pod),
    ("unit", lambda node: node.unit),
    ("rail", lambda node: node.rail),
    ("plane", lambda node: node.plane),
)


def cell_words(fabric: Fabric, cell: Cell) -> str:
    """What a pointer over a cell shows."""
    drained = f"\n{cell.drained:,} drained" if cell.drained else ""
    if cell.words or len(cell.nodes) > 1:
        names = fabric.net.names
        words = cell.words or counted(len(cell.nodes), ("node", "nodes"))
        return f"{words}: {names[cell.nodes[0]]} to {names[cell.nodes[-1]]}{drained}"
    node = Node(fabric.net, cell.nodes[0])
    facts = [f"{node.name} ({node.role.name.lower()})"]
    facts += [f"{word} {value}" for word, value_of in FACTS if (value := value_of(node)) != NONE]
    if node.role.is_switch:
        facts.append(fabric.net.port_maps[fabric.net.port_map[node.id]].model)
        facts += [f"AS {node.asn}"] if node.asn > 0 else []
        facts += [str(node.loopback)] if node.loopback else []
    return "\n".join(facts) + ("\ndrained" if drained else "")


def legend(fabric: Fabric, y: float) -> tuple[list[str], float]:
    """Swatches for rails and planes in a row, and where they end."""
    net = fabric.net
    leaves = net.role_start[Role.LEAF]
    rails = sorted({net.rail[i] for i in leaves} - {NONE}) if net.sizes.leaves_per_unit > 1 else []
    swatches = [(rail_class(rail), rails_words(net.sizes.rails, rails, rail)) for rail in rails]
    if net.sizes.planes > 1:
        swatches += [(f"q{plane % 8}", f"plane {plane}") for plane in range(net.sizes.planes)]
    found, x = [], 10.0
    for css, words in swatches if len(swatches) > 1 else []:
        found += [rectangle(x, y, 12, 12, css, ' rx="2"'), text(Label(x + 17, y + 10, words))]
        x += 17 + 7 * len(words) + 14
    if fabric.drained or fabric.shut:
        words = "! drained; broken line: all of its links are out"
        found.append(text(Label(x, y + 10, words, "alarm")))
        x += 7 * len(words)
    return found, x


def rails_words(count: int, firsts: list[int], first: int) -> str:
    """`rail 3`; where rails share a leaf, which ones: `rails 2-3`, or `rails 0, 4` if they take turns."""
    share = count // max(len(firsts), 1)
    if share <= 1:
        return f"rail {first}"
    if len(firsts) > 1 and firsts[1] == 1:
        return "rails " + ", ".join(str(rail) for rail in range(first, count, len(firsts)))
    return f"rails {first}-{first + share - 1}"
