"""The architecture, held to by reading the code: who may import whom, whose words stand where, what is public."""

from __future__ import annotations

import ast
import json
import re
import shutil
import sys
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.programs import run

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "fabric"

LAYERS: tuple[frozenset[str], ...] = tuple(
    frozenset(layer.split())
    for layer in (
        "cli",
        "assistant editor lens",
        "integrations",
        "api",
        "operations",
        "provenance",
        "compiler",
        "deployment sandbox lab verification linting reporting",
        "tables",
        "simulation failures capacity",
        "analysis",
        "planning",
        "rendering exports",
        "platforms",
        "configuration graph",
        "devices",
        "topology",
        "intent",
        "qos hardware",
        "documents",
        "file_access",
        "resources",
        "decoding units spool workers",
        "diagnostics late_names",
    )
)
"""A module imports only from layers after its own; members of one layer do not import each other."""

SLOW = ("napalm", "netmiko", "dask", "sqlalchemy", "jsonschema", "pyeapi", "rich", "cryptography", "numpy")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def layer_of(name: str) -> int:
    return next(i for i, layer in enumerate(LAYERS) if name in layer)


@cache
def nodes_of(text: str) -> tuple[ast.AST, ...]:
    """Every node of a module, itself first. Parsing all modules takes seconds, and a dozen laws read them."""
    return tuple(ast.walk(ast.parse(text)))


@pytest.fixture(scope="module", autouse=True)
def parsed_once():
    """The nodes of all modules are kept while the laws of this file run."""
    yield
    for kept in (nodes_of, spoken):
        kept.cache_clear()


@cache
def imports(path: Path, *, top_level_only: bool = False) -> frozenset[str]:
    whole = nodes_of(path.read_text())
    nodes = _eager(whole[0]) if top_level_only else whole
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(found)


def _eager(tree: ast.Module) -> list[ast.AST]:
    """What runs when the module is imported: not the bodies of functions, not `if TYPE_CHECKING`."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(tree.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            stack.extend(node.orelse)
            continue
        found.append(node)
        stack.extend(ast.iter_child_nodes(node))
    return found


# These laws look at every module in one test each: a thousand tests of a millisecond cost more than what they look at.
def test_a_module_imports_only_to_its_right():
    found = {
        str(path.relative_to(ROOT)): strayed(own, imports(path))
        for path in modules()
        if (own := room(path)) not in ("__init__", "__main__")
    }

    assert len(found) > 500
    assert {} == {where: names for where, names in found.items() if names}


def strayed(own: str, names: Collection[str]) -> set[str]:
    """Packages that a module of `own` imports and may not."""
    rooms = {name.split(".")[1] for name in names if name.startswith("fabric.")} - {own, "__version__"}
    return {other for other in rooms if layer_of(other) <= layer_of(own)}


def test_an_import_to_the_left_or_beside_would_be_found(tmp_path):
    module = tmp_path / "module.py"
    module.write_text(
        "import fabric.cli.main\nfrom fabric.units import Speed\n"
        "def late():\n    from fabric.verification import check\n"
    )

    assert strayed("deployment", imports(module)) == {"cli", "verification"}
    assert strayed("deployment", {"fabric.units", "fabric.planning.plan"}) == set()


def test_slow_libraries_are_imported_where_they_are_used():
    assert {} == {str(path.relative_to(ROOT)): slow for path in modules() if (slow := too_early(path))}


def too_early(path: Path) -> set[str]:
    """Slow libraries that come with a module and should not."""
    relative = path.relative_to(PACKAGE)
    if is_used_late(relative):
        return set()  # itself imported only when used
    eager = slow_imports(path)
    if relative.parts[:2] in {("cli", "commands"), ("cli", "views")} or relative.parts[0] == "sandbox":
        eager -= {"rich", "cryptography"}
    return eager


LATE = {"graph", "simulation", "failures", "capacity", "linting", "provenance"}
"""Packages that are imported only when their answers are asked for, and their libraries with them."""
LATE_PARTS = {"analysis/deadlock"}
"""Likewise, of packages that are not."""


def is_used_late(relative: Path) -> bool:
    """Whether a module is part of a driver (`session.py`, `session_*.py`), an emulated device, a late package."""
    if relative.parts[0] in LATE or "/".join(relative.parts[:2]) in LATE_PARTS:
        return True
    is_driver = relative.parts[0] == "platforms" and relative.stem.partition("_")[0] == "session"
    return is_driver or relative.name == "emulator.py" or "emulator" in relative.parts


def test_parts_of_drivers_are_imported_by_drivers():
    others = [path for path in modules() if not is_used_late(path.relative_to(PACKAGE))]

    assert [] == [f"{path.relative_to(ROOT)}: {name}" for path in others for name in parts_of_drivers(path)]


def parts_of_drivers(path: Path) -> list[str]:
    """Those that come with a module."""
    folders = ("/".join(name.split(".")[1:4]) for name in imports(path, top_level_only=True))
    return [
        name
        for name in folders
        if is_used_late(Path(f"{name}.py"))
        and (
            (PACKAGE / f"{name}.py").exists()
            or name.split("/")[0] in LATE
            or "/".join(name.split("/")[:2]) in LATE_PARTS
        )
    ]


def slow_imports(path: Path) -> set[str]:
    """Slow libraries that come with the module itself."""
    return {name.split(".")[0] for name in imports(path, top_level_only=True)} & set(SLOW)


def test_a_slow_import_would_be_found(tmp_path):
    module = tmp_path / "module.py"
    module.write_text(
        "import napalm.base\nfrom typing import TYPE_CHECKING\nclass A:\n    import rich\n"
        "if TYPE_CHECKING:\n    import netmiko\ndef late():\n    import sqlalchemy\n"
    )

    assert slow_imports(module) == {"napalm", "rich"}


NO_VENDORS = {"host", "https", "needs", "overrides", "routing"}
"""Folders that are no product's, and the platform whose name is a word of the field."""

SHARED_DAEMONS = {"frr": {"sonic"}, "opensm": {"ufm"}}
"""Products that run another's daemon, and so have its files: they may name these (`frr.conf`, `opensm.conf`)."""


def platform_names() -> list[str]:
    folders = (p for p in (PACKAGE / "platforms").iterdir() if (p / "__init__.py").exists())
    return sorted({p.name for p in folders} - NO_VENDORS)


@pytest.mark.parametrize("name", platform_names())
def test_a_platform_lives_in_its_three_homes(name):
    homes = {PACKAGE / "platforms" / each for each in (name, *SHARED_DAEMONS.get(name, ()))}
    registry = PACKAGE / "platforms" / "registry.py"

    assert [] == [
        f"{path.relative_to(ROOT)}: {word}"
        for path in modules()
        if homes.isdisjoint(path.parents) and path != registry
        for word in strangers(name, path.read_text())
    ]


def laws_over_all_platforms() -> list[Path]:
    """Tests of no product: what they must know of one stands in its own `expectations.py`."""
    generated = "joint.py"
    return sorted(path for path in (ROOT / "tests" / "platforms").glob("*.py") if path.name != generated)


@pytest.mark.parametrize("path", laws_over_all_platforms(), ids=lambda path: path.stem)
def test_a_law_over_all_platforms_names_none(path):
    text = path.read_text()

    assert [] == [word for name in platform_names() for word in strangers(name, text)]


def strangers(name: str, text: str) -> list[str]:
    """Where the code of a module speaks of a platform; what its docstrings say is free."""
    if name not in text:
        return []
    words = re.compile(rf"(?<![\w-]){name}(?![\w-])")
    return [ast.unparse(node)[:80] for word, node in spoken(text) if words.search(word)]


@cache
def spoken(text: str) -> tuple[tuple[str, ast.expr], ...]:
    """The texts and names in the code of a module, and where they stand."""
    free = {id(node.value) for node in nodes_of(text) if isinstance(node, ast.Expr)}
    found: list[tuple[str, ast.expr]] = []
    for node in nodes_of(text):
        match node:
            case ast.Constant(value=str(word)) if id(node) not in free:
                found.append((word, node))
            case ast.Name(id=word) | ast.Attribute(attr=word):
                found.append((word, node))
    return tuple(found)


def test_a_platform_out_of_its_homes_would_be_found():
    text = '"""Of eos."""\nif platform == "eos":\n    eos.run(not_eos)\n'

    assert strangers("eos", text) == ["'eos'", "eos"]


def test_the_front_door_is_small_sorted_and_real():
    import fabric

    assert sorted(fabric.__all__) == list(fabric.__all__)
    assert len(fabric.__all__) <= 24
    assert all(getattr(fabric, name) is not None for name in fabric.__all__)


def test_every_public_name_says_what_it_is():
    assert [] == [f"{path.relative_to(ROOT)} {name}" for path in modules() for name in bare(path.read_text())]


def bare(text: str) -> list[str]:
    """Public names of a module that do not say what they are."""
    return [node.name for node in _public(nodes_of(text)[0]) if not ast.get_docstring(node)]


def test_a_name_that_does_not_say_what_it_is_would_be_found():
    told = 'def told():\n    """Say it."""\n'

    assert bare(f"def one(): ...\nclass Two:\n    def three(self): ...\n{told}def _own(): ...\n") == [
        "one",
        "Two",
        "three",
    ]


def _public(tree: ast.Module) -> list[ast.FunctionDef | ast.ClassDef]:
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            found.append(node)
        if isinstance(node, ast.ClassDef) and "Protocol" not in ast.unparse(node):
            found += [
                child
                for child in node.body
                if isinstance(child, ast.FunctionDef) and not child.name.startswith("_")
            ]
    return found


def test_no_function_is_longer_than_a_screen():
    assert [] == [f"{path.relative_to(ROOT)} {name}" for path in modules() for name in long(path.read_text())]


def long(text: str) -> list[str]:
    """Functions of more than 50 lines."""
    return [
        node.name
        for node in nodes_of(text)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno - node.lineno >= 50
    ]


MOST_LINES = 350


def test_no_module_is_longer_than_a_few_screens():
    lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in modules()}

    assert [] == [f"{path}: {length} lines" for path, length in lengths.items() if length > MOST_LINES]
    assert max(lengths.values()) > MOST_LINES / 2  # they were read


def test_a_long_function_would_be_found():
    assert long("def a():\n" + "    x = 1\n" * 49) == []
    assert long("class B:\n  def b():\n" + "    x = 1\n" * 50) == ["b"]


def test_help_starts_without_the_slow_libraries():
    script = (
        "import sys; import fabric.cli; "
        f"slow = sorted(set({SLOW!r}) & set(sys.modules)); sys.exit(f'imported {{slow}}' if slow else 0)"
    )

    assert "" == run(sys.executable, "-c", script).stderr


BEYOND = frozenset(
    f"fabric.{package}" for package in ("deployment", "lab", "planning", "sandbox", "verification")
)
"""What plans a change, or talks to something that runs."""

OFFLINE: Mapping[tuple[str, ...], frozenset[str]] = {
    ("--help",): BEYOND | {"numpy", "fabric.topology"},
    ("validate",): BEYOND | {"numpy"},
    ("show", "topology"): BEYOND | {"numpy"},
    ("--quiet", "compile"): BEYOND | {"numpy"},  # else it says whether devices can be reached
    ("export", "cables"): BEYOND | {"numpy"},
    ("why", "leaf-0-0-0", "mtu"): BEYOND | {"numpy"},
    ("resize",): BEYOND | {"numpy"},
    ("impact",): BEYOND,
    ("simulate",): BEYOND,
    ("lint",): BEYOND,
    ("size", "--gpus", "64", "--nic", "400G"): BEYOND,
}
"""Commands that ask no device, by what they never import: in one process, those that need least first."""

RUN_EACH = """
import contextlib, json, os, sys
from fabric.cli import main
for words in json.loads(sys.argv[1]):
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        code = main(words)
    print(json.dumps([code, sorted(sys.modules)]))
"""


def test_commands_that_ask_no_device_load_nothing_that_does(tmp_path):
    site = tmp_path / "site"
    shutil.copytree(ROOT / "inventories" / "reference" / "lab-8", site)

    ran = run(sys.executable, "-c", RUN_EACH, json.dumps([*OFFLINE, ["plan", "--help"]]), cwd=site).stdout
    *offline, online = (json.loads(line) for line in ran.splitlines())

    assert {words: (0, set()) for words in OFFLINE} == {
        words: (code, beyond.intersection(loaded))
        for (words, beyond), (code, loaded) in zip(OFFLINE.items(), offline, strict=True)
    }
    assert {"fabric.deployment", "fabric.planning"} <= set(online[1])  # they would be seen


def test_templates_only_print():
    from fabric.rendering.template_lint import lint_templates

    assert lint_templates(ROOT / "templates") == ()


RUNNING_AND_SKIPPING = {"os.system", "shutil.which", "pytest.skip", "pytest.importorskip"}
"""What only the helper does: there, a program that is missing is a failure where nothing may be skipped."""


def test_tests_run_programs_by_the_helper_that_looks_at_exit_codes():
    own = {"tests/programs.py"}
    names = {"run", "call", "check_call", "check_output", "Popen", "getoutput"}

    assert [] == [
        f"{where}:{node.lineno}: use tests/programs.py: {ast.unparse(node)[:60]}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if (where := str(path.relative_to(ROOT))) not in own
        and any(word in (text := path.read_text()) for word in (*RUNNING_AND_SKIPPING, "subprocess."))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and (ast.unparse(node.func) in RUNNING_AND_SKIPPING or _is_of_subprocess(node.func, names))
    ]


def _is_of_subprocess(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node.value) == "subprocess" and node.attr in names


CLOCKS = {"process_time", "perf_counter", "thread_time", "ru_utime", "ru_stime"}
"""What measures how long something took. `bench` does; a test counts work (tests/work.py)."""
READS_TIME = re.compile(rf"\b({'|'.join(sorted(CLOCKS))}|time\.monotonic|time\.time)\b")
"""What stands in every module that measures: the others need not be parsed."""


def test_no_test_says_how_long_something_may_take():
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line in limits_of_time(path.read_text())
    ]

    assert [] == found


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("began = time.process_time()", {1}),
        ("assert time.monotonic() - began < 2", {1}),
        ("assert 0.2 <= time.monotonic() - began < 2", {1}),
        ("took = time.time() - began\nassert took < 2", {2}),
        ("took = time.time() - began\nassert 2 > took", {2}),
        ("assert 0.2 <= time.monotonic() - began", set()),
        ("while time.monotonic() < end: pass", set()),
    ],
)
def test_a_limit_of_time_is_found_and_a_least_time_is_none(text, lines):
    assert lines == set(limits_of_time(text))


def limits_of_time(text: str) -> list[int]:
    """Lines that measure CPU time, or hold a time against an upper limit."""
    if not READS_TIME.search(text):
        return []
    tree = ast.parse(text)
    took = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and _reads_clock(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    named = [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Attribute) and node.attr in CLOCKS)
        or (isinstance(node, ast.Name) and node.id in CLOCKS)
    ]
    held = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert) and _limits(node, took)]
    return [*named, *held]


def _limits(node: ast.Assert, took: set[str]) -> bool:
    for compare in (one for one in ast.walk(node) if isinstance(one, ast.Compare)):
        sides = (compare.left, *compare.comparators)
        for left, operator, right in zip(sides, compare.ops, sides[1:], strict=False):
            small = left if isinstance(operator, ast.Lt | ast.LtE) else right
            if isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE) and (
                _reads_clock(small) or getattr(small, "id", None) in took
            ):
                return True
    return False


def _reads_clock(node: ast.expr) -> bool:
    return any(
        isinstance(one, ast.Call) and ast.unparse(one.func) in ("time.monotonic", "time.time")
        for one in ast.walk(node)
    )


def names_of_modules() -> dict[str, Path]:
    """Every module of the program by its dotted name."""
    dotted = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules()}
    return {name.removesuffix(".__init__"): path for name, path in dotted.items()}


def imported_modules(names: set[str], known: Collection[str]) -> set[str]:
    """The modules behind imported names: a module itself, or the one that a name is taken from."""
    return {name if name in known else name.rpartition(".")[0] for name in names} & set(known)


def circles(graph: Mapping[str, set[str]]) -> list[frozenset[str]]:
    """Groups of modules that import each other, directly or by way of others."""
    reached = {name: _reached(name, graph) for name in graph}
    groups = {frozenset(other for other in reached[name] if name in reached[other]) for name in graph}
    return sorted((group for group in groups if group), key=sorted)


def _reached(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    open_ends = list(graph[start])
    while open_ends:
        name = open_ends.pop()
        if name not in reached:
            reached.add(name)
            open_ends.extend(graph[name])
    return reached


def test_no_modules_import_each_other_in_a_circle():
    known = names_of_modules()
    graph = {name: imported_modules(imports(path), known) - {name} for name, path in known.items()}

    assert [] == [sorted(circle) for circle in circles(graph)]


def test_a_circle_would_be_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [frozenset("abc")]
    assert circles({"a": {"b"}, "b": set()}) == []


STARTED = {
    "fabric.__main__": "python -m fabric",
    "fabric.integrations.nornir_inventory": "Nornir, by its entry point",
    "fabric.cli.reference": "python -m fabric.cli.reference",
    "fabric.linting.example_site": "tests/linting/test_rules.py, which tries every rule on its own examples",
    "fabric.intent.generate": "python -m fabric.intent.generate",
    "fabric.rendering.template_lint": "test_templates_only_print",
}
"""Modules that nothing imports, and what starts them."""

BY_NAME = ("fabric.cli.commands.", "fabric.platforms.", "fabric.linting.rules.")
"""Packages whose modules are imported by name when they are needed."""


def test_every_module_is_imported_or_started():
    known = names_of_modules()
    used = set[str]().union(
        *(imported_modules(imports(path), known) - {name} for name, path in known.items())
    )
    used |= {word for path in known.values() for word, _ in spoken(path.read_text()) if word in known}

    assert [] == [
        name
        for name, path in known.items()
        if path.name != "__init__.py"
        and name not in used
        and name not in STARTED
        and not name.startswith(BY_NAME)
    ]


MOST_MODULES, MOST_OF_A_PLATFORM = 22, 34
LARGE_FOLDERS = {"platforms", "commands"}
"""A platform has a file for each role, the command line one for each command."""
DEEPEST = 5
"""Folders below `fabric`, the module's own included."""


def test_a_folder_can_be_read_at_a_glance():
    folders = sorted({path.parent for path in modules()})
    counts = {folder: sum(path.name != "__init__.py" for path in folder.glob("*.py")) for folder in folders}

    assert [] == [
        f"{folder.relative_to(ROOT)}: {count} modules"
        for folder, count in counts.items()
        if count > (MOST_MODULES if LARGE_FOLDERS.isdisjoint(folder.parts) else MOST_OF_A_PLATFORM)
    ]
    assert [] == [path for path in modules() if len(path.relative_to(PACKAGE).parts) > DEEPEST]


OTHERS = ("platforms", "planning", "configuration", "rendering")
"""Packages whose names are not yet held to the list."""

RIDDLES = re.compile(
    r"_*(untaken|owns_way_in|ways?_(in|out|back)|talkers?|teller|tell|told|said|heard|never_by_the_way|lodgers"
    r"|meetings?|climb|secrecy)",
    re.IGNORECASE,
)
"""Names that a reader would have to guess. Say the noun: `executor`, `event_printer`, `redaction`."""

IDIOLECT = re.compile(
    r"has no word for|takes at most|is no DNS label|stands? twice|told downward|our (own )?way in\b|\bway back\b"
    r"|is told (nothing|of)|cannot be told to|nobody is there|in pieces\b|\bway (in|out)\b|last way up"
    r"|[a-z]\(e?s\)(?![a-z(])|(?<!there )\b(is|are) (no\b(?! longer| more\b)|none of)|\bare (?-i:none)\b",
    re.IGNORECASE,
)
"""Words of messages that are not the field's: `supports at most`, `management access`, `duplicate key`."""


def names_in(text: str) -> set[str]:
    """Names that a module defines or uses."""
    found: set[str] = set()
    for node in nodes_of(text):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
    return found


def test_what_a_mapping_holds_is_asked_without_making_it():
    assert [] == [
        f"{path.relative_to(ROOT)} {name}" for path in modules() for name in making(path.read_text())
    ]


MADE_TO_KNOW = {
    "SavedBeside",  # only who has read a file knows whether it is whole
    "StandIns",  # has every name
}


def making(text: str) -> list[str]:
    """Mappings that make their values and leave `in` to `Mapping`, which makes the value to see whether it is there."""
    return [
        node.name
        for node in nodes_of(text)
        if isinstance(node, ast.ClassDef) and any(ast.unparse(b).startswith("Mapping[") for b in node.bases)
        if node.name not in MADE_TO_KNOW and "__contains__" not in (names := methods(node))
        if any(isinstance(part, ast.Call) for part in ast.walk(names["__getitem__"]))
    ]


def methods(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {child.name: child for child in node.body if isinstance(child, ast.FunctionDef)}


def test_a_mapping_that_makes_a_value_to_see_whether_it_is_there_would_be_found():
    made = "class Lazy(Mapping[str, int]):\n    def __getitem__(self, name):\n        return make(name)\n"

    assert making(made) == ["Lazy"]
    assert making(made + "    def __contains__(self, name):\n        return True\n") == []


def test_names_are_words_of_the_field():
    assert [] == [
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules()
        if room(path) not in OTHERS
        for name in sorted({*names_in(path.read_text()), path.stem})
        if RIDDLES.fullmatch(name)
    ]


def test_messages_are_words_of_the_field():
    assert [] == [
        f"{path.relative_to(ROOT)}:{node.lineno}: {word}"
        for path in modules()
        for word, node in spoken(path.read_text())
        if IDIOLECT.search(word)
    ]


def test_docstrings_are_words_of_the_field():
    """What a reader of the code finds, and what `fabric explain` and the pages of rules say: they are docstrings."""
    assert [] == [
        f"{path.relative_to(ROOT)}:{node.lineno}: {found[0]}"
        for path in modules()
        for node in nodes_of(path.read_text())
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if (found := IDIOLECT.search(" ".join(str(node.value.value).split())))
    ]


BY_HAND = re.compile(
    r"""['"]s['"]\s*\*\s|\{['"]s['"]\s+if\b|['"]([\w ]+)['"] if [^"'{}]+ [=!]= 1 else ['"]\1(e?s)['"]"""
    r"""|\{len\([^{}]*\)(?::,)?\} (?:boxes|faults|moves|waves)\b"""
)
"""A plural that is made in place: `port{'s' * …}`, `'line' if count == 1 else 'lines'`, `{len(moves)} moves`."""


def test_nouns_are_counted_by_one_function():
    """`fabric.units.counted`: with a comma in thousands, and with the right plural."""
    assert [] == [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in modules()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if BY_HAND.search(line)
    ]


def test_a_plural_made_by_hand_would_be_found():
    for line in (
        """f"{len(ends):,} port{'s' * (len(ends) != 1)}" """,
        """word = "phase" if left == 1 else "phases\"""",
        """f"{more} port{'s' if more > 1 else ''}" """,
        """f"{len(cleared):,} faults cleared" """,
        """f"{n} {'switch' if n == 1 else 'switches'}" """,
    ):
        assert BY_HAND.search(line), line
    for line in ("""'keeps' if n == 1 else 'keep'""", """str(s) + 's'""", """_item(s)"""):
        assert not BY_HAND.search(line), line


def test_a_riddle_would_be_found():
    assert {name for name in names_in("def untaken(told): x.way_in") if RIDDLES.fullmatch(name)} == {
        "untaken",
        "told",
        "way_in",
    }
    for message in (
        "the port takes at most 64 links",
        "'2h' is no time",
        "its last way up",
        "is none of ours",
        "3 host(s) are new",
    ):
        assert IDIOLECT.search(message)
    for message in ("there is no port", "it is no longer there", "in that way", "is not a time"):
        assert not IDIOLECT.search(message)


NAMED_FILE = re.compile(r"`([a-z_]+(?:/[\w<>{}-]+)*\.(?:py|j2|toml))`")
PLACEHOLDER = re.compile(r"[<>{}]")
OF_OTHERS = ("adding-a-platform.md", "commands.md", "hosts.md", "lossless.md")
"""Pages that name files of a site, of a distribution or of a product."""


def named_files() -> list[tuple[str, str]]:
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    return [
        (page.name, name)
        for page in pages
        if page.name not in OF_OTHERS
        for name in NAMED_FILE.findall(page.read_text())
        if "/" in name and not PLACEHOLDER.search(name)
    ]


def test_the_files_that_documents_name_are_there():
    found = named_files()

    assert len(found) > 15
    assert [] == [one for one in found if not any((home / one[1]).exists() for home in (ROOT, PACKAGE))]


GROUP_KEPT_WHOLE = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+|\(\?>")


def test_no_regular_expression_keeps_what_a_group_has_matched():
    """Python 3.11 before 3.11.5, which Debian 12 has, goes on behind what a repetition had read that failed: gh-106052.

    `[a-z]*+` of single characters is sound. `(?:word|(?!word))` is an optional group that is not given back.
    """
    found = {
        f"{path.relative_to(ROOT)}:{number}"
        for path in modules()
        for number, text in enumerate(path.read_text().splitlines(), 1)
        if GROUP_KEPT_WHOLE.search(text)
    }
    assert set() == found
