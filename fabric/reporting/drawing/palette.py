"""The colours of drawings, on light and on dark ground.

Colours stand where they are used: many programs that make pictures of SVG know neither variables nor media.
"""

from __future__ import annotations

RAIL_COLORS = (
    ("#0072b2", "#4da6dd"),
    ("#e69f00", "#f0b440"),
    ("#009e73", "#35c79c"),
    ("#cc79a7", "#e39cc4"),
    ("#56b4e9", "#9bd3f5"),
    ("#d55e00", "#f28d4f"),
    ("#a39100", "#d3bf2f"),
    ("#6f5ba8", "#ac9cdb"),
)
"""Fill by rail modulo 8: the colours of Okabe and Ito, which people tell apart who do not see red or green; their
yellow darker, and a violet in place of black."""
PLANE_COLORS = (
    ("#33658a", "#7fb3d9"),
    ("#a4541d", "#e3a273"),
    ("#3c7a57", "#85c7a3"),
    ("#7a4a8c", "#c79fd6"),
    ("#8a6d1d", "#d6bb6b"),
    ("#1f7a8c", "#7ccad9"),
    ("#8c3a4f", "#de93a6"),
    ("#5a6270", "#aab2bf"),
)
"""By plane modulo 8."""
DARK_ON_LIGHT = (1, 3, 4, 6)
"""Rails whose colour on light ground wants dark letters."""
GROUNDS = (
    {
        "ground": "#ffffff",
        "ink": "#1c2127",
        "dim": "#5c6672",
        "edge": "#d4d9e0",
        "panel": "#f6f7f9",
        "node": "#e3e7ec",
        "rim": "#8b95a1",
        "line": "#8b95a1",
        "alarm": "#b3261e",
    },
    {
        "ground": "#15181c",
        "ink": "#e7eaee",
        "dim": "#a0a9b4",
        "edge": "#383f48",
        "panel": "#1c2026",
        "node": "#353c45",
        "rim": "#7d8793",
        "line": "#7d8793",
        "alarm": "#ff8a80",
    },
)
"""Neutral colours on light and on dark ground."""
BASE = (
    ".fabric{font:11px system-ui,sans-serif;color-scheme:light dark}"
    ".fabric .head{font-size:16px;font-weight:600}.fabric .tier{font-size:13px;font-weight:600}"
    ".fabric .name{font-size:12px;font-weight:600}"
    ".fabric .panel{stroke-width:1}.fabric .group{fill:none}.fabric .link{fill:none;stroke-linecap:butt}"
    ".fabric .drained{stroke-dasharray:3 2;stroke-width:2}.fabric .link.cut{stroke-dasharray:5 4}"
)


def rail_class(rail: int) -> str:
    """The class of a rail's colour."""
    return f"r{rail % len(RAIL_COLORS)}"


def style() -> str:
    """The style sheet of a drawing: colours of light ground, then those of dark ground, which are not printed."""
    return f"{BASE}{_colors(0)}@media screen and (prefers-color-scheme:dark){{{_colors(1)}}}"


def _colors(ground: int) -> str:
    """Every rule that names a colour."""
    of = GROUNDS[ground]
    rules = [
        f".fabric text{{fill:{of['ink']}}}.fabric .dim{{fill:{of['dim']}}}.fabric .ground{{fill:{of['ground']}}}",
        f".fabric .panel{{fill:{of['panel']};stroke:{of['edge']}}}",
        f".fabric .plain{{fill:{of['node']};stroke:{of['rim']}}}",
        f".fabric .host{{fill:{of['ground']};stroke:{of['rim']}}}",
        f".fabric .out{{fill:{of['ground']};stroke:{of['dim']}}}",
        f".fabric .link{{stroke:{of['line']}}}.fabric .stub{{stroke:{of['line']}}}",
    ]
    for i, pair in enumerate(RAIL_COLORS):
        color = pair[ground]
        rules.append(f".fabric .r{i}{{fill:{color};stroke:{color}}}.fabric .link.r{i}{{fill:none}}")
        letters = "#111418" if ground or i in DARK_ON_LIGHT else "#ffffff"
        rules.append(f".fabric text.r{i}{{fill:{letters};stroke:none}}")
    for i, pair in enumerate(PLANE_COLORS):
        color = pair[ground]
        rules.append(f".fabric .q{i}{{fill:{color};fill-opacity:.22;stroke:{color}}}")
        rules.append(
            f".fabric .link.q{i}{{fill:none}}.fabric text.q{i}{{fill:{of['ink']};fill-opacity:1;stroke:none}}"
        )
    rules.append(f".fabric .soft{{fill-opacity:.2}}.fabric text.soft{{fill:{of['ink']};fill-opacity:1}}")
    rules.append(f".fabric .drained{{stroke:{of['alarm']}}}.fabric .alarm{{fill:{of['alarm']}}}")
    rules.append(f".fabric .link.cut{{stroke:{of['alarm']}}}")
    return "".join(rules)
