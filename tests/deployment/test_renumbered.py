"""A link with other addresses: the session over it must come up again, with whoever is its new neighbour."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fabric import api
from fabric.deployment.gates.judge import missing
from fabric.deployment.gates.purpose import Purpose, purpose
from fabric.deployment.gates.snapshot import Snapshot
from fabric.deployment.gates.thresholds import Thresholds
from fabric.platforms.base import Facts
from fabric.platforms.device_state import BgpSession
from fabric.platforms.registry import platform
from tests.analysis.sites import intent
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import HASH, HASH256

LEAF = "leaf-0-0"
USERS = {"users": {"netops": {"role": "admin", "password_hash": HASH, "password_hash_sha256": HASH256}}}


def facts(product: str, family: str, pools: dict[str, str]) -> Facts:
    value = intent("two tiers", platform=product, model=MODELS[product], family=family, services=USERS)
    network = value["networks"]["compute"]
    network["addressing"] = {**network.get("addressing", {}), **pools}
    with TemporaryDirectory() as folder:
        (Path(folder) / "site.yaml").write_text(json.dumps(value))
        return platform(product).read(api.compile(Path(folder)).artifacts[LEAF].text).facts


def up(*sessions: str) -> Snapshot:
    return Snapshot({key: BgpSession(is_up=True) for key in sessions})


@pytest.mark.parametrize("family", ["ipv4", "ipv6", "dual"])
@pytest.mark.parametrize("product", MODELS)
def test_every_session_that_was_up_must_be_up_under_its_new_address(product, family):
    other = {"fabric_pool": "10.64.0.0/12"} if family != "ipv6" else {}
    other |= {"fabric_pool6": "fd00:777::/48"} if family != "ipv4" else {}
    old, new = facts(product, family, {}), facts(product, family, other)
    own = purpose(LEAF, old, new, drains="")
    purposes, before = {LEAF: own}, up(*old.neighbors)
    come = [key for key in new.neighbors if key not in old.neighbors]

    assert come
    assert set(come) == set(own.replaced)
    assert () == complaints(before, up(*new.neighbors), purposes)
    assert len(come) == len(complaints(before, up(), purposes))
    assert () == complaints(up(), up(), purposes)  # what was down may stay down


def complaints(before: Snapshot, now: Snapshot, purposes: dict[str, Purpose]) -> tuple[str, ...]:
    return missing(LEAF, before, now, purposes, Thresholds())
