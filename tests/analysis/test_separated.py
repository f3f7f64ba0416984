"""What is out of service: a finding stands exactly where a search of the cables finds somebody cut off."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from fabric import api
from fabric.analysis import check_routes, codes, separating
from fabric.analysis.routes.separated_devices import separations
from fabric.cli import main
from tests.analysis.oracle import graph, ways
from tests.analysis.sites import POLICIES, SHAPES, Site, intent, made
from tests.hypothesis_profiles import drawn
from tests.platforms.everywhere import MODELS

WHY = {"reason": "test", "owner": "noc", "expires": "2999-01-01"}


def attached(shape: str, draw: random.Random) -> dict[str, Any]:
    """The intent of a shape, often with storage at leaves and border routers at any tier, of one plane or of all."""
    value = intent(shape, policy=draw.choice(POLICIES))
    network, found = value["networks"]["compute"], {}
    planes = network.get("planes", {}).get("count", 1)
    for name in draw.sample(["nas", "wan", "exit"], draw.randint(0, 3)):
        tier = "leaf" if name == "nas" else draw.choice(list(network["tiers"]))
        to = {"tier": tier, **({"planes": [draw.randrange(planes)]} if draw.random() < 0.3 else {})}
        if network.get("planes", {}).get("meet_at") == tier or tier == "superspine":
            to.pop("planes", None)  # no switch of such a tier is of one plane
        bgp = {"kind": "router", "bgp": {"asn": 65010, "default_route": True}}
        common = {"network": "compute", "links": draw.choice([1, 2]), "speed": "400G", "to": to}
        found[name] = {**common, **({"kind": "storage"} if name == "nas" else bgp)}
        network["tiers"][tier]["reserved_ports"] = 6
    return {**value, "attachments": found} if found else value


def out_of_service(site: Site, draw: random.Random) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Entries of `state.yaml`, and overrides: a whole tier now and then, and any links."""
    net = site.topology.networks["compute"]
    names = [net.names[node] for node in net.switches]
    upper = [name for name in names if not name.startswith("leaf")] or names
    upper, lower = (
        [name for name in some if site.devices[name].routing.neighbors] for some in (upper, names)
    )  # a switch without sessions cannot be drained
    drained = draw.sample(upper, draw.randint(0, min(3, len(upper))))
    rest = [one for one in lower if one not in drained]
    drained += draw.sample(rest, draw.randint(0, min(1, len(rest))))
    ends = {*site.devices, *site.intent.site.attachments}
    links = [(s.name, port) for s in site.devices.values() for port in s.ports if port.peer in ends]
    chosen = draw.sample(links, min(len(links), draw.choice([0, 1, 4])))
    chosen += [
        link
        for link in links
        if link[1].peer not in site.devices and link not in chosen and draw.random() < 0.1
    ]
    entries = [{"device": name, "port": port.name, **WHY} for name, port in chosen]
    excluded = [{**entry, "peer": port.peer} for entry, (_, port) in zip(entries, chosen, strict=True)]
    whole = draw.choice(links)[0] if links else names[0]
    ports = [port.name for name, port in links if name == whole]
    state = {
        "drained": [
            {"device": one, "mode": draw.choice(["shut", "shut", "graceful"]), **WHY} for one in drained
        ],
        draw.choice(["shut_ports", "excluded_links"]): [],
    }
    if "shut_ports" in state:
        state["shut_ports"] = entries
    else:
        state["excluded_links"] = excluded
    override = [{"device": whole, "shutdown_ports": ports}] if ports and draw.random() < 0.3 else []
    return state, override


def search(site: Site) -> set[tuple[str, str]]:
    """Pairs of leaves, switches with attachments and attachments, in service, that were joined and no longer are."""
    net, state = site.topology.networks["compute"], site.intent.state
    dead = {one.device for one in state.drained if one.mode == "shut"}
    down = {(one.device, one.port) for one in (*state.shut_ports, *state.excluded_links)}
    down |= {(one.device or "", port) for one in site.intent.site.overrides for port in one.shutdown_ports}
    cut: set[frozenset[tuple[str, str]]] = set()
    before: dict[str, set[str]] = {}
    after: dict[str, set[str]] = {}
    for switch in site.devices.values():
        for port in switch.ports:
            is_down = (switch.name, port.name) in down
            if is_down and port.peer in site.devices:
                cut.add(frozenset({(switch.name, port.name), (port.peer, port.peer_port)}))
            if port.peer and port.role == "attachment":
                before.setdefault(port.peer, set()).add(switch.name)
                after.setdefault(port.peer, set()).update(set() if is_down else {switch.name} - dead)
    served = [s for s in site.devices.values() if not s.drained]
    near = {s.name for s in served if s.role == "leaf"} | set().union(*before.values()) & {
        s.name for s in served
    }
    lost = [tuple(name for name, _ in link) for link in cut]
    whole = joined(net, graph(net), near, before)
    left = joined(net, graph(net, dead, [link for link in lost if not dead & set(link)]), near, after)
    return whole - left


def joined(net, links, near: set[str], attached: dict[str, set[str]]) -> set[tuple[str, str]]:
    """Pairs of switches and attachments with a way between them; an attachment stands at its switches."""
    at = {**{name: {name} for name in near}, **attached}
    names = {name for some in at.values() for name in some}
    far = {name: set(ways(net, links, [net.node(name).id])) for name in names}
    return {
        (one, other)
        for one in at
        for other in at
        if one != other and any(at[other] & far[name] for name in at[one])
    }


@pytest.mark.covering
@pytest.mark.parametrize("shape", SHAPES)
def test_a_finding_stands_exactly_where_somebody_is_cut_off(shape):
    """In so many cases, and in more until somebody is cut off in one of them and nobody in another."""
    draw, outcomes, number = random.Random(shape), set(), 0  # noqa: S311  # cases, no secrets
    while len(outcomes) < 2 or number < len(drawn(16)):
        number += 1
        value = attached(shape, draw)
        state, overrides = out_of_service(made(value), draw)
        site = made({**value, "overrides": overrides}, state)
        lost = search(site)
        told = [one for one in check_routes(site.devices) if one.code == codes.SEPARATED.code]
        named = separations(site.devices.contexts[0])

        assert bool(lost) == bool(told), (state, overrides)
        assert all(one.example in lost for one in named)
        attachments = set(value.get("attachments", ()))
        assert {name for pair in lost for name in pair} & attachments == {
            name for one in named for name in one.attachments
        }
        count = sum(1 if attachments.issuperset(pair) else 0.5 for pair in lost)
        told_pairs = [one.pairs + sum(one.attachments.values()) for one in named]
        assert max(told_pairs, default=0) <= count <= sum(told_pairs) + sum(one.others for one in named)
        outcomes.add(bool(lost))
        assert number <= 16, "all cases are alike"


@pytest.mark.covering
@pytest.mark.parametrize("shape", SHAPES)
def test_none_of_the_entries_that_are_named_could_be_spared(shape):
    draw = random.Random(shape)  # noqa: S311  # cases, no secrets
    for _ in drawn(6):
        value = attached(shape, draw)
        state, _ = out_of_service(made(value), draw)
        for one in separations(made(value, state).devices.contexts[0]):
            named = [entry.origin.path[:2] for entry in one.entries]
            assert one.example in search(made(value, only(state, named)))
            for spared in named:
                rest = [path for path in named if path != spared]
                assert one.example not in search(made(value, only(state, rest)))


def in_mode(state: dict[str, Any], mode: str) -> dict[str, Any]:
    """The same, with every drain at that step."""
    return {**state, "drained": [{**entry, "mode": mode} for entry in state["drained"]]}


@pytest.mark.covering
@pytest.mark.parametrize("shape", SHAPES)
def test_a_drain_that_moves_no_traffic_is_told_exactly_where_its_next_step_would_cut_somebody_off(shape):
    draw, outcomes, number = random.Random(shape), set(), 0  # noqa: S311  # cases, no secrets
    while False not in outcomes or number < len(drawn(10)):
        number += 1
        value = attached(shape, draw)
        state, _ = out_of_service(made(value), draw)
        shut, graceful = made(value, in_mode(state, "shut")), made(value, in_mode(state, "graceful"))
        by_drains = [
            one
            for one in separations(shut.devices.contexts[0])
            if any(entry.origin.path[0] == "drained" for entry in one.entries)
        ]
        told = [one for one in check_routes(graceful.devices) if one.code == codes.DRAINS_NOTHING.code]

        last = {[e.origin for e in one.entries if e.origin.path[0] == "drained"][-1] for one in by_drains}
        assert last == {one.origin for one in told}
        assert codes.DRAINS_NOTHING.code not in {one.code for one in check_routes(shut.devices)}
        outcomes.add(bool(told))
        assert number <= 10, "all cases are alike"


def test_drains_that_move_no_traffic_are_among_them():
    """The control of the law: all spines at once."""
    value = intent("two tiers") if "two tiers" in SHAPES else intent(next(iter(SHAPES)))
    spines = [name for name in made(value).devices if name.startswith("spine")]
    state = {"drained": [{"device": one, "mode": "graceful", **WHY} for one in spines]}
    most = {"drained": state["drained"][1:]}

    told = {one.code for one in check_routes(made(value, state).devices)}
    assert codes.DRAINS_NOTHING.code in told
    assert codes.DRAINS_NOTHING.code not in {one.code for one in check_routes(made(value, most).devices)}


def only(state: dict[str, Any], paths: list[tuple[Any, ...]]) -> dict[str, Any]:
    """Some of the entries, and as `graceful` those that are left out: who is drained is of no account."""
    kept: dict[str, Any] = {
        kind: [entry for i, entry in enumerate(entries) if (kind, i) in paths]
        for kind, entries in state.items()
    }
    spared = [e for i, e in enumerate(state["drained"]) if ("drained", i) not in paths]
    kept["drained"] += [{**entry, "mode": "graceful"} for entry in spared]
    return kept


SPINES = [{"device": f"spine-{number}", "mode": "shut", **WHY} for number in range(2)]


ADMIN = {
    "role": "admin",
    "password_hash": f"$6$abcdefgh${86 * '0'}",
    "password_hash_sha256": f"$5$abcdefgh${43 * '0'}",
}
"""An account, where a product has none but those that are declared."""


def planned(folder, capsys, value: dict[str, Any], before: dict[str, Any], after: dict[str, Any]):
    """Devices that a plan calls `isolating`, from what ran under one state to what another one asks for."""
    (folder / "site.yaml").write_text(json.dumps(value))
    (folder / "state.yaml").write_text(json.dumps(before))
    compiled = api.compile(folder)
    (folder / "b").mkdir(exist_ok=True)
    for name in compiled.devices:
        (folder / "b" / f"{name}.cfg").write_text(compiled.artifacts[name].text)
    (folder / "state.yaml").write_text(json.dumps(after))
    main(["plan", "--offline", str(folder / "b"), "-C", str(folder), "--no-color"])
    capsys.readouterr()
    saved = json.loads((folder / ".fabric" / "plan" / "plan.json").read_text())
    return {one["device"] for one in saved["devices"] if one["impact"] == "isolating"}


@pytest.mark.parametrize("platform", MODELS)
def test_a_plan_that_cuts_the_fabric_apart_needs_leave(platform, tmp_path, capsys):
    value = intent("two tiers", platform=platform, model=MODELS[platform])
    value["services"] = {"users": {"netops": ADMIN}}
    first, second = {"drained": SPINES[:1]}, {"drained": SPINES}

    assert set() == planned(tmp_path, capsys, value, {}, first)
    assert {"spine-1"} == planned(tmp_path, capsys, value, first, second)
    assert {"spine-0", "spine-1"} == planned(tmp_path, capsys, value, {}, second)


def test_a_drained_leaf_is_cut_off_on_purpose():
    value = intent("two tiers")
    leaf = {"device": "leaf-0-0", "mode": "shut", **WHY}
    ports = [port.name for port in made(value).devices["leaf-0-0"].ports if port.peer.startswith("spine")]
    shut = {**value, "overrides": [{"device": "leaf-0-0", "shutdown_ports": ports}]}

    assert {} == separating(made(value, {"drained": [leaf]}).devices)
    assert {} == separating(made(shut, {"drained": [leaf]}).devices)
    assert ["leaf-0-0"] == list(separating(made(shut).devices))
