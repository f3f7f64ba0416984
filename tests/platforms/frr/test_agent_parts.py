"""The agent compares what files say: comments are no difference, every other line is one."""

from __future__ import annotations

import pytest

from fabric.platforms.frr.agent.parts import PARTS, ROUTING, differs
from tests.platforms.frr import sites

OTHERS = [name for name in PARTS if name != ROUTING]


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    site = sites.eight("ipv4")
    return dict(site.files[site.of_role("leaf")[0]])


def also(line: str, comment: str) -> list[str]:
    """A line, with a comment before it."""
    return [line] if line.startswith("#!") else [comment, "", line]


def test_a_switch_has_most_files(files: dict[str, str]) -> None:
    assert len(set(OTHERS) & set(files)) >= 5


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("comment", ["# by hand", "  # by hand", "#", "; by hand"])
def test_a_comment_is_a_difference_only_where_it_is_none(
    name: str, comment: str, files: dict[str, str]
) -> None:
    text = files.get(name, "a line\n")
    other = "\n".join(part for line in text.splitlines() for part in also(line, comment)) + "\n"
    says_nothing = comment != "; by hand" or name in ("sysctl.conf", "qos.service")

    assert differs(name, other, text) is not says_nothing
    assert differs(name, text, other) is not says_nothing


@pytest.mark.parametrize("name", OTHERS)
def test_every_line_that_says_something_is_a_difference(name: str, files: dict[str, str]) -> None:
    lines = files.get(name, "").splitlines()
    for number, line in enumerate(lines):
        without = "\n".join(lines[:number] + lines[number + 1 :])
        says_nothing = line.strip() == "" or (line.lstrip().startswith("#") and not line.startswith("#!"))

        assert differs(name, without, files[name]) is not says_nothing, line


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("qos.sh", "echo '\n# one\n'\n", "echo '\n# two\n'\n"),
        ("qos.sh", "cat <<E\n# one\nE\n", "cat <<E\n# two\nE\n"),
        ("qos.sh", "#!/bin/bash\n", "#!/bin/sh\n"),
        ("daemons", "a=b\\\n# c\nd=e\n", "a=b\\\nd=e\n"),
        ("daemons", "bgpd=yes\n", "#bgpd=yes\n"),
        ("sysctl.conf", "a = 1 # one\n", "a = 1 # two\n"),
    ],
)
def test_what_only_looks_like_a_comment_is_a_difference(name: str, old: str, new: str) -> None:
    assert differs(name, new, old)


def test_a_file_that_is_not_there_is_a_difference() -> None:
    assert differs("daemons", "# nothing\n", None)
