"""Several files as one configuration."""

from __future__ import annotations

import pytest

from fabric.configuration import (
    Dialect,
    Files,
    Flat,
    Indented,
    Keyed,
    Section,
    Statement,
    compare,
    merge,
    read,
)

PORT = Section(Statement("mtu {bytes}"), Statement("admin_status {state}"))
ROWS = Section(Statement("<port>", below=PORT))
DIALECT = Dialect(
    syntax=Files(
        mark="#!part ",
        syntaxes={"config.json": Keyed(), "frr.conf": Indented(step=" "), "empty.conf": Indented()},
    ),
    top=Section(
        Statement(
            "config.json",
            is_container=True,
            is_by_path=True,
            below=Section(Statement("PORT", is_container=True, below=ROWS)),
        ),
        Statement(
            "frr.conf",
            is_container=True,
            below=Section(
                Statement("router bgp {asn}", below=Section(Statement("neighbor <peer> remote-as {asn}")))
            ),
        ),
        Statement("empty.conf", is_container=True),
    ),
    mask=str,
)
TEXT = """#!part config.json
{
    "PORT": {
        "Ethernet0": {
            "mtu": "9100"
        },
        "Ethernet4": {
            "mtu": "9100"
        }
    }
}
#!part frr.conf
router bgp 65001
 neighbor 10.0.0.1 remote-as 65002
"""


def what(old: str, new: str) -> list[str]:
    return [one.what for one in compare(DIALECT, "x", DIALECT.plain(old), DIALECT.plain(new)).changes]


def test_a_change_is_named_with_its_file_and_table():
    assert what(TEXT, TEXT.replace("9100", "9000", 1)) == ["config.json PORT Ethernet0"]
    assert what(TEXT, TEXT.replace("65002", "65003")) == ["frr.conf router bgp"]


def test_a_diff_shows_lines_as_they_stand_in_the_file_with_their_numbers():
    new = TEXT.replace('"mtu": "9100"', '"mtu": "9000"', 1)
    diff = compare(DIALECT, "x", DIALECT.plain(TEXT), DIALECT.plain(new)).diff.splitlines()

    assert '-            "mtu": "9100"' in diff
    assert '+            "mtu": "9000"' in diff
    assert diff[2] == "@@ -4,3 +4,3 @@ config.json PORT Ethernet0"


def test_files_are_written_in_their_order_and_what_is_not_there_is_not_made():
    nodes = DIALECT.tree(reversed(DIALECT.pieces(TEXT).values()), defaults=True)
    assert DIALECT.written(nodes.values()).index("config.json") < DIALECT.written(nodes.values()).index("frr")
    assert "empty.conf" not in DIALECT.written(nodes.values())


@pytest.mark.parametrize("text", [TEXT + "#!part empty.conf\n"])
def test_a_file_without_lines_is_still_a_file(text):
    assert DIALECT.written(DIALECT.tree(DIALECT.pieces(text).values(), defaults=True).values()) == text
    assert what(TEXT, text) == ["empty.conf"]


def test_a_foreign_row_is_kept_in_its_table():
    theirs = TEXT.replace('"Ethernet4": {', '"Ethernet8": {\n "mtu": "1500"\n },\n "Ethernet4": {')
    merged = merge(DIALECT, TEXT, DIALECT.plain(theirs), None)

    assert what(merged.text, theirs) == []
    assert merged.kept == ("Ethernet8", "mtu 1500")


WHOLES = Dialect(
    syntax=Files(
        mark="#!part ",
        syntaxes={"lines": Flat(), "text": Flat(), "hidden": Flat()},
        wholes=frozenset({"text"}),
        unseen=frozenset({"hidden"}),
    ),
    top=Section(
        Statement(
            "lines", below=Section(Statement("<key> {value}")), is_container=True, empty_is_absent=True
        ),
        Statement("text", is_free=True, empty_is_absent=True),
        Statement("hidden", below=Section(Statement("<key> {value}"))),
    ),
    mask=str,
)


def test_a_file_that_is_one_piece_is_shown_as_a_whole_with_its_numbers():
    old = "#!part lines\na 1\n#!part text\nx\nend\nx\nend\n"
    found = compare(WHOLES, "x", old, old.replace("x\nend\nx", "x\nend\ny"))

    assert [one.what for one in found.changes] == ["text"]
    assert found.diff.splitlines()[2:] == [
        "@@ -3,5 +3,5 @@ text",
        " #!part text",
        " x",
        " end",
        "-x",
        "+y",
        " end",
    ]


def test_files_that_a_device_does_not_show_are_read_and_not_compared():
    text = "#!part lines\na 1\n#!part hidden\nb 2\n"

    assert WHOLES.plain(text) == "#!part lines\na 1\n"
    assert [node.text for node in WHOLES.tree(WHOLES.pieces(text).values()).values()] == ["lines", "hidden"]


def test_nothing_that_stands_in_no_known_file_is_dropped_in_silence():
    text = "early\n#!part lines\na 1\n#!part other\nx\n#!part lines\nb 2\n#!part empty\n#!part lines\n"
    found = WHOLES.tree(WHOLES.pieces(text).values(), defaults=True)

    assert read(found.values(), None) == [
        (0, ""),
        (1, "early"),
        (4, "other"),
        (5, "x"),
        (6, "lines again"),
        (7, "b 2"),
        (8, "empty"),
        (9, "lines again again"),
    ]
    assert WHOLES.plain(WHOLES.plain(text)) == WHOLES.plain(text)


def test_a_line_that_nobody_reads_is_told_as_its_file_is_written():
    text = TEXT.replace('"mtu": "9100"', '"colour": "red"', 1).replace("neighbor 10.0.0.1", "strange")
    found = DIALECT.tree(DIALECT.pieces(text).values(), defaults=True)

    assert [line for _, line in read(found.values(), None)] == [
        "PORT Ethernet0 colour red",
        "strange remote-as 65002",
    ]
