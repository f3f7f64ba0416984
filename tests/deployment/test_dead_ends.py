"""A way up counts only if it leads on: whichever links are dead, whoever loses the last way to the top is told."""

from __future__ import annotations

from itertools import product

from fabric.deployment.gates.cut_off_now import Loss, Now
from fabric.deployment.gates.host_paths import EVERY_PORT, RailPort
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.surroundings import Session, Surroundings
from fabric.platforms.device_state import BgpSession

LEAF, SPINES, TOPS = "leaf", ("spine-0", "spine-1"), ("top-0", "top-1")
LINKS = [*product([LEAF], SPINES), *product(SPINES, TOPS)]


def now(
    dead: set[tuple[str, str]],
    returning: tuple[str, ...] = (),
    hosts: tuple[RailPort, ...] = (),
    silent: tuple[str, ...] = (),
) -> Now:
    def sessions(name: str) -> tuple[Session, ...]:
        return tuple(
            Session(upper, f"to-{name}", upper, f"to-{upper}", is_upward=True)
            for lower, upper in LINKS
            if lower == name
        )

    names = (LEAF, *SPINES, *TOPS)
    places = {
        name: Surroundings("eos", sessions(name), lambda name=name: hosts if name == LEAF else ())  # type: ignore[misc]
        for name in names
    }
    up = {
        name: [upper for lower, upper in LINKS if lower == name and (lower, upper) not in dead]
        for name in names
    }
    seen = {
        name: Snapshot({upper: BgpSession(is_up=True) for upper in uppers}) for name, uppers in up.items()
    }
    return Now(places, seen, silent, returning)


def test_whoever_loses_his_last_way_to_the_top_is_told():
    taken = Loss({"spine-0": Purpose("spine-0", everything=True)})
    for chosen in product([False, True], repeat=len(LINKS)):
        dead = {link for link, is_dead in zip(LINKS, chosen, strict=True) if is_dead}
        to_top = {
            spine
            for spine in SPINES
            if (LEAF, spine) not in dead and any((spine, top) not in dead for top in TOPS)
        }

        assert (LEAF in now(dead).cut_off_by(taken)) == (to_top == {"spine-0"}), dead
        assert LEAF not in now(dead, returning=("spine-1",)).cut_off_by(taken), dead


def test_a_way_that_gives_hardly_any_routes_leads_nowhere():
    """Somebody has drained the switch at its other end by hand; what is not counted is not judged by that."""
    taken = Loss({"spine-0": Purpose("spine-0", everything=True)})
    for counts in product([None, 0, 1, 49, 50, 100], repeat=2):
        told = [{} if count is None else {"ipv4": count, "ipv6": 0} for count in counts]
        known = now(set())
        sessions = {
            spine: BgpSession(is_up=True, received=installed, installed=installed)
            for spine, installed in zip(SPINES, told, strict=True)
        }
        known = known._replace(seen={**known.seen, LEAF: Snapshot(sessions)})
        first, second = counts
        is_last = second is not None and (first or 0) > 0 and 2 * second < (first or 0)

        assert (LEAF in known.cut_off_by(taken)) == is_last, counts


def test_whoever_interrupts_the_last_of_his_own_ways_is_told():
    """All of them at once is judged by configurations, as his hosts are by their other leaves."""
    ports = [f"to-{spine}" for spine in SPINES]
    for chosen in product([False, True], repeat=len(LINKS)):
        dead = {link for link, is_dead in zip(LINKS, chosen, strict=True) if is_dead}
        alive = {
            f"to-{spine}"
            for spine in SPINES
            if (LEAF, spine) not in dead and any((spine, top) not in dead for top in TOPS)
        }
        for interrupted in ([], ports[:1], ports[1:], ports, [EVERY_PORT]):
            gone = alive if EVERY_PORT in interrupted else alive.intersection(interrupted)
            loss = Loss({LEAF: Purpose(LEAF)}, {LEAF: frozenset(interrupted)} if interrupted else {})
            is_last = bool(alive) and gone == alive
            by_dead_ones = is_last and len(interrupted) == 1 and EVERY_PORT not in interrupted
            host = RailPort("host", 0, "to-host", (("other", "to-host"),))
            told = now(dead, hosts=(host,), silent=("other",)).cut_off_by(loss)

            assert ("is its last uplink" in told.get(LEAF, "")) == by_dead_ones, (dead, interrupted)
            assert (LEAF in told) == is_last, (dead, interrupted)


def test_what_a_switch_opens_itself_is_shut_while_it_shuts_the_rest() -> None:
    """The other end comes back in a wave before: a swap of two links that are excluded, in one commit."""
    swap = Loss({LEAF: Purpose(LEAF, ports=frozenset(["to-spine-0"]))}, {LEAF: frozenset(["to-spine-0"])})
    known = now({(LEAF, "spine-1")}, returning=("spine-1",))
    opening = known._replace(opening={LEAF: frozenset(["to-spine-1"])})

    assert LEAF not in known.cut_off_by(swap)
    assert "spine-0 is its last uplink" in opening.cut_off_by(swap)[LEAF]
