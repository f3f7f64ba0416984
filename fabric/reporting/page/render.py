"""From what is known of a site to the page: the same bytes for the same facts, without clock or network."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from fabric.reporting.drawing import palette, svg
from fabric.reporting.drawing.picture import summary
from fabric.reporting.drawing.scopes import Fabric, fabric_of
from fabric.reporting.page.address_plan import address_plan
from fabric.reporting.page.bars import port_fill, queue_bars
from fabric.reporting.page.facts import Facts, LoadFacts, PageTable, PlanFacts
from fabric.reporting.page.network_data import network_data
from fabric.reporting.page.racks import MOST_RACKS, racks
from fabric.reporting.page.scene_templates import Drawn, drawings
from fabric.reporting.page.story import story, tiles
from fabric.units import Speed, counted

FILES = Path(__file__).parent / "files"
DIFF_LINES = 400
"""Of one group of a plan: the rest is in the saved plan."""
MOST_BUNDLES = 300
"""Rows of the table that says what the first drawing shows."""


def page(facts: Facts) -> str:
    """The whole page."""
    fabrics = tuple(fabric_of(view) for view in facts.views)
    drawn = tuple(drawings(fabric) for fabric in fabrics)
    style = Markup((FILES / "style.css").read_text("utf-8") + palette.style())  # noqa: S704  # our own files
    script = Markup((FILES / "script.js").read_text("utf-8"))  # noqa: S704
    rendered: str = _template().render(
        facts=facts,
        site=facts.views[0].intent.site,
        networks=[_network(facts, fabric, one) for fabric, one in zip(fabrics, drawn, strict=True)],
        tiles=list(tiles(facts.views)),
        style=style,
        script=script,
        policy=policy(style, script),
        data=data(facts, fabrics, drawn),
        queue_bars=list(queue_bars(facts.views)),
        ports=list(port_fill(facts.views)),
        addresses=address_plan(facts.views),
        racks=racks(fabrics),
        most_racks=MOST_RACKS,
        plan=_plan(facts.plan),
        counted=counted,
    )
    return rendered


@cache
def _template() -> Any:
    environment = Environment(
        loader=FileSystemLoader(FILES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2")


def policy(style: str, script: str) -> str:
    """What a browser may do for this page: show our own style, run our own script, and nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def data(facts: Facts, fabrics: Iterable[Fabric], drawn: Iterable[Drawn]) -> Markup:
    """What the script reads, as JSON that no name can end."""
    loads = {each.network: each for each in facts.loads}
    networks, shapes = [], 0
    for fabric, one in zip(fabrics, drawn, strict=True):
        found = network_data(fabric, _percent(loads.get(fabric.net.name)))
        places = [
            each | {"shape": each["shape"] + shapes if each["shape"] >= 0 else -1} for each in one.scopes
        ]
        networks.append(found | {"scopes": places})
        shapes += len(one.shapes)
    text = json.dumps({"networks": networks}, separators=(",", ":"), ensure_ascii=True)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)  # noqa: S704  # no sign is left that HTML reads


def _percent(load: LoadFacts | None) -> dict[int, int]:
    """The load of each link in its busier direction, by its lower port."""
    if load is None or load.answer is None:
        return {}
    loads = load.answer.loads
    worst = zip(loads.lower_ports.tolist(), loads.up.tolist(), loads.down.tolist(), strict=True)
    return {port: round(100 * max(up, down)) for port, up, down in worst}


def _network(facts: Facts, fabric: Fabric, drawn: Drawn) -> dict[str, Any]:
    """What the template prints of one network."""
    swatches, width = svg.legend(fabric, 2)
    rows = tuple(
        (low, high, f"{links:,}", f"{out:,}" if out else "", str(Speed(mbps)) if mbps else "")
        for low, high, links, out, mbps in drawn.bundles[:MOST_BUNDLES]
    )
    left = len(drawn.bundles) - len(rows)
    legend = f'<svg class="fabric legend" width="{svg.number(width)}" height="18">{"".join(swatches)}</svg>'
    load = next((each for each in facts.loads if each.network == fabric.net.name), None)
    return {
        "name": fabric.net.name,
        "first": Markup(drawn.first),  # noqa: S704  # every text in it is escaped where it is written
        "shapes": [Markup(shape) for shape in drawn.shapes],  # noqa: S704
        "legend": Markup(legend) if swatches else "",  # noqa: S704
        "story": story(fabric),
        "summary": summary(fabric),
        "operation": load.operation if load and load.answer else "",
        "bundles": PageTable(
            title=f"Links of {fabric.net.name} as the drawing bundles them",
            headings=("FROM", "TO", "LINKS", "OUT", "SPEED OF ONE"),
            rows=rows,
            numbers=(False, False, True, True, True),
            note=f"{left:,} more lines are in the drawing" if left else "",
        ),
    }


# --- a plan


def _plan(facts: PlanFacts | None) -> dict[str, Any] | None:
    """Waves and groups of a plan, as the template prints them."""
    if facts is None:
        return None
    plan = facts.plan
    devices = {device.device: device for device in plan.devices}
    return {
        "plan": plan,
        "impacts": _impacts(facts),
        "waves": list(zip(plan.waves, plan.wave_impacts.values(), strict=True)),
        "groups": [
            {
                "devices": group.devices,
                "impacts": [impact.value for impact in devices[group.devices[0]].impacts],
                "first": devices[group.devices[0]],
                "lines": list(_diff(facts.texts[group.diff] if group.diff else "")),
            }
            for group in plan.groups
        ],
    }


def _impacts(facts: PlanFacts) -> list[tuple[str, int, str]]:
    counts = Counter(impact for device in facts.plan.changed for impact in device.impacts)
    worst_first = sorted(counts.items(), key=lambda row: -row[0].rank)
    return [(impact.value, count, facts.effects.get(impact.value, "")) for impact, count in worst_first]


def _diff(text: str) -> Iterator[tuple[str, str]]:
    """Class and text of each line of a diff."""
    lines = [line for line in text.splitlines() if not line.startswith(("--- ", "+++ "))]
    for line in lines[:DIFF_LINES]:
        yield {"+": "add", "-": "del", "@": "at"}.get(line[:1], ""), line
    if len(lines) > DIFF_LINES:
        yield "at", f"{len(lines) - DIFF_LINES:,} more lines are in the saved plan"
