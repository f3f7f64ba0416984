"""One scale of impacts: platforms, plans and waves call the same worse, and two changes at once are no milder."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import combinations
from typing import get_args

import pytest

from fabric.configuration import Dialect, Effect, Node, Section, compare, impacts
from fabric.configuration.impacts import SCALE, rank
from fabric.devices.model import Switch
from fabric.planning import Impact
from fabric.planning.both_ends.coupling import changed_facts, touch
from fabric.planning.judging import judged
from fabric.planning.texts import masked
from tests.configuration.dialects import PRODUCTS, TABLES, dialect, said, without
from tests.platforms.everywhere import FEATURES, capabilities, devices, product, texts
from tests.platforms.judging import impacts as impacts_of
from tests.platforms.sites import LEAF, MODELS, compiled, network

MOST_LINES = 9
"""Of one piece that are taken away, alone and in pairs."""


def test_planning_ranks_by_the_scale_of_the_platforms():
    assert [impact.value for impact in Impact] == list(SCALE)
    assert [impact.rank for impact in Impact] == [rank(word) for word in SCALE] == list(range(len(SCALE)))
    assert set(get_args(impacts.Impact)) == set(SCALE)


def test_what_takes_a_path_is_worse_than_what_only_loses_packets():
    """Only the first is looked at for hosts without another path: the milder word must not hide it."""
    assert (
        rank("hitless") < rank("buffer") < rank("flap") < rank("reload") < rank("isolating") < rank("lockout")
    )


@pytest.mark.parametrize("name", TABLES)
def test_every_effect_of_a_table_is_on_the_scale_and_says_why(name):
    found = list(effects(dialect(name).top, set()))

    assert {one.impact for one in found} | {one.new for one in found if one.new} <= set(SCALE)
    assert len({one.impact for one in found}) > 2
    assert all(one.reason for one in found)
    assert all(rank(one.new) < rank(one.impact) for one in found if one.new)


@pytest.mark.parametrize("name", TABLES)
def test_texts_logs_and_the_choice_of_paths_interrupt_nothing(name):
    told = dict(mild(dialect(name).top, None, set()))

    assert {} == {pattern: effect for pattern, effect in told.items() if effect is None or is_worse(effect)}


MILD = re.compile(r"\bdescription \{|log-neighbor-changes|multipath-relax")
"""Rows of lines that say something to people, or how paths are chosen."""


def is_worse(effect: Effect) -> bool:
    return rank(effect.impact) > rank("hitless")


def mild(section: Section, around: Effect | None, seen: set[int]) -> Iterator[tuple[str, Effect | None]]:
    """The rows of that kind, each with what a change of it does: that of its section where it says nothing."""
    if id(section) in seen:
        return
    seen.add(id(section))
    inside = section.effect or around
    for statement in section.statements:
        own = statement.effect or inside
        if MILD.search(statement.pattern):
            yield statement.pattern, own
        if statement.below is not None:
            yield from mild(statement.below, own, seen)


def effects(section: Section, seen: set[int]) -> Iterator[Effect]:
    """Those of a section, of its lines and of the sections below it."""
    if id(section) in seen:
        return
    seen.add(id(section))
    yield from [section.effect] if section.effect is not None else []
    for statement in section.statements:
        yield from [statement.effect] if statement.effect is not None else []
        if statement.below is not None:
            yield from effects(statement.below, seen)


@pytest.mark.parametrize("name", PRODUCTS)
def test_two_changes_of_a_piece_are_no_milder_than_either(name):
    known, compared = dialect(name), 0
    for switch, piece in pieces(name):
        paths = [path for path in said(piece.below.values(), (piece.text,)) if len(path) > 1]
        some = random.Random(7).sample(paths, min(MOST_LINES, len(paths)))  # noqa: S311  # no secret depends on it
        single = {path: worst(known, switch, piece, (path,)) for path in some}
        for pair in combinations(single, 2):
            compared += 1
            assert worst(known, switch, piece, pair) >= max(single[path] for path in pair), (piece.key, pair)
    assert compared > 50


def pieces(name: str) -> Iterator[tuple[Switch, Node]]:
    """One line at the left margin of each kind, that with most below it, and its switch."""
    found: dict[str, tuple[Switch, Node]] = {}
    for feature in ("two tiers", "vlan gateways", "ntp and syslog"):
        if not FEATURES[feature].able(capabilities(name)):
            continue
        for switch, text in texts(devices(name, feature)):
            known = dialect(name)
            for node in known.tree(known.pieces(masked(known.plain(text))).values()).values():
                kind = node.key.split()[0]
                if kind not in found or len(found[kind][1].below) < len(node.below):
                    found[kind] = switch, node
    return iter(found.values())


def worst(known: Dialect, switch: Switch, piece: Node, gone: tuple[tuple[str, ...], ...]) -> int:
    """The rank of what is done by taking lines away from a piece."""
    rest = [piece]
    for path in gone:
        rest = without(rest, path)
    found = compare(known, "x", known.written([piece]), known.written(rest)).changes
    return max((one.impact.rank for one in judged(found, switch)), default=0)


@pytest.mark.parametrize("name", MODELS)
def test_other_times_of_sessions_may_end_them(name):
    """They are agreed when a session opens (RFC 4271, 4.2): a product that does not say otherwise may open it anew."""
    old, new = (
        compiled(name, network(f"routing: {{bgp: {{keepalive: {s}s, hold: {3 * s}s}}}}")) for s in (5, 7)
    )
    found = impacts_of(old[LEAF], new[LEAF])

    assert found
    assert {what: word for what, word in found.items() if word != "flap"} == {}


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_changed_address_of_a_link_touches_the_link_wherever_its_line_stands(name):
    """Its other end must change too: containers around the line of the port must not hide it."""
    known = dialect(name)
    switch, text = next(iter(texts(devices(name, "two tiers"))))
    port = next(port for port in switch.ports if port.addresses and port.peer.startswith("spine"))
    old = str(port.addresses[0])
    assert text.count(old) >= 1
    changes = compare(
        known, "x", masked(known.plain(text)), masked(known.plain(text.replace(old, "172.31.0.0/31")))
    ).changes

    assert touch(*changed_facts(product(name), changes)).ports == {port.name}
