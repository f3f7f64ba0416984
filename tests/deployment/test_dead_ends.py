"""A way up counts only if it leads on: whichever links are dead, whoever loses the last way to the top is told."""

from __future__ import annotations

from itertools import product

from fabric.deployment.gates.bystanders import Loss, Now, Session, Surroundings
from fabric.deployment.gates.purpose import Purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.platforms.device_state import BgpSession

LEAF, SPINES, TOPS = "leaf", ("spine-0", "spine-1"), ("top-0", "top-1")
LINKS = [*product([LEAF], SPINES), *product(SPINES, TOPS)]


def now(dead: set[tuple[str, str]], returning: tuple[str, ...] = ()) -> Now:
    def sessions(name: str) -> tuple[Session, ...]:
        return tuple(
            Session(upper, f"to-{name}", upper, f"to-{upper}", is_upward=True)
            for lower, upper in LINKS
            if lower == name
        )

    names = (LEAF, *SPINES, *TOPS)
    places = {name: Surroundings("eos", sessions(name)) for name in names}
    up = {
        name: [upper for lower, upper in LINKS if lower == name and (lower, upper) not in dead]
        for name in names
    }
    seen = {
        name: Snapshot({upper: BgpSession(is_up=True) for upper in uppers}) for name, uppers in up.items()
    }
    return Now(places, seen, returning=returning)


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
