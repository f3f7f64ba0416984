"""What failures and maintenance take of a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fabric.compiler import Compiled

if TYPE_CHECKING:
    from fabric.failures import Impact, Maintenance


def impact(compiled: Compiled, network: str | None = None, *, pairs: bool = False) -> tuple[Impact, ...]:
    """What each failure, or each pair of them, takes of every network, or of one.

    `Invalid` if the site cannot be expanded, `Refused` if a network has too few symmetries for all of its pairs.
    """
    from fabric import failures

    ask = failures.pairs if pairs else failures.single
    return ask(compiled.intent, compiled.topology, compiled.devices_if_any[0], network)


def maintenance(
    compiled: Compiled, names: Sequence[str], jobs: Mapping[str, Sequence[str]], network: str | None = None
) -> tuple[Maintenance, ...]:
    """What taking out switches and links does to each network that has them. `KeyError`: what none has."""
    from fabric import failures

    return failures.taken(
        compiled.intent, compiled.topology, compiled.devices_if_any[0], names, jobs, network
    )
