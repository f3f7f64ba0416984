"""A sandbox that runs gets the devices and cables of its site as that is now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from fabric.platforms import registry
from fabric.platforms.emulation import Emulated
from fabric.sandbox import Sandbox
from fabric.sandbox.emulated_network import Network
from fabric.sandbox.site_devices import emulated_switches
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import compiled, printed, site
from tests.ports import free_port

PRODUCTS = tuple(name for name in MODELS if registry.platform(name).emulator)
LOGIN = ("netops", "only-for-this-test")


def played(product: str, units: int) -> dict[str, Emulated]:
    """The switches of a site of so many units, as it configures them."""
    devices = compiled(product, site(f"{{units: {units}, capacity: {{units: 3}}}}"))
    return {
        spec.name: Emulated(**{**_fields(spec), "config": printed(devices[spec.name])})
        for spec in emulated_switches(devices.values(), lambda _name: LOGIN)
    }


def fresh(product: str) -> list[Emulated]:
    """Two switches as they leave their boxes: they can be reached."""
    devices = compiled(product, site("{units: 2, capacity: {units: 3}}"))
    return list(emulated_switches(devices.values(), lambda _name: LOGIN))[:2]


def _fields(spec: Emulated) -> dict[str, Any]:
    return {field: getattr(spec, field) for field in spec.__struct_fields__}


def seen(network: Network) -> Mapping[str, object]:
    """What each device sees of its neighbours, and what it carries."""
    found = {}
    for name, device in network.items():
        neighbors: Any = device.neighbors
        heard = sorted((one.port, one.system, one.peer_port) for one in neighbors.lldp())
        found[name] = heard, sorted((edge.key, edge.peer) for edge in neighbors.edges()), neighbors.wired
    return found


@pytest.mark.parametrize("product", PRODUCTS)
def test_a_network_that_has_grown_and_shrunk_is_as_one_that_was_begun_so(product: str) -> None:
    small, large = played(product, 2), played(product, 3)
    assert set(small) < set(large)
    begun_small, begun_large = Network(small.values()), Network(large.values())
    assert seen(begun_small) != seen(begun_large)

    network = Network(small.values())
    grown = network.update(large.values())
    plain = registry.platform(product).dialect().plain  # without the time of day
    for name in grown.rewired:  # applied since: they keep what they ran until then
        assert plain(network[name].running_config()) == plain(begun_small[name].running_config())
    replaced = network.update(
        {name: spec for name, spec in large.items() if name not in grown.rewired}.values()
    )
    network.update(large.values())  # the others come back as boxes that boot with the new text

    assert set(grown.added) == set(large) - set(small)
    assert grown.removed == ()
    assert set(grown.rewired) == {n for n in small if small[n].wires != large[n].wires}
    assert set(replaced.removed) == set(grown.rewired)
    assert seen(network) == seen(begun_large)


@pytest.mark.parametrize("product", PRODUCTS)
def test_what_loses_its_cables_loses_its_neighbours_and_nothing_else(product: str) -> None:
    small, large = played(product, 2), played(product, 3)
    network = Network(large.values())
    texts = {name: network[name].running_config() for name in small}

    shrunk = network.update(small.values())

    assert set(shrunk.removed) == set(large) - set(small)
    assert {name: network[name].running_config() for name in network} == texts
    heard, wanted = seen(network), seen(Network(small.values()))
    assert {name: views[0] for name, views in heard.items()} == {  # type: ignore[index]
        name: views[0]  # type: ignore[index]
        for name, views in wanted.items()
    }


def test_a_device_of_another_model_is_a_new_one() -> None:
    first, second = PRODUCTS[:2]
    before, after = played(first, 2), played(second, 2)
    network = Network(before.values())
    name = next(iter(before))

    growth = network.update({**before, name: after[name]}.values())

    assert growth.added == (name,)
    assert growth.removed == ()
    assert network[name].running_config() != Network(before.values())[name].running_config()


def test_a_network_that_cannot_be_played_changes_nothing() -> None:
    devices = played(PRODUCTS[0], 2)
    network = Network(devices.values())
    before = seen(network)
    name = next(iter(devices))
    wrong = {
        **devices,
        "stranger": Emulated(**{**_fields(devices[name]), "name": "stranger", "platform": "opensm"}),
    }

    with pytest.raises(Exception, match="no emulator for opensm"):
        network.update(wrong.values())

    assert seen(network) == before


def test_those_that_stay_keep_their_addresses_and_new_ones_get_free_ones() -> None:
    small, large = played("eos", 2), played("eos", 3)
    with Sandbox(small.values(), port=free_port()) as sandbox:
        before = {name: target.address for name, target in sandbox.targets.items()}
        taken = f"127.16.0.{len(small) + 1}"
        sandbox.update(large.values(), {taken})
        grown = {name: target.address for name, target in sandbox.targets.items()}
        sandbox.update(small.values())
        after = {name: target.address for name, target in sandbox.targets.items()}

    assert before.items() <= grown.items()
    assert len({*grown.values(), taken}) == len(large) + 1
    assert after == before
