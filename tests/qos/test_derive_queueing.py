"""From a policy and the ports of a switch to its queueing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.diagnostics import Origin, Report
from fabric.hardware import cage_numbers, load_catalogue
from fabric.qos.derive_queueing import plan_queueing, round_trip_ns
from fabric.qos.model import BufferTiming, PortKind, Queueing, TableRow
from fabric.qos.policy import LosslessPolicy
from tests.qos.policies import policy, ready
from tests.qos.published import timing

HERE = Origin(("networks", "compute", "lossless"))
TIMING = BufferTiming(
    cell_bytes=192,
    mac_phy_delay_bytes=820,
    peer_response_bytes=None,
    extra_latency_ns=120,
    pipeline_latency_bytes=19_456,
)
TABLE = (TableRow(400_000, 40, 400_000, 0), TableRow(400_000, 300, 500_000, 0))
KINDS = (PortKind(400_000, 5, 64), PortKind(400_000, 40, 64))
LOSSLESS = ready("roce-lossless")


def plan(
    written: LosslessPolicy = LOSSLESS, kinds: tuple[PortKind, ...] = KINDS, **keys: Any
) -> tuple[Queueing, list[tuple[str, str]]]:
    """The queueing of a 51.2T switch, and the findings on the way."""
    report = Report()
    facts = {
        "timing": TIMING,
        "table": TABLE,
        "buffer_bytes": 160_000_000,
        "max_frame_bytes": 9236,
        "round_trip_ns": round_trip_ns([5, 40, 40, 5]),
    } | keys
    made = plan_queueing("mine", written, kinds, origin=HERE, report=report, **facts)
    return made, [(found.code, f"{found.origin.document}:{found.origin}") for found in report]


def test_each_kind_of_port_has_a_profile_of_its_own():
    made, found = plan()

    assert ["lossless-400g-40m", "lossless-400g-5m"] == [profile.name for profile in made.profiles]
    assert [] == found


def test_the_order_of_the_kinds_does_not_matter():
    assert plan(kinds=KINDS)[0] == plan(kinds=KINDS[::-1])[0]


def test_classes_stand_in_the_order_of_their_traffic_class_and_cover_every_code_point():
    made, _ = plan()
    classes = made.profiles[0].classes

    assert ["best-effort", "roce", "cnp"] == [c.name for c in classes]
    assert list(range(64)) == sorted(point for c in classes for point in c.dscp)
    assert [False, False, True] == [c.is_cnp for c in classes]
    assert [True, False, False] == [c.is_rest for c in classes]
    assert (3,) == made.profiles[0].priorities


def test_the_table_wins_where_it_asks_for_more():
    made, _ = plan()
    headroom = made.profiles[0].headroom

    assert headroom is not None
    assert (400_000, 400_000) == (headroom.headroom_bytes, headroom.table_bytes)
    assert headroom.formula_bytes < 400_000
    assert "table row 400G 40m, above the 802.3 formula" in headroom.reason


def test_the_formula_wins_where_the_table_asks_for_less():
    made, _ = plan(table=(TableRow(400_000, 40, 1000, 0),))
    headroom = made.profiles[0].headroom

    assert headroom is not None
    assert headroom.formula_bytes == headroom.headroom_bytes > 1000


def test_less_than_the_standard_is_reserved_only_if_the_policy_says_so():
    made, found = plan(policy(headroom="vendor-table"), table=(TableRow(400_000, 40, 1000, 0),))
    headroom = made.profiles[0].headroom

    assert headroom is not None
    assert headroom.headroom_bytes == 1000
    assert [] == found


def test_every_port_that_a_vendor_table_does_not_have_is_told_at_once():
    report = Report()

    plan_queueing(
        "mine",
        policy(headroom="vendor-table"),
        [PortKind(400_000, 5, 1), PortKind(400_000, 301, 1), PortKind(800_000, 5, 1)],
        timing=TIMING,
        table=TABLE,
        buffer_bytes=160_000_000,
        max_frame_bytes=9236,
        round_trip_ns=10_000,
        origin=HERE,
        report=report,
    )

    assert [("FAB323", "no published row for ports of 400G 301m, 800G 5m, nor for longer cables")] == [
        (finding.code, finding.rule) for finding in report
    ]


def test_a_curve_is_judged_at_the_fastest_port():
    curve = {"kmin": "10KB", "kmax": "1MB"}
    report = Report()

    plan_queueing(
        "mine",
        policy({"roce": {"ecn": curve}}),
        [PortKind(100_000, 5, 1), PortKind(800_000, 5, 1)],
        timing=TIMING,
        table=(),
        buffer_bytes=160_000_000,
        max_frame_bytes=9236,
        round_trip_ns=10_000,
        origin=HERE,
        report=report,
    )

    assert ["kmin 10000 B at 800G: below 142858 B, a seventh of what is in flight"] == [
        finding.rule for finding in report
    ]


def test_the_peer_gets_the_time_of_the_standard_whatever_the_vendors_own_peers_take():
    quick = timing(load_catalogue().asics["NVIDIA Spectrum-3"])
    slow = BufferTiming(
        cell_bytes=quick.cell_bytes,
        mac_phy_delay_bytes=quick.mac_phy_delay_bytes,
        peer_response_bytes=None,
        extra_latency_ns=quick.extra_latency_ns,
        pipeline_latency_bytes=quick.pipeline_latency_bytes,
    )

    assert quick.peer_response_bytes == 3892
    assert plan(timing=slow)[0] == plan(timing=quick)[0]


def test_an_unknown_asic_gets_the_largest_published_constants_and_a_warning():
    made, found = plan(timing=None, table=())
    known, _ = plan(table=())

    assert [("FAB322", "intent:networks.compute.lossless")] == found
    assert made.profiles[0].headroom.headroom_bytes > known.profiles[0].headroom.headroom_bytes


def test_the_budget_counts_every_port_and_class():
    made, _ = plan()
    (far, near) = (profile.headroom for profile in made.profiles)

    total = 64 * (far.headroom_bytes + far.resume_bytes) + 64 * (near.headroom_bytes + near.resume_bytes)
    assert total == made.budget.headroom_bytes
    assert Fraction(total, 160_000_000) == made.budget.share


def test_headroom_beyond_the_buffer_is_an_error_with_its_numbers():
    report = Report()

    plan_queueing(
        "mine",
        LOSSLESS,
        [PortKind(400_000, 2000, 128)],
        timing=TIMING,
        table=(),
        buffer_bytes=160_000_000,
        max_frame_bytes=9236,
        round_trip_ns=10_000,
        origin=HERE,
        report=report,
    )
    (found,) = (finding for finding in report if finding.is_error)

    assert "FAB320" == found.code
    assert "128 ports x 1 lossless class need" in found.rule
    assert "of the buffer of 160MB" in found.rule
    assert "2km" in found.hint


def test_a_second_class_that_does_not_fit_is_named_as_the_way_out():
    two = policy(
        {
            "more": {
                "dscp": [1],
                "traffic_class": 1,
                "queue": 1,
                "priority": 1,
                "strict": True,
                "ecn": "auto",
            }
        }
    )
    report = Report()

    plan_queueing(
        "mine",
        two,
        [PortKind(400_000, 300, 128)],
        timing=TIMING,
        table=(),
        buffer_bytes=160_000_000,
        max_frame_bytes=9236,
        round_trip_ns=10_000,
        origin=HERE,
        report=report,
    )

    assert [("FAB320", "1 lossless class fits")] == [(f.code, f.hint) for f in report if f.is_error]


def test_more_than_half_of_the_buffer_is_a_warning():
    _, found = plan(kinds=(PortKind(400_000, 300, 128),), table=())

    assert [("FAB321", "intent:networks.compute.lossless")] == found


def test_what_is_claimed_of_ecn_names_incast_and_occupancy():
    made, _ = plan()

    assert made.budget.statement == (
        "All 128 ports at once: marked from 424.0 KB, paused from 425.0 KB. "
        "8 senders to one port of 400G: 3.8 MB queue up before the first mark is answered, "
        "no pause while other queues hold up to 104.4 MB."
    )


def test_an_incast_that_pfc_meets_first_is_told_with_the_one_that_holds():
    made, found = plan(policy(incast=512))

    assert [("FAB331", "intent:networks.compute.lossless")] == found
    assert "512 senders to one port of 400G" in made.budget.statement
    assert "ECN is first for up to" in made.budget.statement


def test_ports_that_can_pause_before_marking_are_not_claimed():
    made, _ = plan(buffer_bytes=62_000_000)

    assert "All 128 ports at once: not claimed" in made.budget.statement


@pytest.mark.parametrize(
    ("curve", "code", "place"),
    [
        ({"kmin": "10KB", "kmax": "1MB"}, "FAB330", "policy:mine:classes.roce.ecn.kmin"),
        ({"kmin": "900KB", "kmax": "1MB"}, "FAB331", "policy:mine:classes.roce.ecn.kmin"),
        ({"kmin": "400KB", "kmax": "100MB"}, "FAB332", "policy:mine:classes.roce.ecn.kmax"),
    ],
)
def test_a_written_curve_is_held_against_speed_and_buffer(curve, code, place):
    made, found = plan(policy({"roce": {"ecn": curve}}))

    assert (code, place) in found
    assert not made.profiles[0].classes[1].ecn.computed


def test_the_policys_own_round_trip_replaces_the_computed_one():
    made, _ = plan(policy(round_trip_us=8))

    assert 400_000 == made.profiles[0].classes[1].ecn.kmin_bytes


def test_a_lossy_policy_has_marking_and_nothing_else():
    made, found = plan(ready("roce-lossy"))

    assert ["lossy-400g-40m", "lossy-400g-5m"] == [profile.name for profile in made.profiles]
    assert [None, None] == [profile.headroom for profile in made.profiles]
    assert (None, None, []) == (made.watchdog, made.budget, found)
    assert made.profiles[0].classes[1].ecn.kmin_bytes > 0
    assert () == made.profiles[0].priorities


def test_without_a_known_buffer_there_is_no_budget_but_everything_else():
    made, found = plan(buffer_bytes=None)

    assert made.budget is None
    assert [] == found
    assert made.profiles[0].classes[1].ecn is not None


def test_a_watchdog_that_a_full_buffer_would_trip_is_told():
    made, found = plan(policy(watchdog={"detect": "20ms", "restore": "20ms"}))

    assert [("FAB341", "intent:networks.compute.lossless")] == found
    assert (20, 20, 10) == (made.watchdog.detect_ms, made.watchdog.restore_ms, made.watchdog.poll_ms)


def test_a_switch_without_ports_has_no_profile():
    made, found = plan(kinds=())

    assert ((), None, []) == (made.profiles, made.budget, found)


@pytest.mark.parametrize(
    "model", sorted(m.id for m in load_catalogue().switches.values() if m.technology == "ethernet")
)
def test_every_model_of_the_catalogue_can_be_lossless_at_data_centre_lengths(model):
    catalogue = load_catalogue()
    switch = catalogue.switches[model]
    asic = catalogue.asics.get(switch.asic)
    rows = catalogue.published_rows(switch)
    fabric = [group for group in switch.cages if group.role == "fabric"]
    ports = sum(len(cage_numbers(group.cages)) * group.max_mbps for group in fabric) // 800_000
    report = Report()

    plan_queueing(
        "mine",
        LOSSLESS,
        [PortKind(400_000, 5, ports), PortKind(400_000, 40, ports)],
        timing=timing(asic) if asic else None,
        table=tuple(TableRow(r.speed_mbps, r.cable_m, r.headroom_bytes, r.resume_bytes) for r in rows),
        buffer_bytes=switch.buffer.total_bytes if switch.buffer else None,
        max_frame_bytes=9236,
        round_trip_ns=9910,
        origin=HERE,
        report=report,
    )

    assert [] == [found.rule for found in report if found.is_error]


kinds = st.lists(
    st.builds(
        PortKind,
        st.sampled_from([100_000, 200_000, 400_000, 800_000]),
        st.integers(1, 500),
        st.integers(1, 128),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda kind: (kind.speed_mbps, kind.cable_m),
)


@given(kinds, st.integers(10**7, 3 * 10**8), st.integers(2, 64))
def test_for_any_ports_the_reservations_fit_or_it_is_an_error(some, buffer_bytes, incast):
    made, found = plan(policy(incast=incast), tuple(some), buffer_bytes=buffer_bytes)

    fits = made.budget.headroom_bytes < buffer_bytes
    assert fits == ("FAB320" not in [code for code, _ in found])
    for profile in made.profiles:
        marking = profile.classes[1].ecn
        assert 0 < marking.kmin_bytes < marking.kmax_bytes
        assert profile.headroom.headroom_bytes >= profile.headroom.formula_bytes


def test_what_a_port_needs_to_resume_is_reserved_too():
    """Headroom alone would promise to others what a paused port still has to take."""
    made, _ = plan()
    each = {p.cable_m: p.headroom.headroom_bytes + p.headroom.resume_bytes for p in made.profiles}
    without, _ = plan(timing=msgspec.structs.replace(TIMING, pipeline_latency_bytes=0), table=())
    more, _ = plan(table=())
    lossless = sum(c.priority is not None for c in made.profiles[0].classes)

    assert made.budget.headroom_bytes == lossless * sum(kind.count * each[kind.cable_m] for kind in KINDS)
    assert more.budget.headroom_bytes - without.budget.headroom_bytes == lossless * 128 * 19_456


@pytest.mark.parametrize("order", [1, -1])
def test_the_slowest_port_decides_how_soon_the_watchdog_may_detect(order):
    """It drains the buffer last, and one pause frame stops it longest."""
    slow, fast = PortKind(10_000, 5, 64), PortKind(800_000, 5, 64)
    quick = policy(watchdog={"detect": "200ms", "restore": "200ms"})

    def is_told(*kinds: PortKind) -> bool:
        return "FAB341" in {code for code, _ in plan(quick, kinds[::order])[1]}

    assert is_told(slow)
    assert not is_told(fast)
    assert is_told(slow, fast)
