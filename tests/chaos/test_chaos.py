"""However an apply ends, every device is wholly old or wholly new, and the next commands make the network whole.

`make test-chaos` does 500 random trials and writes what each was into `build/chaos.txt`; the suite a few, always the
same.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.chaos.operator import operator_of
from tests.chaos.random_fabric import VARIABLE, Intent
from tests.chaos.trial import trial
from tests.contract.sandbox_bench import PASSWORD

pytestmark = pytest.mark.live

FABRICS = int(os.environ.get("FABRIC_CHAOS_FABRICS", "2"))
FIRST = int(os.environ.get("FABRIC_CHAOS_SEED", "0"))
TRIALS = int(os.environ.get("FABRIC_CHAOS_TRIALS", "2"))
LOG = Path(__file__).parents[2] / "build" / "chaos.txt"


@pytest.mark.parametrize("seed", range(FIRST, FIRST + FABRICS))
def test_a_network_is_whole_after_any_accident(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, PASSWORD)
    random = Random(seed)  # noqa: S311  # a trial can be done again
    with operator_of(Intent(tmp_path, random)) as operator:
        operator.plan()
        assert operator.apply().status == 0, operator.told()
        for _ in range(TRIALS):
            words = trial(operator, random)
            if "FABRIC_CHAOS_TRIALS" in os.environ:
                write(f"{seed}: {operator.intent}: {words}")


def write(line: str) -> None:
    """Append a line; several processes may do so at once."""
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("a") as log:
        log.write(f"{line}\n")
