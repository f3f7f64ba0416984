"""Columns and devices of the tables that commands print: what was asked for is there, and nothing goes in silence."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pytest

from fabric.cli.commands import show
from fabric.cli.known_names import views_of
from fabric.cli.printing.choose_columns import with_columns
from fabric.cli.printing.write_tables import Measure, fitting, write_terminal
from fabric.compiler import open_site
from fabric.resources import resource
from fabric.tables.chosen_names import targeted

LAB = resource("inventories") / "reference" / "lab-8"


@pytest.fixture(scope="module")
def tables():
    views = views_of(open_site(LAB), None)
    return {name: table for name, make in show.LISTS.items() for table in make(views, None)}


@pytest.mark.parametrize("name", show.LISTS)
@pytest.mark.parametrize("width", [40, 80])
def test_what_a_terminal_has_no_room_for_is_named_and_all_else_is_printed_whole(
    tables, monkeypatch, name, width
):
    monkeypatch.setenv("COLUMNS", str(width))
    table, stream = tables[name], io.StringIO()
    _count, left_out = write_terminal(table, stream, color=False)
    kept, missing = fitting(table, Measure.of(table), width)
    rows = [table.cells(row) for row in table.rows()]
    texts = [table.columns[at].heading for at in kept] + [row[at] for row in rows for at in kept]

    assert tuple(table.columns[at].heading for at in missing) == left_out
    assert Counter("".join(texts).replace(" ", "")) == Counter("".join(stream.getvalue().split()))
    silent = set(range(len(table.columns))) - {*kept, *missing}
    assert not [row for row in rows if any(row[at] for at in silent)]


@pytest.mark.parametrize("name", show.LISTS)
def test_chosen_columns_are_those_of_the_whole_table_in_the_order_asked_for(tables, monkeypatch, name):
    table = tables[name]
    keys = [column.key for column in table.columns][::-2]
    monkeypatch.setenv("COLUMNS", "30")
    (chosen,), without = with_columns((table,), keys)

    assert without == ()
    assert [{key: record[key] for key in keys} for record in map(table.record, table.rows())] == [
        chosen.record(row) for row in chosen.rows()
    ]
    assert [column.key for column in chosen.columns] == keys
    assert write_terminal(chosen, io.StringIO(), color=False)[1] == ()


def test_columns_work_in_every_format(fabric):
    asked = ("show", "links", "--columns", "peer,device")

    assert fabric(*asked).out.split()[:2] == ["PEER", "DEVICE"]
    rows = list(csv.DictReader(io.StringIO(fabric(*asked, "--format", "csv").out)))
    assert rows == json.loads(fabric(*asked, "--format", "json").out)["links"]
    assert list(rows[0]) == ["peer", "device"]


def test_an_unknown_column_is_refused_with_the_nearest_one_before_anything_is_printed(fabric):
    done = fabric("show", "devices", "--columns", "device,modle")

    assert done.code == 1
    assert done.out == ""
    assert "there is no column 'modle': did you mean 'model'?" in done.err


def test_a_table_without_any_of_the_columns_is_named(fabric):
    done = fabric("show", "models", "--columns", "platforms")

    assert "left out, as they have none of the columns: hosts" in done.err


def test_columns_say_that_they_did_nothing_where_no_table_was_printed(fabric):
    assert "--columns has done nothing" in fabric("explain", "FAB615", "--columns", "code").err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("role:leaf",), {"leaf-0-0", "leaf-0-1", "leaf-0-2", "leaf-0-3"}),
        (("rail:3", "role:spine"), {"leaf-0-3", "spine-0", "spine-1"}),
        (("role:leaf,rail:[0,1]",), {"leaf-0-0", "leaf-0-1"}),
        (("role:host,unit:0",), {"gpu-0-0", "gpu-0-1", "gpu-0-2", "gpu-0-3"}),
        (("tag:red,role:host",), {"gpu-0-0"}),
        (("tag:red,rail:2",), {"leaf-0-2"}),
    ],
)
def test_a_target_chooses_switches_and_hosts(site, words, expected):
    (site / "inventory.yaml").write_text("hosts:\n  gpu-0-0: {tags: [red]}\n")

    assert targeted(words, views_of(open_site(site), None)) == expected


def test_a_link_and_an_address_are_shown_for_a_target(fabric):
    links = json.loads(fabric("show", "links", "--target", "rail:2,role:leaf", "--format", "json").out)[
        "links"
    ]
    addresses = json.loads(fabric("show", "addresses", "--target", "role:spine", "--format", "json").out)

    assert len(links) == 4 + 4 + 4 - 4
    assert all("leaf-0-2" in (link["device"], link["peer"]) for link in links)
    assert {row["device"] for row in addresses["addresses"]} == {"spine-0", "spine-1"}


@pytest.mark.parametrize("word", ["role:leef", "colour:red", "role:spine,rail:0"])
def test_a_target_that_matches_nothing_is_refused_as_plan_does(fabric, word):
    done = fabric("show", "devices", "--target", word)

    assert done.code == 1
    assert "FAB615" in done.err


def test_a_list_that_targets_do_nothing_to_refuses_them(fabric):
    assert "--target goes with devices, links" in fabric("show", "sizing", "--target", "rail:0").err


@pytest.mark.parametrize("word", ["*", "role:spine", "role:host,unit:0", "rail:1", "leaf-0-2", "gpu-0-0"])
def test_parts_for_a_target_are_itself_and_the_cables_that_end_there(fabric, site, word):
    def listed(what, *more):
        return json.loads(fabric("show", what, *more, "--format", "json").out)[what]

    parts, every = listed("bom", "--target", word), listed("bom")
    names = targeted((word,), views_of(open_site(site), None))
    switches = {row["device"] for row in listed("devices")}

    assert counted(parts, "switch") == len(switches & names)
    assert counted(parts, "host") == len(names - switches)
    assert counted(parts, "cable") == len({run["cable"] for run in listed("cables", "--target", word)})
    assert all(any(is_part_of(part, whole) for whole in every) for part in parts)
    assert (parts == every) == (word == "*")


def counted(parts, kind):
    return sum(part["count"] for part in parts if part["kind"] == kind)


def is_part_of(part, whole):
    """Whether some of the same are listed."""
    numbers = ("count", "spares")
    kinds = [{key: row[key] for key in row if key not in numbers} for row in (part, whole)]
    return kinds[0] == kinds[1] and all(part[number] <= whole[number] for number in numbers)
