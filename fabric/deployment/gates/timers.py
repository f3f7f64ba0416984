"""Timers on the devices, before anything is asked: what each product can do, and what a gate needs to watch."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from fabric.deployment import codes
from fabric.deployment.gates.thresholds import Thresholds
from fabric.deployment.refusal_message import named, refusal
from fabric.planning import Action, Impact, Plan
from fabric.planning.model import DevicePlan
from fabric.platforms.registry import platform

A_DAY_S = 24 * 60 * 60
LONGEST_MARGIN_S = 30


def margin_s(timer_s: float) -> float:
    """Kept free before the timers fire, to confirm or to revert in order."""
    return min(LONGEST_MARGIN_S, timer_s / 4)


def check_timer(timer_s: int, devices: Iterable[tuple[str, str]] = ()) -> None:
    """Refuse a timer that one of the devices, given with their platforms, could not keep."""
    if not 0 < timer_s < A_DAY_S:
        products = {product for _, product in devices}
        hint = _within_all(products, timer_s) if products else None
        raise refusal(codes.BAD_TIMER, f"a revert timer of {timer_s} s", hint)
    names: dict[str, list[str]] = {}
    for device, product in devices:
        names.setdefault(product, []).append(device)
    wrong = {product for product in names if not _keeps(product, timer_s)}
    if not wrong:
        return
    first = min(wrong)
    bounds = platform(first).timer
    steps = f", in steps of {bounds.step_s} s" if bounds.step_s > 1 else ""
    rule = (
        f"{platform(first).title} keeps an unconfirmed commit for {bounds.shortest_s:,} to {bounds.longest_s:,} s"
        f"{steps}, and {timer_s} s were asked for: {named(sorted(names[first]))}"
    )
    raise refusal(codes.BAD_TIMER, rule, _within_all(names, timer_s))


def _keeps(product: str, timer_s: int) -> bool:
    bounds = platform(product).timer
    return bounds.shortest_s <= timer_s and _rounded(timer_s, bounds.step_s) <= bounds.longest_s


def _rounded(timer_s: int, step_s: int) -> int:
    """As the driver does: a device never goes back before what was asked for."""
    return ceil(timer_s / step_s) * step_s


def _within_all(products: Iterable[str], timer_s: int) -> str:
    """What to type instead."""
    bounds = [platform(product).timer for product in products]
    shortest = max(b.shortest_s for b in bounds)
    longest = min(A_DAY_S - 1, *(b.longest_s for b in bounds))
    if shortest > longest:
        return "plan and apply the devices of each product by themselves: `--target`"
    return f"`--timer {min(max(timer_s, shortest), longest)}s`"


def too_short(watch_s: float, timer_s: int, what: str = "this wave") -> str:
    """Why a timer leaves no time to watch for as long as it takes; empty if it does."""
    if watch_s + margin_s(timer_s) <= timer_s:
        return ""
    return (
        f"a timer of {timer_s} s is too short: what {what} may break is noticed after {watch_s:.0f} s; "
        f"give it `--timer {long_enough_s(watch_s)}s` or more"
    )


def long_enough_s(watch_s: float) -> int:
    """A timer that leaves time to watch for so long."""
    return ceil(min(watch_s * 4 / 3, watch_s + LONGEST_MARGIN_S)) + 1


def check_watching(plan: Plan, timer_s: int, thresholds: Thresholds) -> None:
    """Refuse a timer that leaves a wave no time to watch, as far as the plan tells.

    What only a device knows, as the hold time that it has negotiated, is looked at before its wave.
    """
    devices = {device.device: device for device in plan.changed}
    for wave in plan.waves:
        watch_s = max((_watch_s(devices[name], thresholds) for name in wave.devices), default=0)
        if reason := too_short(watch_s, timer_s, f"wave {wave.number}"):
            longest_s = max(_watch_s(device, thresholds) for device in devices.values())
            hint = f"`--timer {max(long_enough_s(longest_s), timer_s)}s` is long enough for every wave"
            raise refusal(codes.BAD_TIMER, reason, hint)


def _watch_s(device: DevicePlan, thresholds: Thresholds) -> float:
    has_sessions = device.action is Action.UPDATE and platform(device.platform).technology == "ethernet"
    touches_sessions = has_sessions and device.impact is not Impact.NONE
    return max(thresholds.watch_s, thresholds.hold_s if touches_sessions else 0)
