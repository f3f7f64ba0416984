"""Deployments to several UFMs in one process, and runs that were killed: UFM itself keeps no commit to go back to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from fabric import api
from fabric.deployment import State, device_steps
from fabric.deployment.device_steps import Ready, Work
from fabric.deployment.waves.batch import Batch
from tests.platforms.ufm.server import Database, Node
from tests.platforms.ufm.test_push import ALLOWED, FAST, Site, of, site

__all__ = ["site"]


@pytest.fixture
def other(tmp_path: Path, pem: Path, site: Site) -> Iterator[Site]:
    """A second site with a UFM of its own; the device has the same name."""
    del site  # sets the keys
    node = Node(Database(), pem)
    folder = tmp_path / "other"
    folder.mkdir()
    yield Site(folder, node, pem)
    node.close()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Callable[[Site], None]:
    """Lets the gate of one site find something wrong after its commit."""

    def close(one: Site) -> None:
        look = device_steps.inspect

        def inspect(work: Work, before: Ready, *judged: Any) -> device_steps.Look:
            if work.target.port == one.node.port:
                return device_steps.Look(("a session is down",))
            return look(work, before, *judged)

        monkeypatch.setattr(device_steps, "inspect", inspect)

    return close


def planned(one: Site, red: str, blue: str) -> None:
    """One apply is done, and the next is planned."""
    one.plan("dgx-0-0", "dgx-1-0", adopt=True)
    one.apply()
    one.plan(red, blue)


def test_of_two_deployments_at_once_each_goes_back_to_its_own(site, other, gate, monkeypatch):
    planned(site, "dgx-0-1", "dgx-1-1")
    planned(other, "dgx-1-1", "dgx-0-1")
    before = site.members()
    both = Barrier(2, timeout=60)
    push = device_steps.push

    def together(work: Work, revert_in_s: int) -> None:
        push(work, revert_in_s)
        both.wait()  # both have committed before either goes on

    monkeypatch.setattr(device_steps, "push", together)
    gate(site)
    with ThreadPoolExecutor(2) as pool:
        failed, done = pool.map(Site.apply, (site, other))

    assert (failed.in_state(State.REVERTED), done.outcome) == (("ufm-1",), "done")
    assert before == site.members() == {"0x1001": of(0), "0x1002": of(2)}
    assert {"0x1001": of(3), "0x1002": of(1)} == other.members()
    assert "red" == site.node.database.partitions["0x1001"].name


@pytest.mark.parametrize("verb", [api.resume, api.rollback])
@pytest.mark.parametrize("where", ["_gate", "_confirm"])
def test_a_killed_run_goes_on_or_back(site, monkeypatch, verb, where):
    """What another process shall take back it knows from the journal."""
    planned(site, "dgx-0-1", "dgx-1-1")

    class Killed(BaseException):
        pass

    def die(_batch: Batch, *_words: str) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(Batch, where, die)
        patch.setattr(Batch, "_take_back", die)
        with pytest.raises(Killed):
            site.apply()
    assert {"0x1001": of(1), "0x1002": of(3)} == site.members()

    allowed = {"allow": ALLOWED} if verb is api.rollback else {}
    result = verb(api.compile(site.folder), site.place, pace=FAST, **allowed)

    left, right = (1, 3) if verb is api.resume else (0, 2)
    assert {"0x1001": of(left), "0x1002": of(right)} == site.members()
    assert "done" == result.outcome or verb is api.rollback


def test_the_first_apply_is_rolled_back_to_nothing(site):
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    site.apply()

    assert "done" == api.rollback(api.compile(site.folder), site.place, allow=ALLOWED, pace=FAST).outcome
    assert {} == site.members()
