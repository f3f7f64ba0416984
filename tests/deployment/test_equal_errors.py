"""What many devices answer alike is read once, whoever tells it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.deployment import Event, apply, resume, rollback
from fabric.deployment.connection.error_words import LONGEST, shortened
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


NAMES = st.from_regex(r"[a-z]{2,10}(-[0-9]{1,3}){1,3}", fullmatch=True)
ADDRESSES = st.ip_addresses(v=4).map(str)
PIECES = st.lists(
    st.one_of(st.sampled_from(["NAME", "ADDRESS", "\n"]), st.text("ab .:-<'", max_size=90)), max_size=80
)


@given(st.lists(st.tuples(NAMES, ADDRESSES), min_size=2, max_size=4, unique_by=lambda own: own[0]), PIECES)
def test_long_errors_that_are_equal_but_for_what_is_each_devices_own_are_cut_alike(
    devices: list[tuple[str, str]], pieces: list[str]
) -> None:
    text = " ".join(" ".join(pieces).split())
    errors = []
    for name, address in devices:
        words = shortened(text.replace("NAME", name).replace("ADDRESS", address), name)
        assert len(words) <= LONGEST + 10 * text.count("NAME")
        errors.append(DeviceError(name, f"commit: {words}"))

    assert grouped(errors).startswith(f"{len(devices)} devices (")


def test_long_errors_that_differ_only_in_what_is_left_out_are_one() -> None:
    texts = {name: f"{'a ' * 300}{'b ' * size}{'c ' * 300}" for name, size in (("x", 5), ("y", 9))}
    errors = [DeviceError(name, shortened(text, name)) for name, text in texts.items()]

    assert len({str(error).partition(": ")[2] for error in errors}) == 2
    assert grouped(errors).startswith("2 devices (x, y): a a")
    assert " [... characters left out ...] " in grouped(errors)
    assert " characters left out ...] " in grouped(errors[:1])


def test_an_error_of_usual_length_is_told_whole_and_a_long_one_with_both_its_ends() -> None:
    usual = f"Cannot commit: {'word ' * 110}end"
    long = shortened(f"Cannot commit: {'word ' * 60_000}end", "leaf-0")

    assert shortened(usual, "leaf-0") == usual
    assert re.fullmatch(
        r"Cannot commit: (word )+\[\.\.\. 299,\d\d\d characters left out \.\.\.\] (word )+end", long
    )
    assert len(long) <= LONGEST


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
