"""`fabric why` and `fabric where`: what they print, for people and for programs."""

from __future__ import annotations

import json


def test_a_line_is_shown_with_its_section_its_meaning_and_its_places(fabric):
    ran = fabric("why", "leaf-0-0", "mtu 9000")

    assert ran.code == 0
    assert "  interface Ethernet1/1\n     mtu 9000\n" in ran.out
    assert "IP MTU of Ethernet1/1 = 9,000 B" in ran.out
    assert "default of the language (not written)  networks.compute.ip_mtu = 9000" in ran.out


def test_the_document_has_the_same(fabric):
    document = json.loads(fabric("why", "leaf-0-0", "mtu 9000", "--format", "json").out)
    facts = [fact for cause in document["causes"] for fact in cause["facts"]]

    assert document["printed"]["product"] == "Arista EOS"
    assert {"networks.compute.ip_mtu"} == {
        value["key"] for fact in facts if "MTU" in fact["meaning"] for value in fact["values"]
    }


def test_many_lines_are_cut_off_and_counted(fabric):
    ran = fabric("why", "leaf-0-0", "e", "--top", "1")

    assert "more: say more words, or --top" in ran.err


def test_words_or_a_number_are_needed_and_not_both(fabric):
    for words in ((), ("mtu", "--line", "3")):
        ran = fabric("why", "leaf-0-0", *words)
        assert (ran.code, "FAB901" in ran.err) == (1, True)


def test_what_is_not_there_is_refused(fabric):
    assert "FAB920" in fabric("why", "leaf-9-9", "mtu").err
    assert "FAB921" in fabric("why", "leaf-0-0", "no such words").err
    assert "FAB922" in fabric("where", "networks.compute.nothing").err
    assert "FAB923" in fabric("where", "other.yaml:3").err


def test_a_value_is_shown_with_what_it_makes(fabric):
    ran = fabric("where", "networks.compute.ip_mtu")

    assert "leaf, " in ran.out or "leaves, " in ran.out
    assert "mtu 9000" in ran.out
