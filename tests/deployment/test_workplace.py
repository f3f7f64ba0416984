"""A workplace: who talks to the devices, and to how many at once."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fabric.deployment.connection.parallel_devices import each
from fabric.deployment.workplace import Workplace
from fabric.intent.inventory import Credentials, DeviceFacts, Inventory


def most_at_once(place: Workplace, devices: int) -> int:
    lock, now, most = threading.Lock(), 0, 0

    def talk() -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.02)
        with lock:
            now -= 1

    with place.executor() as executor:
        assert len(list(each(executor, talk, ((f"d{i}", ()) for i in range(devices))))) == devices
    return most


@pytest.mark.parametrize("jobs", [1, 3])
def test_no_more_devices_are_talked_to_at_once_than_asked_for(jobs: int) -> None:
    assert most_at_once(Workplace(folder=Path(), jobs=jobs), 9) == jobs


def test_an_executor_of_the_caller_is_used_and_left_running() -> None:
    with ThreadPoolExecutor(2) as pool:
        assert most_at_once(Workplace(folder=Path(), jobs=9, given_executor=pool), 9) == 2
        assert pool.submit(lambda: 5).result() == 5


def test_a_journal_is_in_the_sites_folder_unless_another_place_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FABRIC_JOURNAL", raising=False)
    place = Workplace(folder=tmp_path)
    assert place.last_applied("lab", offline=True) is None
    assert repr(place.journal()) == f"Journal(sqlite:///{tmp_path}/.fabric/journal.sqlite)"
    assert (tmp_path / ".fabric/.gitignore").is_file()
    assert len(place.last_applied("lab", offline=True) or ()) == 0
    assert place.last_applied("lab", offline=True) is not None

    elsewhere = Workplace(folder=tmp_path / "x", journal_url=f"sqlite:///{tmp_path}/named")
    assert repr(elsewhere.journal()) == f"Journal(sqlite:///{tmp_path}/named)"
    assert elsewhere.last_applied("lab", offline=True) is not None
    monkeypatch.setenv("FABRIC_JOURNAL", f"sqlite:///{tmp_path}/shared")
    assert repr(place.journal()) == f"Journal(sqlite:///{tmp_path}/shared)"
    assert repr(elsewhere.journal()) == f"Journal(sqlite:///{tmp_path}/named)"
    assert Workplace(folder=tmp_path / "y").last_applied("lab", offline=True) is not None
    assert place.source.folder == tmp_path


def test_targets_of_a_sandbox_stand_in_for_those_of_the_inventory() -> None:
    inventory = Inventory(
        credentials={"ops": Credentials(username="netops", key_file="key")},
        default_credentials="ops",
        devices={"leaf": DeviceFacts(address="192.0.2.1/24"), "bare": DeviceFacts()},
    )
    real = Workplace(folder=Path("/site"), timeout_s=7)
    found = real.targets(inventory, ["leaf"])
    assert (found["leaf"].address, found["leaf"].timeout_s, found["leaf"].key_file) == (
        "192.0.2.1",
        7,
        "/site/key",
    )
    assert real.reached(inventory, ["leaf", "bare", "stranger"]) == ("leaf",)

    played = Workplace(folder=Path("/site"), replaced={"spine": found["leaf"]})
    assert played.targets(inventory, ["leaf", "spine"]) == {"spine": found["leaf"]}
    assert played.reached(inventory, ["leaf", "spine"]) == ("spine",)
