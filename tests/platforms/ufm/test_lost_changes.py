"""Half of a change that a run has lost on a UFM is ours, whatever is done there since, until it is seen to be gone."""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

import pytest

from fabric import api
from fabric.deployment import State
from tests.platforms.ufm.server import Partition
from tests.platforms.ufm.test_half_way import (
    LOW,
    found,
    half_of_a_new_tenant,
    in_order,
    out_of_order,
    put_right,
    rolled_back,
    shut,
)
from tests.platforms.ufm.test_push import SITE, Site, site

__all__ = ["site"]

NEW = "0x1000"
OTHER = "0x77"
SINCE = ("a plan has asked", "it is written down", "a run went back to it", "a run on it was taken back")


def typed(one: Site, key: str = OTHER) -> None:
    """Somebody makes a partition of his own."""
    one.node.database.partitions[key] = other = Partition("slurm")
    other.members["0002c90300000001"] = {"membership": "full", "index0": False}


def drift(one: Site, *, record: bool = False) -> Any:
    return api.drift(api.compile(one.folder), one.place, record=record)


def without_other(one: Site) -> dict[str, Any]:
    return {key: row for key, row in found(one).items() if key != OTHER}


def goes_back(one: Site, monkeypatch: pytest.MonkeyPatch, *, adopt: bool = False) -> None:
    """A run that does not pass its gate."""
    assert one.plan("dgx-0-0", "dgx-1-1", adopt=adopt).changed
    with monkeypatch.context() as patch:
        shut(patch)
        assert one.apply().in_state(State.REVERTED) == ("ufm-1",)


@pytest.mark.parametrize("after", [2, 3])
@pytest.mark.parametrize("is_typed_first", [True, False])
@pytest.mark.parametrize("since", SINCE)
def test_what_somebody_has_typed_beside_it_stays_and_half_of_it_goes(
    site: Site, monkeypatch: pytest.MonkeyPatch, since: str, after: int, *, is_typed_first: bool
) -> None:
    """The tenant is given up in the intent."""
    before = half_of_a_new_tenant(site, after)
    if is_typed_first:
        typed(site)
    if since == "a plan has asked":
        site.plan("dgx-0-0", "dgx-1-1")
    elif since == "it is written down":
        drift(site, record=True)
        assert drift(site).drifted == ()
    elif since == "a run went back to it":
        goes_back(site, monkeypatch)
    else:
        assert site.plan("dgx-0-0", "dgx-1-1").changed
        assert site.apply().outcome == "done"
        rolled_back(site, 3)
    if not is_typed_first:
        typed(site)
    site.text = SITE
    assert site.plan("dgx-0-0", "dgx-1-0").changed
    assert site.apply().outcome == "done"

    assert without_other(site) == before
    assert OTHER in site.members()


@pytest.mark.parametrize("since", SINCE[:3])
@pytest.mark.parametrize("is_typed_too", [True, False])
def test_once_somebody_has_put_it_right_what_he_makes_there_is_his(
    site: Site, monkeypatch: pytest.MonkeyPatch, since: str, *, is_typed_too: bool
) -> None:
    """Another one has that P_Key since."""
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    assert site.apply().outcome == "done"
    before, site.text = deepcopy(site.node.database.partitions), SITE + LOW
    assert site.plan("dgx-0-0", "dgx-1-1").changed
    out_of_order(site, 3, math.inf)
    site.apply()
    in_order(site)
    if since == "it is written down":
        typed(site, "0x78")
        drift(site, record=True)
    elif since == "a run went back to it":
        goes_back(site, monkeypatch)
    else:
        site.plan("dgx-0-0", "dgx-1-1")
    put_right(site, before)
    if is_typed_too:
        typed(site)
    site.text = SITE
    assert site.plan("dgx-0-0", "dgx-1-0").changed == ()
    typed(site, NEW)
    if since != "it is written down":  # else 0x78 is missing, and what NEW has differs from that half
        (typed_there,) = drift(site).drifted
        assert len(typed_there.blocks) == 1 + is_typed_too, typed_there.blocks

    assert site.plan("dgx-0-0", "dgx-1-0").changed == ()


@pytest.mark.parametrize("after", [2, 3])
def test_half_of_a_first_apply_is_written_down_with_what_was_typed(
    site: Site, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    site.plan("dgx-0-0", "dgx-1-1", adopt=True)
    out_of_order(site, after, math.inf)
    site.apply()
    in_order(site)
    goes_back(site, monkeypatch, adopt=True)
    typed(site)

    assert drift(site, record=True).recorded
    assert drift(site).drifted == ()


def test_half_of_a_first_apply_is_gone_on_with_without_adopting_it_again(site: Site) -> None:
    """The plan shows an update."""
    site.plan("dgx-0-0", "dgx-1-1", adopt=True)
    out_of_order(site, 2, math.inf)
    site.apply()
    in_order(site)

    assert site.plan("dgx-0-0", "dgx-1-1").changed
    assert site.apply().outcome == "done"


def test_an_offline_plan_knows_it(site: Site) -> None:
    """It is made of what was saved of UFM."""
    half_of_a_new_tenant(site, 3)
    known = site.place.last_applied("ufm", offline=True)

    assert known is not None
    assert NEW in known["ufm-1"].ours
    assert known["ufm-1"].artifact == ""
