"""The style sheet and the elements of the topology picture. Plain text, no library, no network, no script."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

RAIL_COLORS = (
    ("#4e79a7", "#7aa6d6"),
    ("#f28e2b", "#f7ae62"),
    ("#59a14f", "#7fc475"),
    ("#e15759", "#f08a8c"),
    ("#b07aa1", "#cf9fc2"),
    ("#9c755f", "#c29c86"),
    ("#2a9d9a", "#63c7c4"),
    ("#b6992d", "#d8bd55"),
)
"""Fill by rail modulo 8, on light and on dark ground."""
PLANE_COLORS = (
    ("#1d4ed8", "#93b4ff"),
    ("#be123c", "#ff9db0"),
    ("#15803d", "#8be0a8"),
    ("#7e22ce", "#d6b0ff"),
    ("#a16207", "#f0cf7a"),
    ("#0e7490", "#8adcf0"),
    ("#4d7c0f", "#c0e27a"),
    ("#9d174d", "#f5a3cb"),
)
"""Outline and lines by plane modulo 8, on light and on dark ground."""
BASE = """
.fabric{font:12px system-ui,sans-serif;color-scheme:light dark;background:var(--ground)}
.fabric text{fill:var(--ink);paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-opacity:.8}
.fabric .head{font-size:15px;font-weight:600}.fabric .dim{fill:var(--dim)}
.fabric .mid{text-anchor:middle}.fabric .in{text-anchor:middle;font-size:11px;stroke:none}
.fabric rect{stroke-width:1.5}.fabric .frame{fill:none;stroke:var(--frame);stroke-width:1}
.fabric .plain{fill:var(--node);stroke:var(--dim)}.fabric .host{fill:var(--host);stroke:var(--dim);stroke-width:1}
.fabric .out{fill:none;stroke:var(--dim);stroke-dasharray:3 2}
.fabric .link{fill:none;stroke:var(--dim)}
"""


def style() -> str:
    """The style sheet: colours by class, and once more for dark ground."""
    light = ";".join(_variables(0))
    dark = ";".join(_variables(1))
    return (
        "<style>.fabric{--ground:#fff;--ink:#1b1f24;--dim:#6b7280;--frame:#d6dae0;"
        f"--node:#dfe3e9;--host:#f1f3f6;{light}}}"
        "@media (prefers-color-scheme:dark){.fabric{--ground:#14171b;--ink:#e8eaed;--dim:#9aa2ad;--frame:#3a4049;"
        f"--node:#3b424c;--host:#242a31;{dark}}}}}"
        f"{BASE}{_classes()}</style>"
    )


def _variables(ground: int) -> Iterable[str]:
    for letter, colors in (("r", RAIL_COLORS), ("p", PLANE_COLORS)):
        yield from (f"--{letter}{i}:{pair[ground]}" for i, pair in enumerate(colors))


def _classes() -> str:
    rails = "".join(
        f".fabric .r{i}{{fill:var(--r{i});stroke:var(--r{i})}}.fabric .link.r{i}{{fill:none}}"
        for i in range(len(RAIL_COLORS))
    )
    planes = "".join(
        f".fabric .p{i}{{stroke:var(--p{i})}}.fabric .q{i}{{fill:var(--p{i});stroke:var(--p{i});fill-opacity:.3}}"
        for i in range(len(PLANE_COLORS))
    )
    return f"{rails}{planes}.fabric .soft{{fill-opacity:.22}}"


def number(value: float) -> str:
    """A coordinate with at most one decimal: short, and the same on every machine."""
    return f"{round(value, 1):g}"


def text(x: float, y: float, content: str, css: str = "") -> str:
    """One line of text."""
    return f'<text x="{number(x)}" y="{number(y)}" class="{css}">{escape(content)}</text>'


def box(x: float, y: float, width: float, height: float, css: str, title: str = "") -> str:
    """A rectangle, with what a pointer over it shows."""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    inside = f"<title>{escape(title)}</title>" if title else ""
    return f'<rect {place} rx="2" class="{css}">{inside}</rect>'


def path(pieces: Iterable[str], css: str, opacity: str, title: str) -> str:
    """Many lines as one element: thousands of elements would be slow to show and long to send."""
    drawn = "".join(pieces)
    return f'<path class="link {css}" stroke-opacity="{opacity}" d="{drawn}"><title>{escape(title)}</title></path>'


def segment(x1: float, y1: float, x2: float, y2: float) -> str:
    """A straight line, as a piece of a path."""
    return f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}"


def arc(x1: float, x2: float, y: float, height: float) -> str:
    """A bow above two points of one row, as a piece of a path."""
    middle = number((x1 + x2) / 2)
    return f"M{number(x1)} {number(y)}Q{middle} {number(y - 2 * height)} {number(x2)} {number(y)}"
