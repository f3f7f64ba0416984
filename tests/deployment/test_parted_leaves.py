"""Three tiers: no wave parts leaves that still have uplinks, whichever links of other pods are dead."""

from __future__ import annotations

import random
from itertools import combinations

from fabric.deployment.gates.cut_off_now import Loss, Now
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.surroundings import Session, Surroundings, between, network_of, stand_ins
from fabric.platforms.device_state import BgpSession

PODS, COLUMNS = range(2), range(2)
LEAVES = [f"leaf-{pod}-{number}" for pod in PODS for number in range(2)]
SPINES = [f"spine-{pod}-{column}" for pod in PODS for column in COLUMNS]
TOPS = [f"top-{column}" for column in COLUMNS]
LINKS = [(leaf, spine) for leaf in LEAVES for spine in SPINES if leaf[5] == spine[6]]
LINKS += [(spine, top) for spine in SPINES for top in TOPS if spine[8] == top[4]]
NAMES = (*LEAVES, *SPINES, *TOPS)


def around(name: str) -> Surroundings | None:
    ups = [Session(b, f"to-{a}", b, f"to-{b}", is_upward=True) for a, b in LINKS if a == name]
    downs = [Session(a, f"to-{b}", a, f"to-{a}", is_upward=False) for a, b in LINKS if b == name]
    return Surroundings("eos", (*ups, *downs)) if name in NAMES else None


def snapshot(name: str, dead: set[tuple[str, str]]) -> Snapshot:
    alive = [b if a == name else a for a, b in LINKS if name in (a, b) and (a, b) not in dead]
    return Snapshot({peer: BgpSession(is_up=True) for peer in alive})


def joined(links: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The pairs of leaves that reach each other, path by path."""
    found = set()
    for a, b in combinations(LEAVES, 2):
        up = [spine for spine in SPINES if (a, spine) in links]
        down = [spine for spine in SPINES if (b, spine) in links]
        over_top = any((s, top) in links and (d, top) in links for s in up for d in down for top in TOPS)
        if {*up} & {*down} or over_top:
            found.add((a, b))
    return found


def told(wave: tuple[str, ...], dead: set[tuple[str, str]], silent: tuple[str, ...] = ()) -> dict[str, str]:
    places = {name: known for name in NAMES if (known := around(name)) is not None}
    seen = {name: snapshot(name, dead) for name in NAMES if name not in silent}
    loss = Loss({name: Purpose(name) for name in wave}, {name: frozenset(["*"]) for name in wave})
    return Now(places, seen, silent, network=network_of(wave, around)).cut_off_by(loss)


def test_whoever_parts_leaves_is_told_whatever_is_dead() -> None:
    chosen = random.Random(7)  # noqa: S311  # no secret depends on it
    parting = 0
    for _ in range(1500):
        dead = {link for link in LINKS if chosen.random() < chosen.choice((0.1, 0.3))}
        alive = {link for link in LINKS if link not in dead}
        wave = tuple(chosen.sample([*SPINES, *TOPS], chosen.choice((1, 1, 2))))
        left = {link for link in alive if not {*wave} & {*link}}
        found = told(wave, dead)
        # A leaf that loses its last uplink is told as that, or has none.
        sound = {a for a, _ in left} - found.keys()
        lost = {pair for pair in joined(alive) - joined(left) if {*pair} <= sound}
        parting += bool(lost)

        assert bool(lost) <= bool({*wave} & found.keys()), (wave, dead, lost, found)
        assert bool({*wave} & found.keys()) <= bool(joined(alive) - joined(left)), (wave, dead, found)
    assert parting > 50


def test_whoever_is_between_and_does_not_answer_carries_nothing() -> None:
    assert told(("spine-1-0",), set()) == {}
    found = told(("spine-1-0",), set(), silent=("spine-0-1",))

    assert found["spine-1-0"].startswith(
        "spine-1-0 is the last path in service between leaf-0-0 and leaf-1-0"
    )
    assert found["spine-1-0"].endswith("spine-0-1 carries nothing")


def test_all_between_are_asked_and_nobody_more_where_two_tiers_are_all() -> None:
    assert network_of(["leaf-0-0"], around) == {}
    for member in (*SPINES, *TOPS):
        network = network_of([member], around)
        assert {*network} == {*NAMES}
        assert {*between(network)} == {*SPINES}
        assert {*SPINES} - {member} <= {*stand_ins([member], {}, around)}

    def two_tiers(name: str) -> Surroundings | None:
        known = around(name)
        if known is None or name in TOPS:
            return None
        return Surroundings("eos", tuple(s for s in known.sessions if s.peer not in TOPS))

    assert network_of(SPINES, two_tiers) == {}
