"""A drain that no journal knows of is somebody else's: it stays, and every plan says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric.planning.codes import OVERRIDING
from tests.planning.phased import Network, compiled_site
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import state

WHY = "reason: swap the fan, owner: ops, expires: '2099-01-01'"


@pytest.mark.covering(most=8)
@pytest.mark.parametrize("mode", ["graceful", "shut"])
@pytest.mark.parametrize("product", MODELS)
def test_a_drain_that_the_journal_does_not_know_is_told(tmp_path: Path, product: str, mode: str) -> None:
    """As after an older journal was put back: the lines were pushed, and nothing says by whom."""
    in_service = compiled_site(tmp_path / "in", product)
    out = compiled_site(
        tmp_path / "out", product, state(f"drained: [{{device: spine-0, mode: {mode}, {WHY}}}]")
    )
    network = Network.of(in_service)
    network.running["spine-0"] = out.artifacts["spine-0"].text
    made, _ = network.planned(in_service)

    changed = {device.device for device in made.changed}
    told = {name for f in made.diagnostics if f.code == OVERRIDING.code for name in f.subjects}
    assert "spine-0" in changed | told
