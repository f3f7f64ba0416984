"""Texts as products have them: secrets in their places, and several files in one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable

import msgspec

SOURCES = "env|file|cmd|keyring"
"""Where a secret may come from: the first word of its reference."""

SECRET = re.compile(rf"<secret:((?:{SOURCES}):[^<>\s]{{1,300}})>")
"""The placeholder of a secret in a text; its group is the reference."""

HIDDEN = rf"<(?:secret:(?:{SOURCES}):[^<>\s]{{1,300}}|masked)>"
"""What stands for a secret already: our reference, or a mask. A secret itself may begin like one."""

MASK = "<masked>"
VALUE = rf"(?!{HIDDEN}(?!\S))\S+"
"""A value that is not a placeholder, as a regular expression. It may begin with `<` all the same."""

ValueOf = Callable[[str], str]
"""Reference to value. Values are printable ASCII without blanks."""


def placeholder(reference: str | None) -> str:
    """What stands for a secret in a text, resolved in memory at the moment of the push; empty for none."""
    return f"<secret:{reference}>" if reference else ""


def masking(*rules: tuple[str, str]) -> Callable[[str], str]:
    """A function that masks the secrets of a text: patterns of the beginnings of lines with their replacements.

    Each is tried in turn.
    """
    compiled = tuple((re.compile(f"(?m)^{pattern}"), masked) for pattern, masked in rules)

    def mask_text(text: str) -> str:
        for pattern, masked in compiled:
            text = pattern.sub(masked, text)
        return text

    return mask_text


HASH = re.compile(r"\$(?:5|6)\$[./0-9A-Za-z$=]+")
"""The hash of a password, by crypt(3): the intent may hold it, and products show it as it was written."""
OF_INTENT = placeholder("file:intent")


def hashes_hidden(text: str, only: Container[str] | None = None) -> str:
    """A text of ours with hashes of passwords, or only these, as references: they are treated as secrets are."""
    if "$" not in text or only == ():
        return text
    return HASH.sub(lambda known: OF_INTENT if only is None or known[0] in only else known[0], text)


def other_hashes(hashes: Iterable[str], running: str) -> tuple[str, ...]:
    """Those hashes that do not run, or not as often; all, where the product shows none (`hides_hashes`)."""
    return tuple(known for known, times in Counter(hashes).items() if running.count(known) < times)


def hides_hashes(hashes: Collection[str], running: str) -> bool:
    """Whether a product shows no hash of a password, so that nobody knows whether these run."""
    return bool(hashes) and HASH.search(running) is None


def filled(text: str, value_of: ValueOf) -> str:
    """The text with every secret in its place, as it is."""
    return SECRET.sub(lambda match: value_of(match[1]), text)


def filled_in_quotes(text: str, value_of: ValueOf) -> str:
    """Likewise for products whose secrets stand between double quotes: quotes and backslashes are escaped."""
    return SECRET.sub(lambda match: escaped(value_of(match[1])), text)


def escaped(value: str) -> str:
    """A value as it stands between double quotes."""
    return value.replace("\\", r"\\").replace('"', r"\"")


PART = "#!part "
"""Starts the line that begins a part of a text that stands for several files. No product's line starts so."""


class Part(msgspec.Struct, frozen=True):
    """One file of a product that is configured by several."""

    name: str
    """As its line in the template says: `#!part NAME`."""
    path: str
    """Artifact path with `{name}` for the device."""
    by_hand: bool = False
    """Apply neither writes nor compares it: the product's interface does not reach it."""


def split_parts(text: str) -> dict[str, str]:
    """The parts of a text by name; what stands before the first one is not theirs."""
    parts: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        if line.startswith(PART):
            lines = parts.setdefault(line.removeprefix(PART).strip(), [])
        else:
            lines.append(line)
    return {name: "".join(body) for name, body in parts.items()}
