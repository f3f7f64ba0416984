"""What Dell Enterprise SONiC does not take is refused where it is written, and what it settles itself is told."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Severity
from tests.platforms.sites import KEY, Words, klass, leaf, network, policy, printed, refusals, services

PRIORITY = "classes.roce.priority"
NOTHING = services("ntp: {servers: []}")
CURVE = "ecn: {{kmin: 1MB, kmax: {}, pmax: 5}}"
NUMBERS = [
    (network("ip_mtu: 1280"), "networks.compute.ip_mtu", "write 1312 or more", network("ip_mtu: 1312")),
    (
        network("cables: {host_leaf: {length: 400m}}"),
        "",
        "shorter cables",
        network("cables: {host_leaf: {length: 300m}}"),
    ),
    (
        klass("roce", CURVE.format("13MB")),
        "classes.roce.ecn",
        "lower `kmax`",
        klass("roce", CURVE.format("12MB")),
    ),
    (policy("watchdog: {detect: 6s}"), "watchdog.detect", "write 5000ms", policy("watchdog: {detect: 5s}")),
    (
        policy("watchdog: {restore: 70s}"),
        "watchdog.restore",
        "write 60000ms",
        policy("watchdog: {restore: 60s}"),
    ),
    (klass("roce", "priority: 5"), PRIORITY, "priority and queue 3", klass("roce", "priority: 3")),
    (klass("roce", "queue: 4"), PRIORITY, "both 4", klass("roce", "{queue: 4, priority: 4}")),
    (services("banner: x"), "services.banner", "leave `banner` out", NOTHING),
    (
        services("management: {domain: a.example}"),
        "services.management.domain",
        "leave `domain` out",
        NOTHING,
    ),
    (
        services(f'users: {{netops: {{ssh_keys: ["{KEY}"]}}}}'),
        "services.users.netops.ssh_keys",
        "by hand",
        NOTHING,
    ),
]
"""An intent, where it is refused, a part of the fix, and the intent with that fix."""


@pytest.mark.parametrize(("words", "place", "fix", "mended"), NUMBERS)
def test_what_is_out_of_range_is_refused_at_its_place_and_the_fix_removes_it(
    words: Words, place: str, fix: str, mended: Words
) -> None:
    found = refusals(leaf("dellsonic", words))

    assert [(place, True)] == [(str(one.origin), fix in (one.hint or "")) for one in found]
    assert () == refusals(leaf("dellsonic", mended))


def test_a_reboot_is_told() -> None:
    said = " ".join(one.rule for one in refusals(leaf("dellsonic"), Severity.INFO))

    assert "reboots at `buffer init lossless`" in said
    assert "buffer init lossless" in printed(leaf("dellsonic"))
