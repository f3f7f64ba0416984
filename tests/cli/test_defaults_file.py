"""Defaults from files: they hold, the command line wins, and what is wrong or unsafe is refused with its place."""

from __future__ import annotations

import json

import click
import pytest

from fabric.cli.defaults_file import UNSAFE
from tests.cli.test_help import ALL


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The file of whoever runs the program."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "fabric").mkdir(parents=True)
    return tmp_path / "home" / "fabric" / "config.toml"


def test_a_default_holds_and_the_command_line_wins(fabric, site, own):
    own.write_text('[show]\nformat = "csv"\nquiet = true\n')

    assert fabric("show", "links").out.startswith("device,port")
    assert fabric("show", "links").err == ""
    assert json.loads(fabric("show", "links", "--format", "json").out)
    assert json.loads(fabric("--format", "json", "show", "links").out)


def test_the_sites_file_wins_over_ones_own(fabric, site, own):
    own.write_text('[show]\nformat = "csv"\ncolumns = "peer"\n')
    (site / "fabric.toml").write_text('[show]\ncolumns = "device"\n')

    assert fabric("show", "links").out.split()[0] == "device"


def test_a_file_above_the_site_is_read_up_to_the_repository_and_no_further(fabric, site, own):
    (site.parent / "fabric.toml").write_text('[show]\ncolumns = "device"\n')
    whole = fabric("show", "links").out.split()[:2]
    (site.parent / ".git").mkdir()

    assert whole == ["DEVICE", "PORT"]
    assert fabric("show", "links").out.split()[0] == "DEVICE"
    assert "PORT" not in fabric("show", "links").out


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ('[show]\nformt = "csv"\n', "fabric.toml:2: show.formt: ", "did you mean 'format'?"),
        ("[shwo]\nquiet = true\n", "fabric.toml:1: shwo: ", "did you mean 'show'?"),
        ("[lab.stats]\nquiet = true\n[show]\nquiet = 3\n", "fabric.toml:4: show.quiet: ", "--help"),
        ('[show]\nformat = "cvs"\n', "fabric.toml:2: show.format: ", "'cvs'"),
        ("[show\n", "fabric.toml: ", "write it as TOML"),
        ("show = 1\n", "fabric.toml:1: show: ", "write `[show]`"),
        ('[show]\nsvg = "x.svg"\n', "fabric.toml:2: show.svg: ", "may not be set by a site's file"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(fabric, site, own, text, place, expected):
    (site / "fabric.toml").write_text(text)
    done = fabric("show", "links")

    assert done.code == 1
    assert "FAB912" in done.err
    assert place in done.err
    assert expected in done.err
    assert fabric("show", "--help").code == 0


@pytest.mark.parametrize("is_sites", [True, False])
@pytest.mark.parametrize("name", ["apply", "rollback", "plan", "unlock", "trust"])
def test_no_file_sets_what_permits_a_change(fabric, site, own, name, is_sites):
    options = {max(p.opts, key=len).lstrip("-") for p in ALL[name].params if isinstance(p, click.Option)}
    unsafe = sorted(options & UNSAFE)
    assert unsafe
    for option in unsafe:
        (site / "fabric.toml" if is_sites else own).write_text(f"[{name}]\n{option} = true\n")

        assert "may not be set by a file" in fabric(name).err, option
