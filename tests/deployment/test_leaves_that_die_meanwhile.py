"""Hosts that are out of service do not come back over a leaf that has died meanwhile, however their wave ends."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from fabric import api
from fabric.deployment.between_waves.cordon import Cordon
from fabric.deployment.events import Event, GateWaiting, HostsCutOff, WaveStarted
from fabric.deployment.interruptions import Interrupted
from fabric.deployment.waves import cordoned
from fabric.devices.model import LinkRole
from fabric.platforms.emulation import PortFault
from tests.deployment.played_site import PACE, PLAYED, PlayedSite, ended, played_site
from tests.deployment.test_hosts_left_cut_off import CORDON, HOOK, OTHER_SERVER, OUT, calls
from tests.platforms.sites import LEAF, SPINE, Words, network, state

IMPATIENT = msgspec.structs.replace(PACE, gate_timeout_s=1)
OTHER_TIMERS = network("routing: {bgp: {keepalive: 2s, hold: 6s}}")
RENAMED = network("tiers: {leaf: {name: 'lf-{unit}-{rail}'}}")
A_LEAF_FOR_EACH_RAIL = network("rails: {leaves: 2}")
ALONE = network("tiers: {spine: null, leaf: {up: null, max_oversubscription: null}}")
SMALLER = network("ip_mtu: 8900")
NEW_NAME = "lf-0-0"
OTHER = "leaf-0-1"
"""Of the other rail of the same hosts."""
WHOLE: tuple[Words, ...] = (A_LEAF_FOR_EACH_RAIL, CORDON)
COME_BACK = "hosts are to come back over it"
ALLOW = (f"isolating:{LEAF}", "lockout:*")


@pytest.fixture(scope="module", params=PLAYED)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedSite]:
    with played_site(tmp_path_factory.mktemp("site"), request.param, A_LEAF_FOR_EACH_RAIL) as running:
        hook = running.folder / "hook"
        hook.write_text(HOOK)
        hook.chmod(0o700)
        yield running


@pytest.fixture
def settled(made: PlayedSite) -> Iterator[PlayedSite]:
    """Before and afterwards every switch runs what the intent says, and no host is out of service."""
    assert ended(made.apply(*WHOLE)) in ("done", "nothing")
    calls(made)
    yield made
    for leaf in (LEAF, OTHER):
        lives(made, leaf)
    assert ended(made.apply(*WHOLE)) in ("done", "nothing")


def dies(made: PlayedSite, leaf: str) -> None:
    """All links of a leaf to others go down."""
    links = [port.name for port in made.compiled(*WHOLE).devices[leaf].ports if port.role is LinkRole.UP]
    made.sandbox.set_faults(leaf, ports={name: PortFault(down=True) for name in links})
    made.sandbox.advance(60)


def lives(made: PlayedSite, leaf: str) -> None:
    made.sandbox.clear_faults(leaf)
    made.sandbox.advance(60)


def hosts_of(made: PlayedSite, leaf: str) -> tuple[str, ...]:
    ports = made.compiled(*WHOLE).devices[leaf].ports
    return tuple(sorted({port.peer for port in ports if port.role is LinkRole.HOST}))


@contextmanager
def without_the_other_leaf(folder: Path, product: str) -> Iterator[PlayedSite]:
    """A site of which nothing was applied to one leaf."""
    with played_site(folder, product, A_LEAF_FOR_EACH_RAIL) as made:
        (folder / "hook").write_text(HOOK)
        (folder / "hook").chmod(0o700)
        compiled, _ = made.planned(*WHOLE, only=[name for name in made.sandbox.targets if name != OTHER])
        assert ended(made.carry_out(compiled)) in ("done", "nothing")
        yield made


def come_back(made: PlayedSite, hosts: tuple[str, ...], *words: Words) -> None:
    """They were left out of service, and a run that changes nothing brings them back once their leaf lives."""
    assert calls(made) == []
    for brought in ([], [("after", hosts, ())]):
        compiled, _ = made.planned(*WHOLE, *words, only=[LEAF])
        assert ended(made.carry_out(compiled, pace=IMPATIENT, target=[LEAF])) == "nothing"
        assert calls(made) == brought
        lives(made, LEAF)


@pytest.mark.parametrize("ending", [None, Interrupted(signal.SIGTERM), SystemExit("a bug")], ids=str)
@pytest.mark.covering(most=2, apart=True)
def test_a_wave_that_ends_in_whatever_way_leaves_them_out(
    settled: PlayedSite, ending: BaseException | None
) -> None:
    made, hosts = settled, hosts_of(settled, LEAF)
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])

    def breaks(event: Event) -> None:
        if isinstance(event, WaveStarted):
            dies(made, LEAF)
            if ending is not None:
                raise ending

    if ending is None:
        made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)
    else:
        with pytest.raises(type(ending)):
            made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)
    assert calls(made) == [("before", hosts, ())]
    assert [hosts] == [event.hosts for event in made.of(HostsCutOff)]
    if ending is not None:
        assert ended(api.resume(compiled, made.place, allow=ALLOW, pace=IMPATIENT)) == "done"
        assert [what for what, *_ in calls(made)] == ["before"]
    come_back(made, hosts, OTHER_TIMERS)


@pytest.mark.covering(most=1, apart=True)
def test_a_signal_while_they_are_waited_for_leaves_them_out(settled: PlayedSite) -> None:
    made, hosts = settled, hosts_of(settled, LEAF)
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])
    signals: list[int] = []

    def breaks(event: Event) -> None:
        if isinstance(event, WaveStarted):
            dies(made, LEAF)
        if isinstance(event, GateWaiting) and COME_BACK in str(event.missing) and not signals:
            signals.append(signal.SIGINT)
            raise Interrupted(signal.SIGINT)

    with pytest.raises(Interrupted):
        made.carry_out(compiled, allow=ALLOW, on_event=breaks)
    assert calls(made) == [("before", hosts, ())]
    assert ended(api.resume(compiled, made.place, allow=ALLOW, pace=IMPATIENT)) == "done"
    come_back(made, hosts, OTHER_TIMERS)


@pytest.mark.covering(most=1, apart=True)
def test_a_run_that_is_killed_and_gone_on_with_leaves_them_out(
    settled: PlayedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks anew who has no path before the wave: the leaf is dead by then, and was not when they were cordoned."""
    made, hosts = settled, hosts_of(settled, LEAF)
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])

    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Cordon, "run", killed)
        patched.setattr(cordoned, "bring_back_wave", killed)
        with pytest.raises(KeyboardInterrupt):
            made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW)
    dies(made, LEAF)
    assert ended(api.resume(compiled, made.place, allow=ALLOW, pace=IMPATIENT)) == "done"
    assert calls(made) == [("before", hosts, ())]
    come_back(made, hosts, OTHER_TIMERS)


@pytest.mark.covering(most=1, apart=True)
def test_a_leaf_of_another_rail_that_was_dead_before_excuses_nobody(settled: PlayedSite) -> None:
    """Hosts that were in service with one rail less come back with one less, and not with two."""
    made, hosts = settled, hosts_of(settled, LEAF)
    assert hosts == hosts_of(made, OTHER)
    dies(made, OTHER)
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])
    assert ended(made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW)) == "done"
    assert calls(made) == [("before", hosts, ()), ("after", hosts, ())]
    compiled, _ = made.planned(*WHOLE, only=[LEAF])

    def breaks(event: Event) -> None:
        if isinstance(event, WaveStarted):
            dies(made, LEAF)

    made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)
    assert calls(made) == [("before", hosts, ())]
    lives(made, OTHER)
    come_back(made, hosts)


@pytest.mark.covering(most=1, apart=True)
def test_hosts_that_an_earlier_run_has_left_out_stay_out_behind_the_next_one(settled: PlayedSite) -> None:
    """They had no path before its wave either, and were not in service; once they are back nobody owes them more."""
    made, hosts = settled, hosts_of(settled, LEAF)

    def breaks(event: Event) -> None:
        if isinstance(event, WaveStarted):
            dies(made, LEAF)

    for words in ((OTHER_TIMERS,), (), (OTHER_TIMERS,)):
        compiled, _ = made.planned(*WHOLE, *words, only=[LEAF])
        assert ended(made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)) == "done"
        assert calls(made) == [("before", hosts, ())]
    come_back(made, hosts, OTHER_TIMERS)
    assert not made.place.journal().cordoned_by_run(compiled.intent.site.site)


@pytest.mark.parametrize("is_reached", [True, False])
@pytest.mark.covering(most=1, apart=True)
def test_a_leaf_of_another_name_carries_them_first(
    settled: PlayedSite, monkeypatch: pytest.MonkeyPatch, *, is_reached: bool
) -> None:
    """Nothing was applied to it by its new name: the intent alone gives nobody a path."""
    made, hosts = settled, hosts_of(settled, LEAF)

    def breaks(event: Event) -> None:
        if isinstance(event, WaveStarted):
            dies(made, LEAF)

    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])
    made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)
    assert calls(made) == [("before", hosts, ())]
    if is_reached:
        monkeypatch.setitem(made.sandbox.targets, NEW_NAME, made.sandbox.targets[LEAF])
    compiled, _ = made.planned(*WHOLE, RENAMED, OTHER_SERVER, only=[SPINE])
    assert NEW_NAME in compiled.devices
    assert ended(made.carry_out(compiled, pace=IMPATIENT)) == "done"
    assert calls(made) == []
    come_back(made, hosts, OTHER_TIMERS)


@pytest.mark.covering(most=1, apart=True)
def test_hosts_need_no_more_rails_to_come_back_than_they_had(settled: PlayedSite) -> None:
    """One was dead before they were left out of service."""
    made, hosts = settled, hosts_of(settled, LEAF)
    dies(made, OTHER)
    out = state(f"drained: [{{device: {LEAF}, mode: shut, {OUT}}}]")
    compiled, _ = made.planned(*WHOLE, out, only=[LEAF])
    assert ended(made.carry_out(compiled, pace=IMPATIENT)) == "done"
    assert calls(made) == [("before", hosts, ())]
    assert [hosts] == [event.hosts for event in made.of(HostsCutOff)]
    compiled, _ = made.planned(*WHOLE, only=[LEAF])
    assert ended(made.carry_out(compiled, pace=IMPATIENT)) == "done"
    assert calls(made) == [("after", hosts, ())]


@pytest.mark.parametrize("after", ["silent still", "dead"])
@pytest.mark.covering(most=2, apart=True)
def test_a_leaf_that_did_not_answer_before_excuses_its_silence_alone(settled: PlayedSite, after: str) -> None:
    """Its hosts were in service over it: it is as it was, unless it answers and has no session."""
    made, hosts = settled, hosts_of(settled, LEAF)
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])
    made.sandbox.set_faults(OTHER, refuse=True)

    def breaks(event: Event) -> None:
        if isinstance(event, WaveStarted) and after == "dead":
            made.sandbox.clear_faults(OTHER)
            dies(made, OTHER)

    assert ended(made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)) == "done"
    assert calls(made) == [("before", hosts, ())] + [("after", hosts, ())] * (after == "silent still")
    lives(made, OTHER)
    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])
    assert ended(made.carry_out(compiled, pace=IMPATIENT)) == "nothing"
    assert calls(made) == [("after", hosts, ())] * (after == "dead")


@pytest.mark.parametrize("how", ["silent", "dead", "not in the inventory"])
@pytest.mark.parametrize("product", PLAYED)
@pytest.mark.covering(most=1, apart=True)
def test_a_leaf_that_is_not_there_yet_keeps_nobody_out(product: str, how: str, tmp_path: Path) -> None:
    """Nothing was applied to it, and hosts are in service over their other rail."""
    with without_the_other_leaf(tmp_path, product) as made:
        if how == "silent":
            made.sandbox.set_faults(OTHER, refuse=True)
        elif how == "dead":
            dies(made, OTHER)
        else:
            made.sandbox.targets.pop(OTHER)
        hosts = hosts_of(made, LEAF)
        calls(made)
        for words in ((OTHER_TIMERS,), ()):
            compiled, _ = made.planned(*WHOLE, *words, only=[LEAF])
            assert ended(made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW)) == "done"
            assert calls(made) == [("before", hosts, ()), ("after", hosts, ())]
            assert made.of(HostsCutOff) == []


@pytest.mark.parametrize("product", PLAYED)
@pytest.mark.covering(most=1, apart=True)
def test_a_new_leaf_that_carries_nothing_keeps_nobody_out_once_it_is_taken_back(
    product: str, tmp_path: Path
) -> None:
    with without_the_other_leaf(tmp_path, product) as made:
        dies(made, OTHER)
        hosts = hosts_of(made, LEAF)
        calls(made)
        compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF, OTHER])
        made.carry_out(compiled, pace=IMPATIENT)
        assert hosts == tuple(
            sorted({host for what, some, _ in calls(made) if what == "before" for host in some})
        )
        api.rollback(compiled, made.place, allow=("isolating", "lockout:*"), pace=IMPATIENT)
        assert ("after", hosts, ()) in calls(made)
        assert not made.place.journal().cordoned_by_run(compiled.intent.site.site)


@pytest.mark.covering(most=1, apart=True)
def test_a_leaf_that_an_earlier_run_has_left_dead_is_asked_and_not_waited_for(
    settled: PlayedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where it has left the inventory: nobody knows that it carries them again."""
    made, hosts = settled, hosts_of(settled, LEAF)

    def breaks(event: Event) -> None:
        if isinstance(event, WaveStarted):
            dies(made, LEAF)

    compiled, _ = made.planned(*WHOLE, OTHER_TIMERS, only=[LEAF])
    made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)
    assert calls(made) == [("before", hosts, ())]
    for words in ((OTHER_TIMERS,), ()):
        compiled, _ = made.planned(*WHOLE, *words, only=[OTHER])
        assert ended(made.carry_out(compiled, pace=IMPATIENT)) == "done"
        assert calls(made) == [("before", hosts, ())]
        assert not [event for event in made.of(GateWaiting) if COME_BACK in str(event.missing)]
    with monkeypatch.context() as patched:
        patched.delitem(made.sandbox.targets, LEAF)
        compiled, _ = made.planned(*WHOLE, OTHER_SERVER, only=[SPINE])
        assert ended(made.carry_out(compiled, pace=IMPATIENT)) == "done"
        assert calls(made) == []
    come_back(made, hosts, OTHER_TIMERS)


@pytest.mark.parametrize("product", PLAYED)
@pytest.mark.covering(most=1, apart=True)
def test_a_leaf_that_no_spine_joins_has_to_answer(product: str, tmp_path: Path) -> None:
    """It has no session that could be up."""
    words = (ALONE, CORDON)
    with played_site(tmp_path, product, *words) as made:
        (tmp_path / "hook").write_text(HOOK)
        (tmp_path / "hook").chmod(0o700)
        assert ended(made.apply(*words)) in ("done", "nothing")
        compiled, _ = made.planned(*words, SMALLER, only=[LEAF])

        def breaks(event: Event) -> None:
            if isinstance(event, WaveStarted):
                made.sandbox.set_faults(LEAF, refuse=True)

        result = made.carry_out(compiled, pace=IMPATIENT, allow=ALLOW, on_event=breaks)
        assert result.outcome == "failed"
        assert [what for what, *_ in calls(made)] == ["before"]
        (hosts,) = (event.hosts for event in made.of(HostsCutOff))
        made.sandbox.clear_faults(LEAF)
        assert ended(made.apply(*words)) in ("done", "nothing")
        assert calls(made) == [("after", hosts, ())]
