"""A timer that a product cannot do, or that leaves no time to watch, is refused before anything is asked."""

from __future__ import annotations

from unittest.mock import ANY

import msgspec
import pytest

from fabric.deployment import Pace, Thresholds
from fabric.deployment.gates.timers import check_timer, margin_s, too_short
from fabric.diagnostics import Refused
from fabric.planning import Impact
from fabric.platforms.registry import platform
from tests.contract.bench import driven
from tests.deployment.conftest import Network

PRODUCTS = driven()


def refused(timer_s: int, *products: str) -> Refused | None:
    """The refusal of a timer, of one device each."""
    try:
        check_timer(timer_s, ((f"leaf-{number}", product) for number, product in enumerate(products)))
    except Refused as refusal:
        return refusal
    return None


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_timer_beyond_what_a_product_can_do_is_refused_with_bounds_and_what_to_type(product: str) -> None:
    """Of its own bounds, and those of a day that hold for all."""
    bounds = platform(product).timer
    longest_s = min(bounds.longest_s, 86_399)

    assert refused(max(bounds.shortest_s, 2), product) is None
    assert refused(longest_s // bounds.step_s * bounds.step_s, product) is None
    for wrong_s in (0, bounds.shortest_s - 1, longest_s + 1, 86_400):
        refusal = refused(wrong_s, product)
        assert refusal is not None, wrong_s
        typed_s = int(str(refusal.hint).removeprefix("`--timer ").removesuffix("s`"))
        assert refused(typed_s, product) is None
        if 0 < wrong_s < 86_400:
            assert f"{platform(product).title} keeps" in str(refusal)
            assert f"{bounds.shortest_s:,} to {bounds.longest_s:,} s" in str(refusal)
            assert str(refusal).endswith("leaf-0")


def test_what_is_typed_instead_suits_all_products_of_the_plan() -> None:
    refusal = refused(7, *PRODUCTS)

    assert refusal is not None
    assert refused(int("".join(filter(str.isdigit, str(refusal.hint)))), *PRODUCTS) is None


@pytest.mark.parametrize("watch_s", [1, 9, 60, 89, 90, 91, 121, 180, 240])
def test_what_is_typed_for_a_timer_that_is_too_short_is_long_enough_and_hardly_more(watch_s: int) -> None:
    words = too_short(watch_s, watch_s)
    needed_s = int(words.partition("--timer ")[2].partition("s`")[0])

    assert too_short(watch_s, needed_s) == ""
    assert needed_s - margin_s(needed_s) - watch_s < 2


def test_a_timer_without_time_for_a_wave_is_refused_while_no_device_has_been_asked(applied: Network) -> None:
    """The hold time of the site, for a change that touches sessions: not at the wave, but before the run."""
    applied.edit("ntp 192.0.2.9", "ntp 192.0.2.10", "leaf-0-0-0")
    made, texts = applied.plan()
    (device,) = made.changed
    flapping = msgspec.structs.replace(device, impact=Impact.FLAP)
    others = tuple(flapping if other is device else other for other in made.devices)
    runs, log = len(applied.journal.runs("lab")), applied.box("leaf-0-0-0").log
    pace, thresholds = Pace(revert_in_s=200), Thresholds(hold_s=180)

    with pytest.raises(
        Refused, match=r"FAB715: a timer of 200 s is too short: what wave 1 .* `--timer 211s`"
    ) as refusal:
        applied.apply(
            (msgspec.structs.replace(made, devices=others), texts), pace=pace, thresholds=thresholds
        )
    assert str(refusal.value.hint).startswith("`--timer 211s` ")
    assert (runs, log) == (len(applied.journal.runs("lab")), applied.box("leaf-0-0-0").log)

    assert applied.apply((made, texts), thresholds=thresholds).outcome == ANY
