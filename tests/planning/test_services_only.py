"""A change of management services gives nothing up, so that both texts need not be read for it; any other may."""

from __future__ import annotations

import pytest

from fabric.configuration import compare
from fabric.configuration.syntaxes.syntax import Sectioned
from fabric.deployment.gates.purpose import Purpose, purpose
from fabric.planning.services_only import is_services_only
from fabric.planning.texts import masked
from tests.configuration.dialects import PRODUCTS, dialect, printed
from tests.platforms.everywhere import product

SECTIONED = [name for name in PRODUCTS if isinstance(dialect(name).syntax, Sectioned)]


def _text(name: str, feature: str = "two tiers") -> str:
    return masked(dialect(name).plain(printed(name, feature)[0]))


@pytest.mark.parametrize("name", SECTIONED)
def test_what_is_services_only_gives_nothing_up(name: str) -> None:
    """Each section of a text taken away: what the short way says is what reading both texts says."""
    kind, known, text = product(name), dialect(name), _text(name)
    pieces, old = known.pieces(text), kind.read(text).facts
    short, long = 0, 0
    for key in pieces:
        left = known.syntax.joined(piece for other, piece in pieces.items() if other != key)  # type: ignore[attr-defined]
        gives_up = purpose("switch", old, kind.read(left).facts, drains="")
        changes = compare(known, "switch", text, left).changes
        if changes and is_services_only(kind, changes):
            short += 1
            assert gives_up == Purpose("switch"), key
        else:
            long += gives_up != Purpose("switch")

    assert short
    assert long
