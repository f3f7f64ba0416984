"""Every figure in one run: `make bench`. Writes bench/results.md and bench/results.json.

    python -m bench [--quick] [--no-pyavd]

The machine's speed drifts, so read ratios: pyavd runs on the same shape in the same run, in its own environment.

A row is cold or warm and says which. Cold: of the site there is what git holds, no output and no `.fabric` (pyavd keeps
nothing between runs, and is always cold). Warm: output and `.fabric` of the run before are there, so that only what has
changed is printed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import shapes, subnet
from bench.measure import Figures, cold, run, set_aside, warm
from bench.prove import prove
from bench.results import RESULTS, Row, is_fleet, row, store, table

HERE = Path(__file__).parent
FABRIC = Path(sys.executable).with_name("fabric")
SCALING = (
    ("64", 0),
    ("160", 1),
    ("640", 4),
    ("1120", 7),
    ("2560", 16),
    ("5120", 32),
    ("10240", 64),
    ("16384", 102),
)
"""Rows of the scaling table: about so many switches, from so many pods of 160 (0: two tiers)."""


def main() -> None:
    """Measure, print, store."""
    options = argparse.ArgumentParser(prog="bench", description=__doc__)
    options.add_argument("--quick", action="store_true", help="the small shapes only, one run each")
    options.add_argument("--no-pyavd", action="store_true", help="leave the peer out")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="fabric-bench-") as work:
        rows = list(measured(Path(work), quick=chosen.quick, peer=not chosen.no_pyavd))
    text = table(rows)
    print(text)
    if not chosen.quick:
        earlier = json.loads(RESULTS.read_text(encoding="utf-8"))
        store([*rows, *filter(is_fleet, earlier)])


def measured(work: Path, *, quick: bool, peer: bool) -> Iterator[Row]:
    """A row for each case."""
    runs = 1 if quick else 3
    yield row("fabric --help", warm([FABRIC, "--help"], runs=5), 0, target="0.15 CPU s")
    yield from targets(work, runs, quick=quick)
    yield from scaling(work, quick=quick)
    yield from processes(work, quick=quick)
    yield from routes(work, runs, quick=quick)
    yield from platforms(work, runs)
    yield from replan(work, runs, quick=quick)
    yield from audits(work, runs, quick=quick)
    yield from prove(work, runs, quick=quick)
    if peer:
        yield from pyavd(quick=quick)


def targets(work: Path, runs: int, *, quick: bool) -> Iterator[Row]:
    """The shapes that DESIGN sets a figure for."""
    hpn = work / "hpn"
    run([FABRIC, "init", "hpn7-pod", hpn])
    yield compiled("HPN 7.0 pod", hpn, runs, target="1.5 CPU s")
    seven = shapes.write(work / "seven", shapes.pods(7))
    yield compiled("pods of 64+64 ports", seven, runs, target="1.2 ms a switch, 300 MiB")
    yield compiled("pods of 64+64 ports", seven, runs, state="warm")
    subnet = shapes.write(work / "infiniband", shapes.infiniband(64))
    name = "InfiniBand: 2,048 hosts, 16,384 HCAs"
    yield compiled(name, subnet, runs, target="3 CPU s", switches=1280)
    if not quick:
        large = shapes.write(work / "large", shapes.pods(32, planes=2))
        yield compiled("131,072 GPUs, two planes", large, 1, target="20 CPU s, 500 MiB")


def scaling(work: Path, *, quick: bool) -> Iterator[Row]:
    """Time a switch as the fabric grows."""
    for name, pods in SCALING[: 3 if quick else None]:
        text = shapes.pods(pods) if pods else shapes.two_tiers(6)
        yield compiled(f"scaling: {name}", shapes.write(work / f"scale{name}", text), 1)


def processes(work: Path, *, quick: bool) -> Iterator[Row]:
    """One process and all processors: the CPU is that of all, and only an idle machine shows the gain."""
    site = shapes.write(work / "processes", shapes.pods(2) if quick else shapes.pods(32, planes=2))
    out, alone = site / "out", 0.0
    for name, words in (("one process", ["--jobs", "1"]), ("all processors", [])):
        figures = cold([FABRIC, "compile", "-C", site, "-o", out, *words], left(site), runs=1)
        alone = alone or figures.wall_s
        target = f"{figures.wall_s / alone:.2f} of one process's wall time (at most 0.6 on two idle cores)"
        switches = sum(1 for _ in (out / "configs").iterdir())
        yield row(f"compile, {name}", figures, switches, state="cold", target=target)


def routes(work: Path, runs: int, *, quick: bool) -> Iterator[Row]:
    """A cold compile with the evaluation of routes and without it, in turn: the share that it takes."""
    cases = {"40 leaves": shapes.attached(5), "2 pods": shapes.pods(2), "7 pods": shapes.pods(7)}
    for name in list(cases)[: 2 if quick else None]:
        site = shapes.write(work / f"routes {name}", cases[name])
        found: dict[str, list[Figures]] = {"with": [], "without": []}
        for _ in range(runs):
            for choice, figures in found.items():
                set_aside(left(site))
                words = ["-m", "bench.routes_case", choice, "compile", "--jobs", "1", "-C"]
                figures.append(run([sys.executable, *words, site]))
        switches = sum(1 for _ in (site / "out" / "configs").iterdir())
        whole, rest = (min(figures, key=lambda f: f.cpu_s) for figures in found.values())  # least disturbed
        seconds = float(whole.output.split()[-1])
        share = f"{1000 * seconds:.0f} ms for routes: {100 * seconds / whole.cpu_s:.1f} % (at most 10)"
        yield row("compile, routes evaluated", whole, switches, state="cold", target=share)
        yield row("compile, routes not evaluated", rest, switches, state="cold")


def platforms(work: Path, runs: int) -> Iterator[Row]:
    """The same fabric in every product's language, each in turn with EOS: the speed of a machine drifts."""
    eos = shapes.write(work / "platform-eos", shapes.of_platform("eos"))
    for name, model in shapes.PLATFORMS.items():
        site = shapes.write(work / f"platform-{name}", shapes.of_platform(name))
        pairs = [(compiled(name, site, 1), compiled("eos", eos, 1)) for _ in range(runs)]
        ratios = sorted(float(one["cpu_s"] or 0) / float(other["cpu_s"] or 1) for one, other in pairs)
        target = f"{ratios[len(ratios) // 2]:.2f} times eos (at most 1.2)"
        yield {**pairs[-1][0], "case": f"platform {name}: {model}", "target": target}


def left(site: Path) -> tuple[Path, ...]:
    """What a compile leaves in a site."""
    return site / "out", site / ".fabric", site / "fabric.lock"


def compiled(
    name: str, site: Path, runs: int, target: str = "", *, switches: int = 0, state: str = "cold"
) -> Row:
    """`fabric compile` of a site, from files to files. `switches`: where they have no files of their own."""
    out = site / "out"
    command: list[str | Path] = [FABRIC, "compile", "-C", site, "-o", out, "--jobs", "1"]
    figures = cold(command, left(site), runs=runs) if state == "cold" else warm(command, runs=runs)
    switches = switches or sum(1 for _ in (out / "configs").iterdir())
    return row(name, figures, switches, state=state, target=target)


ONE_DEVICE = "overrides: [{device: spine-0-00, max_paths: 32}]\n"
EVERY_DEVICE = ("192.0.2.20]", "192.0.2.21]")
MOST = {"one device": "1 cold, 0.25 warm", "every device": "2"}
"""Of a cold compile."""


def replan(work: Path, runs: int, *, quick: bool) -> Iterator[Row]:
    """A one-line change, planned offline against the configurations of before, beside a full compile."""
    site = shapes.write(work / "replan", shapes.pods(1 if quick else 7))
    before = work / "before"
    full = cold(
        [FABRIC, "compile", "-C", site, "-o", before, "--jobs", "1"], [*left(site), before], runs=runs
    )
    switches = sum(1 for _ in before.rglob("*.cfg"))
    saved = work / "plan"
    words: list[str | Path] = ["--offline", before, "--out", saved, "--jobs", "1", "--quiet"]
    command: list[str | Path] = [FABRIC, "plan", "-C", site, *words]
    intent = site / "site.yaml"
    text = intent.read_text(encoding="utf-8")
    changes = {
        "one device": text + ONE_DEVICE,
        "every device": text.replace(*EVERY_DEVICE),
    }
    for what, changed in changes.items():
        intent.write_text(changed, encoding="utf-8")
        without = cold(command, (site / ".fabric", saved), runs=runs)
        for state, figures in (("cold", without), ("warm", cold(command, (saved,), runs=runs))):
            target = f"{figures.cpu_s / full.cpu_s:.2f} of a cold compile (at most {MOST[what]})"
            yield row(f"one line for {what}, planned offline", figures, switches, state=state, target=target)


def audits(work: Path, runs: int, *, quick: bool) -> Iterator[Row]:
    """Cables and all routes of an InfiniBand subnet, from the tools' outputs to the verdict."""
    targets = (("superpod-h100-4su", "2"), ("superpod-b200-16su", "30"))
    for name, target in targets[: 1 if quick else None]:
        site, printed = work / name, work / f"{name}-outputs"
        run([FABRIC, "init", name, site])
        switches, ports = subnet.outputs(site, printed)
        figures = warm([FABRIC, "verify", "-C", site, "--from", printed, "--quiet"], runs=runs)
        yield row(
            f"verify {name}: {ports:,} HCA ports",
            figures,
            switches,
            state="cold",
            target=f"audit in {target} CPU s",
        )


def pyavd(*, quick: bool) -> Iterator[Row]:
    """The peer on a pod of the same shape: leaves of 64+64 ports and as many spines."""
    python = peer_environment()
    for leaves, spines in ((16, 16),) if quick else ((32, 32), (64, 64)):
        figures = run([python, HERE / "pyavd_case.py", str(leaves), str(spines), "64"])
        yield row(
            f"pyavd: {leaves} leaves, {spines} spines, 64 host ports", figures, leaves + spines, state="cold"
        )


def peer_environment() -> Path:
    """An environment with pyavd and nothing of ours."""
    folder = HERE / ".venv"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        locked = HERE.parent / "requirements" / "pyavd.txt"
        subprocess.run([python, "-m", "pip", "install", "-q", "--require-hashes", "-r", locked], check=True)
    return python


if __name__ == "__main__":
    main()
