"""The evaluation finds what is wrong: each test breaks one thing and must see it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from fabric.analysis import check_routes, codes
from fabric.analysis.routes.build_speakers import build
from fabric.devices.model import Relation, Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Diagnostic
from fabric.topology.roles import Role
from tests.analysis.sites import SHAPES, Site, intent, made

TREES = [shape for shape in SHAPES if shape != "rail-only"]


class Changed(Devices):
    """The devices of a site, some of them changed after they were derived."""

    def __init__(self, site: Site, change: Callable[[Switch], Switch]) -> None:
        devices = site.devices
        super().__init__(
            list(devices),
            lambda name: change(devices[name]),
            devices.fingerprint,
            devices.hosts,
            contexts=devices.contexts,
        )


def routing(switch, **changes):
    return replace(switch, routing=replace(switch.routing, **changes))


def neighbors(switch, change):
    return routing(switch, neighbors=tuple(change(one) for one in switch.routing.neighbors))


def found(devices):
    return {finding.code for finding in check_routes(devices)}


CUTS = {
    "shared-spine": ["pods", "zones", "three zones", "planes in pods", "dual-ToR in pods"],
    "rfc7938": ["pod and rail", "planes that meet at superspines", "rails below superspines"],
}
"""Shapes that a policy cut in parts: with one AS number for all spines, with one for the spines of a pod."""


def as_it_was(shape, policy, **more):
    """A site with the AS numbers that the policy gave before."""
    site = made(intent(shape, policy=policy, **more))
    net = site.topology.networks["compute"]
    spines = net.role_start[Role.SPINE]
    first = min(net.asn[node] for node in spines)
    for node in spines:
        net.asn[node] = first + (max(net.pod[node], 0) if policy == "rfc7938" else 0)
    return site


@pytest.mark.parametrize(("policy", "shape"), [(p, shape) for p, shapes in CUTS.items() for shape in shapes])
def test_the_cuts_of_shared_as_numbers_are_found(policy, shape):
    findings = check_routes(as_it_was(shape, policy).devices)

    assert {codes.NO_ROUTE.code} == {finding.code for finding in findings if finding.is_error}
    for finding in findings:
        assert "networks.compute.addressing.asn" == str(finding.origin)
        assert "write `asn: {policy: unique}`" == finding.hint
    assert set() == found(made(intent(shape, policy="unique")).devices)


def test_a_default_route_of_a_border_does_not_hide_a_cut():
    border = {"kind": "router", "network": "compute", "links": 2, "speed": "400G", "to": {"tier": "spine"}}
    bgp = {"asn": 65010, "prefixes": ["0.0.0.0/0"], "advertise": ["10.0.0.0/10"]}
    value = intent("pods", policy="shared-spine", attachments={"border": {**border, "bgp": bgp}})
    value["networks"]["compute"]["tiers"]["spine"]["reserved_ports"] = 1
    site = made(value)
    spines = site.topology.networks["compute"].role_start[Role.SPINE]

    assert set() == found(site.devices)
    for node in spines:
        site.topology.networks["compute"].asn[node] = 4_200_009_000
    assert {codes.NO_ROUTE.code} <= found(site.devices)


@pytest.mark.parametrize("shape", TREES)
def test_one_wrong_remote_as_number_is_found_on_any_switch(shape):
    site = made(intent(shape))
    for name in site.devices:
        broken = Changed(
            site,
            lambda switch, name=name: (
                neighbors(switch, lambda one: replace(one, remote_asn=1)) if switch.name == name else switch
            ),
        )
        assert build(broken.contexts[0], broken, every=True).mismatches

    first = next(iter(site.devices))
    wrong = Changed(
        site, lambda s: neighbors(s, lambda one: replace(one, remote_asn=1)) if s.name == first else s
    )
    assert {codes.NO_ROUTE.code, codes.SESSION_DOWN.code} <= found(wrong)


def test_leaves_that_do_not_accept_their_own_number_are_found():
    site = made(intent("pods", asn={"leaf_numbers": "per_pod"}))

    assert set() == found(site.devices)
    assert {codes.NO_ROUTE.code} == found(Changed(site, lambda switch: routing(switch, allow_own_asn=0)))


def test_routes_that_are_not_marked_pass_through_a_leaf_and_are_found():
    def unmarked(switch):
        turned = {Relation.UP: Relation.DOWN}
        return neighbors(switch, lambda one: replace(one, relation=turned.get(one.relation, one.relation)))

    site = made(intent("two tiers"))
    leaves = Changed(site, lambda switch: unmarked(switch) if switch.role == "leaf" else switch)

    assert codes.UNWANTED_ROUTE.code in found(leaves)


def test_prefixes_that_nobody_accepts_are_found():
    site = made(intent("two tiers"))

    assert codes.NOT_ACCEPTED.code in found(Changed(site, lambda switch: routing(switch, accepted=())))


def test_hosts_that_no_leaf_advertises_are_found():
    site = made(intent("two tiers"))

    assert codes.NOT_ADVERTISED.code in found(
        Changed(site, lambda switch: routing(switch, host_prefixes=(), aggregates=()))
    )


@pytest.mark.parametrize("shape", TREES)
def test_too_few_paths_are_found(shape):
    site = made(intent(shape, spines=4))

    assert {codes.FEWER_PATHS.code} == found(Changed(site, lambda switch: routing(switch, max_paths=1)))


@pytest.mark.parametrize("shape", TREES)
@pytest.mark.parametrize("family", ["ipv4", "dual"])
def test_a_limit_is_refused_below_what_is_sent_and_only_there(shape: str, family: str) -> None:
    """The hint's number is the most that any session carries."""

    def limited(limit: int | str) -> list[Diagnostic]:
        site = intent(shape, family=family)
        network = site["networks"]["compute"]
        network["routing"] = {**network.get("routing", {}), "bgp": {"max_prefixes": limit}}
        return [one for one in check_routes(made(site).devices) if one.code == codes.LIMIT_TOO_LOW.code]

    first = limited(1)
    assert first
    most = max(int(one.hint.split()[3]) for one in first)

    assert limited(most - 1)
    assert not limited(most)
    assert not limited("auto")
