"""The programs that ask a subnet run in a folder of their own, and leave nothing behind."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from fabric import api
from fabric.deployment import Workplace
from fabric.diagnostics import Refused
from fabric.planning.model import StandIns
from fabric.sandbox import environments
from fabric.verification.infiniband import tools
from tests.infiniband.sites import SMALL, SMALL_HARDWARE

TOOL = """#!/bin/sh
pwd
touch left-behind
[ "$1" != --config ] || { echo "$2"; stat -c %a "$2"; cat "$2"; }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a program that says where it runs; found by a relative path."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "saquery"
    program.write_text(TOOL)
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "bin:/usr/bin:/bin")
    return tmp_path


@pytest.mark.parametrize("keys", [("", ""), ("0x7d1f", "0x51a7")])
def test_a_tool_leaves_nothing_where_we_are(folder: Path, keys: tuple[str, str]) -> None:
    with tools(*keys) as asked:
        place = Path(asked.run("saquery").split()[0])

        assert place.is_dir()
        assert folder not in (place, *place.parents)
    assert not place.exists()
    assert [folder / "bin"] == list(folder.iterdir())


def no_tools(tmp_path, monkeypatch):
    """Programs of the subnet that say that they were run."""
    told = tmp_path / "told"
    (tmp_path / "bin").mkdir()
    for name in ("ibnetdiscover", "dump_fts", "dump_lfts", "saquery", "sminfo", "smpquery"):
        program = tmp_path / "bin" / name
        program.write_text(f"#!/bin/sh\necho $0 >> {told}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    return told


@pytest.mark.parametrize("stand_ins", ["sandbox", "lab"])
def test_what_stands_in_for_the_network_never_asks_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stand_ins: StandIns
) -> None:
    """A sandbox whose subnet does not run, and a lab, which plays none."""
    told = no_tools(tmp_path, monkeypatch)
    for name in ("MKEY", "SAKEY"):
        monkeypatch.setenv(name, "0x1")
    for name, text in ({"site.yaml": SMALL.format(units=2)} | SMALL_HARDWARE).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    site = api.open_site(tmp_path)
    played = Workplace(folder=tmp_path, stand_ins=stand_ins, replaced={})

    with pytest.raises(Refused, match=f"the {stand_ins} plays no subnet of compute"):
        api.verify(site, "compute", place=played)
    assert not told.exists()
    api.verify(site, "compute", place=Workplace(folder=tmp_path))
    assert told.exists()


@pytest.mark.parametrize("gone", ["", "library", "ibsim"])
def test_only_a_subnet_that_is_simulated_now_is_asked(tmp_path: Path, gone: str) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        name = f"fabric-test-{os.getpid()}"
        listening.bind(f"\0{name}")
        library = tmp_path / "libumad2sim.so"
        library.touch()
        led = {"LD_PRELOAD": str(library), "IBSIM_SOCKNAME": name, "SIM_HOST": "H-1"}
        if gone == "library":
            library.unlink()
        if gone == "ibsim":
            led["IBSIM_SOCKNAME"] = "fabric-nobody"
        host = tmp_path / "subnets" / "compute" / "sm-1"
        host.mkdir(parents=True)
        (host / "environment").write_text("".join(f"{key}={value}\n" for key, value in led.items()))

        assert environments(tmp_path / "subnets") == ({} if gone else {"compute": led})


def test_a_tool_is_led_to_the_subnet_that_is_named(folder: Path) -> None:
    (folder / "bin" / "saquery").write_text('#!/bin/sh\necho "$IBSIM_SOCKNAME" "$PATH"\n')
    with tools(environment={"IBSIM_SOCKNAME": "one"}) as asked:
        assert asked.run("saquery").split() == ["one", "bin:/usr/bin:/bin"]


def test_keys_are_in_a_file_that_only_we_can_read_and_that_goes(folder: Path) -> None:
    with tools("0x7d1f", "0x51a7") as asked:
        _, config, mode, *lines = asked.run("saquery").split()

        assert ["600", "m_key=0x7d1f", "sa_key=0x51a7"] == [mode, *lines]
    assert not Path(config).exists()
