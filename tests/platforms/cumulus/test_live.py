"""The route-maps of Cumulus Linux in real FRR, as NVUE writes them there: who is drained loses its traffic."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from fabric.devices.routing_policy import routing_policy
from fabric.platforms.cumulus.lower_bgp import STYLE, lower_policies
from fabric.platforms.cumulus.model import Policies
from fabric.platforms.routing.route_maps import Entry
from tests.analysis.sites import intent, made
from tests.platforms.frr import sites
from tests.platforms.frr.lab import Lab, needed_lab

IN_ABOVE = "RM-FROM-ABOVE"
pytestmark = pytest.mark.live
DRAINED = {
    "drained": [
        {"device": "spine-0", "mode": "graceful", "reason": "test", "owner": "noc", "expires": "2999-01-01"}
    ]
}


@pytest.fixture(autouse=True)
def frr():
    """Skips without FRR, root and iproute2."""
    needed_lab()


def as_frr(entries: Sequence[Entry]) -> str:
    """A route-map of NVUE, as the FRR below it has it: `set community` without `additive`."""
    lines: list[str] = []
    for entry in entries:
        lines.append(f"route-map {entry.name} {entry.action} {entry.sequence}")
        lines += (f" match {match}" for match in entry.matches)
        if entry.sets:
            lines.append(f" set community {' '.join(entry.sets)}")
        if entry.clause.local_preference is not None:
            lines.append(f" set local-preference {entry.clause.local_preference}")
        lines.append("exit")
    return "\n".join(lines) + "\n"


def with_maps(conf: str, policies: Policies, kept) -> str:
    """A leaf's FRR with what Cumulus Linux does with routes from above."""
    entries = [entry for entry in dict(policies.maps)[IN_ABOVE] if kept(entry.clause)]
    plain = re.sub(rf"(?m)^route-map {IN_ABOVE} permit \d+\n(?: .*\n)*exit\n", "", conf)
    assert plain != conf
    lists = "".join(
        f"bgp community-list standard {one.name} seq 10 permit {one.value}\n"
        for one in policies.communities
        if f"community-list standard {one.name} " not in conf
    )
    return plain + lists + as_frr(entries)


def of_platform(value, platform):
    """The same intent, its switches of another product."""
    ((name, network),) = value["networks"].items()
    tiers = {tier: words | {"platform": platform} for tier, words in network["tiers"].items()}
    return value | {"networks": {name: network | {"tiers": tiers}}}


@pytest.mark.parametrize("looks", [True, False], ids=["as written", "control: without its first rules"])
def test_leaves_of_cumulus_linux_leave_a_spine_that_is_drained(looks):
    value = intent("two tiers", units=2)
    value["hosts"]["gpu"] |= {"per_unit": 1, "gpus": 1}
    value["hosts"]["gpu"]["nics"]["compute"]["count"] = 1
    site = made(value, DRAINED)
    theirs = made(of_platform(value, "cumulus"), DRAINED).devices
    switches = {name: site.devices[name] for name in site.devices}
    files = {name: sites.files_of(switch) for name, switch in switches.items()}
    leaves = [name for name, one in switches.items() if one.role == "leaf"]
    for name in leaves:
        policies = lower_policies(routing_policy(theirs[name], STYLE))
        conf = with_maps(files[name]["frr.conf"], policies, lambda c: looks or c.local_preference is None)
        files[name] = {**files[name], "frr.conf": conf}
    used = {"spine-1"} if looks else {"spine-0", "spine-1"}
    with Lab(switches, files, site.devices.hosts.values()) as lab:

        def settled() -> bool:
            return all(
                spines(lab, one, switches[other]) == used
                for one in leaves
                for other in leaves
                if one != other
            )

        assert lab.wait(settled), [
            spines(lab, one, switches[two]) for one in leaves for two in leaves if one != two
        ]


def spines(lab: Lab, leaf: str, other) -> set[str]:
    """Over which spines a leaf sends to the hosts of another."""
    ports = {port.name: port.peer for port in lab.switches[leaf].ports}
    routes = lab.routes(leaf, 4)
    return {ports[port] for prefix in other.routing.aggregates for port in routes.get(str(prefix), ())}
