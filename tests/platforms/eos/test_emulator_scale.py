"""Many emulated switches are cheap: `FABRIC_SCALE=1000` runs the size that the figures are told for."""

from __future__ import annotations

import os
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fabric import sandbox
from fabric.platforms.eos.emulator.diff import unified
from fabric.platforms.eos.emulator.store import GRAMMAR, parse, settled
from fabric.platforms.eos.emulator.tree import Editor, Section
from fabric.sandbox.sandbox_process import Place
from tests.platforms.eos import emulated
from tests.ports import free_port
from tests.work import LINEAR, growth

COUNT = int(os.environ.get("FABRIC_SCALE", "20"))
PER_DEVICE_KIB = 700
"""Memory of a device with a thousand lines running: a thousand devices stay well below a gigabyte."""


def big(number: int, ports: int = 64) -> str:
    """About a thousand lines."""
    first = f"10.{number >> 8 & 255}.{number & 255}"
    parts = [emulated.head(f"s{number}", number % 200 + 1)]
    lines = (
        "speed 400g-4",
        "error-correction encoding reed-solomon",
        "service-profile roce",
        "qos trust dscp",
    )
    for i in range(ports):
        told = f"description spine{i}:Ethernet{number}/1"
        queue = ("uc-tx-queue 3", "random-detect ecn count")
        parts.append(
            emulated.port(f"Ethernet{i + 1}/1", told, f"ip address {first}.{2 * i}/31", *lines, *queue)
        )
    sessions = [line for i in range(ports) for line in emulated.session(f"{first}.{2 * i + 1}", 66000 + i)]
    return "\n".join((*parts, emulated.bgp(65000 + number, *sessions)))


def loaded(config: str, boot: Section) -> None:
    """A session: every line, and its diff."""
    rows = [line.strip() for line in config.splitlines()]
    editor = Editor(GRAMMAR, boot)
    editor.clear()
    for row in rows:
        editor.feed(row)
    unified(boot, settled(editor, boot), "a", "b")


def test_a_session_of_twice_the_lines_is_twice_the_work():
    boot = parse(emulated.head("s999", 1))

    assert 900 < len(big(999).splitlines())
    assert growth(lambda ports: loaded(big(999, ports), boot), 32) <= LINEAR


def test_configurations_share_what_they_have_in_common():
    parse(big(0))
    tracemalloc.start()
    kept = [parse(big(number)) for number in range(1, 11)]
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert PER_DEVICE_KIB * 1024 > used / len(kept)


def test_many_switches_are_planned_applied_confirmed_and_planned_empty(tmp_path: Path):
    specs = [emulated.spec(f"s{i}", i % 200 + 1, wires=()) for i in range(COUNT)]
    configs = {spec.name: big(i) for i, spec in enumerate(specs)}
    state = sandbox.up(specs, tmp_path, port=free_port(), block=60)
    try:
        drivers = {name: driver(place) for name, place in state.targets.items()}

        def changed(name: str) -> bool:
            drivers[name].load_replace_candidate(config=configs[name])
            return drivers[name].compare_config() != ""

        def opened(name: str) -> bool:
            drivers[name].open()
            return changed(name)

        with ThreadPoolExecutor(32) as pool:
            assert all(pool.map(opened, drivers))
            list(pool.map(lambda name: drivers[name].commit_config(revert_in=300), drivers))
            list(pool.map(lambda name: drivers[name].confirm_commit(), drivers))
            assert not any(pool.map(changed, drivers))
        found = sandbox.status(tmp_path)
    finally:
        for each in drivers.values():
            each.config_session = None
        sandbox.down(tmp_path)

    assert found is not None
    assert found.memory_bytes < 100_000_000 + COUNT * PER_DEVICE_KIB * 1024


def driver(place: Place) -> Any:
    """NAPALM's own driver."""
    from napalm import get_network_driver

    options = {"port": place.port}
    return get_network_driver("eos")(place.address, emulated.USER, emulated.PASSWORD, optional_args=options)
