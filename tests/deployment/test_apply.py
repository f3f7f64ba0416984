"""Apply does exactly what was planned, or refuses."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from fabric.deployment import SecretSource, State, apply, moments
from fabric.deployment.events import Event, WaveStarted
from fabric.diagnostics import Invalid, Refused
from fabric.planning import load, save
from tests.deployment import conftest
from tests.deployment.box import Box
from tests.deployment.conftest import FAST, Network, apply_options
from tests.planning.toy import canonical


def test_after_an_apply_the_plan_is_empty(network: Network) -> None:
    result = network.apply()

    assert (result.outcome, len(result.in_state(State.CONFIRMED))) == ("done", 6)
    assert network.plan()[0].changed == ()
    assert not any(box.is_pending for box in network.boxes().values())


def test_the_canary_goes_first_and_alone(network: Network) -> None:
    result = network.apply()

    assert [len(wave.devices) for wave in result.waves] == [1, 5]


def test_a_saved_plan_is_applied_as_it_was_saved(network: Network, tmp_path: object) -> None:
    save(*network.plan(adopt=True), tmp_path / "plan")  # type: ignore[operator]
    result = network.apply(load(tmp_path / "plan"))  # type: ignore[operator]

    assert result.outcome == "done"


def test_nothing_to_do_touches_nothing(applied: Network) -> None:
    before = {name: box.log for name, box in applied.boxes().items()}
    empty = applied.plan()
    seen = {name: box.log for name, box in applied.boxes().items()}

    assert applied.apply(empty).outcome == "nothing"
    assert {name: box.log for name, box in applied.boxes().items()} == seen
    assert before != seen


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"intent": "j" * 64}, "the intent has changed"), ({"program": "0.2.0"}, r"made by version 0\.1\.0")],
)
def test_a_plan_of_another_intent_or_program_is_stale(
    network: Network, changed: dict[str, str], message: str
) -> None:
    with pytest.raises(Refused, match=f"FAB710: .*{message}"):
        network.apply(**changed)


def test_a_plan_is_stale_once_a_device_has_changed(applied: Network) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = applied.plan()
    applied.box("leaf-0-1-1").change(lambda text: text + "ntp 192.0.2.66\n")

    with pytest.raises(Refused, match="FAB710: changed since the plan was made: leaf-0-1-1"):
        applied.apply(saved)
    assert all("commit" not in box.log[-3:] for box in applied.boxes().values())


def test_a_plan_that_was_carried_out_in_part_is_refused_with_that_run_and_what_is_typed(
    applied: Network,
) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = applied.plan(created=moments.now())
    applied.box("leaf-0-1-1").fail("commit")
    half = applied.apply(saved)
    done = [d.device for wave in half.waves for d in wave.devices if d.state is State.CONFIRMED]
    assert (half.outcome, half.run) == ("failed", 2)
    assert done
    applied.box("leaf-0-1-1").fail()

    with pytest.raises(Refused, match=r"FAB710: changed since the plan was made: .*\(by run 2\)$") as refused:
        applied.apply(saved)

    assert all(name in str(refused.value) for name in done)
    assert str(refused.value.hint).startswith("`fabric history 2` tells")
    assert "`fabric plan`" in str(refused.value.hint)
    assert applied.apply(applied.plan()).outcome == "done"


def test_a_commit_of_somebody_else_that_waits_is_told_with_the_device_that_has_changed(
    applied: Network,
) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = applied.plan(created=moments.now())
    _commits(applied.box("leaf-0-1-1"), "carol")

    waits = r"leaf-0-1-1 \(a commit waits there, carol of carol, which goes back by itself in "
    with pytest.raises(Refused, match=waits) as refused:
        applied.apply(saved)
    assert str(refused.value.hint).endswith("then `fabric plan` again")


def test_one_that_somebody_makes_while_another_wave_is_changed_is_told_and_left_alone(
    applied: Network,
) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = applied.plan()
    last = applied.box(saved[0].waves[-1].devices[-1])

    def meddle(event: Event) -> None:
        if isinstance(event, WaveStarted) and event.wave == 1:
            _commits(last, "carol")

    place: dict[str, Any] = {"targets": applied.targets(), "journal": applied.journal}
    result = apply(saved, options=apply_options(), on_event=meddle, **place)

    waits = "a commit waits there, carol of carol, which goes back by itself in "
    assert (len(result.waves), result.outcome) == (2, "failed")
    assert waits in result.waves[-1].reason
    assert last.is_pending


def _commits(box: Box, name: str) -> None:
    """Somebody commits a change of his own with a timer."""
    with box.state() as state:
        before = state["running"]
        state["running"] = before + "ntp 192.0.2.77\n"
        state["pending"] = {"session": name, "before": before, "until": time.time() + 600, "user": name}


def test_a_device_that_does_not_answer_does_not_ask_for_a_new_plan(applied: Network) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = applied.plan()
    applied.box("leaf-0-1-1").fail("open")

    with pytest.raises(Refused, match="leaf-0-1-1: connecting: ") as refused:
        applied.apply(saved)
    assert "same command again" in (refused.value.hint or "")


def test_logins_that_are_refused_are_one_error_that_says_whose_and_nothing_has_changed(
    applied: Network,
) -> None:
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10")
    saved = applied.plan()
    for box in applied.boxes().values():
        box.fail("login")

    with pytest.raises(
        Refused, match=r"^FAB735: 6 devices \(.*\): connecting: the login as .* is refused"
    ) as refused:
        applied.apply(saved)
    assert "credentials" in (refused.value.hint or "")
    assert "LibraryError" not in str(refused.value)
    assert all("commit" not in box.log[-3:] for box in applied.boxes().values())


def test_the_first_apply_needs_adopt(network: Network) -> None:
    with pytest.raises(Refused, match="FAB712"):
        network.apply(network.plan())


def test_a_lockout_is_refused_unless_it_is_allowed_by_name(applied: Network) -> None:
    applied.edit("way-in 192.0.2.10/24", "way-in 192.0.2.99/24", "leaf-0-0-0")

    with pytest.raises(Refused, match=r"FAB713: `lockout` is not allowed for leaf-0-0-0"):
        applied.apply()
    with pytest.raises(Refused, match="FAB713"):
        applied.apply(allow=frozenset({"lockout:leaf-0-0-1", "isolating"}))
    assert applied.apply(allow=frozenset({"lockout:leaf-0-0-0"})).outcome == "done"


def test_a_refusal_tells_each_device_why_and_what_to_type(applied: Network) -> None:
    applied.edit("way-in 192.0.2.10/24", "way-in 192.0.2.99/24", "leaf-0-0-0", "leaf-0-0-1")

    with pytest.raises(
        Refused, match=r"leaf-0-0-0, leaf-0-0-1: management access: .*192\.0\.2\.99"
    ) as refused:
        applied.apply(allow=frozenset({"lockout"}))
    words = re.findall(r"`--allow (lockout:[a-z0-9*-]+)`", refused.value.hint or "")
    assert applied.apply(allow=frozenset(words)).outcome == "done"


def test_an_isolating_change_is_refused_unless_it_is_allowed_by_name(applied: Network) -> None:
    applied.edit("description host", "description gpu", "leaf-0-0-0", "leaf-0-0-1")

    with pytest.raises(Refused, match=r"FAB713: `isolating`.*the only path of host-0-0 rail 0"):
        applied.apply()
    assert applied.apply(allow=frozenset({"isolating"})).outcome == "done"


def test_a_coupled_change_is_refused_with_its_reason(applied: Network) -> None:
    applied.edit("queue 3 priority 3", "queue 3 priority 4", "leaf-0-0-0")

    with pytest.raises(
        Refused,
        match=r"FAB711: FAB601: leaf-0-0-0 p101 - spine-0-0 p1, .*: PFC priority: .*lossless traffic is lost",
    ):
        applied.apply()


def test_missing_secrets_are_told_together_before_anything_is_touched(network: Network) -> None:
    network.edit("ntp 192.0.2.9", "ntp 192.0.2.9\nbanner secret <secret:env:OTHER>")
    with pytest.raises(Invalid, match="OTHER is not set"):
        network.plan(adopt=True)


@pytest.mark.parametrize("seconds", [0, -1, 86_400, 90_000])
def test_a_timer_that_a_device_cannot_keep_is_refused(network: Network, seconds: int) -> None:
    with pytest.raises(Refused, match="FAB715"):
        network.apply(pace=replace(FAST, revert_in_s=seconds))


def test_unowned_lines_survive_an_apply_with_their_secrets(make: Callable[..., Network]) -> None:
    network = make(
        lambda _name, text: (
            text.replace("<secret:env:NETOPS>", "old") + "foreign tap secret T4P\n   keep me\n"
        )
    )
    result = network.apply()

    assert result.outcome == "done"
    assert "foreign tap secret 8:P4T\n   keep me\n" in network.box("leaf-0-0-0").running
    assert network.plan()[0].changed == ()


def test_what_runs_is_what_was_intended(applied: Network) -> None:
    for name, box in applied.boxes().items():
        intended = canonical(applied.site.texts[name]).replace("<secret:env:NETOPS>", "<masked>")
        assert canonical(box.running) == intended


def test_a_rotated_secret_is_pushed(applied: Network) -> None:
    conftest.ENVIRON["NETOPS"] = "ROTATED"
    try:
        assert applied.plan()[0].changed == ()
        made, _ = saved = applied.plan(ignore_secrets=False)
        assert len(made.changed) == 6
        assert applied.apply(saved, source=SecretSource(environ={"NETOPS": "ROTATED"})).outcome == "done"
        assert "DETATOR" in applied.box("leaf-0-0-0").running
        assert applied.plan(ignore_secrets=False)[0].changed == ()
    finally:
        conftest.ENVIRON["NETOPS"] = conftest.SECRET


def test_options_have_sound_defaults() -> None:
    made = apply_options()

    assert (made.allow, made.pace.batch) == (frozenset(), 256)


@pytest.mark.parametrize(
    ("allow", "refused"),
    [
        ((), "isolating"),
        (("lockout:*",), "isolating"),
        (("isolating",), "lockout"),
        (("isolating", "lockout"), "lockout"),
        (("isolating", "lockout:leaf-?-0-1"), "lockout"),
        (("lockout:leaf-0-0-0",), "isolating"),
        (("isolating:leaf-0-0-0",), "lockout"),
        (("isolating", "lockout:leaf-0-0-1"), "lockout"),
    ],
)
def test_each_impact_of_a_device_must_be_allowed_and_not_only_the_worst(
    applied: Network, allow: tuple[str, ...], refused: str
) -> None:
    applied.edit("way-in 192.0.2.10/24", "way-in 192.0.2.99/24", "leaf-0-0-0")
    applied.edit("description host", "description gpu", "leaf-0-0-0")
    saved = applied.plan()

    assert {"isolating", "lockout"} <= {change.impact for change in saved[0].changed[0].changes}
    with pytest.raises(Refused, match=f"FAB713: `{refused}` is not allowed for leaf-0-0-0"):
        applied.apply(saved, allow=frozenset(allow))
    assert (
        applied.apply(saved, allow=frozenset({"isolating:leaf-0-0-0", "lockout:leaf-0-?-0"})).outcome
        == "done"
    )
