"""`fabric trust`: a new user records what the devices show, and plans; nobody's password is read before."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from fabric import sandbox
from fabric.cli.open_sandbox import PASSWORD, USERNAME, folder_of_sandbox
from tests.cli.test_help import ALL
from tests.ports import free_port

LOGIN = f'credentials: {{ops: {{username: {USERNAME}, password: "env:NOBODY_HAS_SET_THIS"}}}}\n'


@pytest.fixture
def network(fabric, site, monkeypatch):
    """The site's own inventory names the devices of a running sandbox: they are its network."""
    monkeypatch.setenv("HOME", str(site.parent))
    monkeypatch.delenv("NOBODY_HAS_SET_THIS", raising=False)
    ran = fabric("sandbox", "up", "--port", free_port())
    assert ran.code == 0, ran.err
    places = sandbox.status(folder_of_sandbox(site)).state.targets
    rows = "".join(f"  {name}: {{address: {at.address}/8, port: {at.port}}}\n" for name, at in places.items())
    (site / "inventory.yaml").write_text(f"{LOGIN}default_credentials: ops\ndevices:\n{rows}")
    yield fabric
    sandbox.down(folder_of_sandbox(site))


def shown(ran):
    return json.loads(ran.out)["identities"]


def test_what_is_recorded_is_all_that_a_plan_needs(network, site, monkeypatch):
    new = network("trust")
    assert not (site / "trust").exists()
    recorded = network("trust", "--record")
    known = network("trust")
    monkeypatch.setenv("NOBODY_HAS_SET_THIS", PASSWORD)
    planned = network("plan", "--adopt")

    assert [new.code, recorded.code, known.code, planned.code] == [2, 0, 0, 2], planned.err
    assert "6 devices: 6 new (" in new.err
    assert (
        "Compare each new fingerprint with the device's console, then run `fabric trust --record`." in new.err
    )
    assert "6 devices: 6 new, 6 recorded (" in recorded.err
    assert "6 devices: 6 known (" in known.err
    assert "6 devices: 6 changed" in planned.err


def test_without_it_nobody_is_told_the_password(network, monkeypatch):
    monkeypatch.setenv("NOBODY_HAS_SET_THIS", PASSWORD)

    ran = network("plan", "--adopt")

    assert ran.code == 1
    assert ran.err.count("FAB605") == ran.err.count("hint: `fabric trust` compares") > 0


def test_another_certificate_is_loud_and_is_replaced_only_by_name(network, site):
    network("trust", "--record")
    file = site / "trust" / "certificates"
    file.chmod(0o640)
    before = file.read_text()
    network("sandbox", "fault", "leaf-0-1", "--wrong-certificate", "self_signed")

    changed = network("trust", "--record", "--format", "json")
    other = network("trust", "--record", "--replace", "leaf-0-0")
    unchanged = file.read_text()
    replaced = network("trust", "--replace", "leaf-0-1")
    again = network("trust")

    assert [changed.code, other.code, replaced.code, again.code] == [1, 1, 0, 0]
    assert {one["device"]: one["state"] for one in shown(changed)} == {
        **dict.fromkeys(("leaf-0-0", "leaf-0-2", "leaf-0-3", "spine-0", "spine-1"), "known"),
        "leaf-0-1": "CHANGED",
    }
    assert "FAB706" in changed.err
    assert "run `fabric trust --replace leaf-0-1`" in " ".join(changed.err.split())
    assert before == unchanged != file.read_text()
    assert file.stat().st_mode & 0o777 == 0o640


def test_somebody_else_at_an_address_stops_plan_and_apply_alike(network, monkeypatch):
    network("trust", "--record")
    monkeypatch.setenv("NOBODY_HAS_SET_THIS", PASSWORD)
    assert network("plan", "--adopt", "--out", "saved").code == 2
    network("sandbox", "fault", "leaf-0-1", "--wrong-certificate", "self_signed")

    planned = network("plan", "--adopt")
    applied = network("apply", "saved", "--yes", "--allow", "lockout:*", "--allow", "isolating")

    for ran in (planned, applied):
        assert ran.code == 1
        told = " ".join(ran.err.split())
        assert "FAB706" in told
        assert not {"FAB605", "FAB710", "FAB735"} & set(re.findall(r"FAB\d+", told))
        assert "leaf-0-1 shows the certificate sha256:" in told
        assert "hint: Stop: somebody else may answer there." in told
        assert "`fabric trust --replace leaf-0-1`" in told
        assert PASSWORD not in ran.out + ran.err


def test_who_does_not_answer_keeps_nobody_else_from_being_recorded(network, site):
    text = (site / "inventory.yaml").read_text()
    port = re.search(r"leaf-0-1: .*port: (\d+)", text)[1]
    row = re.search(r"leaf-0-1: .*", text)[0]
    (site / "inventory.yaml").write_text(text.replace(row, row.replace(port, str(free_port()))))

    ran = network("trust", "--record", "--format", "csv")
    again = network("trust")

    assert [ran.code, again.code] == [1, 1]
    assert "FAB707" in ran.err
    assert "5 known" in again.err
    assert "1 no answer" in again.err
    assert "leaf-0-1," in ran.out


def test_a_device_without_an_address_is_told_and_the_others_are_asked(network, site):
    lines = (site / "inventory.yaml").read_text().splitlines(keepends=True)
    (site / "inventory.yaml").write_text("".join(line for line in lines if "leaf-0-1" not in line))

    ran = network("trust", "--format", "json")

    assert ran.code == 1
    assert "FAB703" in ran.err
    assert len(shown(ran)) == 5


@pytest.mark.parametrize("line", ["leaf-0-0", "leaf-0-0 sha256:1", f"leaf-0-0 sha256:{'0' * 64} x"])
def test_a_damaged_record_is_refused_and_trusts_nobody(network, site, line):
    (site / "trust").mkdir()
    (site / "trust" / "certificates").write_text(f"# ours\n{line}\n")

    ran = network("trust")

    assert ran.code == 1
    assert "FAB705" in ran.err
    assert "line 2 of trust/certificates" in ran.err


@pytest.mark.parametrize("words", [("--record",), ("--replace", "leaf-0-0")])
def test_a_sandbox_is_known_by_itself(network, site, words):
    ran = network("trust", "--sandbox", *words)

    assert ran.code == 1
    assert "FAB901" in ran.err
    assert not (site / "trust").exists()


def test_a_misspelt_device_is_told(network):
    ran = network("trust", "--replace", "leaf-0-9")

    assert ran.code == 1
    assert "FAB902" in ran.err


EXAMPLES = (
    ("fabric trust", 2),
    ("fabric trust --target 'role:spine' --record", 0),
    ("fabric trust --replace leaf-0-0", 2),
    ("fabric trust --format csv", 2),
    ("fabric trust --sandbox", 0),
    ("fabric trust --sandbox --format json", 0),
)


def test_every_example_does_what_it_says(network):
    assert [words for words, _code in EXAMPLES] == list(ALL["trust"].examples)
    for words, code in EXAMPLES:
        ran = network(*shlex.split(words)[1:])

        assert ran.code == code, (words, ran.err)
