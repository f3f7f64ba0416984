"""Trees as XML, and what a complaint takes out of them."""

from __future__ import annotations

import copy

import msgspec
import pytest

from fabric.verification.instance_trees import Step, steps, take_out, to_xml


class Known(msgspec.Struct):
    """A node of models as the tests need it."""

    keys: tuple[str, ...] = ()
    below: dict[str, Known] = msgspec.field(default_factory=dict)


ROOT = Known(
    below={
        "box": Known(
            below={
                "port": Known(("name",), {"name": Known(), "mtu": Known()}),
                "member": Known(),
            }
        )
    }
)
TREE = {"m:box": {"port": [{"name": "a/1", "mtu": 9000}, {"name": "b", "mtu": 1500}], "member": ["x", "y"]}}


def taken(path, value=None):
    tree = copy.deepcopy(TREE)
    gone = take_out(tree, ROOT, steps(path), value)
    return gone, tree.get("m:box")


def test_a_path_is_split_outside_its_quotes():
    assert (
        Step("box", {}),
        Step("port", {"name": "a/1"}),
        Step("map", {"x": "it's", "y": "[2]"}),
        Step("mtu", {}),
    ) == steps("/m:box/port[name='a/1']/n:map[x=\"it's\"][y='[2]']/mtu")


def test_a_leaf_goes_alone():
    gone, box = taken("/m:box/port[name='a/1']/mtu")

    assert {"9000"} == gone
    assert [{"name": "a/1"}, TREE["m:box"]["port"][1]] == box["port"]


def test_an_entry_goes_with_its_key():
    gone, box = taken("/m:box/port[name='b']/name")

    assert {"b", "1500"} == gone
    assert ["a/1"] == [port["name"] for port in box["port"]]


def test_a_path_without_keys_is_told_by_the_value():
    gone, box = taken("/m:box/port/mtu", "1500")

    assert {"1500"} == gone
    assert [{"name": "a/1", "mtu": 9000}, {"name": "b"}] == box["port"]


def test_one_of_a_leaf_list_goes():
    gone, box = taken("/m:box/member[.='y']")

    assert ({"y"}, ["x"]) == (gone, box["member"])


@pytest.mark.parametrize("path", ["", "/m:box/none", "/m:box/port[name='c']/mtu", "/x"])
def test_what_is_not_there_is_none(path):
    assert None is taken(path)[0]


def test_xml_names_the_space_where_the_module_changes():
    spaces = {"m": "urn:m", "n": "urn:n&"}
    tree = {"m:box": {"leaf": "<&>", "n:other": [True, False], "empty": None, "list": [{"k": 1}, {"k": 2}]}}

    assert (
        '<box xmlns="urn:m"><leaf>&lt;&amp;&gt;</leaf>'
        '<other xmlns="urn:n&amp;">true</other><other xmlns="urn:n&amp;">false</other>'
        "<empty></empty><list><k>1</k></list><list><k>2</k></list></box>"
    ) == to_xml(tree, spaces)
