"""A plan as people read it: few groups, not many devices."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from fabric.cli.printing.styled_lines import PLAIN, fold, text_of
from fabric.cli.views.apply_events import event_lines, result_lines
from fabric.cli.views.blast_radius import blast_radius
from fabric.cli.views.plan import block_lines, counts, names, plan_lines, plan_summary
from fabric.cli.views.plan_markdown import plan_markdown
from fabric.deployment.events import (
    CordonFailed,
    DevicesSilent,
    DeviceStepped,
    GateWaiting,
    RunStarted,
    WaveStarted,
)
from fabric.deployment.jobs import State
from fabric.deployment.permissions import check_allowed
from fabric.deployment.results import DeviceResult, Result, WaveResult
from fabric.diagnostics import Origin, Refused, Severity
from fabric.planning.codes import BAD_STORE, KEPT, OTHER_IDENTITY, UNDRIVEN, UNOBSERVED
from fabric.planning.model import Action, Change, Coupling, DevicePlan, DiffGroup, Impact, Plan, Scope, Wave
from fabric.tables.table import WAVES
from fabric.units import counted

DIFF = "--- running\n+++ intended\n@@ -1 +1 @@ interface Ethernet1/1\n-   mtu 9214\n+   mtu 9000\n"
MTU = "the IP MTU changes"


def device(name, *, changed=True):
    blocks = tuple(
        Change(f"interface Ethernet{i}/1", "~", Impact.FLAP, Scope((f"Ethernet{i}/1",), ("spine-0",)), MTU)
        for i in range(1, 33)
    )
    return DevicePlan(
        device=name,
        platform="eos",
        network="compute",
        role="leaf",
        group=0,
        plane=0,
        action=Action.UPDATE if changed else Action.NOTHING,
        impact=Impact.FLAP if changed else Impact.NONE,
        changes=blocks if changed else (),
        diff="d" if changed else "",
        intended="x",
        observed="y",
        kept_lines=2,
        derived={"headroom": "set from port speed"},
    )


def plan(changed=400, same=100, couplings=()):
    devices = tuple(device(f"leaf-{i}", changed=i < changed) for i in range(changed + same))
    moving = tuple(d.device for d in devices if d.action is not Action.NOTHING)
    return Plan(
        site="lab",
        created=datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
        program="0",
        intent="i",
        mode="online",
        adopt=False,
        devices=devices,
        groups=(DiffGroup("d", moving, Impact.FLAP),) if moving else (),
        waves=tuple(Wave(i, (name,), Impact.FLAP, i == 1, "apart") for i, name in enumerate(moving, 1)),
        couplings=couplings,
    )


def shown(made, verbose=0):
    return [text_of(line) for line in plan_lines(made, {"d": DIFF}.__getitem__, verbose)]


def test_equal_diffs_are_one_group_whatever_their_number():
    lines = shown(plan())

    assert "400 devices (compute leaf, eos): flap" in lines
    assert "  leaf-0, leaf-1, leaf-2 and 397 more" in lines
    assert len(lines) < 40


def test_a_summary_is_short_on_every_site():
    """Whatever the number of devices, and however many of them change in their own way; what is worst is first."""
    for size in (8, 64, 512):
        equal = plan(changed=size, same=0)
        worst = f"leaf-{size - 1}"
        apart = tuple(
            DiffGroup("d", (one.device,), Impact.LOCKOUT if one.device == worst else Impact.FLAP)
            for one in equal.devices
        )
        for made in (equal, msgspec.structs.replace(equal, groups=apart)):
            lines = [text_of(line) for line in plan_summary(made)]
            named = [line for line in lines if line.startswith("  ")]

            assert len(lines) < 16, (size, lines)
            assert f"{size} devices: {size} changed, 0 unchanged" in lines
            assert not [line for line in lines if "Ethernet" in line or "@@" in line]
            if made is not equal:
                assert named[0] == f"  {worst}"
                assert f"{size - 6} more groups of equal changes with {size - 6} devices" in lines


def test_a_change_is_told_with_its_impact_and_the_reason():
    assert f"  ~ interface Ethernet1/1 and 31 more  flap: {MTU}" in shown(plan())


def test_the_diff_of_a_group_names_the_device_it_is_from():
    lines = shown(plan())

    at = lines.index("  as on leaf-0:")
    assert lines[at + 1 : at + 4] == [
        "    @@ -1 +1 @@ interface Ethernet1/1",
        "    -   mtu 9214",
        "    +   mtu 9000",
    ]


def test_what_both_ends_need_stands_with_its_reason():
    links = tuple(
        Coupling((f"leaf-{i} Ethernet1/1", "spine-0 Ethernet1/1"), "IP MTU", "large packets are lost")
        for i in range(9)
    )
    lines = shown(plan(couplings=links))

    assert "  IP MTU: leaf-0 Ethernet1/1 - spine-0 Ethernet1/1 and 8 more links" in lines
    assert "    large packets are lost" in lines


def test_what_the_product_computes_is_listed_for_what_changes():
    assert "  eos headroom: set from port speed (400 devices)" in shown(plan())


def test_kept_lines_are_counted():
    assert "  800 lines that are not ours are kept" in shown(plan())


def test_many_waves_are_abridged_unless_asked_for():
    assert "  390 more waves with 390 devices (-v shows them)" in shown(plan())
    assert sum("apart" in line for line in shown(plan(), verbose=1)) == 400


def _alone(made):
    """Without lines of others."""
    devices = tuple(msgspec.structs.replace(device, kept_lines=0) for device in made.devices)
    return msgspec.structs.replace(made, devices=devices)


def test_a_network_with_lines_of_others_is_not_said_to_match_the_intent():
    text = "\n".join(shown(plan(changed=0)))

    assert "No changes. Beside the intent 200 lines that are not ours run on 100 devices." in text
    assert "matches the intent" not in text


def test_where_no_device_was_compared_nothing_is_said_to_match():
    text = "\n".join(shown(plan(changed=0, same=0)))

    assert "No device was compared: nothing is known of what would change." in text
    assert "No changes" not in text


UNKNOWN = (UNOBSERVED, UNDRIVEN, OTHER_IDENTITY)


@pytest.mark.parametrize("severity", Severity)
@pytest.mark.parametrize("code", [*UNKNOWN, BAD_STORE, KEPT], ids=lambda code: code.code)
def test_nothing_matches_the_intent_beside_an_error_or_a_device_that_nobody_has_seen(code, severity):
    finding = code.at(Origin(), "x", severity=severity, subjects=("leaf-0",))
    made = msgspec.structs.replace(_alone(plan(changed=0)), diagnostics=(finding,))
    is_whole = severity is not Severity.ERROR and code not in UNKNOWN

    assert ("No changes. The network matches the intent." in shown(made)) is is_whole
    assert ("No changes on the 100 devices that were observed." in shown(made)) is not is_whole


def test_nothing_to_do_is_said_in_so_many_words():
    lines = shown(_alone(plan(changed=0)))

    assert "No changes. The network matches the intent." in lines
    assert not any(line.startswith("+ added") for line in lines)


def test_a_plan_ends_with_a_countable_line():
    assert counts(plan(changed=3, same=93)) == "96 devices: 3 changed, 93 unchanged"


def test_many_lines_that_we_are_reached_by_are_one_line_unless_all_are_asked_for():
    lost = [
        Change(
            "management access",
            "~",
            Impact.LOCKOUT,
            Scope(whole_device=True),
            f"access: `line {i}` is removed",
        )
        for i in range(12)
    ]
    lines = [text_of(line) for line in block_lines(lost)]

    assert ["  ~ management access and 11 more  lockout: access: `line 0` is removed"] == lines
    assert len(list(block_lines(lost, verbose=1))) == 12


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "no device is left to change"), (1, "1 device in 1 wave"), (2, "2 devices in 2 waves")],
)
def test_what_is_counted_agrees_with_its_noun(number, words):
    started = RunStarted(run=7, kind="apply", devices=number, waves=number)

    assert [f"Run 7: apply, {words}"] == [text_of(line) for line in event_lines(started)]
    assert number == 0 or f"  devices  {number:,} in {counted(number, WAVES)}: " in "\n".join(
        text_of(line) for line in blast_radius(plan(changed=number), 300)
    )


def test_a_reason_that_many_devices_share_is_told_once():
    names = [f"leaf-{i}" for i in range(4)]
    told = {}
    steps = [
        DeviceStepped(
            run=1, wave=1, device=name, state=State.FAILED, reason=f"{name}: load: the flash is full"
        )
        for name in names
    ]
    lines = [text_of(line) for step in steps for line in event_lines(step, 0, told)]
    results = tuple(DeviceResult(device=s.device, state=s.state, reason=s.reason) for s in steps)
    result = Result(
        run=1,
        kind="apply",
        outcome="failed",
        waves=(WaveResult(number=1, state="reverted", devices=results),),
    )
    kept = [text_of(line) for line in result_lines(result)]

    assert "  leaf-0: failed: load: the flash is full" == lines[0]
    assert [f"  {name}: failed: as leaf-0" for name in names[1:]] == lines[1:]
    assert "    leaf-0, leaf-1, leaf-2, leaf-3: failed: load: the flash is full" == kept[1]
    assert len(kept) == 2


def test_a_device_that_is_in_trouble_no_more_is_told():
    """Its confirmation had no answer, and was asked for again; what was never in trouble is told with `-v`."""
    ends = [
        DeviceStepped(run=7, wave=2, device=name, state=state, reason=reason)
        for name, state, reason in (
            ("leaf-0", State.LEFT_TO_TIMER, "leaf-0: confirm: no answer"),
            ("leaf-1", State.CONFIRMED, ""),
            ("leaf-0", State.CONFIRMED, ""),
        )
    ]
    told: dict[tuple[str, str], str] = {}

    assert [text_of(line) for step in ends for line in event_lines(step, 0, told)] == [
        "  leaf-0: left to its timer: confirm: no answer",
        "  leaf-0: confirmed",
    ]


def test_what_a_gate_waits_for_is_said_when_it_changes_and_else_now_and_then():
    told = {}
    seen = [(0, "a"), (4, "a"), (8, "b"), (9, "a"), (15, "a"), (22, "b"), (24, "b"), (1, "b")]
    said = [
        elapsed_s
        for elapsed_s, text in seen
        for _ in event_lines(GateWaiting(run=1, wave=1, missing=(text,), elapsed_s=elapsed_s), 0, told)
    ]

    assert said == [0, 8, 15, 24, 1], "the last one is another gate's"


def test_who_does_not_answer_is_named_with_how_long_that_lasts():
    (said,) = event_lines(DevicesSilent(devices=("leaf-0", "spine-1"), waited_s=30.02))

    assert text_of(said) == "  no answer from leaf-0, spine-1 (30 s)"


def test_a_plan_of_no_device_says_so():
    assert counts(plan(changed=0, same=0)) == "no device was compared"


def test_the_blast_radius_counts_devices_links_planes_and_names_the_way_back():
    text = "\n".join(text_of(line) for line in blast_radius(plan(changed=2), 300))

    assert "devices  2 in 2 waves: 2 leaf" in text
    assert "ports    64 lose packets" in text
    assert "planes   0\n" in text
    assert "traffic  flap on 2: " in text
    assert "after 300 s" in text


@pytest.mark.parametrize(("count", "said"), [(1, "a0"), (4, "a0, a1, a2, a3"), (5, "a0, a1, a2 and 2 more")])
def test_a_few_devices_are_named_and_many_counted(count, said):
    assert names([f"a{i}" for i in range(count)]) == said


def test_a_long_line_is_folded_between_words_with_its_styles():
    red = {"fg": "red"}
    folded = fold((("  one two ", PLAIN), ("three four", red)), 12)

    assert [text_of(line).rstrip() for line in folded] == ["  one two", "      three", "      four"]
    assert folded[1][-1] == ("three", red)


def test_a_pipe_gets_lines_as_they_are():
    line = (("word " * 100, PLAIN),)

    assert fold(line, None) == [line]


@pytest.mark.parametrize("beside", Impact)
@pytest.mark.parametrize("worst", Impact)
def test_what_is_done_to_traffic_is_told_beside_lockout_in_every_view(worst, beside):
    """The two need to be allowed apart, so neither word stands for the other: on one device, or on two of a wave."""
    traffic = beside if Impact.HITLESS.rank < beside.rank else None
    expected = [Impact.LOCKOUT] + [traffic] * (traffic is not None and traffic is not Impact.LOCKOUT)
    for parts in (((Impact.LOCKOUT, beside, worst),), ((Impact.LOCKOUT,), (beside,))):
        if len(parts) == 1 and worst is not beside:
            continue
        made = with_impacts(parts)
        shown_words = ", ".join(expected)

        assert made.wave_impacts[1] == tuple(expected)
        assert [text for text in shown(made) if text.startswith("    1  ")] == [
            f"    1  {', '.join(made.waves[0].devices)}  {shown_words}  apart"
        ]
        assert f"{shown_words}  apart" in " ".join(
            line for line in plan_markdown(made, {"d": DIFF}.__getitem__, {}).splitlines() if "apart" in line
        ).replace(" apart", "  apart")
        traffic_lines = [text_of(line) for line in blast_radius(made, 600) if "  traffic " in text_of(line)]
        assert [f"{word.value} on" in text for word, text in zip(expected, traffic_lines, strict=False)] == [
            True
        ] * len(expected)
        event = WaveStarted(
            run=1,
            wave=1,
            devices=made.waves[0].devices,
            impact=Impact.LOCKOUT,
            impacts=made.wave_impacts[1],
            canary=False,
            at_once=len(made.waves[0].devices),
        )
        assert [text_of(line) for line in event_lines(event)] == [
            f"Wave 1: {', '.join(made.waves[0].devices)} ({shown_words})"
        ]


@pytest.mark.parametrize(("since", "words"), [(7, ""), (3, " of run 3")])
def test_a_program_that_has_failed_is_told_with_the_wave_whose_hosts_it_was_for(since, words):
    event = CordonFailed(run=7, wave=1, reason="`./hook`: exit code 3", since=since)

    assert [f"  after wave 1{words}: failed: `./hook`: exit code 3"] == [
        text_of(line).removesuffix(".") for line in event_lines(event)
    ]


@pytest.mark.parametrize(
    ("at_once", "words"), [(1, ", one at a time"), (2, ", 2 at a time"), (3, ""), (256, "")]
)
def test_how_many_devices_of_a_wave_change_at_once_is_said_before_and_while(at_once, words):
    made = plan(changed=3)
    wave = msgspec.structs.replace(made.waves[0], devices=tuple(d.device for d in made.changed))
    made = msgspec.structs.replace(made, waves=(wave,))
    before = next(text_of(row) for row in blast_radius(made, 300, at_once) if "devices" in text_of(row))
    event = WaveStarted(
        run=1,
        wave=1,
        devices=wave.devices,
        impact=wave.impact,
        impacts=(wave.impact,),
        canary=False,
        at_once=at_once,
    )
    (while_,) = [text_of(row) for row in event_lines(event)]

    assert before.endswith(words.replace(", ", "; ", 1)) or not words
    assert while_.endswith(f"){words}")
    assert ("at a time" in before) is bool(words)
    whole = msgspec.structs.replace(made, waves=(msgspec.structs.replace(wave, together=True),))
    rows = [text_of(row) for row in blast_radius(whole, 300, at_once)]
    assert not any("at a time" in row for row in rows)
    assert any(row.endswith("; wave 1 as a whole") for row in rows) is (at_once < len(wave.devices))


def with_impacts(parts):
    """A plan of one wave, with a device for each of `parts`, which are the impacts of its changes."""
    devices = tuple(
        msgspec.structs.replace(
            device(f"leaf-{number}"),
            impact=max(impacts, key=lambda one: one.rank),
            changes=tuple(Change("x", "~", impact, Scope(whole_device=True), "") for impact in impacts),
        )
        for number, impacts in enumerate(parts)
    )
    names = tuple(one.device for one in devices)
    worst = max((one.impact for one in devices), key=lambda one: one.rank)
    groups = tuple(DiffGroup("d", (one.device,), one.impact) for one in devices)
    wave = Wave(1, names, worst, canary=False, reason="apart")
    return msgspec.structs.replace(plan(0, 0), devices=devices, groups=groups, waves=(wave,))


def test_all_that_is_not_allowed_is_told_at_once():
    made = with_impacts(((Impact.ISOLATING,), (Impact.LOCKOUT,), (Impact.FLAP,)))

    with pytest.raises(
        Refused, match=r"`isolating` is not allowed for leaf-0 .*`lockout` is not allowed for leaf-1"
    ):
        check_allowed(made, ())
    with pytest.raises(Refused) as refused:
        check_allowed(made, ("isolating:leaf-0",))
    assert "isolating:" not in str(refused.value.hint)
    check_allowed(made, ("isolating:leaf-0", "lockout:leaf-1"))


@pytest.mark.parametrize("impact", Impact)
@pytest.mark.parametrize(
    ("planes", "together", "expected"),
    [
        ((-1, -1), False, None),
        ((0, 0), False, ("0", "")),
        ((0, 1), False, ("0, 1", "; never two at once lose packets")),
        ((0, 1), True, ("0, 1", "; more than one at once loses packets in wave 1")),
        # As a spine at which the planes meet.
        ((0, 1, -1), False, ("0, 1", "; more than one at once loses packets in wave 3")),
    ],
)
def test_what_is_said_of_planes_and_ports_is_so_for_the_waves(planes, together, expected, impact):
    """A fabric without planes has no line about them; management access is not the ports' traffic."""
    made = with_impacts(((impact,),) * len(planes))
    devices = tuple(
        msgspec.structs.replace(one, plane=plane) for one, plane in zip(made.devices, planes, strict=True)
    )
    waves = made.waves
    if not together:
        waves = tuple(Wave(i, (d.device,), impact, canary=False, reason="") for i, d in enumerate(devices, 1))
    lines = [
        text_of(row) for row in blast_radius(msgspec.structs.replace(made, devices=devices, waves=waves), 300)
    ]
    loses = impact not in (Impact.NONE, Impact.HITLESS, Impact.LOCKOUT)

    told = [row.removeprefix("  planes   ") for row in lines if row.startswith("  planes")]
    assert told == ([] if expected is None else [expected[0] + (expected[1] if loses else "")])
    assert f"  ports    {f'all of {len(planes)} devices lose' if loses else 'none loses'} packets" in lines
