"""What the driver refuses before it touches a host, and what it reads from one. Applying is tested on real hosts."""

from __future__ import annotations

import pytest
from napalm.base.exceptions import ConnectionException, ReplaceConfigException

from fabric.platforms.base import PART, Target, Trust, split_parts
from fabric.platforms.opensm.names import FOLDER
from fabric.platforms.opensm.read import parse
from fabric.platforms.opensm.session import OpensmDriver, driver_options
from fabric.platforms.opensm.session_files import with_paths_of
from fabric.platforms.opensm.session_host import packed, unpacked
from fabric.platforms.opensm.session_script import SCRIPT
from fabric.platforms.opensm.session_tables import differences, seen, wanted
from tests.platforms.subnets import TENANTED, manager, printed
from tests.programs import run

KEYS = {"MKEY": "0x7d1f00c0ffee4a11", "SAKEY": "0x51a7b2c3d4e5f607"}


def text() -> str:
    """The files of a tenanted subnet, with keys."""
    lines = "".join(f"{name} {KEYS[key]}\n" for name, key in (("m_key", "MKEY"), ("sa_key", "SAKEY")))
    head = f"{PART}opensm.conf\n"
    told = printed(manager("opensm", TENANTED))
    kept = "".join(line for line in told.splitlines(keepends=True) if "<secret:" not in line)
    return kept.replace(head, head + lines, 1)


def driver(trust: Trust | None = None, **host: str) -> OpensmDriver:
    return OpensmDriver("192.0.2.1", "netops", "", optional_args={"trust": trust or Trust(), "host": host})


def test_a_sound_text_is_taken():
    driver().load_replace_candidate(config=text())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("=full;", "=full"),
        ("=limited,", "=limitd,"),
        ("    0x0", "    0xG"),
        (f"{PART}root-guids\n", f"{PART}root-guids\nnonsense\n"),
        ("sm_priority", "sm priority ="),
    ],
)
def test_a_line_that_opensm_would_not_understand_is_refused(old, new):
    assert old in text()

    with pytest.raises(ReplaceConfigException, match="OpenSM understands"):
        driver().load_replace_candidate(config=text().replace(old, new, 1))


def test_files_without_partitions_are_refused():
    without = text().partition(f"{PART}partitions.conf\n")
    rest = without[2][without[2].index(PART) :]

    with pytest.raises(ReplaceConfigException, match="open the subnet to everybody"):
        driver().load_replace_candidate(config=f"{without[0]}{without[1]}{rest}")


@pytest.mark.parametrize("value", ["hunter2", "0x0", "0x00112233445566778899", "51a7b2c3", "0xnothex"])
def test_a_key_that_is_no_64_bit_number_is_refused_and_not_told(value):
    with pytest.raises(ReplaceConfigException) as refused:
        driver().load_replace_candidate(config=text().replace(KEYS["SAKEY"], value))

    assert "`sa_key` must be a 64-bit number" in str(refused.value)
    assert value not in str(refused.value).replace("`0x`", "")


def test_a_missing_file_of_host_keys_is_told():
    with pytest.raises(ConnectionException, match="there is no file /nowhere/known"):
        driver(Trust(known_hosts="/nowhere/known")).open()


def test_the_way_in_comes_from_the_target():
    target = Target(
        name="sm-1",
        address="192.0.2.1",
        port=None,
        username="u",
        password="",
        key_file="/k",
        host={"log": "/l"},
    )

    options = {"port": 22, "key_file": "/k", "host": {"log": "/l"}, "trust": Trust()}

    assert driver_options(target) == options


def test_files_survive_the_way_to_a_host():
    files = split_parts(text())

    assert unpacked(packed(files)) == files
    assert unpacked(b"") == {}


def test_the_paths_of_a_host_stand_in_its_own_opensm_conf_only():
    there = with_paths_of("opensm.conf", split_parts(text())["opensm.conf"], FOLDER, "/srv/sm")

    assert "partition_config_file /srv/sm/partitions.conf\n" in there
    assert "/etc/opensm" not in there
    assert with_paths_of("opensm.conf", there, "/srv/sm", FOLDER) == split_parts(text())["opensm.conf"]


RECORDS = """PKeyTableRecord dump:
\t\tLID........................{lid}
\t\tPort.......................{port}
\t\tBlock......................0
\t\tPKey Table:
\t\t0x7fff 0x9001 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000
\t\t0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000

"""


def test_tables_of_switches_are_left_out():
    said = RECORDS.format(lid=1, port=0) + RECORDS.format(lid=1, port=3) + RECORDS.format(lid=7, port=1)

    assert seen(said) == {7: frozenset({0x7FFF, 0x9001})}


def test_every_port_is_compared_and_absent_ones_are_not_missed():
    config = parse(text()).config
    asked = wanted(config)
    lid = min(asked)

    assert list(differences(config, asked)) == []
    assert list(differences(config, {})) == []
    assert len(list(differences(config, {**asked, lid: frozenset({0xFFFF})}))) == 1


def test_the_script_on_the_host_is_sound_shell():
    words = ("shellcheck", "-s", "sh", "-e", "SC1091,SC2154", "-")

    assert run(*words, input=SCRIPT).stdout == ""
    assert "SC" in run(*words, input=f"{SCRIPT}\ncd $HOME/*\n", exits=1).stdout  # the control
