"""One trial: a change of the intent, faults, perhaps the death of the program; then repair, and what must hold."""

from __future__ import annotations

from difflib import unified_diff
from random import Random

import msgspec

from fabric import sandbox
from fabric.configuration import compare
from fabric.deployment import holder
from fabric.planning.texts import masked
from fabric.platforms.registry import platform
from tests.chaos.operator import DEATHS, TIMER_S, Operator, files_with
from tests.chaos.random_fabric import SITE, random_faults
from tests.contract.sandbox_bench import PASSWORD

LAST_EVENT = 40
LONG_S = 3 * TIMER_S


class Sides(msgspec.Struct, frozen=True):
    """What every device ran before, and which of them run what the intent wants now."""

    before: dict[str, str]
    running: dict[str, str]
    as_before: frozenset[str]
    """Devices that run what they ran before. A device may put the same lines into another order."""
    as_intended: frozenset[str]

    @property
    def is_old(self) -> bool:
        """Every device runs what it ran before."""
        return self.as_before == set(self.before)

    @property
    def differences(self) -> str:
        """What devices run now and did not before, as lines with `-` and `+`."""
        return "\n".join(
            line
            for name, text in sorted(self.running.items())
            for line in unified_diff(
                self.before[name].splitlines(), text.splitlines(), name, lineterm="", n=0
            )
        )

    @property
    def neither(self) -> tuple[str, ...]:
        """Devices that run half of a change, or something else."""
        return tuple(
            name for name in self.running if name not in self.as_before and name not in self.as_intended
        )


def sides(operator: Operator, before: dict[str, str]) -> Sides:
    """Where the devices stand, as seen from behind."""
    compiled, running = operator.compiled(), operator.running()

    def is_intended(name: str) -> bool:
        dialect = platform(compiled.platform_of(name)).dialect()
        intended = masked(dialect.plain(compiled.artifacts[name].text))
        # What others have typed is carried along; a change of ours removes or alters a line.
        comparison = compare(dialect, name, running[name], intended)
        return all(not change.new for change in comparison.changes)

    def is_before(name: str) -> bool:
        dialect = platform(compiled.platform_of(name)).dialect()
        return not compare(dialect, name, before[name], running[name]).changes

    return Sides(
        before,
        running,
        frozenset(name for name in running if is_before(name)),
        frozenset(name for name in running if is_intended(name)),
    )


def trial(operator: Operator, random: Random) -> str:
    """Do one; the words for it. `AssertionError` with the transcript where something does not hold."""
    operator.transcript.clear()
    before, old_words = operator.running(), operator.intent.words
    name, words = operator.intent.changed()
    operator.intent.write(words)
    planned = operator.plan()
    death = random.choice(("", "", *DEATHS))
    faults = random_faults(random, sorted(before))
    what = f"{name} on {len(planned)} devices, {faults or 'no fault'}, {death or 'nobody dies'}"
    operator.transcript.insert(0, f"# {operator.intent}: {what}\n")
    for device, fault in faults.items():
        sandbox.inject(operator.home, device, **fault)
    applied = operator.apply(death=death, at_event=random.randint(1, LAST_EVENT))
    sandbox.clear(operator.home)
    after = sides(operator, before)
    assert not after.neither, operator.told()
    if applied.status == 0:
        assert after.as_intended == set(before), operator.told()

    if random.random() < 1 / 4:
        sandbox.advance(operator.home, LONG_S)  # nobody looks for a while
        assert not sides(operator, before).neither, operator.told()
    if _repair(operator, random, is_done=applied.status == 0, was_planned=bool(planned)) == "back":
        now = sides(operator, before)
        assert now.is_old, f"{operator.told()}\n{now.differences}"
        operator.intent.write(old_words)
    else:
        assert sides(operator, before).as_intended == set(before), operator.told()
    nothing_left(operator)
    return what


def _repair(operator: Operator, random: Random, *, is_done: bool, was_planned: bool) -> str:
    """Make the network whole, forwards or back. A second accident may come between."""
    unfinished = operator.unfinished()
    if unfinished is not None:
        verb = random.choice((operator.resume, operator.rollback))
        if random.random() < 1 / 3:
            verb(death=random.choice(tuple(DEATHS)), at_event=random.randint(1, LAST_EVENT // 2))
        # The one that was killed may have ended what there was.
        if (left := operator.unfinished()) is not None:
            again = operator.resume if operator.is_rollback(left) else verb
            assert again().status == 0, operator.told()
        return _where(operator)
    if operator.waiting():  # a device that did not answer was left to its timer: the plan says to wait for it
        sandbox.advance(operator.home, LONG_S)
    if is_done and was_planned and random.random() < 1 / 3:
        assert operator.rollback().status == 0, operator.told()
        return "back"
    if operator.plan():
        assert operator.apply().status == 0, operator.told()
    return "forward"


def _where(operator: Operator) -> str:
    """Where a repair has led: a run that was taken back before it had begun leaves the network as it was."""
    return "forward" if not operator.plan() else "back"


def nothing_left(operator: Operator) -> None:
    """No lock, no run, no commit that waits, no candidate, no secret; and the plan says so."""
    assert operator.plan() == frozenset(), operator.told()
    assert operator.unfinished() is None, operator.told()
    assert holder(operator.journal(), SITE) is None, operator.told()
    waiting = operator.waiting()
    assert waiting == {}, f"{operator.told()}\n{waiting}"
    assert files_with(operator.folder, PASSWORD) == "", operator.told()
    assert PASSWORD not in operator.told()
