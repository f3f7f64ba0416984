"""The completion scripts in the shells themselves: each asks its own completion of a line that somebody has begun."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.programs import needed_programs, run

SHELLS = {
    "bash": """
        eval "$(fabric completion bash 2>/dev/null)"
        COMP_WORDS=($LINE); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _fabric_completion fabric
        printf '%s\\n' "${COMPREPLY[@]}"
    """,
    # The function as zsh calls it; what it would offer is printed, as there is no line editor here.
    "zsh": """
        compdef() { :; }
        compadd() { print -rl -- ${(P)argv[-1]}; }
        _describe() { print -rl -- ${${(P)argv[-2]}%%:*}; }
        eval "$(fabric completion zsh 2>/dev/null)"
        words=(${=LINE}); CURRENT=$#words
        _fabric_completion
    """,
    "fish": """
        fabric completion fish 2>/dev/null | source
        complete -C "$LINE"
    """,
}
WITHOUT_FILES = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}


@pytest.mark.covering
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("fabric show links --device leaf-0-", ["leaf-0-0", "leaf-0-1", "leaf-0-2", "leaf-0-3"]),
        ("fabric show links --network com", ["compute"]),
        ("fabric explain FAB61", [f"FAB61{digit}" for digit in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)]),
    ],
)
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_devices_networks_and_codes(site, shell, line, expected):
    needed_programs(shell)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "LINE": line, "HOME": str(site)}
    done = run(shell, *WITHOUT_FILES[shell], "-c", SHELLS[shell], cwd=site, env=env)

    assert [text.split("\t")[0] for text in done.stdout.splitlines()] == expected, done.stderr
