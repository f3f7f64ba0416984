"""Where lines of configurations come from, and what values of the intent make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fabric.compiler import Compiled

if TYPE_CHECKING:
    from fabric.provenance import Cause, Derivation, Line, Made, Printed


def find_lines(
    compiled: Compiled,
    device: str,
    words: str = "",
    *,
    number: int | None = None,
    section: bool = False,
    file: str = "",
) -> tuple[Line, ...]:
    """Lines of a device that contain some words, have a number, or stand below such a header. `Refused` without any."""
    from fabric import provenance

    return provenance.find_lines(compiled, device, words, number=number, section=section, file=file)


def why(compiled: Compiled, device: str, lines: Sequence[Line]) -> tuple[Cause, ...]:
    """What lines of a device say, how it is computed, and from which values; lines in the same words once."""
    from fabric import provenance

    return provenance.why(compiled, device, lines)


def printed(compiled: Compiled, device: str) -> Printed:
    """What all lines of a device have in common: what chooses its product, and that there is such a device."""
    from fabric import provenance

    return provenance.printed(compiled, device)


def where(compiled: Compiled, place: str) -> tuple[Made, ...]:
    """What the values at `site.yaml:24`, `site.yaml:24:7` or a dotted path make. `Refused` if nothing stands there."""
    from fabric import provenance

    return provenance.where(compiled, place)


def derived_value(compiled: Compiled, place: str) -> tuple[Derivation, ...]:
    """What `auto`, or a key that is not written, comes out as. `Refused` if nothing stands there."""
    from fabric import provenance

    return provenance.derived_value(compiled, place)
