"""docs/hosts.md shows what really happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.cli import main
from fabric.platforms.host.lower_qos import POLLARA_PARAMETERS
from tests.console_blocks import page, steps, write_files
from tests.platforms.host.hosts import MIXED
from tests.platforms.host.test_script import Machine

PAGE = page("hosts.md")
SHOWN = {command: answer.splitlines() for command, answer in steps(PAGE)}


@pytest.fixture
def site(tmp_path) -> Path:
    write_files(PAGE, tmp_path)
    return tmp_path


def test_the_site_compiles_to_what_is_shown(site, capsys):
    assert 0 == main(["-C", str(site), "compile"])

    (counts,) = SHOWN["fabric compile"]
    assert counts in capsys.readouterr().err


def test_a_host_gets_the_files_that_are_listed(site):
    main(["-C", str(site), "compile"])
    home = site / "out/hosts/nv-0-0"

    files = sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())

    assert SHOWN["find out/hosts/nv-0-0 -type f"] == files


def test_the_pattern_that_is_shown_chooses_hosts(site):
    (pattern,) = re.findall(r"fabric compile --only '([^']+)'", PAGE)
    main(["-C", str(site), "compile", "--only", pattern])

    assert {"nv-0-0", "nv-0-1"} == {path.name for path in (site / "out/hosts").iterdir()}


def test_spraying_is_refused_as_shown(site, capsys, monkeypatch):
    monkeypatch.chdir(site)
    path = site / "site.yaml"
    tiers = "      leaf: {model: arista-7060x6-64pe}\n"
    path.write_text(path.read_text().replace(tiers, f"{tiers}    routing: {{load_balancing: per_packet}}\n"))

    assert 1 == main(["validate"])
    assert SHOWN["fabric validate"] == capsys.readouterr().out.splitlines()[:1]


def test_overrides_are_named_as_shown(tmp_path):
    machine = Machine(tmp_path, MIXED)
    machine.run()
    machine.meddle(rail0={"pfc": "0,0,0,0,0,1,0,0"})
    machine.file(machine.root / "sys/class/net/rail1/ecn/roce_np/cnp_dscp", "46")

    assert SHOWN["fabric-roce-verify"] == machine.verify()


@pytest.mark.parametrize("kind", ["mlx5", "pollara", "dcb", "bnxt"])
def test_every_kind_of_nic_stands_in_the_table(kind):
    assert re.search(rf"^\| `{kind}`", PAGE, re.MULTILINE)


def test_pollaras_parameters_on_the_page_are_those_written():
    row = next(line for line in PAGE.splitlines() if line.startswith("| DCQCN, profile 1"))

    for name, value in POLLARA_PARAMETERS.items():
        shown = re.search(rf"`{name}`(?:, `[^`]+`)* (\d+)", row)
        assert shown
        assert value == int(shown[1])
