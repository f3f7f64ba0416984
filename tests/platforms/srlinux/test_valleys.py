"""No route takes a valley: what was received from upstream or across is advertised downstream only."""

from __future__ import annotations

import itertools

import pytest

from tests.platforms.sites import printed
from tests.platforms.srlinux.devices import CASES
from tests.platforms.srlinux.valleys import Speaker

ABOVE = ("up", "across")


def routes(case):
    """Every pair of groups within the fabric, with a prefix that everybody takes."""
    device = CASES[case]()
    speaker = Speaker(printed(device))
    inside = [name for name in speaker.groups if name.split("-")[0] in (*ABOVE, "down")]
    ranges = [one for one in device.routing.accepted if one.prefix.version == device.routing.families[0]]
    prefix = f"{ranges[0].prefix.network_address}/{ranges[0].longest}"
    return [(a, b, speaker.through(a, b, prefix)) for a, b in itertools.product(inside, repeat=2)]


@pytest.mark.parametrize("case", ["leaf", "spine", "superspine", "ipv6", "dual stack", "unnumbered", "zone"])
def test_a_route_from_above_goes_down_only_and_one_from_below_everywhere(case):
    found = routes(case)

    assert found
    for came, goes, told in found:
        assert (came, goes, told) == (came, goes, not (came.startswith(ABOVE) and goes.startswith(ABOVE)))


def test_a_prefix_of_nobody_is_not_taken():
    speaker = Speaker(printed(CASES["spine"]()))

    assert not speaker.through("down", "up", "203.0.113.0/24")
    assert not speaker.through("up", "down", "0.0.0.0/0")
