"""Hosts have addresses of a family only where the switches carry it to each other."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
import yaml

from fabric.analysis import check_routes
from fabric.diagnostics import Diagnostic
from tests.analysis.sites import FAMILIES, SHAPES, intent, made
from tests.hypothesis_profiles import drawn

CARRIED = {"ipv4": {"ipv4"}, "ipv6": {"ipv6"}}


def site(shape: str, addressing: dict[str, str]) -> dict[str, Any]:
    """The intent of a shape, its families written."""
    value = intent(shape)
    kept = {
        key: word
        for key, word in value["networks"]["compute"].get("addressing", {}).items()
        if key not in ("family", "host_family")
    }
    value["networks"]["compute"]["addressing"] = kept | addressing
    return value


def errors(shape: str, addressing: dict[str, str]) -> list[Diagnostic]:
    """What the evaluation of routes finds fatal."""
    return [one for one in check_routes(made(site(shape, addressing)).devices) if one.severity == "error"]


@pytest.mark.covering
@pytest.mark.parametrize("shape", SHAPES)
def test_a_family_of_hosts_that_no_session_carries_is_one_error_and_each_way_of_the_hint_ends_it(shape):
    pairs = list(product(FAMILIES, ("ipv4", "ipv6", "dual")))
    first = list(SHAPES).index(shape)  # so that all shapes together have all pairs
    for number in drawn(len(pairs)):
        family, hosts = pairs[(3 * number + first) % len(pairs)]
        addressing = {"family": family, "host_family": hosts}
        found = errors(shape, addressing)
        needed = {"ipv4", "ipv6"} if hosts == "dual" else {hosts}
        switches = made(site(shape, addressing)).devices.values()
        alone = all(one.role == "leaf" for one in switches)
        wrong = not alone and not needed <= CARRIED.get(family, needed)

        assert [(one.code, one.origin.path[-1]) for one in found] == [("FAB125", "host_family")] * wrong
        for one in found:
            for words in re.findall(r"`([a-z_]+: [a-z0-9]+)`", one.hint or ""):
                assert errors(shape, addressing | yaml.safe_load(words)) == []
