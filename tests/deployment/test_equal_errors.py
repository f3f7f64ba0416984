"""What many devices answer alike is read once, whoever tells it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.deployment import Event, apply, resume, rollback
from fabric.deployment.equal_errors import grouped
from fabric.deployment.events import WaveStarted
from fabric.diagnostics import DeviceError, Refused
from tests.deployment.conftest import Network, apply_options, killed
from tests.deployment.test_failures import changed_ntp


def test_what_most_devices_say_comes_first_and_equal_errors_are_one() -> None:
    errors = [DeviceError(f"leaf-{n}", "open: timed out") for n in range(7)]
    errors += [DeviceError("spine-0", "open: password <secret:password:spine-0> refused")]

    assert grouped(errors) == (
        "7 devices (leaf-0, leaf-1, leaf-2, leaf-3, leaf-4 and 2 more): open: timed out; "
        "spine-0: open: password <secret:password:spine-0> refused"
    )
    assert (
        grouped(DeviceError(n, f"{n} is full") for n in ("a1", "b1")) == "2 devices (a1, b1): DEVICE is full"
    )
    addresses = [
        DeviceError(f"leaf-{n}", f"connecting: 192.0.2.{n}:443 does not answer within 5 s") for n in range(2)
    ]
    assert grouped(addresses) == "2 devices (leaf-0, leaf-1): connecting: ADDRESS does not answer within 5 s"
    assert grouped(addresses[:1]) == "leaf-0: connecting: 192.0.2.0:443 does not answer within 5 s"
    assert grouped([]) == ""


@given(st.lists(st.tuples(st.integers(0, 99), st.sampled_from("pqrstu")), unique_by=lambda pair: pair[0]))
def test_every_device_is_counted_once_and_the_order_says_nothing(pairs: list[tuple[int, str]]) -> None:
    errors = [DeviceError(f"leaf-{number}", reason) for number, reason in pairs]
    text = grouped(errors)

    assert text == grouped(reversed(errors))
    parts = text.split("; ") if text else []
    assert len(parts) == min(4, len({reason for _, reason in pairs}))
    counts = [int(part.split()[0]) if " devices" in part else 1 for part in parts]
    assert sum(counts) == len(pairs)


def going_on(network: Network) -> object:
    return resume("lab", targets=network.targets(), journal=network.journal, options=apply_options())


def taking_back(network: Network) -> object:
    return rollback("lab", targets=network.targets(), journal=network.journal, options=apply_options())


@pytest.mark.parametrize("verb", [going_on, taking_back])
def test_devices_that_do_not_answer_a_run_are_one_error(
    applied: Network, verb: Callable[[Network], object]
) -> None:
    changed_ntp(applied)
    killed(applied, applied.plan(), "committed", 6)
    for box in applied.boxes().values():
        box.fail("open")

    with pytest.raises(Refused) as refused:
        verb(applied)
    assert str(refused.value).count("open refused") == 1
    assert (
        "FAB724: 6 devices (leaf-0-0-0, leaf-0-0-1, leaf-0-1-0, leaf-0-1-1, spine-0-0 and 1 more): connecting: "
        in str(refused.value)
    )


def test_devices_that_fail_alike_close_a_wave_with_one_error(applied: Network) -> None:
    changed_ntp(applied)
    saved = applied.plan()

    def on_event(event: Event) -> None:
        if isinstance(event, WaveStarted) and event.wave == 2:
            for name in event.devices:
                applied.box(name).fail("open")

    place = {"targets": applied.targets(), "journal": applied.journal, "options": apply_options()}
    result = apply(saved, **place, on_event=on_event)

    assert result.waves[1].reason.startswith("5 devices (")
    assert result.waves[1].reason.count("open refused") == 1
