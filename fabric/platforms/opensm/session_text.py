"""The texts that OpenSM's driver takes and compares: what is refused, what counts as said, how a difference reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from pathlib import Path

from fabric.platforms.base import PART
from fabric.platforms.opensm.model import OpensmConfig
from fabric.platforms.opensm.read import parse

SOUND_KEY = re.compile(r"0x(?!0+$)[0-9a-fA-F]{1,16}")


def check(text: str) -> None:
    """Refuse what is not understood to the last line, and keys that OpenSM would take for others."""
    from napalm.base.exceptions import ReplaceConfigException  # slow

    parsed = parse(text)
    if parsed.unread:
        number = parsed.unread[0][0]
        more = f" (and {len(parsed.unread) - 1} more)" if len(parsed.unread) > 1 else ""
        problem = f"line {number} of the candidate is nothing that OpenSM understands{more}"
        raise ReplaceConfigException(problem)
    for option in parsed.config.options:
        if option.name in KEYS and not SOUND_KEY.fullmatch(option.value):
            problem = (
                f"`{option.name}` must be a 64-bit number, `0x` and up to 16 hexadecimal digits, and not zero"
            )
            raise ReplaceConfigException(problem)
    if missing := lacks(parsed.config):
        raise ReplaceConfigException(missing)


def lacks(config: OpensmConfig) -> str:
    """What files must say before OpenSM may be run with them, and these do not; empty: nothing."""
    if not config.partitions:
        return "there is no partition: OpenSM would open the subnet to everybody"
    if not port_of(config).strip("0x"):
        return "opensm.conf does not name the port that OpenSM manages the subnet through (`guid`)"
    return ""


def port_of(config: OpensmConfig) -> str:
    """GUID of the port that OpenSM manages the subnet through; empty if opensm.conf does not say."""
    return next((option.value for option in config.options if option.name == "guid"), "")


def check_before(files: Mapping[str, str], places: Mapping[str, str]) -> None:
    """Refuse to bring back files that a manager cannot be run with, and say what a person can do instead.

    `places`: `folder` of the files, `kept` where the old ones are, and `stop`, which ends OpenSM.
    """
    from napalm.base.exceptions import CommitError  # slow

    if not any(map(said, files.values())):
        problem = (
            "OpenSM had no files before this change, and without them it would open the subnet to everybody: "
            "to end it, run `{stop}` on the host and remove what it was given in {folder}"
        )
        raise CommitError(problem.format(**places))
    if missing := lacks(config_of(files)):
        problem = "OpenSM is not started with the files that it had before this change: {missing}; they are in {kept}"
        raise CommitError(problem.format(missing=missing, **places))


KEYS = frozenset({"m_key", "sm_key", "sa_key"})


def config_of(files: Mapping[str, str]) -> OpensmConfig:
    """What the files of a manager say."""
    return parse("".join(f"{PART}{name}\n{ended(text)}" for name, text in files.items())).config


def read_text(filename: str | None) -> str:
    """A candidate that stands in a file. `OSError` if it cannot be read."""
    return Path(filename or "").read_text(encoding="utf-8")


def said(text: str) -> list[str]:
    """The lines that mean something."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def difference(name: str, old: str, new: str) -> str:
    """What a file would change; comments say nothing."""
    return "".join(_lines(name, said(old), said(new)))


def _lines(name: str, old: list[str], new: list[str]) -> Iterator[str]:
    for line in unified_diff(old, new, f"{name} running", f"{name} candidate", lineterm="", n=0):
        yield f"{line}\n"


def ended(text: str) -> str:
    """With a line break at its end."""
    return text if not text or text.endswith("\n") else f"{text}\n"
