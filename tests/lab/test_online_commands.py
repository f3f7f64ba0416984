"""`--lab`: the commands that talk to devices, on the lab that `fabric lab up` started."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fabric.cli import main
from fabric.cli.open_lab import folder_of_lab
from fabric.lab import RunningLab, down
from tests.lab.labs import SMALL, needed_lab
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.live

GATE = "deployment: {gate: {settle: 5s, watch: 1s}}\n"


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def fabric(tmp_path, monkeypatch, capsys):
    """Run a command line in the folder of the site."""
    needed_lab()
    monkeypatch.chdir(tmp_path)

    def run(*words):
        capsys.readouterr()
        code = main(list(words))
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    yield run
    down(folder_of_lab(tmp_path))


def write_site(folder, *, paths, keepalive="1s"):
    routing = f"{{bgp: {{password: env:BGP, keepalive: {keepalive}, hold: 3s}}, max_paths: {paths}}}"
    text = SMALL.format(
        leaves=1, spines=2, family="ipv4", routing=routing, platform="eos", model="arista-7060x6-64pe"
    )
    (folder / "site.yaml").write_text(text + GATE)


def run_by(lab):
    return {name: lab.output(name, "vtysh", "-c", "show running-config") for name in lab.switches}


def test_a_site_of_any_product_is_changed_on_its_lab_and_a_bad_change_goes_back(fabric, tmp_path):
    write_site(tmp_path, paths=8)
    assert 0 == fabric("lab", "up", "--configured").code
    lab = RunningLab(folder_of_lab(tmp_path))
    lab.wait_for_sessions(PATIENCE_S)
    write_site(tmp_path, paths=16)

    planned = fabric("plan", "--lab", "--adopt")
    elsewhere = fabric("apply", ".fabric/plan", "--yes")
    applied = fabric("apply", ".fabric/plan", "--lab", "--yes")
    again, steady = fabric("plan", "--lab"), fabric("drift", "--lab")

    assert [2, 1, 0, 0, 0] == [run.code for run in (planned, elsewhere, applied, again, steady)], applied.err
    assert "fabric apply .fabric/plan --lab" in planned.err
    assert "FAB728" in elsewhere.err
    assert "No changes. The network matches the intent." in again.out
    assert all("maximum-paths 16" in text for text in run_by(lab).values())

    write_site(tmp_path, paths=1)  # every path but one of each prefix is given up
    narrowed = fabric("plan", "--lab")
    failed = fabric("apply", ".fabric/plan", "--lab", "--yes")

    assert [2, 1] == [narrowed.code, failed.code]
    assert "has 1 next hop, before 2" in failed.err + failed.out
    assert (
        "1 confirmed, 3 reverted" in failed.err
    )  # the canary is a spine, which has one path to each leaf anyhow
    assert 0 == fabric("drift", "--lab").code

    write_site(tmp_path, paths=16)
    back = fabric("rollback", "--lab", "--yes")

    assert 0 == back.code, back.err
    assert all("maximum-paths 16" in text for text in run_by(lab).values())
