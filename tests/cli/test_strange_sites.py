"""Sites that are odd but legal, and requests that cannot be: each gets an answer, or an error that says what to do."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from fabric.linting import Example
from fabric.linting.example_site import files_of

OUT = 'reason: old optics, owner: ann, expires: "2099-01-01"'
SWITCHES = [f"spine-{plane}-{number}" for plane in (0, 1) for number in (0, 1)]
SWITCHES += [f"leaf-{unit}-{plane}-{rail}" for unit in (0, 1) for plane in (0, 1) for rail in (0, 4)]
DRAINED = "drained:\n" + "".join(f"  - {{device: {name}, {OUT}}}\n" for name in SWITCHES)
ONE_HOST = "units: 1\nhosts: {gpu: {per_unit: 1}}\n"
ONE_NIC = (
    "units: 1\nhosts: {gpu: {per_unit: 2, gpus: 1, nics: {compute: {count: 1, ports: 1}}}}\n"
    "networks: {compute: {rails: {leaves: 1}, planes: {count: 1}}}\n"
)
STRANGE = {
    "one host": (Example("two-tier", ONE_HOST), "FAB860"),
    "one NIC": (Example("two-tier", ONE_NIC), ""),
    "no GPUs": (Example("two-tier", "hosts: {gpu: {gpus: 0}}\n"), "FAB860"),
    "one host on InfiniBand": (
        Example("infiniband", ONE_HOST + "attachments: {sm-2: {to: {unit: 0}}}\n"),
        "FAB860",
    ),
    "all is drained": (Example("two-tier", "", {"state.yaml": DRAINED}), "FAB862"),
}
"""Each with the error that `simulate` has; empty: an answer."""


@pytest.fixture
def strange(site):
    """Write an example in the place of the site."""

    def write(example):
        (site / "inventory.yaml").unlink()
        for name, text in files_of(example, datetime.now(UTC).date()).items():
            (site / name).write_text(text)

    return write


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_site_gets_an_answer_or_an_error_with_its_fix(fabric, strange, name):
    example, error = STRANGE[name]
    strange(example)
    judged = [fabric(*words) for words in (("lint",), ("impact",), ("impact", "--pairs"))]
    simulated = fabric("simulate")

    assert [0, 0, 0] == [ran.code for ran in judged]
    assert (1 if error else 0) == simulated.code
    assert error in simulated.err
    assert ("hint: " in simulated.err) is bool(error)
    assert "FAB999" not in "".join(ran.out + ran.err for ran in (*judged, simulated))


@pytest.mark.parametrize("line", ["host-{}\n", "gpu-0-0\n"])
def test_a_list_with_very_many_mistakes_is_not_read_to_its_end(fabric, strange, site, line):
    strange(Example("two-tier"))
    (site / "job").write_text("".join(line.format(number) for number in range(100_000)))
    ran = fabric("simulate", "--hosts", "job")

    assert ran.code == 1
    assert "from here on it is not read" in ran.err
    assert 51 == ran.err.count("FAB861: ")


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "--size", "0"),
        ("simulate", "--size", "999999999TB"),
        ("simulate", "--gpus", "100000000"),
        ("simulate", "--qps", "1000000"),
        ("simulate", "--tp", "100000"),
        ("impact", "--take", ","),
        ("impact", "--take", "spine-99"),
        ("impact", "--top", "0"),
        ("size", "--gpus", "64", "--nic", "0G"),
        ("size", "--gpus", "64", "--nic", "400G", "--oversubscription", "-1:1"),
        ("size", "--gpus", "64", "--nic", "400G", "--oversubscription", "1:0"),
    ],
    ids=" ".join,
)
def test_a_request_that_cannot_be_is_refused_with_what_to_do(fabric, words):
    ran = fabric(*words)

    assert ran.code == 1
    assert "hint: " in ran.out + ran.err
    assert "FAB999" not in ran.out + ran.err
