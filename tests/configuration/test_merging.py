"""Merging reads few pieces of three texts, and finds what reading all of them finds."""

from __future__ import annotations

import random
from collections.abc import Mapping

import msgspec
import pytest

from fabric.configuration import Node, merge, merging
from fabric.configuration.dialect import Dialect
from fabric.configuration.mixing import Mixable
from fabric.configuration.outline import Outline
from fabric.planning.texts import masked
from tests.configuration.dialects import PRODUCTS, dialect, printed, tree


def changed(nodes: Mapping[str, Node], others: Mapping[str, Node], drawn: random.Random) -> dict[str, Node]:
    """Some lines are gone, some say what they say on another device, and some are taken over from it."""
    some: dict[str, Node] = {}
    for key, node in nodes.items():
        other = others.get(key)
        if drawn.random() < 0.1:
            continue
        if other is not None and drawn.random() < 0.2:
            some[key] = other
            continue
        below = changed(node.below, other.below if other else {}, drawn) if node.below else {}
        some[key] = msgspec.structs.replace(node, below=below) if below or not node.below else node
    return some | {key: other for key, other in others.items() if key not in nodes and drawn.random() < 0.2}


def cases(name: str, seed: int) -> list[tuple[str, str, str | None]]:
    """Ours, what runs, and what was applied last."""
    drawn = random.Random(f"{name} {seed}")  # noqa: S311  # the same texts each time
    known = dialect(name)
    first, second = (masked(known.plain(text)) for text in printed(name, "two tiers")[:2])
    trees = tree(name, first), tree(name, second)
    ours, applied, theirs = (known.written(changed(*trees, drawn).values()) for _ in range(3))
    return [(ours, theirs, applied), (ours, theirs, ours), (ours, theirs, None), (ours, applied, applied)]


@pytest.mark.parametrize("name", PRODUCTS)
def test_what_is_not_read_would_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [case for seed in range(8) for case in cases(name, seed)]

    found = [merge(dialect(name), *case) for case in drawn]
    monkeypatch.setattr(Dialect, "saying_else", lambda _known, pieces, _others: pieces)
    monkeypatch.setattr(merging, "_unlike", lambda pieces, _others: pieces)
    monkeypatch.setattr(Outline, "of", classmethod(lambda *_: None))
    expected = [merge(dialect(name), *case) for case in drawn]

    assert [merged.kept for merged in expected] == [merged.kept for merged in found]
    assert [merged.text for merged in expected] == [merged.text for merged in found]
    assert any(merged.kept for merged in found)


INTERPRETER = "#!"


def programs(text: str) -> list[str]:
    """The lines by which scripts say what runs them."""
    return [line for line in text.splitlines() if line.startswith(INTERPRETER)]


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_script_names_its_program_whatever_else_is_written_anew(name: str) -> None:
    """Without that line a system refuses to start the script, though all it says is right."""
    known = dialect(name)
    first, second = printed(name, "two tiers")[:2]
    drawn = random.Random(name)  # noqa: S311  # the same choices each time
    mixable = Mixable.of(known, masked(known.plain(second)), first, lambda *_: False)
    made = [
        known.syntax.plain(first),
        *(merge(known, first, theirs, applied).text for _, theirs, applied in cases(name, 1)),
        *(mixable.mixed(lambda _, share=share: drawn.random() < share) for share in (0.1, 0.5, 0.9)),
    ]

    assert [programs(first)] * len(made) == [programs(text) for text in made]
