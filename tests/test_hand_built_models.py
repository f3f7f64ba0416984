"""Tests of platforms write intents: what no YAML can bring about proves nothing, and hides what it does bring about.

A number put into a model by hand (`size: 256`) stood twice for a text that the intent makes of it (`256B`).
"""

from __future__ import annotations

import ast
import enum
import pkgutil
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("tests/platforms", "tests/verification/test_check_schemas.py")
"""Where nothing is built by hand."""
FACTS = ("cumulus", "eos", "frr", "junos", "nxos", "sonic", "srlinux")
REASONS = {
    "test_every_platform.py": "takes a field of a derived switch away, as a control",
    "test_discards.py": "likewise",
    "test_meaning.py": "what a reader makes of a text, field by field",
    "test_safety.py": "flips what products support, which no intent sets",
    "sonic/test_headroom.py": "the arithmetic of a product's script, port by port",
    "changed.py": "changes one field of a derived switch, to see that its text or its facts do",
    "test_needs.py": "flips what products support, which no intent sets",
    **dict.fromkeys(
        (f"{folder}read_policies.py" for folder in ("", "cumulus/", "junos/", "srlinux/")),
        "what a reader makes of a text, as policies",
    ),
    **dict.fromkeys(
        (
            "frr/bench.py",
            "junos/emulated.py",
            "nxos/test_emulator.py",
            "nxos/test_session.py",
            "opensm/test_trust.py",
            "recorded_devices.py",
            "sonic/test_session.py",
            "srlinux/bench.py",
        ),
        "how a device is reached, and what it boots with",
    ),
    "test_routing_policy.py": "changes one clause of a derived policy, as a control",
    **dict.fromkeys(
        (
            "expected_facts.py",
            "junos/policies.py",
            "srlinux/policies.py",
            "srlinux/services.py",
            *(f"{name}/facts.py" for name in FACTS),
        ),
        "facts of a derived switch, with what its product rounds or leaves out",
    ),
}
"""Modules that change a value by hand for good."""
MODELS = re.compile(
    r"fabric\.((devices|qos|hardware)(\.hosts|\.infiniband)?\.(routing_)?model|intent\.model(\.\w+)?|platforms\.\w+\.model(_\w+)?)"
)
"""Modules whose classes are made by a stage, from an intent and the catalogue."""
BUILDERS = {"builds", "convert", "from_dict", "partial"}
"""Functions that build an object of a class that they are given."""


@pytest.mark.parametrize("place", FOLDERS)
def test_no_model_is_built_by_hand(place):
    paths = [path for path in modules(place) if name_of(path) not in REASONS]

    assert paths
    assert [] == hand_built(paths)


def test_what_no_longer_builds_by_hand_has_left_the_list():
    known = {place: hand_built(modules(f"tests/platforms/{place}")) for place in REASONS}

    assert [] == sorted(place for place, found in known.items() if not found)


def name_of(path: Path) -> str:
    """A module, from `tests/platforms` or from the root of the project."""
    return path.relative_to(ROOT).as_posix().removeprefix("tests/platforms/")


def modules(place: str) -> list[Path]:
    """The modules of a folder, or the one of a file."""
    path = ROOT / place
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def hand_built(paths: Iterable[Path]) -> list[str]:
    """Where a class of a model is called, or an object of one is changed: file:line."""
    return [f"{path.relative_to(ROOT)}:{line}" for path in paths for line in built(path.read_text())]


def built(text: str) -> Iterator[str]:
    """Line and name of each object of a model that a module builds or changes itself."""
    tree = ast.parse(text)
    names = imported(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = full(node.func, names)
        if is_model(called) or called == "msgspec.structs.replace":
            yield f"{node.lineno} {called}"
        elif ast.unparse(node.func).rpartition(".")[2] in BUILDERS:
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                if is_model(name := full(argument, names)):
                    yield f"{node.lineno} {name}"


def imported(tree: ast.Module) -> dict[str, str]:
    """What a module imports: its name here, and in full."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {
                one.asname or (first := one.name.split(".")[0]): one.name if one.asname else first
                for one in node.names
            }
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    return found


def full(node: ast.expr, names: dict[str, str]) -> str:
    """The full name of what an expression refers to; empty if it refers to nothing that was imported."""
    first, dot, rest = ast.unparse(node).partition(".") if is_path(node) else ("", "", "")
    return names[first] + dot + rest if first in names else ""


def is_path(node: ast.expr) -> bool:
    """Whether it is a name, or an attribute of one."""
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and is_path(node.value))


def is_model(name: str) -> bool:
    """Whether a full name is that of a class of a model, wherever it was imported from. A word of a list is none."""
    try:
        found = pkgutil.resolve_name(name) if name.startswith("fabric.") else None
    except (AttributeError, ImportError):
        return False
    is_class = isinstance(found, type) and not issubclass(found, enum.Enum)
    return is_class and MODELS.fullmatch(found.__module__) is not None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from fabric.devices.model import Switch\nSwitch()", ["2 fabric.devices.model.Switch"]),
        ("from fabric.devices.model import Switch as S\nS()", ["2 fabric.devices.model.Switch"]),
        ("from fabric.devices import model\nmodel.Switch()", ["2 fabric.devices.model.Switch"]),
        ("import fabric.devices.model\nfabric.devices.model.Switch()", ["2 fabric.devices.model.Switch"]),
        ("import fabric.devices.model as m\nm.Switch()", ["2 fabric.devices.model.Switch"]),
        (
            "from fabric.devices.hosts.model import Host\nHost()",
            ["2 fabric.devices.hosts.model.Host"],
        ),
        ("from fabric.hardware import SwitchModel\nSwitchModel()", ["2 fabric.hardware.SwitchModel"]),
        ("from fabric.intent.model import User\nst.builds(User)", ["2 fabric.intent.model.User"]),
        ("from fabric.platforms.nxos.model import Qos\nQos()", ["2 fabric.platforms.nxos.model.Qos"]),
        ("from msgspec.structs import replace\nreplace(x, y=1)", ["2 msgspec.structs.replace"]),
        ("import msgspec\nmsgspec.structs.replace(x)", ["2 msgspec.structs.replace"]),
        ("from fabric.devices.model import LinkRole\nLinkRole('up')", []),
        ("from fabric.devices.model import Switch\nisinstance(x, Switch)", []),
        ("from fabric.diagnostics import Origin, Report\nReport(), Origin(())", []),
        ("import dataclasses\ndataclasses.replace(x)", []),
    ],
)
def test_a_model_that_is_built_by_hand_is_found_however_it_is_imported(text, found):
    assert found == list(built(text))
