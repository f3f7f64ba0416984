"""A product's data sheet: each flag of `Capabilities` once, with its value, its evidence and why it is refused.

    SHEET = DataSheet(
        bfd=yes("manual, chapter 7"),
        max_lossless_priorities=some(2, "manual, chapter 9"),
        hash_seed=no("not documented", because="no published syntax for a hash seed"),
        gnmi=where(is_new, "release notes of 4.5", because="gNMI came with 4.5", fix="upgrade the switch"),
    )

A flag without a row stays at *cannot*. A misspelt flag, and a value of another type, fail when the module is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import msgspec

from fabric.decoding import convert
from fabric.hardware import SwitchModel
from fabric.platforms.capabilities import BESIDE_FLAGS, Capabilities, Reason

Condition: TypeAlias = Callable[[str | None, SwitchModel], bool | Reason]
"""(release, model) to whether the product supports it there; a `Reason` says why not, if that depends on the two."""
CANNOT = Capabilities()


class Row(NamedTuple):
    """What is claimed of one flag."""

    value: Any
    source: str
    """The evidence, also of what is not supported."""
    reason: Reason | None = None
    condition: Condition | None = None
    """Where the value holds; None: everywhere. Elsewhere the flag is at *cannot*."""


def yes(source: str, *, because: str = "", fix: str = "") -> Row:
    """Supported."""
    return Row(value=True, source=source, reason=_reason(because, fix))


def no(source: str, *, because: str = "", fix: str = "") -> Row:
    """Not supported: the flag stays at its default. `because` and `fix` as in `Reason`."""
    return Row(value=None, source=source, reason=_reason(because, fix))


def some(value: Any, source: str, *, because: str = "", fix: str = "") -> Row:
    """Supported so far; `because` and `fix` are for what goes beyond."""
    return Row(value, source, _reason(because, fix))


def where(condition: Condition, source: str, *, value: Any = True, because: str = "", fix: str = "") -> Row:
    """Supported on some releases or models."""
    return Row(value, source, _reason(because, fix), condition)


def in_releases(is_known: Callable[[str | None], bool]) -> Condition:
    """A condition that looks at the release alone."""
    return lambda release, _hardware: is_known(release)


def on_models(is_able: Callable[[SwitchModel], bool]) -> Condition:
    """A condition that looks at the model alone."""
    return lambda _release, hardware: is_able(hardware)


class DataSheet:
    """The rows of one product, by flag."""

    def __init__(self, **rows: Row) -> None:
        if unknown := rows.keys() - set(Capabilities.__struct_fields__) | rows.keys() & BESIDE_FLAGS:
            message = f"not a flag of Capabilities: {', '.join(sorted(unknown))}"
            raise TypeError(message)
        values = {flag: row.value for flag, row in rows.items() if row.value is not None}
        fullest = convert(values, Capabilities)  # holds every value to the type of its flag
        self._conditional: dict[Condition, dict[str, Any]] = {}
        for flag, row in rows.items():
            if row.condition:
                self._conditional.setdefault(row.condition, {})[flag] = row.value
        self._everywhere = msgspec.structs.replace(
            fullest,
            **{flag: getattr(CANNOT, flag) for flag, row in rows.items() if row.condition},
            reasons={flag: row.reason for flag, row in rows.items() if row.reason},
            sources={flag: row.source for flag, row in rows.items()},
        )

    def capabilities(self, release: str | None, hardware: SwitchModel) -> Capabilities:
        """What the product supports in a release on a model: nothing, if one of them is not known.

        Without a release: in the newest one.
        """
        values: dict[str, Any] = {"release": release}
        reasons = dict(self._everywhere.reasons)
        for condition, flags in self._conditional.items():
            verdict = condition(release, hardware)
            if isinstance(verdict, Reason):
                reasons |= dict.fromkeys(flags, verdict)
            elif verdict:
                values |= flags
        can = msgspec.structs.replace(self._everywhere, **values, reasons=reasons)
        if can.known_release and can.known_hardware:
            return can
        return Capabilities(
            release=release,
            known_release=can.known_release,
            known_hardware=can.known_hardware,
            reasons=can.reasons,
            sources=can.sources,
        )


def _reason(because: str, fix: str) -> Reason | None:
    return Reason(because, fix) if because or fix else None
