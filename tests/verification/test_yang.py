"""libyang as an engine: loading, complaints, what is refused."""

from __future__ import annotations

import logging
import sys
from threading import get_ident

import pytest

from fabric.diagnostics import Refused, ToolMissing
from fabric.platforms.schema import (
    MAX_COMPLAINTS,
    MORE,
    Complaint,
    Instance,
    ModelSet,
    YangModule,
    labelled,
    without_secrets,
)
from fabric.verification import yang_models as finding
from fabric.verification.yang import Models
from tests.yang import need_libyang

pytestmark = pytest.mark.live
BOX = """module box {
  yang-version 1.1; namespace "urn:box"; prefix b;
  import more { prefix m; }
  feature fast;
  container box {
    list port {
      key name;
      leaf name { type string { pattern "[a-z]+[0-9]*"; } }
      leaf mtu { type uint16 { range "552..9216"; } }
      leaf speed { if-feature fast; type uint32; }
      leaf kind { mandatory true; type string; }
      choice way { case one { leaf in { type empty; } } leaf out { type m:yes; } }
    }
    leaf-list kinds { type leafref { path "../port/kind"; } }
    leaf-list member { type leafref { path "../port/name"; } }
  }
}"""
OTHER = """module more {
  namespace "urn:more"; prefix m;
  typedef yes { type enumeration { enum yes; } }
}"""
GOOD = {"box:box": {"port": [{"name": "a", "kind": "x", "mtu": 9000}], "member": ["a"]}}


@pytest.fixture
def folder(tmp_path):
    need_libyang()
    (tmp_path / "box@2024-01-01.yang").write_text(BOX)
    (tmp_path / "more.yang").write_text(OTHER)
    return tmp_path


def told(folder, tree, encoding="json", features=()):
    models = Models(folder, (YangModule("box", features),))
    return [(one.path, one.message) for one in models.complaints(Instance("box", tree, encoding))]


@pytest.mark.parametrize("encoding", ["json", "xml"])
def test_good_data_is_not_spoken_of(folder, encoding):
    assert [] == told(folder, GOOD, encoding)


@pytest.mark.parametrize("encoding", ["json", "xml"])
def test_all_mistakes_are_told_at_once_and_nothing_that_follows_from_them(folder, encoding):
    ports = [
        {"name": "A", "kind": "only"},  # taken out whole: that its kind dangles is no second complaint
        {"name": "b", "kind": "x", "mtu": 1},
        {"name": "c", "kind": "x", "colour": "red"},
        {"name": "d", "kind": "x", "out": "no"},
    ]

    found = told(folder, {"box:box": {"port": ports, "member": ["z"], "kinds": ["only"]}}, encoding)

    assert ["name", "mtu", "port[name='c']", "out", "member[.='z']"] == [
        path.rpartition("/")[2] for path, _message in found
    ]


def test_a_missing_leaf_is_a_complaint_unless_it_was_taken_out(folder):
    assert 1 == len(told(folder, {"box:box": {"port": [{"name": "a"}]}}))
    assert 1 == len(told(folder, {"box:box": {"port": [{"name": "a", "kind": 7}]}}))


def test_complaints_are_counted_up_to_a_number(folder):
    ports = [{"name": f"a{number}", "kind": "x", "mtu": 1} for number in range(2 * MAX_COMPLAINTS)]

    found = told(folder, {"box:box": {"port": ports}})

    assert MAX_COMPLAINTS + 1 == len(found)
    assert ("", MORE.message) == found[-1]


def test_a_feature_is_off_unless_it_is_named(folder):
    tree = {"box:box": {"port": [{"name": "a", "kind": "x", "speed": 1}]}}

    assert 1 == len(told(folder, tree))
    assert [] == told(folder, tree, features=("fast",))


def test_the_data_is_left_as_it_was(folder):
    tree = {"box:box": {"member": ["z"]}}

    assert told(folder, tree)
    assert {"box:box": {"member": ["z"]}} == tree


def test_what_the_converter_found_comes_first(folder):
    models = Models(folder, (YangModule("box"),))
    own = Complaint("/x", "no such table")

    assert own == models.complaints(Instance("box", {"box:box": {"member": ["z"]}}, complaints=(own,)))[0]


def test_nodes_tell_what_a_converter_asks(folder):
    box = Models(folder, (YangModule("box"),)).root.below["box"]
    port = box.below["port"]

    assert ("list", ("name",)) == (port.kind, port.keys)
    assert {"name": "leaf", "mtu": "leaf", "kind": "leaf", "in": "empty", "out": "leaf"} == {
        name: node.kind for name, node in port.below.items()
    }
    assert "leaf-list" == box.below["member"].kind
    assert ("box:box", "port") == (
        labelled(box, Models(folder, (YangModule("box"),)).root),
        labelled(port, box),
    )


def test_nothing_is_said_to_the_log_of_others(folder, caplog):
    with caplog.at_level(logging.DEBUG):
        told(folder, {"box:box": {"member": ["z"]}})

    # Connections of earlier tests may still end in threads of theirs.
    assert [] == [record.getMessage() for record in caplog.records if record.thread == get_ident()]


@pytest.mark.parametrize(
    ("broken", "reason"), [("", "rejects"), ("module box {", "rejects"), (None, "no module box")]
)
def test_models_that_do_not_load_are_refused(folder, broken, reason):
    (folder / "box@2024-01-01.yang").unlink()
    if broken is not None:
        (folder / "box.yang").write_text(broken)

    with pytest.raises(Refused, match=reason):
        Models(folder, (YangModule("box"),))


def test_an_import_that_is_not_there_is_refused(folder):
    (folder / "more.yang").unlink()

    with pytest.raises(Refused, match="rejects"):
        Models(folder, (YangModule("box"),))


def test_files_of_several_folders_are_amended_and_loaded(folder):
    (folder / "common").mkdir()
    (folder / "more.yang").rename(folder / "common" / "more.yang")
    (folder / "box@2024-01-01.yang").write_text(BOX.replace("urn:box", "urn:%%"))
    files = finding.model_files(folder)

    made = finding.loaded(
        ModelSet(
            name="box",
            files=files,
            load=(YangModule("box"),),
            amend=lambda _name, text: text.replace("%%", "box"),
        )
    )

    assert () == made.complaints(Instance("box", GOOD, "xml"))


def test_a_file_that_is_too_large_is_refused(folder, monkeypatch):
    monkeypatch.setattr(finding, "MAX_FILE_BYTES", 10)
    models = ModelSet(name="box", files=finding.model_files(folder), load=(), amend=lambda _name, text: text)

    with pytest.raises(Refused, match="has more than"):
        finding.loaded(models)


def test_a_tree_that_cannot_be_meant_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(finding, "MAX_ENTRIES", 2)
    for number in range(3):
        (tmp_path / f"{number}.txt").touch()

    with pytest.raises(Refused, match="more than 2 files"):
        finding.model_files(tmp_path)


def test_without_the_binding_the_way_to_it_is_told(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "libyang", None)

    with pytest.raises(ToolMissing, match=r"pipx install \'\.\[yang\]\'"):
        Models(tmp_path, ())


def test_a_secret_becomes_a_word_of_the_right_form():
    assert "key 0123 end" == without_secrets("key <secret:env:KEY> end", "0123")
