"""`import fabric` as a program of somebody else has it: the recipes of docs/scripting.md, its types, and paths."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import fabric
from fabric import api
from tests.console_blocks import page
from tests.programs import ANY, ROOT, run

BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
TYPES = """
reveal_type(fabric.compile("site"))
reveal_type(fabric.plan)
fabric.complie
"""


@pytest.fixture(scope="module")
def script() -> str:
    return "".join(BLOCK.findall(page("scripting.md")))


def test_what_type_checkers_read_is_what_the_program_imports():
    stub = ast.parse((ROOT / "fabric" / "__init__.pyi").read_text(encoding="utf-8"))
    read = {
        name.asname: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }

    assert fabric._HOMES == read


def test_the_recipes_run(script, tmp_path):
    program = Path(sys.executable).parent / "fabric"
    for words in (("init", "lab-8", "site"), ("compile", "-C", "site", "-o", "out")):
        run(program, *words, cwd=tmp_path)
    (tmp_path / "out/configs").rename(tmp_path / "backups")
    (changed := tmp_path / "backups/leaf-0-0-0.cfg").write_text(
        changed.read_text(encoding="utf-8").replace("hostname leaf-0-0-0", "hostname leaf"), encoding="utf-8"
    )

    printed = run(sys.executable, "-c", script, cwd=tmp_path).stdout

    assert "leaf-0-0-0 4200000000 16 ports, first to gpu-0-0:nic0-port0" in printed
    assert "lines of PFC on leaf-0-0-0" in printed
    assert re.search(r"^FAB\d+ error networks.compute.lossless ", printed, re.MULTILINE)
    assert re.search(r"^leaf-0-0-0 update \w+ \['hostname'\]$", printed, re.MULTILINE)


def test_a_strict_type_checker_sees_types(script, tmp_path, pytestconfig):
    (tmp_path / "script.py").write_text(script + TYPES, encoding="utf-8")
    cache = pytestconfig.cache.mkdir("mypy")  # a second run reads what the first has made of the package

    checked = run(
        sys.executable, "-m", "mypy", "--strict", f"--cache-dir={cache}", "script.py", exits=ANY, cwd=tmp_path
    ).stdout

    assert 'Revealed type is "fabric.compiler.Compiled"' in checked
    assert "fabric.planning.model.Plan" in checked
    assert ['Module has no attribute "complie"'] == [
        text.partition("  [")[0].partition(";")[0] for text in re.findall(r"error: (.*)", checked)
    ], checked


def test_every_function_takes_a_path_as_text_too():
    functions = [
        function
        for name in {*api.__all__, *fabric.__all__}
        if inspect.isfunction(function := getattr(api, name, None) or getattr(fabric, name))
    ]
    annotations = [
        (function.__name__, parameter.name, str(parameter.annotation))
        for function in functions
        for parameter in inspect.signature(function).parameters.values()
    ]

    assert [] == [place for place in annotations if re.search(r"(?<!Str)Path\b", place[2])]
    assert any("StrPath" in annotation for _, _, annotation in annotations)


class Named(NamedTuple):
    """A path that is neither text nor a `Path`."""

    folder: Path

    def __fspath__(self) -> str:
        return str(self.folder)


@pytest.mark.parametrize("path", [str, Path, Named])
def test_a_site_is_loaded_from_any_path(path):
    folder = ROOT / "inventories" / "reference" / "lab-8"

    assert "lab-8" == fabric.load(path(folder)).site.site
    assert folder == api.open_site(path(folder)).folder
