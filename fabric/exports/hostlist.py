"""Names folded the way Slurm writes them: `dgx-0-[00-31],sm-1`.

Slurm folds the number at a name's end, keeps its leading zeros, and reads each comma-separated range back to the same
names (`hostlist.c`). A bracket holds numbers of one width alone, so that no reader has to guess the zeros.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

NUMBERED = re.compile(r"^(.*?)([0-9]{1,9})$", re.DOTALL)
"""A name and the number at its end. Nine digits fit every number type that Slurm has read them into."""


def folded(names: Iterable[str]) -> str:
    """Names as one hostlist, groups in the order of their first name and numbers rising. Equal names are one."""
    groups: dict[tuple[str, int], set[int]] = {}
    for name in names:
        match = NUMBERED.match(name)
        if match is None or not match[1]:
            groups.setdefault((name, 0), set())
        else:
            groups.setdefault((match[1], len(match[2])), set()).add(int(match[2]))
    return ",".join(_group(prefix, width, sorted(numbers)) for (prefix, width), numbers in groups.items())


def _group(prefix: str, width: int, numbers: list[int]) -> str:
    if not width:
        return prefix
    if len(numbers) == 1:
        return f"{prefix}{numbers[0]:0{width}d}"
    return f"{prefix}[{','.join(_ranges(numbers, width))}]"


def _ranges(numbers: list[int], width: int) -> list[str]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ["-".join(f"{number:0{width}d}" for number in run) for run in runs]
