"""A list of hosts is the job that it says, or is refused at its own lines: never another job in silence."""

from __future__ import annotations

import pytest

from fabric.documents.places import InvalidDocument
from fabric.documents.print_findings import placed_findings
from fabric.simulation.host_lists import decoded, named_hosts
from tests.simulation.sites import graph

FOUR = ["gpu-0-0", "gpu-0-1", "gpu-0-2", "gpu-1-3"]


def named(*lines):
    net = graph("lab-8").net
    return [net.names[node] for node in named_hosts(net, lines, "hosts.txt")]


@pytest.mark.parametrize(
    "lines",
    [
        ("gpu-0-[0-2]", "gpu-1-3"),
        ("host,rack", "gpu-0-0,1", "gpu-0-1", "# nobody", "gpu-0-2,x", "", "gpu-1-3"),
        ("rank;Host;rack", "0;gpu-0-0;", "1; gpu-0-1 ;2", '2;"gpu-0-2";', "3;gpu-1-3"),
        ("rank\thostname", "0\tgpu-0-0", "1\tgpu-0-[1-2]", "2\tgpu-1-3"),
        ("NODELIST", "gpu-0-[0-2],gpu-1-3"),
        ("gpu-0-0,gpu-0-[1,2],gpu-1-3",),
        ("gpu-0-0 gpu-0-1   # the first", "gpu-0-2, gpu-1-3,"),
        ("gpu-[0-0]-[0-2],gpu-[1-1]-[3-3]",),
    ],
)
def test_a_list_is_read_as_slurm_and_spreadsheets_write_it(lines):
    assert FOUR == named(*lines)


@pytest.mark.parametrize("word", ["gpu-[08-11]", "gpu-[8-11]", "gpu-[008]"])
def test_numbers_are_as_wide_as_the_first_of_their_range(word):
    from fabric.simulation.host_lists import unfolded

    expected = {
        "gpu-[08-11]": ["gpu-08", "gpu-09", "gpu-10", "gpu-11"],
        "gpu-[8-11]": ["gpu-8", "gpu-9", "gpu-10", "gpu-11"],
        "gpu-[008]": ["gpu-008"],
    }
    assert expected[word] == list(unfolded(word))


@pytest.mark.parametrize(
    "content", [b"\xef\xbb\xbfgpu-0-0\r\n", "\ufeffgpu-0-0\n".encode("utf-16-le"), "gpu-0-0".encode("utf-16")]
)
def test_byte_order_marks_are_dropped(content):
    assert ["gpu-0-0"] == decoded(content).splitlines()


WRONG = [
    ((), (1, 1), "the list has no hosts"),
    (("", "# all are commented out"), (1, 1), "the list has no hosts"),
    (("host,rack",), (1, 1), "the list has no hosts"),
    (("gpu-0-0", "gpu-0-9"), (2, 1), "`gpu-0-9` is not a host of compute"),
    (("gpu-0-0", "gpu-0-[0-1]"), (2, 1), "`gpu-0-0` of `gpu-0-[0-1]` is listed twice, first on line 1"),
    (("gpu-0-[1,1]",), (1, 1), "`gpu-0-1` of `gpu-0-[1,1]` is listed twice, first on line 1"),
    (("gpu-0-[0-9]",), (1, 1), "`gpu-0-4` and 5 more of `gpu-0-[0-9]` are not hosts of compute"),
    (("gpu-0-0 gpu-0-[1-2",), (1, 9), "`gpu-0-[1-2`: `[` is not closed"),
    (("gpu-0-[0-[1]]",), (1, 1), "`[` is not closed"),
    (("gpu-0-1]",), (1, 1), "`]` without `[` before it"),
    (("gpu-0-[2-0]",), (1, 1), "the range 2-0 ends before it begins"),
    (("gpu-0-[]",), (1, 1), "`` is neither a number nor a range"),
    (("gpu-0-[a-c]",), (1, 1), "`a-c` is neither a number nor a range"),
    (("gpu-0-[0-99999999]",), (1, 1), "the range 0-99999999 has 100,000,000 names"),
    (("host,rack", "gpu-0-0,1", ",2"), (3, 1), "no host in this row"),
    (("rank,host", "0,gpu-0-0", "1,gpu-0-8"), (3, 3), "`gpu-0-8` is not a host of compute"),
]


@pytest.mark.parametrize(("lines", "place", "rule"), WRONG, ids=[rule for _, _, rule in WRONG])
def test_what_is_wrong_is_told_with_its_place_and_a_fix(lines, place, rule):
    with pytest.raises(InvalidDocument) as refused:
        named(*lines)
    (finding,) = placed_findings(refused.value.diagnostics, refused.value.sources)

    assert ("FAB861", "hosts.txt", *place) == (finding.code, finding.file, finding.line, finding.column)
    assert rule in finding.rule
    assert finding.hint


def test_all_that_is_wrong_is_told_together():
    with pytest.raises(InvalidDocument) as refused:
        named("gpu-0-0", "gpu-0-[0", "gpu-0-9,gpu-0-0")
    findings = placed_findings(refused.value.diagnostics, refused.value.sources)

    assert [2, 3, 3] == [finding.line for finding in findings]
