"""A small network of any product, asked in a sandbox: as built, or with a fault."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import count
from typing import Any

import msgspec

from fabric import analysis, deployment
from fabric.deployment.connection.device_session import Connection
from fabric.deployment.connection.secrets import SecretSource, references
from fabric.deployment.observing.observe_devices import plain
from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.intent.inventory import DeviceFacts, HostFacts, Inventory
from fabric.planning.ownership import candidate
from fabric.platforms.emulation import Emulated, HasRoutes, Wire
from fabric.platforms.registry import names, platform
from fabric.sandbox import Sandbox
from fabric.sandbox.site_devices import emulated_switches
from fabric.verification.ethernet import Evidence, PlannedNetwork, verify_network
from fabric.verification.verdict import NetworkVerdict
from tests.contract.sandbox_bench import LOGIN, PASSWORD, USERNAME
from tests.platforms.sites import Words, compiled, inventory, printed, services
from tests.ports import free_port

PLAYED = tuple(name for name in names() if platform(name).emulator and platform(name).driver)
"""Products that are asked over their own protocol in the sandbox."""
SETTLED_S = 300
"""Hold times and times to live of before are over."""
SWITCHES = ("leaf-0-0", "leaf-0-1", "leaf-1-0", "leaf-1-1", "spine-0", "spine-1")
ADDRESSES = inventory(
    "devices: {"
    + ", ".join(f"{name}: {{address: 198.51.100.{11 + i}/24}}" for i, name in enumerate(SWITCHES))
    + "}"
)
LLDP = services("lldp: true")
RACKS = Inventory(
    devices={"leaf-0-0": DeviceFacts(rack="R12", position=40)}, hosts={"gpu-0-0": HostFacts(rack="R07")}
)


def plan(devices: Devices) -> PlannedNetwork:
    """What the network shall be."""
    switches = (devices[name] for name in devices)
    hosts = (devices.hosts[name] for name in devices.hosts)
    return PlannedNetwork("compute", (s for s in switches if isinstance(s, Switch)), hosts, RACKS)


def port_towards(devices: Devices, name: str, peer: str) -> str:
    """The first port of a switch towards a device."""
    return next(port for (own, port), far in plan(devices).cables.items() if (own, far[0]) == (name, peer))


@dataclass
class Played:
    """The network, and the sandbox that plays it."""

    devices: Devices
    sandbox: Sandbox

    @property
    def plan(self) -> PlannedNetwork:
        return plan(self.devices)

    def answers(self) -> Evidence:
        answers, silent = deployment.ask_answers(
            self.sandbox.targets, lambda name: self.devices[name].platform
        )
        has_routes = all(isinstance(device, HasRoutes) for device in self.sandbox.network.values())
        return Evidence(answers=answers, silent=silent, has_routes=has_routes)

    @contextmanager
    def running(self, name: str, other: Devices) -> Iterator[None]:
        """Within, a switch runs what another intent says."""
        configure(other, self.sandbox, [name], before=self.devices)
        self.sandbox.advance(SETTLED_S)
        yield
        configure(self.devices, self.sandbox, [name], before=other)
        self.sandbox.advance(SETTLED_S)

    @contextmanager
    def faulty(self, name: str, **faults: Any) -> Iterator[None]:
        """Within, a switch has faults."""
        self.sandbox.set_faults(name, **faults)
        self.sandbox.advance(SETTLED_S)
        yield
        self.sandbox.clear_faults(name)
        self.sandbox.advance(SETTLED_S)

    def port(self, name: str, peer: str) -> str:
        return port_towards(self.devices, name, peer)

    def verdict(self, evidence: Evidence | None = None) -> NetworkVerdict:
        widths = analysis.expected_widths(self.devices.contexts[0], self.devices)
        return verify_network(self.plan, evidence or self.answers(), widths)


def network(product: str, *words: Words) -> Devices:
    """Four leaves and two spines, with hosts."""
    bench = import_module(f"tests.platforms.{product}.bench")
    return compiled(product, getattr(bench, "WORDS", {}), LOGIN, ADDRESSES, LLDP, *words)


def specs_of(devices: Devices) -> list[Emulated]:
    """Every switch as it leaves provisioning, cabled as planned."""
    return list(emulated_switches(devices.values(), lambda _name: (USERNAME, PASSWORD)))


RUNS = count(1)


def configure(
    devices: Devices, sandbox: Sandbox, only: Collection[str] = (), *, before: Devices | None = None
) -> None:
    """The switches, or some of them, run what was compiled, and what they need to be reached; no line of `before`."""
    for name, target in sandbox.targets.items():
        if only and name not in only:
            continue
        kind = platform(devices[name].platform)
        with Connection(target, kind) as device:
            running = device.running()
            applied = plain(kind, name, printed(before[name])) if before else None
            text = candidate(kind, printed(devices[name]), plain(kind, name, running), applied).text
            secrets = SecretSource().resolve(references([text]))
            device.stage(secrets.fill(device.unmasked(text, running), kind), f"fabric-{next(RUNS)}.1-1-test")
            device.commit(None, lambda _running: True)


@contextmanager
def played(devices: Devices, specs: Iterable[Emulated] | None = None) -> Iterator[Played]:
    """The network in a sandbox, as built, or as `specs` have it."""
    with Sandbox(specs_of(devices) if specs is None else specs, port=free_port()) as sandbox:
        configure(devices, sandbox)
        sandbox.advance(SETTLED_S)
        yield Played(devices, sandbox)


End = tuple[str, str]
NOWHERE = ("", "")
"""Of a cable that is out."""


def rewired(specs: Iterable[Emulated], moves: Mapping[End, End]) -> list[Emulated]:
    """The same switches, cabled otherwise: what was plugged in at a device and port of `moves` is where it says."""

    def now_at(end: End) -> End:
        return moves.get(end, end)

    devices = list(specs)
    cables: dict[End, End] = {}
    for spec in devices:
        for wire in spec.wires:
            own, far = now_at((spec.name, wire.port)), now_at((wire.peer, wire.peer_port))
            if NOWHERE not in (own, far):
                cables[own], cables[far] = far, own
    return [
        msgspec.structs.replace(
            spec,
            wires=tuple(
                Wire(port, *far) for (name, port), far in sorted(cables.items()) if name == spec.name
            ),
        )
        for spec in devices
    ]
