"""What is wrong, where, why, and what to do about it.

A stage never stops at the first mistake: it collects `Diagnostic`s in a `Report` and
raises one `Invalid` with all errors at its end. Warnings travel on with the stage's result.

A diagnostic does not know files and lines. Its `origin` is a path into a document, carried through every
stage and resolved to `file:line:column` only when it is printed (`fabric.documents.Sources`).

Exceptions, all of them `FabricError`:

    FabricError
    ├── Invalid          the input is wrong: one or more error diagnostics
    ├── Refused          the request is understood and will not be carried out (stale plan, lockout, adopt)
    ├── DeviceError      a device answered with an error, or did not answer
    └── ToolMissing      an optional library or program is not installed
"""

from __future__ import annotations

import enum
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Path = tuple[str | int, ...]
"""A path into a document: `("networks", "compute", "tiers", "leaf", "count")`."""


class Severity(enum.StrEnum):
    """How bad it is; the stored value is the printed word."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Origin(msgspec.Struct, frozen=True, order=True):
    """A place in a document, before it is known which file and line that is."""

    path: Path = ()
    document: str = "intent"
    """`intent`, `inventory`, `state`, `lock`, `secrets`, `policy:NAME` or `hardware:ID`."""
    line: int = 0
    """Of the text that stands there, from 1; 0: all of it."""

    def child(self, *steps: str | int) -> Origin:
        """The origin of something inside this one."""
        return Origin(self.path + steps, self.document)

    def __str__(self) -> str:
        text = ""
        for step in self.path:
            if isinstance(step, int):
                text += f"[{step}]"
            else:
                text += f".{step}" if text else step
        return text


class Unsupported(msgspec.Struct, frozen=True, kw_only=True):
    """What a product lacks, for programs that read findings; the fix is the hint of the diagnostic."""

    product: str
    """As people call it: `Arista EOS`."""
    release: str | None
    """As written; None: the newest one."""
    hardware: str
    """The switch as it is sold."""
    capability: str
    """The flag of `Capabilities`; empty: what no flag tells."""
    feature: str
    """What is missing, in words."""


class Diagnostic(msgspec.Struct, frozen=True):
    """One finding. Two of equal code, origin and `about` are one finding."""

    code: str
    severity: Severity
    origin: Origin
    rule: str
    """What is wrong here, with the numbers in it."""
    value: Any = None
    """The offending value as written, if there is one."""
    hint: str | None = None
    """How to mend it."""
    subjects: tuple[str, ...] = ()
    """Devices, ports or platforms concerned, for people and for grouping."""
    about: str = ""
    """What tells it from other findings of this kind at the same place: a speed, a kind of port."""
    unsupported: Unsupported | None = None
    """What a product lacks, if that is what is wrong."""

    @property
    def is_error(self) -> bool:
        """Whether this finding stops the stage that made it."""
        return self.severity is Severity.ERROR


class Code(msgspec.Struct, frozen=True):
    """A kind of finding, as `fabric explain CODE` tells it. Each package registers its own in `codes.py`."""

    code: str
    title: str
    why: str
    fix: str
    severity: Severity = Severity.ERROR

    def at(
        self,
        origin: Origin,
        rule: str,
        *,
        value: Any = None,
        hint: str | None = None,
        severity: Severity | None = None,
        subjects: tuple[str, ...] = (),
        about: str = "",
        unsupported: Unsupported | None = None,
    ) -> Diagnostic:
        """A finding of this kind at `origin`."""
        return Diagnostic(
            code=self.code,
            severity=severity or self.severity,
            origin=origin,
            rule=rule,
            value=value,
            hint=hint,
            subjects=subjects,
            about=about,
            unsupported=unsupported,
        )


PREFIX = "FAB"
FIRST_OF_LINT = 1000
"""Codes of lint rules have four digits."""
LINT_RULES = "fabric.linting.rules."
"""Each module of these registers the code of its rule."""

RULES_OF_OTHERS = "fabric.lint_rules"
"""Entry points of other distributions: each names a module that holds lint rules."""

_codes: dict[str, Code] = {}


def code(number: str, title: str, *, why: str, fix: str, severity: Severity = Severity.ERROR) -> Code:
    """Register a kind of finding. A number is registered once; `ValueError` if it is taken."""
    if number in _codes:
        message = f"diagnostic code {number} is registered twice"
        raise ValueError(message)
    made = _codes[number] = Code(code=number, title=title, why=why, fix=fix, severity=severity)
    return made


def codes() -> Mapping[str, Code]:
    """Every registered code by number, after importing each package's `codes` module, and each lint rule."""
    _register_all()
    return dict(sorted(_codes.items(), key=lambda item: number_of(item[0])))


@cache  # looking through all folders takes 10 ms
def _register_all() -> None:
    """Import each module that registers codes."""
    import fabric  # the package that holds this module: only known at call time

    for name in _modules_below(fabric.__path__, "fabric."):
        if name.rpartition(".")[2] == "codes" or name.startswith(LINT_RULES):
            importlib.import_module(name)


def _modules_below(folders: Iterable[str], prefix: str) -> Iterator[str]:
    """Names of all modules below folders, none imported: `pkgutil.walk_packages` would import every emulator."""
    for module in pkgutil.iter_modules(folders, prefix):
        yield module.name
        if module.ispkg:
            below = [f"{folder}/{module.name.removeprefix(prefix)}" for folder in folders]
            yield from _modules_below(below, f"{module.name}.")


class RuleModule(NamedTuple):
    """Lint rules of another distribution: what one of its entry points names."""

    name: str
    """Of the module."""
    distribution: str
    module: ModuleType | None
    """None: it cannot be imported."""
    error: str = ""
    """Why not."""


@cache
def installed_rules() -> tuple[RuleModule, ...]:
    """The modules of lint rules that other distributions bring, imported now: their codes are registered with it."""
    from importlib.metadata import entry_points  # late: it takes longer to import than all of this module

    return tuple(map(_imported, entry_points(group=RULES_OF_OTHERS)))


def _imported(entry: EntryPoint) -> RuleModule:
    distribution = entry.dist.name if entry.dist else entry.module.partition(".")[0]
    try:
        module = entry.load()
    except Exception as error:  # noqa: BLE001  # whatever somebody else's module raises
        return RuleModule(entry.value, distribution, None, f"{type(error).__name__}: {error}")
    if isinstance(module, ModuleType):
        return RuleModule(entry.value, distribution, module)
    return RuleModule(entry.value, distribution, None, "the entry point does not name a module")


def number_of(code: str) -> int:
    """The number of a code: `FAB900` is before `FAB1001`."""
    return int(code.removeprefix(PREFIX))


class FabricError(Exception):
    """Base of every error this program raises on purpose. Its text is fit for a user."""

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is, whatever its class is made from: it may come out of another process."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class Invalid(FabricError):
    """The input is wrong. `diagnostics` holds every finding of the stage, warnings too."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(f"{d.code} {d.origin}: {d.rule}" for d in self.diagnostics if d.is_error))


class Refused(FabricError):
    """The request is understood and will not be carried out. `hint` says what would make it acceptable."""

    def __init__(self, reason: str, hint: str | None = None) -> None:
        self.hint = hint
        super().__init__(reason)


class DeviceError(FabricError):
    """A device answered with an error, or did not answer. Carries the device's name."""

    def __init__(self, device: str, reason: str, *, is_login: bool = False, step: str = "") -> None:
        self.device = device
        self.step = step
        """What was asked of it; empty: it was not asked, or its answer is not as it must be."""
        self.is_login = is_login
        """Whether it answered, and refused the login."""
        super().__init__(f"{device}: {reason}")


ADDRESS = re.compile(r"(?<![\w.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]+)?(?![\w.])")
"""An IPv4 address, with or without a port."""


LEFT_OUT = re.compile(r"(?<=\[\.\.\. )[0-9,]+ (?=characters left out \.\.\.\])")
"""How much of a long text of a device is not shown."""


def alike(device: str, reason: str) -> str:
    """What is wrong with a device, without its name and without addresses: equal for devices with the same error."""
    return LEFT_OUT.sub("", ADDRESS.sub("ADDRESS", _unnamed(device, reason)))


def shared_reason(reasons: Mapping[str, str]) -> str:
    """The one text of reasons that are `alike`, by device. `DEVICE` and `ADDRESS` stand for what is each one's own."""
    if len(reasons) == 1:
        return next(reasons[device].removeprefix(f"{device}: ") for device in reasons)
    texts = {_unnamed(device, reason) for device, reason in reasons.items()}
    return texts.pop() if len(texts) == 1 else alike(*next(iter(reasons.items())))


def _unnamed(device: str, reason: str) -> str:
    return name_in_text(device).sub("DEVICE", reason.removeprefix(f"{device}: "))


def name_in_text(device: str) -> re.Pattern[str]:
    """Where a text names a device."""
    return re.compile(rf"(?<![\w-]){re.escape(device)}(?![\w-])")


class JournalFailed(FabricError):
    """The journal cannot be read or written, for a reason outside of this program. Its text holds no secret."""

    def __init__(self, reason: str, hint: str | None = None) -> None:
        self.reason = reason
        self.hint = hint
        super().__init__(reason)


class ToolMissing(FabricError):
    """An optional library or program is not installed. The text says how to get it."""


def with_extra(name: str) -> str:
    """How an optional part of this distribution is installed: it is on no package index."""
    return f"install fabric-as-code[{name}], in a checkout by `pipx install --force '.[{name}]'`"


class Report:
    """Collects the findings of one stage. Equal code, origin and `about` are kept once, subjects joined."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Origin, str], Diagnostic] = {}

    def add(self, finding: Diagnostic) -> None:
        """Keep a finding; a repeated one only adds its subjects."""
        key = (finding.code, finding.origin, finding.about)
        known = self._found.get(key)
        if known is None:
            self._found[key] = finding
        elif not set(finding.subjects) <= set(known.subjects):
            joined = known.subjects + tuple(s for s in finding.subjects if s not in known.subjects)
            self._found[key] = msgspec.structs.replace(known, subjects=joined)

    def extend(self, findings: Iterable[Diagnostic]) -> None:
        """Keep several findings."""
        for finding in findings:
            self.add(finding)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._found.values())

    def __len__(self) -> int:
        return len(self._found)

    @property
    def has_errors(self) -> bool:
        """Whether any finding is an error."""
        return any(d.is_error for d in self._found.values())

    def finish(self) -> tuple[Diagnostic, ...]:
        """The findings, if none of them is an error; else raise `Invalid` with all of them."""
        findings = tuple(self._found.values())
        if self.has_errors:
            raise Invalid(findings)
        return findings
