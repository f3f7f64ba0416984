"""What proofs before the build take: `python -m bench.prove` measures its rows alone and keeps the others.

Rows of 131,072 GPUs are about memory: at most 2 GiB.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import shapes
from bench.measure import run, warm
from bench.results import PROVE, RESULTS, Row, is_prove, row, store

FABRIC = Path(sys.executable).with_name("fabric")
RING = ("simulate", "allreduce", "--placement", "random")
MEMORY = "peak at most 2,048 MiB"


def prove(work: Path, runs: int, *, quick: bool) -> Iterator[Row]:
    """A row for each figure."""
    yield from of_pod(work, runs)
    yield from of_rings(work, runs)
    if not quick:
        yield from of_memory(work)


def of_pod(work: Path, runs: int) -> Iterator[Row]:
    """HPN 7.0's pod of 15,360 GPUs: rules and failures, beside `fabric validate`."""
    pod = work / "prove-hpn"
    run([FABRIC, "init", "hpn7-pod", pod])
    alone = warm([FABRIC, "validate", "-C", pod], runs=runs).cpu_s
    cases: tuple[tuple[str, list[str], int], ...] = (
        ("lint", ["lint"], 1),
        ("single failures", ["impact"], 1),
        ("pairs of links", ["impact", "--pairs"], 3),
    )
    for name, words, most in cases:
        figures = warm([FABRIC, *words, "-C", pod], runs=runs)
        target = f"{figures.cpu_s - alone:.2f} CPU s more than validate (at most {most})"
        yield row(f"{PROVE} HPN 7.0 pod, {name}", figures, 360, state="warm", target=target)


def of_rings(work: Path, runs: int) -> Iterator[Row]:
    """16,384 GPUs in eight rings of random order, beside a command that only expands the site."""
    site = shapes.write(work / "prove-rings", shapes.pods(4))
    alone = warm([FABRIC, "show", "topology", "-C", site], runs=runs).cpu_s
    for qps, most in (("1", 0.5), ("4", 2)):
        figures = warm([FABRIC, *RING, "--qps", qps, "-C", site], runs=runs)
        target = f"{figures.cpu_s - alone:.2f} CPU s more than show topology (at most {most})"
        yield row(f"{PROVE} 16,384 GPUs, 8 rings, {qps} QP", figures, 640, state="warm", target=target)


def of_memory(work: Path) -> Iterator[Row]:
    """131,072 GPUs in two planes."""
    site = shapes.write(work / "prove-large", shapes.pods(32, planes=2))
    for name, words in (("AllReduce", RING), ("single failures", ("impact",))):
        figures = run([FABRIC, *words, "-C", site])
        yield row(f"{PROVE} 131,072 GPUs, {name}", figures, 10240, state="cold", target=MEMORY)
    asked = ["--gpus", "131072", "--nic", "2x400G", "--models", "arista-7060x6-64pe"]
    yield row(f"{PROVE} 131,072 GPUs, size", run([FABRIC, "size", *asked]), 0, target=MEMORY)


def main() -> None:
    """Measure, and put the rows among those that are kept."""
    with tempfile.TemporaryDirectory(prefix="fabric-bench-") as work:
        rows = list(prove(Path(work), 3, quick=False))
    earlier = json.loads(RESULTS.read_text(encoding="utf-8"))
    store([*(one for one in earlier if not is_prove(one)), *rows])


if __name__ == "__main__":
    main()
