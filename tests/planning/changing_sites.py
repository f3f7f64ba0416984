"""Small sites of Arista EOS in every shape, changed: whom each wave of a plan takes away from whom.

The plan says which ports go down in a wave; what the others make of that is found by following packets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from fabric import api
from fabric.cli.write_lock_file import lock_text
from fabric.devices.model import Switch
from fabric.planning import Impact
from fabric.planning.impact import INTERRUPTING
from fabric.planning.model import DevicePlan, Wave
from tests.analysis.sites import intent
from tests.analysis.test_separated import ADMIN
from tests.planning.every_field import without
from tests.planning.phased import Network
from tests.planning.reachability import Cabling, End, Pair, Reachability
from tests.platforms.everywhere import MODELS
from tests.platforms.sites import HASH

Words = dict[str, Any]
ALLOWED = (Impact.ISOLATING, Impact.LOCKOUT)
"""What nobody carries out without a word."""
ATTACHED = {
    "filer": {"network": "compute", "kind": "storage", "links": 2, "speed": "400G"},
    "edge": {
        "network": "compute", "kind": "router", "links": 2, "speed": "400G",
        "bgp": {"asn": 65010, "prefixes": ["203.0.113.0/24"], "default_route": True, "advertise": ["10.0.0.0/10"]},
    },
}  # fmt: skip
WHY = {"reason": "swap the fan", "owner": "ops", "expires": "2099-01-01"}


def words(shape: str) -> Words:
    """The intent of a shape, with storage and a border router."""
    value = intent(shape, platform="eos", model=MODELS["eos"], attachments=json.loads(json.dumps(ATTACHED)))
    for tier in value["networks"]["compute"]["tiers"].values():
        tier["reserved_ports"] = 2
    return {**value, "services": {"users": {"netops": ADMIN}}}


class Built(NamedTuple):
    """A site that runs."""

    compiled: Any
    cabling: Cabling
    lock: str


@cache
def built(shape: str) -> Built:
    """As `words` says, with nothing out of service."""
    first = compiled(words(shape))
    lock = lock_text(first.topology.lock)
    whole = compiled(words(shape), lock=lock)
    return Built(whole, Cabling.of(switches(whole)), lock)


def compiled(site: Mapping[str, Any], state: Mapping[str, Any] | None = None, lock: str = "") -> Any:
    """A site, or `Invalid`."""
    files = {
        "site.yaml": json.dumps(without(site)),
        "state.yaml": json.dumps(state or {}),
        "fabric.lock": lock,
    }
    with TemporaryDirectory() as folder:
        for name, text in files.items():
            if text:
                (Path(folder) / name).write_text(text)
        made = api.compile(Path(folder))
        made.artifacts.check_each()  # printed and kept, as for every plan
        return made


def switches(site: Any) -> dict[str, Switch]:
    """All of them."""
    return {name: device for name, device in site.devices.items() if isinstance(device, Switch)}


def states(shape: str, chance: Random) -> tuple[str, Mapping[str, Any]]:
    """Something out of service, and its name."""
    devices = switches(built(shape).compiled)
    kind = chance.choice(["drained", "drained", "shut_ports", "excluded_links"])
    if kind == "drained":
        names, mode = chance.sample(sorted(devices), chance.choice([1, 2, 2, 3, 4])), chance.choice(MODES)
        entries = [{"device": name, "mode": mode, **WHY} for name in names]
        return f"drained by {mode}: {', '.join(names)}", {kind: entries}
    device = chance.choice(list(devices.values()))
    if kind == "shut_ports":
        used = [port.name for port in device.ports if port.peer]
        ports = chance.sample(used, min(len(used), chance.choice([1, 2, 3])))
        entries = [{"device": device.name, "port": port, **WHY} for port in ports]
        return f"shut: {', '.join(ports)} of {device.name}", {kind: entries}
    links = [port for port in device.ports if port.peer in devices]
    if not links:
        return "nothing", {}
    link = chance.choice(links)
    entry = {"device": device.name, "peer": link.peer, "port": link.name, **WHY}
    return f"excluded: {link.name} of {device.name}", {kind: [entry]}


MODES = ("shut", "graceful")


def losses(shape: str, before: Any, after: Any) -> Iterator[str]:
    """Who loses whom by waves of no plan that says so, from one compiled site to another.

    Nothing is said of a change that moves cables: nobody knows when somebody does that; nor of those at a switch that
    this plan or an earlier one of the change calls isolating.
    """
    cabling, later = built(shape).cabling, switches(after)
    if later.keys() != switches(before).keys() or cabling.is_moved(Cabling.of(later)):
        return
    network, cabling, told = Network.of(before), cabling.grown(later), set[str]()
    for number, (plan, texts) in enumerate(network.changed(after), start=1):
        if any(finding.is_error for finding in plan.diagnostics):
            return
        running = {name: _bootable(text) for name, text in network.running.items()}
        reached = Reachability(cabling, later, running).pairs()
        cut = {device.device for device in plan.devices if Impact.ISOLATING in device.impacts}
        told |= {user.name for user in cabling.users if user.at[0] in cut}
        for wave in plan.waves:
            devices = [device for device in plan.devices if device.device in wave.devices]
            running |= {device.device: _bootable(texts[device.candidate]) for device in devices}
            then = Reachability(cabling, later, running).pairs()
            if not any(set(device.impacts) & {*ALLOWED} for device in devices):
                down = frozenset(end for device in devices for end in _down(device, later[device.device]))
                meanwhile = Reachability(cabling, later, running, down).pairs() if down else then
                yield from _lost("while", number, wave, _but_for(told, reached - meanwhile))
                yield from _lost("after", number, wave, _but_for(told, reached - then))
            reached = then


def _but_for(told: set[str], lost: Iterable[Pair]) -> frozenset[Pair]:
    return frozenset(pair for pair in lost if told.isdisjoint(name.partition("/")[0] for name in pair[:2]))


def _lost(when: str, number: int, wave: Wave, lost: frozenset[Pair]) -> Iterator[str]:
    if lost:
        here, there, rail = min(lost)
        where = f"plan {number}, wave {wave.number} ({wave.impact.value}: {', '.join(wave.devices)})"
        yield f"{when} {where}: {here} and {there} on rail {rail}, and {len(lost) - 1} more"


def _down(device: DevicePlan, switch: Switch) -> Iterator[End]:
    """The ports that a change interrupts, as the plan has it."""
    for change in device.changes:
        if change.impact in (*INTERRUPTING, *ALLOWED):
            ports = [p.name for p in switch.ports] if change.scope.whole_device else change.scope.ports
            yield from ((switch.name, port) for port in ports)


def _bootable(text: str) -> str:
    """A text with some hash in place of those that no plan shows."""
    return text.replace("<masked>", HASH)
