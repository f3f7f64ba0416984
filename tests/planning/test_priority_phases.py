"""Lossless traffic gets another PFC priority: at once its links are coupled, in three steps none is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from fabric import api
from fabric.planning import Plan
from tests.analysis.sites import intent
from tests.planning.phased import Network
from tests.platforms.everywhere import MODELS, capabilities
from tests.platforms.sites import HASH, HASH256

USERS = {"users": {"netops": {"role": "admin", "password_hash": HASH, "password_hash_sha256": HASH256}}}
REST = {"dscp": "rest", "traffic_class": 1, "queue": 1, "share": 5}
CNP = {"dscp": [48], "traffic_class": 6, "queue": 6, "strict": True, "max_rate": 5}


def lossless(number: int, *dscp: int, share: int) -> dict[str, Any]:
    numbers = dict.fromkeys(("traffic_class", "priority", "queue"), number)
    return {"dscp": list(dscp), "share": share, "ecn": "auto", **numbers}


WATCHDOG = {"action": "drop", "detect": "200ms", "restore": "200ms"}
TWO_AT_A_TIME = [name for name in MODELS if capabilities(name).max_lossless_priorities > 1]
"""Products that can pause the old priority and the new one."""
OLD = {"roce": lossless(3, 24, 26, share=95)}
BOTH = {"roce": lossless(3, 24, 26, share=45), "roce-new": lossless(4, 32, 34, share=50)}
NEW = {"roce-new": lossless(4, 32, 34, share=95)}
AT_ONCE = {"roce": lossless(4, 24, 26, share=95)}
ONE_MOVES = {"roce": lossless(3, 24, share=45), "roce-new": lossless(4, 26, 32, 34, share=50)}


@cache
def compiled(product: str, classes: str) -> api.Compiled:
    policy = {
        "classes": {"rest": REST, **json.loads(classes), "cnp": CNP},
        "cnp": "cnp",
        "watchdog": WATCHDOG if capabilities(product).pfc_watchdog else "none",
    }
    site = intent("two tiers", platform=product, model=MODELS[product], policy="rfc7938", services=USERS)
    site["networks"]["compute"]["lossless"] = "roce.yaml"
    with TemporaryDirectory() as folder:
        (Path(folder) / "site.yaml").write_text(json.dumps(site))
        (Path(folder) / "roce.yaml").write_text(json.dumps(policy))
        made = api.compile(Path(folder))
        for name in made.artifacts:
            made.artifacts[name]  # printed while its files are there
        return made


def planned(product: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Plan:
    network = Network.of(compiled(product, json.dumps(before)))
    return next(iter(network.changed(compiled(product, json.dumps(after)))))[0]


@pytest.mark.parametrize("step", [(OLD, BOTH), (BOTH, NEW)], ids=["add", "remove"])
@pytest.mark.parametrize("product", TWO_AT_A_TIME)
def test_a_priority_that_comes_or_goes_couples_no_link(product, step):
    made = planned(product, *step)

    assert made.changed
    assert () == made.couplings
    assert () == made.held


@pytest.mark.covering(most=6)
@pytest.mark.parametrize(
    ("product", "change"),
    [
        *(pytest.param(name, (OLD, AT_ONCE), id=f"{name}-the priority of all") for name in MODELS),
        *(pytest.param(name, (BOTH, ONE_MOVES), id=f"{name}-one DSCP") for name in TWO_AT_A_TIME),
    ],
)
def test_traffic_that_changes_its_priority_couples_every_link(product, change):
    """Which priority a DSCP has is said of a switch, not of a port: all links change in one wave."""
    made = planned(product, *change)

    assert {"PFC priority"} == {coupling.what for coupling in made.couplings}
    assert 16 == len(made.couplings)
    assert [True] == [wave.together for wave in made.waves]
    assert () == made.held
