"""New cables on ports that are shut disturb nobody, whatever else is written for the port: on every product."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from fabric import api
from fabric.cli import main
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import files, site

OF_TRAFFIC = {"buffer", "flap", "isolating"}


@pytest.mark.parametrize("product", MODELS)
def test_a_switch_whose_unused_ports_get_cables_is_not_disturbed_at_any_port(
    product: str, tmp_path: Path
) -> None:
    before, after = (files(product, site(f"{{capacity: {{units: 2}}, units: {units}}}")) for units in (1, 2))
    write(tmp_path, before)
    compiled = api.compile(tmp_path)
    (tmp_path / "backups").mkdir()
    for name in compiled.devices:
        (tmp_path / "backups" / f"{name}.cfg").write_text(compiled.artifacts[name].text)
    write(tmp_path, after)
    options = ["--offline", str(tmp_path / "backups"), "--target", "role:spine", "-C", str(tmp_path)]
    main(["plan", *options, "--no-color"])

    saved = json.loads((tmp_path / ".fabric" / "plan" / "plan.json").read_text())
    changes = [change for device in saved["devices"] for change in device["changes"]]
    assert any(change["impact"] == "hitless" for change in changes)
    disturbing = [change for change in changes if change["impact"] in OF_TRAFFIC]
    assert [change for change in disturbing if change["scope"]["ports"]] == []


def write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).write_text(text)
