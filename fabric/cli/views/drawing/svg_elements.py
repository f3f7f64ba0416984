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
GROUNDS = (
    {
        "ground": "#fff",
        "ink": "#1b1f24",
        "dim": "#6b7280",
        "frame": "#d6dae0",
        "node": "#dfe3e9",
        "host": "#f1f3f6",
    },
    {
        "ground": "#14171b",
        "ink": "#e8eaed",
        "dim": "#9aa2ad",
        "frame": "#3a4049",
        "node": "#3b424c",
        "host": "#242a31",
    },
)
"""Neutral colours on light and on dark ground."""
BASE = (
    ".fabric{font:12px system-ui,sans-serif;color-scheme:light dark}"
    ".fabric .head{font-size:15px;font-weight:600}"
    ".fabric .mid{text-anchor:middle}.fabric .in{text-anchor:middle;font-size:11px}"
    ".fabric rect{stroke-width:1.5}.fabric .frame{fill:none;stroke-width:1}.fabric .host{stroke-width:1}"
    ".fabric .halo{stroke-width:4;stroke-linejoin:round}.fabric .out{stroke-dasharray:3 2}"
    ".fabric .soft{fill-opacity:.22}"
)


def style() -> str:
    """The style sheet: colours of light ground, then those that differ on dark ground.

    Colours stand where they are used: many programs that make pictures of SVG know neither variables nor media.
    """
    return f"<style>{BASE}{_colors(0)}@media (prefers-color-scheme:dark){{{_colors(1)}}}</style>"


def _colors(ground: int) -> str:
    """Every rule that names a colour."""
    of = GROUNDS[ground]
    rules = [
        f".fabric{{background:{of['ground']}}}.fabric text{{fill:{of['ink']}}}.fabric .dim{{fill:{of['dim']}}}",
        f".fabric .ground{{fill:{of['ground']}}}.fabric .halo{{fill:{of['ground']};stroke:{of['ground']}}}",
        f".fabric .frame{{stroke:{of['frame']}}}.fabric .plain{{fill:{of['node']};stroke:{of['dim']}}}",
        f".fabric .host{{fill:{of['host']};stroke:{of['dim']}}}.fabric .out{{fill:{of['ground']};stroke:{of['dim']}}}",
        f".fabric .link{{fill:none;stroke:{of['dim']}}}",
    ]
    for i, pair in enumerate(RAIL_COLORS):
        color = pair[ground]
        rules.append(f".fabric .r{i}{{fill:{color};stroke:{color}}}.fabric .link.r{i}{{fill:none}}")
    for i, pair in enumerate(PLANE_COLORS):
        color = pair[ground]
        rules.append(
            f".fabric .p{i}{{stroke:{color}}}.fabric .q{i}{{fill:{color};stroke:{color};fill-opacity:.3}}"
        )
    return "".join(rules)


def number(value: float) -> str:
    """A coordinate with at most one decimal: short, and the same on every machine."""
    return f"{round(value, 1):g}"


def text(x: float, y: float, content: str, css: str = "") -> str:
    """One line of text."""
    return f'<text x="{number(x)}" y="{number(y)}" class="{css}">{escape(content)}</text>'


def label(x: float, y: float, content: str, css: str) -> str:
    """Text that lines may pass behind."""
    return text(x, y, content, f"{css} halo") + text(x, y, content, f"{css} dim")


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
