"""What is printed, judged by SONiC's own models and by FRR's own parser."""

from __future__ import annotations

import json
import re

import pytest

from fabric.platforms.base import split_parts
from fabric.platforms.sonic import PLATFORM
from tests.platforms.sites import printed
from tests.platforms.sonic.devices import CASES
from tests.programs import ANY, run
from tests.yang import said

NOT_OF_THE_FILE = "Graceful restart configuration changed|crashlog|failed to mkdir"
"""bgpd says these of itself; the last two when a process of the same number left its folder behind."""

RELEASES = ("202511", "master")


def files(case):
    """config_db.json and frr.conf."""
    parts = split_parts(printed(CASES[case]()))
    return parts["config_db.json"], parts.get("frr.conf", "")


@pytest.mark.live
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("case", sorted(CASES))
def test_the_models_have_nothing_against_it(case, release):
    assert () == said(PLATFORM, printed(CASES[case]()), f"sonic-{release}")


MISTAKES = {
    "speed": lambda db: db["PORT"]["Ethernet0"].update(speed="fast"),
    "mtu": lambda db: db["PORT"]["Ethernet0"].update(mtu="99999"),
    "no such field": lambda db: db["PORT"]["Ethernet0"].update(colour="red"),
    "dangling interface": lambda db: db["INTERFACE"].update({"Ethernet999": {}}),
    "dangling scheduler": lambda db: db["QUEUE"]["Ethernet0|3"].update(scheduler="none.such"),
    "dangling map": lambda db: db["PORT_QOS_MAP"]["Ethernet0"].update(tc_to_pg_map="OTHER"),
    "watchdog too slow": lambda db: db["PFC_WD"]["GLOBAL"].update(POLL_INTERVAL="5000"),
    "cable": lambda db: db["CABLE_LENGTH"]["AZURE"].update(Ethernet0="5 metres"),
    "routing mode": lambda db: db["DEVICE_METADATA"]["localhost"].update(docker_routing_config_mode="own"),
    "dangling pool": lambda db: db["BUFFER_PROFILE"]["ingress_lossy_profile"].update(pool="other_pool"),
}


@pytest.mark.live
@pytest.mark.parametrize("mistake", sorted(MISTAKES))
def test_the_models_catch_planted_mistakes(mistake):
    tables = json.loads(files("leaf")[0])
    MISTAKES[mistake](tables)

    assert said(PLATFORM, json.dumps(tables), "sonic-202511")


@pytest.mark.live
def test_all_mistakes_are_told_at_once():
    """But for slow polling, which makes the detection time of every port too short as well."""
    tables = json.loads(files("leaf")[0])
    mistakes = {name: plant for name, plant in MISTAKES.items() if name != "watchdog too slow"}
    for plant in mistakes.values():
        plant(tables)

    assert len(mistakes) == len(said(PLATFORM, json.dumps(tables), "sonic-202511"))


@pytest.mark.live
@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"PORT": 1}',
        '{"PORT": {"Ethernet0": {"mtu": {}}}}',
        '{"PORT": {"Ethernet0": []}}',
        '{"NONE": {}}',
    ],
)
def test_what_is_no_database_is_a_complaint(text):
    assert said(PLATFORM, text, "sonic-202511")


def bgp_part(text):
    """Only what bgpd reads itself: other daemons' lines would be unknown to it."""
    kept, skip = [], False
    for line in text.splitlines():
        skip = line == "bfd" or (skip and line != "exit")
        ours = not line.startswith(("!", "service", "end", "no fpm", "fpm", "exit", "ip route", "ipv6 route"))
        if not skip and (ours or line == "exit-address-family") and line.strip():
            kept.append(line)
    return "\n".join(kept) + "\n"


@pytest.mark.live
@pytest.mark.parametrize("case", sorted(CASES))
def test_frr_takes_its_part(case, tmp_path):
    text = bgp_part(re.sub(r"<secret:[^>]*>", "secret", files(case)[1]))

    assert [] == told_by_bgpd(text, tmp_path)
    assert told_by_bgpd(f"{text}no such line\n", tmp_path)  # the control


def told_by_bgpd(text, folder):
    """What bgpd has against a file; its exit code does not tell."""
    file = folder / "frr.conf"
    file.write_text(text)
    where = ["--vty_socket", str(folder), "-i", str(folder / "pid")]
    done = run("bgpd", "-C", "-S", "-n", "-Z", "-p", "0", "-f", file, *where, exits=ANY)
    told = (done.stdout + done.stderr).splitlines()
    return [line for line in told if not re.search(NOT_OF_THE_FILE, line)]


@pytest.mark.live
@pytest.mark.parametrize("case", sorted(CASES))
def test_every_line_is_one_of_frr(case, tmp_path):
    text = re.sub(r"<secret:[^>]*>", "secret", files(case)[1])
    kept = [
        line for line in text.splitlines() if not re.match(r"(no )?fpm ", line)
    ]  # SONiC's own build has them

    assert [] == told_by_vtysh("\n".join(kept), tmp_path)
    assert told_by_vtysh("\n".join([*kept, "no such line"]), tmp_path)  # the control


def told_by_vtysh(text, folder):
    """Lines that vtysh does not know."""
    file = folder / "frr.conf"
    file.write_text(f"{text}\n")
    done = run("vtysh", "-C", "-f", file, exits=ANY)
    return [line for line in (done.stdout + done.stderr).splitlines() if "% " in line]
