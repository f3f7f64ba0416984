"""New cables on ports that are shut disturb nobody, whatever else is written for the port: on every product."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from fabric import api
from fabric.cli import main
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import files, network, site, state

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


NO_REASON_OF_LINES = {"cumulus", "frr", "sonic"}
"""They judge a port as a whole."""


@pytest.mark.parametrize("product", MODELS)
def test_a_port_that_is_shut_says_so_whatever_else_changes_there(product: str, tmp_path: Path) -> None:
    """Another size of packets is not why nothing goes over it."""
    write(tmp_path, files(product))
    compiled = api.compile(tmp_path)
    (tmp_path / "backups").mkdir()
    for name in compiled.devices:
        (tmp_path / "backups" / f"{name}.cfg").write_text(compiled.artifacts[name].text)
    spine = next(name for name in compiled.devices if name.startswith("spine"))
    port = compiled.devices[spine].ports[0].name
    shut = f"{{device: {spine}, port: {port}, reason: dim, owner: ops, expires: '2099-01-01'}}"
    write(tmp_path, files(product, state(f"shut_ports: [{shut}]"), network("ip_mtu: 9100")))
    main(["plan", "--offline", str(tmp_path / "backups"), "-C", str(tmp_path), "--no-color"])

    saved = json.loads((tmp_path / ".fabric" / "plan" / "plan.json").read_text())
    changes = [c for d in saved["devices"] if d["device"] == spine for c in d["changes"]]
    reasons = [c["reason"] for c in changes if port in c["what"].split() and c["impact"] in OF_TRAFFIC]
    assert (reasons == ["the port goes down or comes up"]) is (product not in NO_REASON_OF_LINES)


def write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).write_text(text)
