"""What a row of a table may say beside its pattern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fabric.configuration import (
    TEXT,
    Dialect,
    Effect,
    Indented,
    Node,
    Section,
    Statement,
    compare,
    merge,
    quiet,
    read,
)
from fabric.devices.model import Switch
from fabric.planning import Impact
from fabric.planning.judging import judged
from tests.planning.toy import pod


def each_vlan(parts: Mapping[str, str]) -> Iterator[str]:
    return (f"vlan {number}" for number in parts["numbers"].split(","))


CLASSED = Effect("buffer", "packets are classed anew", new="none")
ANEW = Effect("flap", "sessions built anew", "session")
TOY = Dialect(
    syntax=Indented(texts=(("banner", "EOF"),)),
    top=Section(
        Statement("vlan <numbers>", expands=each_vlan, below=Section(Statement("name {name*}"))),
        Statement("user <name> key <key>", topic="user {name}"),
        Statement("snmp <words*>", is_unread=True, effect=Effect("none", "no traffic of hosts")),
        Statement("class <name>", below=Section(Statement("match <point>"), effect=CLASSED), effect=CLASSED),
        Statement(
            "split <cage>",
            ports=lambda parts: (f"p{parts['cage']}", f"p{parts['cage']}/1"),
            effect=Effect("flap", "its ports are made anew", "port"),
        ),
        Statement("banner", is_free=True),
        Statement(
            "bgp",
            below=Section(
                Statement("group <group>", below=Section(Statement("hold {s}")), effect=ANEW),
                Statement("neighbor <peer>", below=Section(Statement("member {group}")), effect=ANEW),
            ),
        ),
    ),
    mask=lambda text: text,
)


def differing(old: str, new: str) -> list[tuple[str, str]]:
    return [(change.what, change.action) for change in compare(TOY, "x", old, new).changes]


def impact(old: str, new: str) -> tuple[Impact, tuple[str, ...]]:
    (switch, *_) = pod().switches.values()
    assert isinstance(switch, Switch)
    (change,) = judged(compare(TOY, "x", old, new).changes, switch)
    return change.impact, change.scope.ports


def test_a_line_for_several_things_says_the_same_as_a_line_for_each():
    assert [] == differing("vlan 1,2,3\nvlan 2\n name b\n", "vlan 2\n name b\nvlan 3\nvlan 1\n")
    assert [("vlan 3", "-")] == differing("vlan 1,2,3\nvlan 2\n name b\n", "vlan 2\n name b\nvlan 1\n")


def test_a_topic_may_have_a_part_of_the_line():
    assert [("user a", "+")] == differing("user b key 1\n", "user a key 1\nuser b key 1\nuser a key 2\n")


def test_a_line_may_be_judged_without_being_read():
    unread = read(TOY.tree(TOY.pieces("vlan 1\nsnmp a b\n").values()).values(), None)

    assert [(2, "snmp a b")] == unread
    assert (Impact.NONE, ()) == impact("vlan 1\n", "vlan 1\nsnmp a b\n")


def test_a_new_line_of_an_old_section_is_no_new_section():
    assert Impact.NONE is impact("vlan 1\n", "vlan 1\nclass a\n match 1\n")[0]
    assert Impact.BUFFER is impact("class a\n match 1\n", "class a\n match 1\n match 2\n")[0]
    assert Impact.BUFFER is impact("class a\n match 1\n", "class a\n match 1\n else\n")[0]


def test_a_line_may_concern_several_ports():
    assert (Impact.FLAP, ("p5", "p5/1")) == impact("split 4\n", "split 4\nsplit 5\n")


def test_of_several_ports_that_a_line_may_concern_those_count_that_are_there():
    assert (Impact.FLAP, ("p1",)) == impact("split 4\n", "split 4\nsplit 1\n")


def test_the_group_of_a_neighbor_may_stand_below_it():
    old = "bgp\n group g\n  hold 9\n neighbor p1\n  member g\n neighbor p2\n  member h\n"

    assert (Impact.FLAP, ("p1",)) == impact(old, old.replace("hold 9", "hold 3"))
    assert (Impact.FLAP, ("p2",)) == impact(old, old.replace("member h", "member g"))


def test_the_plain_form_keeps_every_line_of_a_text():
    banner = "banner\n! Beware\n\n  of the dog\nEOF\n"

    assert f"vlan 1\n{banner}vlan 2\n" == TOY.plain(f"! ours\nvlan 1\n\n{banner}\nvlan 2\n")
    assert "vlan 1\nbanner\n\n" == TOY.plain("vlan 1\nbanner\n\n")


def test_a_comment_at_the_margin_ends_no_section():
    text = "! ours\n\n  vlan 1\n name a\n! mine\n\n name b\nvlan 2\n"

    assert {"vlan 1": 3, "vlan 2": 8} == {key: piece.number for key, piece in TOY.pieces(text).items()}
    assert [(4, "name a"), (7, "name b")] == [
        (line.number, line.text) for line in TOY.syntax.lines(TOY.pieces(text)["vlan 1"])[0].below
    ]


ORDERED = Dialect(
    syntax=Indented(),
    top=Section(
        Statement(
            "policy <name>",
            below=Section(
                Statement("term <name>", below=Section(), order_counts=True), Statement("note {text}")
            ),
        )
    ),
    mask=lambda text: text,
)


def test_a_foreign_line_whose_place_says_something_stays_behind_the_one_that_it_followed():
    ours = "policy p\n   term first\n   term last\n"
    theirs = "policy p\n   term own\n   term first\n   note x\n   term theirs\n      drop\n   term last\n"
    merged = merge(ORDERED, ours, theirs, ours)

    assert theirs == merged.text
    assert ("term own", "note x", "term theirs", "drop") == merged.kept
    assert merged == merge(ORDERED, ours, merged.text, ours)


class Group:
    """What is read of a group."""

    def __init__(self) -> None:
        self.sizes: list[int] = []


def _size(group: Group, parts: Mapping[str, str]) -> None:
    group.sizes.append(int(parts["size"]))


def _finish(groups: list[list[int]], group: Group) -> None:
    if not group.sizes:
        raise ValueError
    groups.append(group.sizes)


def _note(groups: list[list[int]], parts: Mapping[str, str]) -> None:
    groups.append([len(parts[TEXT])])


def _grows(old: Node | None, new: Node | None) -> str:
    return "" if old is None else f"{len(old.below)} become {len(new.below) if new else 0}"


SIZES = Section(Statement("size {size}", reads=_size, is_once=True), Statement("of <kind>", reads=_size))
WHOLE = Dialect(
    syntax=Indented(),
    top=Section(
        Statement(
            "group <name>",
            reads=lambda _groups, _parts: Group(),
            finish=_finish,
            below=SIZES,
            sums_up=_grows,
            effect=Effect("flap", "its members change"),
        ),
        Statement("note <name>", reads=_note, is_free=True),
    ),
    mask=lambda text: text,
)


def whole(text: str) -> tuple[list[list[int]], list[tuple[int, str]]]:
    """What is read of groups, and what is not."""
    groups: list[list[int]] = []
    found = WHOLE.tree(WHOLE.pieces(text).values(), defaults=True)
    return groups, read(found.values(), groups)


def test_what_counts_as_a_whole_is_read_as_a_whole_or_not_at_all():
    assert ([[4]], []) == whole("group a\n size 4\n")
    assert ([[5]], [(1, "group a"), (2, "size 4"), (3, "unknown")]) == whole(
        "group a\n size 4\n unknown\ngroup b\n size 5\n"
    )
    assert ([], [(1, "group a")]) == whole("group a\n")


def test_a_line_that_makes_no_sense_to_its_reader_is_unread():
    assert ([], [(1, "group a"), (2, "size four")]) == whole("group a\n size four\n")


def test_a_second_line_that_must_be_once_is_one_that_nobody_knows():
    assert ([], [(1, "group a"), (2, "size 4"), (3, "size 5")]) == whole("group a\n size 4\n size 5\n")
    assert [("group a", "~")] == [
        (one.what, one.action)
        for one in compare(WHOLE, "x", "group a\n size 4\n", "group a\n size 4\n size 5\n").changes
    ]


def test_the_reader_of_a_text_is_given_the_text():
    assert ([[8]], []) == whole("note a\n one\n two\n")


def test_a_foreign_line_is_not_carried_along_in_what_counts_as_a_whole():
    ours, theirs = "group a\n   size 4\n", "group a\n size 4\n of b\ngroup c\n size 1\n"

    merged = merge(WHOLE, ours, theirs, None)

    assert f"{ours}group c\n   size 1\n" == merged.text
    assert [("group c", ["size 1"])] == [
        (foreign.node.text, [node.text for node in foreign.node.below.values()]) for foreign in merged.foreign
    ]


def test_a_change_may_be_summed_up_in_words():
    (switch, *_) = pod().switches.values()
    known = [
        compare(WHOLE, "x", old, new).changes for old, new in (("", "group a\n"), ("group a\n size 4\n", ""))
    ]

    assert ["its members change", "1 become 0"] == [judged(changes, switch)[0].reason for changes in known]


def test_a_quiet_line_is_judged_by_its_place_unless_it_touches_no_traffic():
    text = Statement("description {text*}", effect=Effect("none", "text only"))
    link = Statement("link", below=Section(text, Statement("mtu {bytes}"), effect=ANEW), access="removed")
    alone = quiet(link)
    below = alone.below

    assert below is not None
    assert (alone.effect, alone.access, below.effect) == (None, None, None)
    assert [(one.effect, one.access) for one in below.statements] == [(text.effect, "none"), (None, None)]
