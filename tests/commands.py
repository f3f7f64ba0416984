"""Which programs code runs, found by reading it: Python by its syntax tree, shell scripts word by word.

What a script or a template runs *on a device* is not looked for: that is the device's own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

CALLS = {
    "run",
    "start",
    "Popen",
    "check_output",
    "check_call",
    "which",
    "tool",
    "path_of",
    "found",
    "resolved",
}
"""Functions and methods whose first word is a program."""
LISTS = {"needed_programs", "missing"}
"""Functions whose every argument is one."""
LEADS = {"!", "if", "then", "else", "elif", "do", "while", "until", "{", "exec", "time"}
"""Words of the shell behind which a command follows."""
BUILTIN = {
    *(
        "fi",
        "done",
        "esac",
        "}",
        "for",
        "case",
        "in",
        "return",
        "exit",
        "set",
        "trap",
        "shift",
        "export",
        "local",
    ),
    *(
        "read",
        "printf",
        "echo",
        "cd",
        "[",
        "test",
        ":",
        ".",
        "kill",
        "wait",
        "umask",
        "eval",
        "command",
        "true",
    ),
    *("false", "break", "continue", "unset", "pwd", "ulimit", "readonly", "type", "umask"),
}
"""Words and built-in commands of a POSIX shell."""
WRAPPERS = {"env": 0, "setsid": 0, "timeout": 1, "setpriv": 0, "chroot": 0, "unshare": 0, "nsenter": 0}
"""Programs that start the program behind their options, and how many words stand between."""
OURS = {"fabric", "fabric.platforms.opensm.emulator"}
"""The program itself, and a module that an interpreter runs whose path is not literal."""
SCRIPT = re.compile(r"#!/bin/\w*sh\n")
RUNS = re.compile(rf"\b(?:{'|'.join(sorted(CALLS | LISTS))})\s*\(|#!/bin/")
"""What stands in every module that runs something: the others need not be parsed."""
NAME = re.compile(r"[a-z_][\w.+-]*", re.IGNORECASE)


def of_python(text: str) -> set[str]:
    """The programs that a module runs by literal words, and those of the scripts in it."""
    if not RUNS.search(text):
        return set()
    tree = ast.parse(text)
    known, helpers = _assigned(tree), _helpers(tree)
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            bare = getattr(node.func, "id", "")
            name = bare if bare in helpers else ""
            if isinstance(node.func, ast.Attribute) and getattr(node.func.value, "attr", "") != "journal":
                name = node.func.attr
            for word in _run_by(node.args, known, many=name in LISTS) if name in LISTS | CALLS else ():
                found |= of_shell(word) if re.search(r"[\s;|]", word) else {word}
        elif isinstance(node, ast.Constant) and SCRIPT.match(str(node.value)):
            found |= of_shell(node.value)
    return {word for word in found if NAME.fullmatch(word)} - OURS - BUILTIN


Known = dict[str, list[ast.expr]]
"""What names of a module are assigned."""


def _helpers(tree: ast.Module) -> set[str]:
    """The functions that a module takes from modules that run programs; its own of such names are something else."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ("tests.programs", "shutil", "subprocess")
        for alias in node.names
    }


def _assigned(tree: ast.Module) -> Known:
    found: Known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


def _run_by(arguments: list[ast.expr], known: Known, *, many: bool) -> Iterator[str]:
    """The literal programs among the words of a call, and the scripts that a shell gets behind `-c`."""
    words = [word for argument in arguments for word in _flat(argument, known)]
    yield from words if many else words[:1]
    for option, script in pairwise(words):
        if option == "-c" and words[0] in ("sh", "bash", "setpriv"):
            yield f"{script}\n"


def _flat(node: ast.expr, known: Known, depth: int = 3) -> Iterator[str]:
    """The literal words of an argument in their order; "" for one that is not literal."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.FormattedValue) else part for part in node.values)
        yield "".join(text for part in parts for text in _flat(part, known, depth))
    elif isinstance(node, ast.Starred):
        yield from _flat(node.value, known, depth)
    elif isinstance(node, ast.List | ast.Tuple):
        for element in node.elts:
            yield from _flat(element, known, depth)
    elif isinstance(node, ast.Name) and depth and len(known.get(node.id, ())) == 1:
        yield from _flat(known[node.id][0], known, depth - 1)
    else:
        yield ""


def of_shell(text: str) -> set[str]:
    """The programs that a POSIX shell script runs by their names: not its functions, not what stands in a variable."""
    functions = set(re.findall(r"^\s*(\w+)\(\)", text, re.MULTILINE))
    scanner = _Scanner(re.sub(r"\\\n", " ", text))
    scanner.commands()
    return {word for word in scanner.found if NAME.fullmatch(word)} - functions - BUILTIN - LEADS


class _Scanner:
    """Walks a script, and notes each word that stands where a command does."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.found: list[str] = []

    def commands(self, closing: str = "") -> None:
        """Up to the end, or to the closing character."""
        lead, first = True, len(self.found)
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == closing:
                self.at += 1
                return
            if char in " \t":
                self.at += 1
            elif char == "#":
                self.at = (self.text.find("\n", self.at) + 1 or len(self.text) + 1) - 1
            elif char in "\n;&|":
                self.at += 1
                lead = True
                first = first if char == "|" else len(self.found)
            elif char == "(":
                self.at += 1
                begin = self.at
                self.commands(")")
                lead = self.at == begin + 1  # nothing between: behind it stands the body of a function
            elif char == ")":  # behind a pattern of `case`: what stood there was no command
                del self.found[first:]
                self.at += 1
                lead = True
            elif char in "<>":
                self._redirection()
            else:
                word = self.word()
                lead = self._note(word, lead=bool(lead))
                if word == "in":
                    first = len(self.found)

    def _note(self, word: str, *, lead: bool) -> bool:
        """Note a command; whether another one follows in its place."""
        if not lead:
            return False
        if re.match(r"\w+=", word) or word in LEADS:
            return True
        self.found.append(word)
        if word == "command":
            self.word()
        if word in WRAPPERS:
            self._behind(WRAPPERS[word])
        return word in ("do", "then")

    def _behind(self, skipped: int) -> None:
        """Note the program behind the options and settings of one that starts it."""
        while self.at < len(self.text) and self.text[self.at] not in "\n;&|)<>":
            if self.text[self.at] in " \t":
                self.at += 1
                continue
            word = self.word()
            if word.startswith(("-", "$", '"')) or "=" in word or "{" in word or not word:
                continue
            if skipped:
                skipped -= 1
                continue
            if NAME.fullmatch(word) and not word.isupper():
                self.found.append(word)
            return

    def _redirection(self) -> None:
        self.at = re.compile(r"[<>&|]+[0-9-]?[ \t]*").match(self.text, self.at).end()  # type: ignore[union-attr]
        if self.at < len(self.text) and self.text[self.at] not in "\n;&|() \t":
            self.word()

    def word(self) -> str:
        """One word with its quotes; commands substituted in it are walked."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in " \t\n;&|()<>":
            char = self.text[self.at]
            if char == "'":
                self.at = (self.text.find("'", self.at + 1) + 1) or len(self.text)
            elif char == '"':
                self._quoted()
            else:
                self._substitution()
        if self.at == start:
            self.at += 1
        return self.text[start : self.at]

    def _quoted(self) -> None:
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != '"':
            self._substitution()
        self.at += 1

    def _substitution(self) -> None:
        """One character, or what is substituted there."""
        if self.text.startswith("\\", self.at):
            self.at += 2
        elif self.text.startswith("$((", self.at):
            self.at = (self.text.find("))", self.at) + 2) or len(self.text)
        elif self.text.startswith("$(", self.at):
            self.at += 2
            self.commands(")")
        elif self.text.startswith("${", self.at):
            self.at = (self.text.find("}", self.at) + 1) or len(self.text)
        else:
            self.at += 1


def of_makefile(text: str) -> set[str]:
    """The programs of a Makefile's recipes."""
    lines = re.findall(r"^\t[@-]?(.*)$", text, re.MULTILINE)
    return of_shell("\n".join(re.sub(r"\$\(\w+\)", "./there", line).replace("$$", "$") for line in lines))


def of_file(path: Path) -> set[str]:
    """The programs that a file runs: Python, shell or make by its name and first line."""
    text = path.read_text()
    if path.name == "Makefile":
        return of_makefile(text)
    if path.suffix == ".py":
        return of_python(text)
    return of_shell(text) if re.match(r"#!.*sh\b", text) else set()
