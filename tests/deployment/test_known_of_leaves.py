"""A leaf of which nobody knew whether it carried hosts excuses its silence, only as long as nobody has known since."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from fabric.deployment.between_waves.cordon import Cordon
from fabric.deployment.events import DeviceStepped, Event, HostsCutOff, WaveStarted
from fabric.deployment.jobs import State
from fabric.deployment.journal_store.cordoned_hosts import Cordoned
from fabric.deployment.waves.hosts_without_path import Dead, WithoutPath, _known_since
from tests.deployment.played_site import PLAYED, PlayedSite, ended, played_site
from tests.deployment.test_hosts_left_cut_off import CORDON, HOOK, OTHER_SERVER, calls, drained
from tests.deployment.test_leaves_that_die_meanwhile import (
    ALLOW,
    ALONE,
    IMPATIENT,
    OTHER,
    OTHER_TIMERS,
    SMALLER,
    WHOLE,
    dies,
    hosts_of,
    lives,
)
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import LEAF, Words, site


@contextmanager
def settled(folder: Path, product: str, *words: Words) -> Iterator[PlayedSite]:
    """A site whose switches run what it says, with no host out of service."""
    with played_site(folder, product, *words) as made:
        (folder / "hook").write_text(HOOK)
        (folder / "hook").chmod(0o700)
        assert ended(made.apply(*words)) in ("done", "nothing")
        calls(made)
        yield made


def changed(made: PlayedSite, leaf: str, *words: Words) -> str:
    compiled, _ = made.planned(*WHOLE, *words, only=[leaf])
    return ended(made.carry_out(compiled, pace=IMPATIENT))


@pytest.mark.parametrize("changes", ["the leaf", "its spines", "nothing"])
@pytest.mark.parametrize("product", PLAYED)
@pytest.mark.covering(most=3, apart=True)
def test_who_has_answered_since_has_to_answer(product: str, changes: str, tmp_path: Path) -> None:
    """Silent when hosts were taken out of service; a run changes it, and it falls silent again."""
    with settled(tmp_path, product, *WHOLE) as made:
        hosts = hosts_of(made, LEAF)
        made.sandbox.set_faults(OTHER, refuse=True)
        assert changed(made, LEAF, drained(LEAF)) == "done"
        assert calls(made) == [("before", hosts, ())]
        if changes == "its spines":
            compiled, _ = made.planned(*WHOLE, drained(LEAF), OTHER_SERVER, only=["spine-0", "spine-1"])
            assert ended(made.carry_out(compiled, pace=IMPATIENT)) == "done"
        if changes == "the leaf":
            lives(made, OTHER)
            assert changed(made, OTHER, drained(LEAF), OTHER_SERVER) == "done"
            made.sandbox.set_faults(OTHER, refuse=True)
        assert changed(made, LEAF, OTHER_SERVER) == "done"
        if changes != "the leaf":
            assert calls(made) == [("after", hosts, ())]
            return
        assert [hosts] == [event.hosts for event in made.of(HostsCutOff)]
        lives(made, OTHER)
        assert changed(made, LEAF, OTHER_SERVER) == "nothing"
        assert calls(made) == [("after", hosts, ())]


@pytest.mark.parametrize("product", PLAYED)
@pytest.mark.covering(most=1, apart=True)
def test_who_was_left_to_its_timer_is_not_known_to_be_dead(product: str, tmp_path: Path) -> None:
    """Hosts were in service over it, as far as anybody could tell: found dead behind the wave, it keeps them out."""
    with settled(tmp_path, product, *WHOLE) as made:
        hosts = hosts_of(made, LEAF)

        def goes(event: Event) -> None:
            if isinstance(event, DeviceStepped) and event.state is State.COMMITTED:
                made.sandbox.set_faults(OTHER, refuse=True)

        compiled, _ = made.planned(*WHOLE, OTHER_SERVER, only=[OTHER])
        assert made.carry_out(compiled, pace=IMPATIENT, on_event=goes).outcome == "failed"
        assert made.place.journal().unknown(compiled.intent.site.site) == {OTHER}
        compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])

        def breaks(event: Event) -> None:
            if isinstance(event, WaveStarted):
                made.sandbox.clear_faults(OTHER)
                dies(made, OTHER)

        made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)
        assert calls(made) == [("before", hosts, ())]
        assert [hosts] == [event.hosts for event in made.of(HostsCutOff)]


@pytest.mark.parametrize("product", PLAYED)
@pytest.mark.covering(most=1, apart=True)
def test_who_is_joined_with_no_switch_and_cannot_be_asked_carries_nobody(
    product: str, tmp_path: Path
) -> None:
    """It has died in its wave, and has left the inventory since."""
    words = (ALONE, CORDON)
    with settled(tmp_path, product, *words) as made:

        def breaks(event: Event) -> None:
            if isinstance(event, WaveStarted):
                made.sandbox.set_faults(LEAF, refuse=True)

        compiled, _ = made.planned(*words, SMALLER, only=[LEAF])
        made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)
        assert [what for what, *_ in calls(made)] == ["before"]
        (hosts,) = (event.hosts for event in made.of(HostsCutOff))
        target = made.sandbox.targets.pop(LEAF)
        compiled, _ = made.planned(*words, OTHER_SERVER, only=[OTHER])
        assert ended(made.carry_out(compiled, pace=IMPATIENT)) == "done"
        assert calls(made) == []
        made.sandbox.clear_faults(LEAF)
        made.sandbox.targets[LEAF] = target
        assert ended(made.apply(*words)) in ("done", "nothing")
        assert ("after", hosts, ()) in calls(made)


def test_a_leaf_that_was_changed_since_has_to_answer_beside_one_of_the_same_rail_that_was_not() -> None:
    rail = frozenset({"compute/0"})

    def without(_journal: object, dead: Collection[str]) -> dict[str, frozenset[str]]:
        return {"gpu": rail if {"leaf-a", "leaf-b"} <= {*dead} else frozenset()}

    cordon = Cordon(without_path=without, leaves=lambda _hosts: ("leaf-a", "leaf-b"))
    silent = Dead(unknown=frozenset({"leaf-a", "leaf-b"}))
    wave = Cordoned(run=2, devices=("leaf-c",), hosts=("gpu",), not_known={"gpu": rail})
    for last, is_out in ((1, False), (3, True)):
        applied = {"leaf-a": SimpleNamespace(run=1), "leaf-b": SimpleNamespace(run=last)}
        journal = SimpleNamespace(applied=lambda _site, known=applied: known)
        run = SimpleNamespace(journal=journal, site="lab", cordon=cordon)
        since = _known_since(run, [wave])  # type: ignore[arg-type]
        now = WithoutPath(without(None, silent.unknown), without(None, silent.quiet), since)
        assert now.keeps_out("gpu", wave) is is_out


@pytest.mark.parametrize("product", PLAYED)
@pytest.mark.covering(most=1, apart=True)
def test_a_rail_that_comes_into_the_intent_meanwhile_keeps_nobody_out(product: str, tmp_path: Path) -> None:
    """Its switches may not be built for weeks, and hosts had no path over them when they were taken out."""
    later = site(f"""
hosts: {{gpu: {{nics: {{zbackend: {{count: 1, speed: 400G}}}}}}}}
networks:
  zbackend:
    lossless: roce.yaml
    tiers:
      leaf: {{up: {{speed: 800G}}, platform: {product}, model: {MODELS[product]}, name: 'bleaf-{{unit}}-{{rail}}'}}
      spine: {{count: 2, platform: {product}, model: {MODELS[product]}, name: 'bspine-{{index}}'}}
""")
    with settled(tmp_path, product, *WHOLE) as made:
        hosts = hosts_of(made, LEAF)
        assert changed(made, LEAF, drained(LEAF)) == "done"
        assert calls(made) == [("before", hosts, ())]
        assert changed(made, LEAF, later) == "done"
        assert calls(made) == [("after", hosts, ())]
