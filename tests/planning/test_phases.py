"""Changes that both ends of a link need: plan after plan, on every product and shape, until all is as intended.

Between two waves every link works, as it was or as it will be; a wave cuts no host off that it does not say.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from functools import cache
from itertools import cycle, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from fabric import api
from fabric.configuration import compare, differences
from fabric.planning import Impact, Plan
from fabric.planning.codes import LATER
from fabric.planning.judging import account_of
from fabric.planning.texts import masked
from fabric.platforms.registry import platform
from tests.analysis.sites import SHAPES, intent
from tests.planning.phased import Network
from tests.platforms.everywhere import MODELS, capabilities
from tests.platforms.sites import HASH, HASH256

USERS = {"users": {"netops": {"role": "admin", "password_hash": HASH, "password_hash_sha256": HASH256}}}
NET = ("networks", "compute")
KINDS: dict[str, tuple[tuple[str, ...], Any]] = {
    "link pool": ((*NET, "addressing", "fabric_pool"), "10.64.0.0/12"),
    "IPv6 link pool": ((*NET, "addressing", "fabric_pool6"), "fd00:777::/48"),
    "even end": ((*NET, "addressing", "fabric_even"), "lower"),
    "IP MTU": ((*NET, "ip_mtu"), 9100),
    "a smaller IP MTU": ((*NET, "ip_mtu"), 4000),
    "AS numbers of leaves": ((*NET, "addressing", "asn", "leaf"), 4_200_500_000),
    "AS numbers of spines": ((*NET, "addressing", "asn", "spine"), 4_200_900_000),
    "unnumbered links": ((*NET, "addressing", "family"), "unnumbered"),
    "GTSM": ((*NET, "routing", "bgp", "ttl_security"), True),
    "BGP password": ((*NET, "routing", "bgp", "password"), "env:BGP"),
    "no BGP password": ((*NET, "routing", "bgp", "password"), None),
}


@cache
def compiled(text: str) -> api.Compiled:
    with TemporaryDirectory() as folder:
        (Path(folder) / "site.yaml").write_text(text)
        made = api.compile(Path(folder))
        made.artifacts.check_each()  # printed and kept, as for every plan
        return made


def changed(value: Mapping[str, Any], kind: str) -> dict[str, Any]:
    path, new = KINDS[kind]
    after = place = copy.deepcopy(dict(value))
    for key in path[:-1]:
        place = place.setdefault(key, {})
    place[path[-1]] = new
    return after


def site(shape: str, product: str, family: str = "ipv4") -> dict[str, Any]:
    return intent(
        shape, platform=product, model=MODELS[product], family=family, policy="rfc7938",
        services=USERS,
    )  # fmt: skip


def plans(before: Mapping[str, Any], kind: str, check: Callable[[Network, Plan], None]) -> list[Plan]:
    """Every plan of a change, each carried out wave by wave; between two waves all links must work."""
    network, after = Network.of(compiled(json.dumps(before))), compiled(json.dumps(changed(before, kind)))
    made = []
    for plan, texts in network.changed(after):
        assert [] == [f for f in plan.diagnostics if f.is_error]
        check(network, plan)
        made.append(plan)
        devices = {device.device: device for device in plan.changed}
        for wave in plan.waves:
            for name in wave.devices:
                network.put(
                    name, texts[devices[name].candidate], texts[devices[name].ours or devices[name].candidate]
                )
            assert {} == network.broken(), wave
            for name in wave.devices:
                assert is_fixed_point(network, name)
                assert has_groups(network, name, after.artifacts[name].text)
    for name, text in network.running.items():
        assert network.plain(name, after.artifacts[name].text) == network.plain(name, text)
    return made


def is_fixed_point(network: Network, name: str) -> bool:
    """Whether a text says the same once its product's dialect has written it."""
    dialect = platform(network.switches[name].platform).dialect()
    text = network.plain(name, network.running[name])
    again = dialect.written(dialect.tree(dialect.pieces(text).values(), defaults=True).values())
    return not compare(dialect, name, text, masked(dialect.plain(again))).changes


def has_groups(network: Network, name: str, intended: str) -> bool:
    """Whether a switch has the group of each of its sessions, where its product knows groups."""
    facts, will = network.facts(name), platform(network.switches[name].platform).read(intended).facts
    groups = {f"group {neighbor.policy}" for neighbor in facts.neighbors.values()}
    return (groups & will.policies.keys()) <= facts.policies.keys()


def isolates_nobody(_network: Network, plan: Plan) -> None:
    together = [wave for wave in plan.waves if wave.together]
    assert all(wave.impact.rank < Impact.ISOLATING.rank for wave in together)


def anything(_network: Network, _plan: Plan) -> None:
    pass


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("kind", ["link pool", "even end", "AS numbers of spines"])
@pytest.mark.parametrize("product", MODELS)
def test_a_spine_at_a_time_until_all_is_as_intended(product, kind):
    made = plans(site("two tiers", product), kind, isolates_nobody)

    assert 2 == len(made)
    assert [("spine-1",), ()] == [plan.held for plan in made]
    assert [0 < plan.phases_left for plan in made] == [True, False]
    assert LATER.code in {finding.code for finding in made[0].diagnostics}


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("product", [name for name in MODELS if capabilities(name).unnumbered_bgp])
def test_links_without_addresses_come_with_all_that_their_sessions_need(product):
    """The first link of a switch needs what the last one does: the group of its session, how IPv4 passes its port."""
    made = plans(site("two tiers", product), "unnumbered links", anything)

    assert made
    assert all(plan.waves[0].together for plan in made if plan.couplings)


SPINES_ALONE = ("link pool", "AS numbers of spines")
WITH_SPINES = [name for name, rules in SHAPES.items() if rules.get("spine", {}) is not None]


# By turns: what ends a kind couples is the same on every shape, and which of them are parted the same for every kind.
@pytest.mark.covering(most=4)
@pytest.mark.parametrize(("shape", "kind"), [*zip(WITH_SPINES, cycle(SPINES_ALONE), strict=False)])
def test_on_every_shape_no_phase_cuts_anybody_off(shape, kind):
    made = plans(site(shape, "eos"), kind, isolates_nobody)

    assert made
    assert made[-1].held == ()
    assert all(left.phases_left < plan.phases_left for plan, left in pairwise(made))


@pytest.mark.covering(most=6)
@pytest.mark.parametrize("family", ["ipv6", "dual"])
@pytest.mark.parametrize("product", MODELS)
def test_links_of_every_family_move_to_another_pool(product, family):
    made = plans(site("two tiers", product, family), "IPv6 link pool", isolates_nobody)

    assert 2 == len(made)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("product", [name for name in MODELS if capabilities(name).unnumbered_bgp])
def test_unnumbered_sessions_expect_another_as_number_spine_by_spine(product):
    made = plans(site("two tiers", product, "unnumbered"), "AS numbers of spines", isolates_nobody)

    assert 2 == len(made)


def isolates_where_links_change(_network: Network, plan: Plan) -> None:
    """Hosts still send in packets of the size of before: those are lost as soon as the first links are narrower."""
    assert all(wave.impact is Impact.ISOLATING for wave in plan.waves if wave.together)


@pytest.mark.covering(most=6)
@pytest.mark.parametrize("product", MODELS)
@pytest.mark.parametrize(
    ("kind", "check"), [("IP MTU", isolates_nobody), ("a smaller IP MTU", isolates_where_links_change)]
)
def test_ports_of_hosts_change_after_the_links_leaf_by_leaf(product, kind, check):
    made = plans(site("two tiers", product), kind, check)

    assert [True, True, False] == [any(wave.together for wave in plan.waves) for plan in made]
    assert {"leaf"} == {device.role for device in made[-1].changed}


def isolates_what_it_says(_network: Network, plan: Plan) -> None:
    together = [wave for wave in plan.waves if wave.together]
    assert all(wave.impact is Impact.ISOLATING for wave in together)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("product", MODELS)
def test_a_leaf_with_another_as_number_moves_all_its_links_and_says_whom_that_cuts_off(product):
    made = plans(site("two tiers", product), "AS numbers of leaves", isolates_what_it_says)

    rails = [{d.device.rpartition("-")[2] for d in plan.changed if d.role == "leaf"} for plan in made]
    assert [{"0"}, {"1"}] == rails


def test_leaves_of_one_plane_change_while_the_other_one_carries_their_hosts():
    made = plans(site("planes", "frr"), "AS numbers of leaves", isolates_nobody)

    planes = [{d.plane for d in plan.changed} for plan in made]
    assert all(len(one) == 1 for one in planes)


@pytest.mark.parametrize(
    "shape", ["two tiers", "pods", "planes", "dual-ToR", "planes that meet at superspines"]
)
def test_a_line_of_all_sessions_takes_every_link_of_a_plane_and_says_so(shape):
    made = plans(site(shape, "eos"), "GTSM", isolates_what_it_says)

    assert all(not plan.couplings or plan.waves[-1].together for plan in made)


@pytest.mark.covering(most=4)
@pytest.mark.parametrize("product", MODELS)
def test_a_password_is_added_and_removed_at_both_ends_of_every_session(product):
    bare = site("two tiers", product)
    added = plans(bare, "BGP password", isolates_what_it_says)
    removed = plans(changed(bare, "BGP password"), "no BGP password", isolates_what_it_says)

    for made in (added, removed):
        assert {"BGP password"} == {coupling.what for plan in made for coupling in plan.couplings}
        assert all(not plan.couplings or plan.waves[-1].together for plan in made)


@pytest.mark.covering(most=5)
@pytest.mark.parametrize("shape", ["two tiers", "planes"])
@pytest.mark.parametrize("product", MODELS)
def test_another_password_is_rolled_out_by_one_plan_a_wave_for_the_switches_of_each_plane(product, shape):
    """A product may encode it anew each time: none can tell which switches have it already."""
    made = compiled(json.dumps(changed(site(shape, product), "BGP password")))
    network = Network.of(made)
    network.diffs = {
        name: with_another_password(network, name, made.artifacts[name].text) for name in network.switches
    }
    plan, _ = network.planned(made)
    placed = {device.device: device for device in plan.changed}

    assert [] == [f for f in plan.diagnostics if f.is_error]
    assert network.switches.keys() == placed.keys()
    assert {"BGP password"} == {coupling.what for coupling in plan.couplings}
    assert sum(1 for _ in network.links()) == len(plan.couplings)
    assert all(wave.together and wave.impact is Impact.ISOLATING for wave in plan.waves)
    assert all(1 == len({placed[name].plane for name in wave.devices}) for wave in plan.waves)
    assert {device.plane for device in placed.values()} == {placed[w.devices[0]].plane for w in plan.waves}
    assert (0, ()) == (plan.phases_left, plan.held)


def with_another_password(network: Network, name: str, intended: str) -> str:
    """What a device tells that has another password for its sessions."""
    dialect = platform(network.switches[name].platform).dialect()
    sides = network.plain(name, network.running[name]), dialect.plain(intended)
    differing = (line for c in compare(dialect, name, *sides).changes for line in differences(c))
    lines = [line.old.text for line in differing if line.old and not account_of(line)]
    return "\n".join(sign + line for line in lines for sign in "-+")


@pytest.mark.parametrize("product", MODELS)
def test_a_switch_that_has_the_new_password_already_couples_nobody_and_stops_nobody(product):
    made = compiled(json.dumps(changed(site("two tiers", product), "BGP password")))
    network = Network.of(made)
    behind = network.switches.keys() - {"spine-0"}
    network.diffs = {name: with_another_password(network, name, made.artifacts[name].text) for name in behind}
    network.diffs["spine-0"] = ""
    plan, _ = network.planned(made)

    assert [] == [f for f in plan.diagnostics if f.is_error]
    assert behind == {device.device for device in plan.changed}
    assert plan.couplings
    assert not [coupling for coupling in plan.couplings if "spine-0" in " ".join(coupling.ends)]
