"""Errors of many devices, read by a person at night: equal ones are one, with how many there are and which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fabric.deployment import codes
from fabric.deployment.refusal_message import named, refusal
from fabric.diagnostics import Code, DeviceError, Refused, alike, shared_reason
from fabric.planning.codes import OTHER_IDENTITY
from fabric.planning.findings import compare_first, is_another
from fabric.units import counted

MOST = 3
"""Different errors that are shown."""


def grouped(errors: Iterable[DeviceError]) -> str:
    """The errors, equal ones once, what most devices say first: `12 devices (leaf-0, leaf-1 …): open: timed out`."""
    devices: dict[str, dict[str, str]] = {}
    for error in errors:
        devices.setdefault(alike(error.device, str(error)), {})[error.device] = str(error)
    order = sorted(devices, key=lambda reason: (-len(devices[reason]), min(devices[reason])))
    shown = [_group(devices[reason]) for reason in order[:MOST]]
    more = sum(len(devices[reason]) for reason in order[MOST:])
    return "; ".join(shown) + (
        f"; {counted(more, ('more device', 'more devices'))} with other errors" if more else ""
    )


ANSWER_FIRST = (
    "bring them back, then type the same command again: it goes on where nothing has changed meanwhile"
)


def not_asked(
    code: Code, silent: Sequence[DeviceError], asked: int, *, unfinished: int | None = None
) -> Refused:
    """The refusal if some of the devices that were asked did not answer, or did not let us in; `code` of the former.

    `unfinished`: the run that was killed and has to wait for them. It can be given up.
    """
    if others := [error.device for error in silent if is_another(str(error))]:
        code, hint = OTHER_IDENTITY, compare_first(sorted(others))
    elif any(error.is_login for error in silent):
        code, hint = codes.LOGIN_REFUSED, ""
    else:
        given_up = f"; if one is gone for good, `fabric unlock {unfinished}` gives the run up (again if it was locked)"
        hint = ANSWER_FIRST + given_up * (unfinished is not None)
    reason = f"{grouped(silent)} ({len(silent):,} of {asked:,} could not be asked)"
    return refusal(code, reason, hint or None)


def _group(reasons: Mapping[str, str]) -> str:
    names = sorted(reasons)
    who = names[0] if len(names) == 1 else f"{len(names):,} devices ({named(names)})"
    return f"{who}: {shared_reason(reasons)}"
