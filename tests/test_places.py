"""The places that the code names exist: each is a path of the schema of its document."""

from __future__ import annotations

from pathlib import Path

import fabric
from fabric.diagnostics import Origin
from tests.place_literals import is_allowed, named, named_in, strays
from tests.places import allowed

PACKAGE = Path(fabric.__file__).parent


def test_every_place_that_the_code_names_is_in_a_schema():
    assert strays(PACKAGE) == []


def test_most_places_are_read_from_the_code():
    whole = [place for _, _, place in named_in(PACKAGE) if place.is_whole]

    assert len(whole) > 200


def test_a_place_that_no_schema_has_would_be_found(tmp_path):
    (tmp_path / "a.py").write_text(
        "def check(switch, kind):\n"
        '    network = Origin(("networks", switch.network))\n'
        '    yield network.child("routing", "bgp")\n'
        '    yield network.child("attach")\n'
        '    yield switch.origin.child("host_links")\n'
        '    yield kind.origin.child("nowhere")\n'
        '    yield Origin(("clases",), f"policy:{kind}")\n'
    )

    assert [line.split(":")[1] for line in strays(tmp_path)] == ["4", "5", "6", "7"]


def test_a_name_that_stands_for_two_places_is_not_guessed():
    source = 'at = Origin(("site",))\nat = other\nat.child("units")\n'

    assert [is_allowed(place) for _, place in named(source)] == [True, True]


def test_a_place_is_judged_by_its_document():
    assert allowed(Origin(("networks", "compute", "tiers", "leaf", "model")))
    assert allowed(Origin(("drained", 3, "device"), "state"))
    assert not allowed(Origin(("drained", 3, "device")))
    assert not allowed(Origin(("networks", "compute", "attach")))
    assert not allowed(Origin(("classes", "roce", "quue"), "policy:roce"))
