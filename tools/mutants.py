"""Plants faults in a package one by one, runs its fast tests, and lists the faults that no test sees.

    tools/mutants.py 200 deployment planning

mutmut makes and judges the mutants, in a copy of the checkout below `build/mutants/`. Here stands which tests judge
which package, the sample (the same for the same code, so that two runs compare), and how many must be killed: exit
code 1 below that.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
JUDGES = {
    "deployment": ("tests/deployment", "tests/cli/test_backups.py"),
    "planning": (
        "tests/planning",
        "tests/platforms/test_impacts.py",
        "tests/platforms/test_safety.py",
        "tests/platforms/test_session_guards.py",
        *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tests/platforms/*/test_impact.py")),
        "tests/cli/test_plan_view.py",
    ),
    "qos": ("tests/qos",),
    "topology": ("tests/topology", "tests/properties"),
}
"""The tests of each package."""
FLOORS = {"deployment": 90, "planning": 90}
"""Percent of a package's mutants that must be killed."""
SLOW = ("-m", "not live", "--ignore-glob=*sandbox*")
"""Without those that start daemons or emulated switches."""
UNSEEN = {0: "survived", 33: "no test runs it"}
"""What mutmut notes of a mutant; all else is a failed test, or one that did not end in time."""
CONFIGURATION = """
[tool.mutmut]
source_paths = ["fabric"]
only_mutate = ["fabric/{package}/*"]
do_not_mutate = ["fabric/{package}/codes.py"]
pytest_add_cli_args = {without}
pytest_add_cli_args_test_selection = {tests}
also_copy = {files}
"""


def copied(package: str) -> Path:
    """A copy of what git would commit, with mutmut's configuration for one package."""
    copy = ROOT / "build" / "mutants" / package
    shutil.rmtree(copy, ignore_errors=True)
    listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in names:
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    files = sorted({name.split("/")[0] for name in names if name} - {"fabric"})
    configuration = CONFIGURATION.format(
        package=package,
        without=json.dumps((*SLOW, "-p", "no:cacheprovider", "-p", "no:xdist")),
        tests=json.dumps(JUDGES[package]),
        files=json.dumps(files),
    )
    with (copy / "pyproject.toml").open("a") as file:
        file.write(configuration)
    return copy


def mutmut(copy: Path, *words: str) -> str:
    """What mutmut prints. It ends with 1 where it is told of no mutant; what it has judged stands in its files."""
    program = str(Path(sys.executable).with_name("mutmut"))
    environment = os.environ | {"FABRIC_HYPOTHESIS": "ci"}
    done = subprocess.run(
        (program, *words), cwd=copy, check=False, capture_output=True, text=True, env=environment
    )
    return done.stdout + done.stderr


def verdicts(copy: Path) -> dict[str, int | None]:
    """The mutants with their exit codes; None: not judged."""
    found: dict[str, int | None] = {}
    for file in sorted((copy / "mutants").rglob("*.meta")):
        found |= json.loads(file.read_text())["exit_code_by_key"]
    return found


def alive(judged: dict[str, int]) -> dict[str, int]:
    """The mutants that no test saw."""
    return {name: code for name, code in judged.items() if code in UNSEEN}


def report(copy: Path, judged: dict[str, int]) -> Iterator[str]:
    """Each fault that no test saw."""
    for name, code in alive(judged).items():
        lines = mutmut(copy, "show", name).splitlines()
        yield f"\n{name}: {UNSEEN[code]}"
        yield from (line for line in lines if line.startswith(("-", "+")) and line[:3] not in {"---", "+++"})


def function_of(name: str) -> str:
    """`deployment.waves._Batch._gate` of `fabric.deployment.waves.xǁ_Batchǁ_gate__mutmut_17`."""
    module, _, mangled = name.removeprefix("fabric.").rpartition(".")
    words = mangled.rpartition("__mutmut_")[0]
    return f"{module}.{words.removeprefix('x_').removeprefix('xǁ').replace('ǁ', '.')}"


def closing(package: str, judged: dict[str, int]) -> tuple[str, bool]:
    """The last line about a package, and whether enough of its mutants were killed."""
    survivors = alive(judged)
    killed = len(judged) - len(survivors)
    percent, floor = 100 * killed // len(judged), FLOORS.get(package, 0)
    line = f"{package}: {killed} of {len(judged)} killed, {percent} % (at least {floor} % are asked for)"
    functions = Counter(map(function_of, survivors))
    listed = ", ".join(f"{name} {count}" for name, count in sorted(functions.items()))
    return (f"{line}; survivors: {listed}" if listed else line), percent >= floor


def judge(package: str, sample: int) -> bool:
    """Judge a sample of a package's mutants; the survivors stand in `build/mutants/PACKAGE.txt`."""
    copy = copied(package)
    said = mutmut(copy, "run", "none")  # makes the mutants, and judges none
    names = sorted(verdicts(copy))
    if not names:
        sys.exit(f"no mutants were made:\n{said}")
    chosen = random.Random(package).sample(names, min(sample, len(names)))
    print(f"{len(names)} mutants of {package}, {len(chosen)} judged", flush=True)
    said = mutmut(copy, "run", *chosen)
    judged = {name: code for name, code in verdicts(copy).items() if code is not None and name in chosen}
    if len(judged) < len(chosen):
        sys.exit(f"judged {len(judged)} of {len(chosen)}:\n{said[-2000:]}")
    target = copy.with_suffix(".txt")
    target.write_text("\n".join(report(copy, judged)) + "\n")
    line, is_enough = closing(package, judged)
    print(line, f"({target.relative_to(ROOT)})", flush=True)
    return is_enough


def main(sample: int, packages: list[str]) -> None:
    """Judge the packages one after the other; exit code 1 if too few mutants of one were killed."""
    enough = [judge(package, sample) for package in packages]
    sys.exit(not all(enough))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
