"""`fabric verify` of Ethernet: the page, saved answers, every format, the sandbox."""

from __future__ import annotations

import json
import shlex
from xml.etree import ElementTree as ET

import pytest

from fabric import api, deployment, sandbox
from fabric.cli import main
from fabric.cli.open_sandbox import folder_of_sandbox
from tests.console_blocks import page, shown, write_files
from tests.ports import free_port
from tests.verification.ethernet.played import played, rewired, specs_of

PAGE = page("verify.md")
EXAMPLE = shown(PAGE, "fabric verify -C pod")


@pytest.fixture
def verify(tmp_path, monkeypatch, capsys):
    """Run `fabric verify` beside the site of the page."""
    write_files(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)

    def run(*words):
        capsys.readouterr()
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def crossed(verify, tmp_path):
    """Answers of switches of which two cables to a host are crossed."""
    devices = api.compile(tmp_path / "pod").devices
    nics = {("gpu-0-0", "nic0"): ("gpu-0-0", "nic1"), ("gpu-0-0", "nic1"): ("gpu-0-0", "nic0")}
    with played(devices, rewired(specs_of(devices), nics)) as network:
        deployment.save_answers(tmp_path / "answers", network.answers().answers)
    return tmp_path / "answers"


def test_the_page_shows_what_is_printed(verify, crossed):
    code, out, _err = verify(*shlex.split(EXAMPLE.command)[1:])

    assert (1, EXAMPLE.output) == (code, out)


def test_json_and_junit_have_the_same_findings(verify, crossed, tmp_path):
    _code, out, _err = verify(
        "verify", "-C", "pod", "--from", crossed, "--format", "json", "--junit", "verify.xml"
    )
    suites = ET.parse(tmp_path / "verify.xml").getroot()  # noqa: S314  # we wrote it

    ids = [finding["id"] for finding in json.loads(out)["findings"]]
    assert ["wrong-rail:gpu-0-0:nic0+gpu-0-0:nic1"] == ids
    assert ids == [case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None]
    assert {"cabling", "sessions", "queues"} <= {suite.get("name") for suite in suites}


def test_results_of_hosts_are_joined_in_one_report(verify, crossed, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "one").write_text(
        "nic0: PFC of priority 3 is 0, declared 1\n# fabric-roce-verify of gpu-0-0: 100 settings\n"
    )
    (tmp_path / "results" / "two").write_text("nic0: PFC of priority 3 is 0, declared 1\n")

    code, out, err = verify(
        "verify", "-C", "pod", "--from", crossed, "--hosts", "results", "--junit", "verify.xml"
    )
    suites = ET.parse(tmp_path / "verify.xml").getroot()  # noqa: S314  # we wrote it

    assert 1 == code
    assert "nothing that is known is in two" in err
    assert (
        "host-end: gpu-0-0 nic0 (rack R12 at 2) and leaf-0-0 Ethernet1/1 (rack R12 at 40): PFC of priority 3"
        in out
    )
    assert "hosts: 100 settings of 1 host, by their own verify program" in out
    (case,) = (case for suite in suites if suite.get("name") == "hosts" for case in suite)
    assert "host-end:gpu-0-0:nic0" == case.get("name")


def test_files_that_are_no_answers_are_named(verify, crossed):
    (crossed / "leaf-0-0.json").write_text('{"device": "leaf-0-0", "when": 1, "neighbors": "\\u001b[2J"}')
    (crossed / "README").write_text("what the switches said")

    code, out, err = verify("verify", "-C", "pod", "--from", crossed)

    assert 1 == code
    assert "nothing that is known is in README, leaf-0-0.json" in err
    assert "devices: not looked at: no answers of leaf-0-0" in out


@pytest.mark.parametrize(
    "words", [["--save", "x"], ["--sandbox"], ["--lab"]], ids=lambda words: words[0].strip("-")
)
def test_what_was_saved_is_not_asked_again(verify, words):
    code, _out, err = verify("verify", "-C", "pod", "--from", "answers", *words)

    assert 1 == code
    assert "FAB901" in err


def test_a_sandbox_is_verified_and_what_it_says_is_kept(verify, tmp_path):
    assert 0 == verify("sandbox", "up", "-C", "pod", "--port", free_port())[0]
    try:
        fresh = verify("verify", "-C", "pod", "--sandbox")
        assert 2 == verify("plan", "-C", "pod", "--sandbox", "--adopt", "--out", "plan")[0]
        assert 0 == verify("apply", "plan", "-C", "pod", "--sandbox", "--yes", "--allow", "lockout:*")[0]
        live = verify("verify", "-C", "pod", "--sandbox", "--save", "kept")
    finally:
        sandbox.down(folder_of_sandbox(tmp_path / "pod"))
    kept = verify("verify", "-C", "pod", "--from", "kept")

    assert [1, 0, 0] == [fresh[0], live[0], kept[0]], live[1]
    assert live[1] == kept[1]
    assert "no findings in compute" in live[2]
