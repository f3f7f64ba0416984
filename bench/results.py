"""The rows of a measurement, and the files that keep them."""

from __future__ import annotations

import json
import platform
from pathlib import Path

from bench.measure import Figures

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
FLEET = "fleet"
"""How the names of the rows of `bench.fleet` begin, which are measured by themselves."""
PROVE = "prove:"
"""How the names of the rows of `bench.prove` begin."""
Row = dict[str, str | float | int | None]


def is_fleet(row: Row) -> bool:
    """Whether a row is one of `bench.fleet`."""
    return str(row["case"]).startswith(f"{FLEET}:")


def is_prove(row: Row) -> bool:
    """Whether a row is one of `bench.prove`."""
    return str(row["case"]).startswith(PROVE)


def store(rows: list[Row]) -> None:
    """Write the results. Those of `bench.fleet` are measured by themselves, and kept."""
    (HERE / "results.md").write_text(table(rows), encoding="utf-8")
    RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def row(name: str, figures: Figures, switches: int, *, state: str = "", target: str = "") -> Row:
    """One line of the table. `state`: cold, warm, or nothing where no site is read."""
    return {
        "case": name,
        "state": state,
        "switches": switches or None,
        "cpu_s": round(figures.cpu_s, 3),
        "ms_per_switch": round(1000 * figures.cpu_s / switches, 2) if switches else None,
        "wall_s": round(figures.wall_s, 2),
        "peak_mib": round(figures.peak_mib),
        "target": target,
    }


def table(rows: list[Row]) -> str:
    """The rows as Markdown."""
    head = ("case", "state", "switches", "cpu_s", "ms_per_switch", "wall_s", "peak_mib", "target")
    lines = [
        f"Python {platform.python_version()}, {platform.machine()}. CPU of whole processes, files to files.",
        "Cold: without output and `.fabric` of an earlier run. Warm: with both.",
        "Fleet: by `python -m bench.fleet --keep 8 28`, one run of each step; the sandbox is not counted.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + " --- |" * len(head),
        *(
            "| "
            + " | ".join(
                "" if r[k] is None else f"{r[k]:,}" if isinstance(r[k], int) else str(r[k]) for k in head
            )
            + " |"
            for r in rows
        ),
    ]
    return "\n".join(lines) + "\n"
