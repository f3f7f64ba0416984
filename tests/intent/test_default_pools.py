"""Pools that nobody wrote: every network has its own, and keeps it."""

from __future__ import annotations

from itertools import combinations, permutations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.documents.schema.scalar_types import encode
from fabric.intent.load import load_text
from fabric.topology.expand import expand

KEYS = ("host_pool", "fabric_pool", "loopback_pool", "host_pool6", "fabric_pool6", "loopback_pool6")
NAMES = ("compute", "storage", "frontend", "backup", "archive")


def loaded(names, lock=None, written=None, family="dual"):
    """A site of networks that leave their pools out, but for what is written."""
    nics = ", ".join(f"{name}: {{count: 2, speed: 400G}}" for name in names)
    networks = "".join(
        f"  {name}:\n    addressing: {{family: {family}{(written or {}).get(name, '')}}}\n    lossless: null\n"
        "    tiers: {leaf: {model: nvidia-sn5600}, spine: {model: nvidia-sn5600, count: 2}}\n"
        for name in names
    )
    hosts = f"gpu: {{gpus: 2, per_unit: 2, nics: {{{nics}}}}}"
    files = {"site.yaml": f"site: s\nunits: 1\nhosts:\n  {hosts}\nnetworks:\n{networks}"}
    if lock is not None:
        files["fabric.lock"] = msgspec.yaml.encode(msgspec.to_builtins(lock, enc_hook=encode)).decode()
    return load_text(files)


def pools(intent):
    return {
        name: {key: str(getattr(network.addressing, key)) for key in KEYS}
        for name, network in intent.site.networks.items()
    }


def test_a_single_network_has_the_defaults_that_the_reference_shows():
    assert {
        "host_pool": "10.0.0.0/10", "fabric_pool": "10.128.0.0/10", "loopback_pool": "10.255.0.0/16",
        "host_pool6": "fd00::/32", "fabric_pool6": "fd00:128::/48", "loopback_pool6": "fd00:255::/64",
    } == pools(loaded(["storage"]))["storage"]  # fmt: skip


@pytest.mark.parametrize("count", range(2, len(NAMES) + 1))
def test_networks_need_no_pools_by_hand(count):
    intent = loaded(NAMES[:count])
    topology = expand(intent)  # finds every overlap

    assert count == len(topology.networks)
    found = [pool for one in pools(intent).values() for pool in one.values()]
    assert len(found) == len(set(found))


@settings(max_examples=30, deadline=None)
@given(st.permutations(NAMES), st.integers(1, len(NAMES) - 1))
def test_a_network_that_is_added_moves_no_pool(names, first):
    before = loaded(names[:first])
    after = loaded(names, expand(before).lock)
    expand(after)

    assert pools(before).items() <= pools(after).items()


def test_the_order_in_the_file_decides_nothing():
    made = {tuple(sorted((k, str(v)) for k, v in pools(loaded(p)).items())) for p in permutations(NAMES[:3])}

    assert 1 == len(made)


def test_what_is_written_is_taken_and_passed_over():
    intent = loaded(["compute", "storage"], written={"compute": ", host_pool: 10.64.0.0/12"})
    made = pools(intent)
    expand(intent)

    assert "10.64.0.0/12" == made["compute"]["host_pool"]
    assert ("10.0.0.0/10", "10.128.0.0/10") != (made["storage"]["host_pool"], made["storage"]["fabric_pool"])


def test_a_lock_of_before_keeps_the_defaults():
    before = loaded(["storage"])
    old = expand(before).lock
    networks = {name: msgspec.structs.replace(one, pools={}) for name, one in old.networks.items()}
    after = loaded(["compute", "storage"], msgspec.structs.replace(old, networks=networks))
    expand(after)

    assert pools(before)["storage"] == pools(after)["storage"]
    assert all(a != b for a, b in combinations([one["host_pool"] for one in pools(after).values()], 2))
