"""Secrets: read at the push, held in memory, and taken out of everything that is told to anybody."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from fabric.deployment import codes
from fabric.deployment.connection.ask_secrets import (
    Answers,
    Unanswered,
    ask_command,
    ask_keyring,
    say_nothing,
)
from fabric.deployment.connection.secret_forms import Form, forms_of, without
from fabric.diagnostics import Code, Diagnostic, Invalid, Origin
from fabric.documents.redaction import REFERENCES
from fabric.file_access import denied
from fabric.planning.texts import PLACEHOLDER
from fabric.platforms.base import AnyPlatform, Target, filled

LARGEST_BYTES = 4096
"""Of a secret file."""


class Secrets:
    """Values by reference (`env:NAME`, `cmd:NAME` …). Printing one shows the references only."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = dict(values or {})

    def __repr__(self) -> str:
        return f"Secrets({', '.join(sorted(self._values))})"

    def __getitem__(self, reference: str) -> str:
        return self._values[reference]

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, reference: str) -> bool:
        return reference in self._values

    def reveal(self) -> dict[str, str]:
        """The values, for a message that is sealed."""
        return dict(self._values)

    def fill(self, text: str, product: AnyPlatform | None = None) -> str:
        """The text with every secret in its place, as the product wants it. `KeyError` if one was not resolved."""
        fill = product.fill if product else filled
        return fill(text, self.__getitem__)

    def hide(self, text: str) -> str:
        """The text with every value replaced by its placeholder, in each form that it is sent and shown in.

        For whatever leaves this process.
        """
        return without(text, self._forms)

    @cached_property
    def _forms(self) -> tuple[Form, ...]:
        return forms_of(self._values)

    def joined(self, other: Secrets) -> Secrets:
        """Both together."""
        return Secrets({**self._values, **other._values})


def with_logins(secrets: Secrets, targets: Iterable[Target]) -> Secrets:
    """Secrets, and those that devices are logged in to with."""
    logins: dict[str, str] = {}
    for target in targets:
        logins |= {f"password:{target.name}": target.password, f"enable:{target.name}": target.enable}
    return secrets.joined(Secrets(logins))


class SecretSource(msgspec.Struct, frozen=True):
    """Where references are looked up."""

    environ: Mapping[str, str] = msgspec.field(default_factory=lambda: os.environ)
    folder: Path = Path()
    """Relative `file:` paths start here: the folder of the site."""
    answers: Answers = msgspec.field(default_factory=Answers)
    """What programs and the keyring have answered: they are asked once."""
    made_up: Callable[[str], str] | None = None
    """Of stand-ins for devices: the value of a secret that a program or the keyring would be asked for."""

    waiting: Callable[[str, float], None] = say_nothing
    """Told of a program that takes long to print a secret, and for how long it runs (seconds)."""

    def __repr__(self) -> str:
        return f"SecretSource({self.folder})"

    def resolve(self, references: Iterable[str]) -> Secrets:
        """All values. `Invalid` with every reference that is missing or unfit, before anything is pushed."""
        values: dict[str, str] = {}
        wrong: list[Diagnostic] = []
        for reference in sorted(set(references)):
            value = self._read(reference)
            problem = codes.NO_SECRET if isinstance(value, Missing) else _unfit(value)
            if problem is not None:
                rule = value.reason if isinstance(value, Missing) else f"{reference} {UNFIT}"
                wrong.append(problem.at(Origin((reference,), REFERENCES), rule, hint=problem.fix))
            elif isinstance(value, str):
                values[reference] = value
        if wrong:
            raise Invalid(wrong)
        return Secrets(values)

    def has(self, reference: str) -> bool:
        """Whether there is a value, and it is fit."""
        value = self._read(reference)
        return not isinstance(value, Missing) and _unfit(value) is None

    def _read(self, reference: str) -> str | Missing:
        kind, _, name = reference.partition(":")
        if kind == "env":
            return self.environ.get(name) or Missing(f"the environment variable {name} is not set")
        if kind == "file":
            return self._of_file(name)
        if self.made_up is not None:
            return self.made_up(reference)
        try:
            return self.answers.of(reference, lambda: self._asked(kind, name))
        except Unanswered as error:
            return Missing(str(error))

    def _of_file(self, name: str) -> str | Missing:
        path = self.folder / Path(name).expanduser()
        try:
            with path.open("rb") as file:
                text = file.read(LARGEST_BYTES + 1).decode()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8"
            known = denied(path) if isinstance(error, PermissionError) else None
            return Missing(known.reason if known else f"{path}: {reason}")
        return _without_line_end(text) or Missing(f"{path} is empty")

    def _asked(self, kind: str, name: str) -> str:
        if kind == "keyring":
            value = ask_keyring(name)
        else:
            # A value that is not UTF-8 is refused by what it holds, like any other.
            printed = ask_command(name, self.environ, self.folder, LARGEST_BYTES, self.waiting)
            value = _without_line_end(printed.decode(errors="replace"))
        if not value:
            raise Unanswered(f"the value of {kind}:{name} is empty")
        return value


def _without_line_end(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r")


class Missing(msgspec.Struct, frozen=True):
    """A reference without a value, and why."""

    reason: str


UNFIT = "holds a blank, a line break or another character that is not printable ASCII"


def _unfit(value: object) -> Code | None:
    fit = isinstance(value, str) and all("!" <= c <= "~" for c in value) and len(value) <= LARGEST_BYTES
    return None if fit else codes.BAD_SECRET


def references(texts: Iterable[str]) -> set[str]:
    """The secrets that texts refer to."""
    return {reference for text in texts if "<secret:" in text for reference in PLACEHOLDER.findall(text)}
