"""Plants faults in a package one by one, runs its fast tests, and lists the faults that no test sees.

    tools/mutants.py planning 200

mutmut makes and judges the mutants, in a copy of the checkout below `build/mutants/`. Here stands which tests judge
which package, and the sample: the same for the same code, so that two runs compare.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
JUDGES = {
    "deployment": ("tests/deployment", "tests/cli/test_backups.py"),
    "planning": (
        "tests/planning",
        "tests/platforms/test_impacts.py",
        "tests/platforms/test_safety.py",
        "tests/cli/test_plan_view.py",
    ),
    "qos": ("tests/qos",),
    "topology": ("tests/topology", "tests/properties"),
}
"""The tests of each package."""
SLOW = ("-m", "not live", "--ignore-glob=*sandbox*", "--ignore-glob=*before_the_first_wave*")
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


def report(copy: Path, judged: dict[str, int]) -> Iterator[str]:
    """The rate, then each fault that no test saw."""
    unseen = {name: code for name, code in judged.items() if code in UNSEEN}
    yield f"{len(judged) - len(unseen)} of {len(judged)} killed: {100 - 100 * len(unseen) // len(judged)} %"
    for name, code in unseen.items():
        lines = mutmut(copy, "show", name).splitlines()
        yield f"\n{name}: {UNSEEN[code]}"
        yield from (line for line in lines if line.startswith(("-", "+")) and line[:3] not in {"---", "+++"})


def main(package: str, sample: int) -> None:
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
    print(target.read_text().splitlines()[0], f"(survivors: {target.relative_to(ROOT)})")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
