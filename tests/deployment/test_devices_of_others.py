"""Devices that nobody has applied anything to need neither an address nor a password for a run of the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from fabric import api, planning
from fabric.compiler import Compiled
from fabric.deployment import Pace, Result, Workplace
from fabric.deployment.connection.targets import targets
from fabric.deployment.events import Event, WaveStarted
from fabric.diagnostics import Invalid
from fabric.intent.inventory import Inventory
from fabric.operations.apply_options import apply_options
from fabric.platforms.base import Target
from tests.deployment.played_site import PlayedSite, ended, played_site
from tests.deployment.test_hosts_left_cut_off import HOOK, calls
from tests.deployment.test_leaves_that_die_meanwhile import (
    A_LEAF_FOR_EACH_RAIL,
    ALLOW,
    IMPATIENT,
    OTHER,
    OTHER_TIMERS,
    WHOLE,
    hosts_of,
)
from tests.infiniband.sites import SMALL, SMALL_HARDWARE
from tests.platforms.sites import LEAF, Words, inventory

LOGINS = inventory(
    "{default_credentials: ours, credentials: {ours: {username: netops, password: 'env:OURS'},"
    " theirs: {username: netops, password: 'env:NOT_SET'}}}"
)
OF_OTHERS = {
    "no address": inventory(f"devices: {{{OTHER}: null}}"),
    "no password": inventory(f"devices: {{{OTHER}: {{credentials: theirs}}}}"),
}


class Place(Workplace, frozen=True, kw_only=True):
    """What an inventory lacks is missed as it would be; who is there is played by the sandbox."""

    def targets(
        self, inventory: Inventory, names: Iterable[str], *, beside: Iterable[str] = ()
    ) -> dict[str, Target]:
        played = self.replaced or {}
        return {name: played[name] for name in targets(inventory, names, self.source, 60, beside=beside)}

    def reached(self, inventory: Inventory, names: Iterable[str]) -> tuple[str, ...]:
        known = inventory.devices
        return tuple(name for name in names if name in known and known[name].address is not None)


class Team:
    """Whose site it is, but for one leaf."""

    def __init__(self, made: PlayedSite, others: Words) -> None:
        self.made, self.others = made, others
        self.place = Place(folder=made.folder, replaced=made.sandbox.targets, timeout_s=60)

    def compiled(self, *words: Words) -> Compiled:
        return self.made.compiled(*WHOLE, LOGINS, self.others, *words)

    def apply(self, *words: Words, only: Iterable[str] = (LEAF,), dies: bool = False) -> Result:
        def told(event: Event) -> None:
            if dies and isinstance(event, WaveStarted):
                raise SystemExit("killed")

        compiled = self.compiled(*words)
        plan, texts = api.plan(compiled, self.place, adopt=True, only=only)
        planning.save(plan, texts, self.made.folder / "plan")
        pace: Pace = IMPATIENT
        saved = self.made.folder / "plan"
        return api.apply(saved, compiled, self.place, allow=ALLOW, pace=pace, on_event=told)


@pytest.fixture(params=OF_OTHERS)
def team(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Team]:
    monkeypatch.setenv("OURS", "secret-of-ours")
    monkeypatch.delenv("NOT_SET", raising=False)
    with played_site(tmp_path, "eos", A_LEAF_FOR_EACH_RAIL) as made:
        (tmp_path / "hook").write_text(HOOK)
        (tmp_path / "hook").chmod(0o700)
        team = Team(made, OF_OTHERS[request.param])
        ours = [name for name in made.sandbox.targets if name != OTHER]
        assert ended(team.apply(only=ours)) in ("done", "nothing")
        calls(made)
        yield team


def test_hosts_go_and_come_back(team: Team) -> None:
    hosts = hosts_of(team.made, LEAF)
    assert ended(team.apply(OTHER_TIMERS)) == "done"
    assert calls(team.made) == [("before", hosts, ()), ("after", hosts, ())]


def test_a_run_is_gone_on_with_and_taken_back(team: Team) -> None:
    with pytest.raises(SystemExit):
        team.apply(OTHER_TIMERS, dies=True)
    compiled = team.compiled(OTHER_TIMERS)
    assert ended(api.resume(compiled, team.place, allow=ALLOW, pace=IMPATIENT)) == "done"
    assert ended(api.rollback(compiled, team.place, allow=(*ALLOW, "isolating"), pace=IMPATIENT)) == "done"


def test_what_changes_nothing_adopts_its_targets_alone(team: Team) -> None:
    made = team.made
    compiled = made.compiled(*WHOLE)
    plan, texts = api.plan(compiled, made.place, adopt=True)
    assert not plan.changed
    planning.save(plan, texts, made.folder / "plan")
    result = api.apply(made.folder / "plan", compiled, made.place, target=[LEAF], pace=IMPATIENT)
    assert result.outcome == "nothing"
    assert OTHER not in made.place.journal().applied(compiled.intent.site.site)


def test_what_was_applied_to_has_to_be_reached(team: Team) -> None:
    """A leaf of ours whose password is not there is missed: it would be asked before hosts come back over it."""
    assert ended(team.apply(OTHER_TIMERS)) == "done"
    lost = inventory("devices: {leaf-1-0: {credentials: theirs}}")
    with pytest.raises(Invalid, match="NOT_SET"):
        api.rollback(team.compiled(OTHER_TIMERS, lost), team.place, allow=ALLOW, pace=IMPATIENT)


def test_hosts_behind_a_manager_are_those_of_its_subnet(tmp_path: Path) -> None:
    for name, text in ({"site.yaml": SMALL.format(units=2)} | SMALL_HARDWARE).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    compiled = api.compile(tmp_path)
    place = Workplace(folder=tmp_path)
    cordon = apply_options(compiled, place, (), None).cordon

    assert cordon.hosts(("sm-1",)) == tuple(sorted(compiled.devices.hosts))
    assert len(cordon.hosts(("sm-1",))) == 12
    without = cordon.without_path(place.journal(), ())
    assert without == dict.fromkeys(compiled.devices.hosts, frozenset())
