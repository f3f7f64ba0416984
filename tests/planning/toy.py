"""A toy product and toy fabrics: small enough to read, with everything that planning looks at.

hostname leaf1
way-in 192.0.2.11/24
user netops secret <secret:env:NETOPS>
interface p1
   address 10.0.0.0/31
   mtu 9000
   profile roce
bgp 65001
   neighbor 10.0.0.1 remote-as 65002
profile roce
   queue 3 priority 3
ntp 192.0.2.9
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from ipaddress import IPv4Address, ip_interface

import msgspec
import pytest

from fabric.devices.model import LinkRole, ManagementPort, Routing, Switch, SwitchPort
from fabric.diagnostics import Origin
from fabric.hardware.model import PortSlot, SwitchModel
from fabric.intent.model import Services
from fabric.planning import LastApplied, Observation, Plan, PlanOptions, Texts, plan
from fabric.planning.texts import digest, masked
from fabric.platforms import registry
from fabric.platforms.base import (
    Artifact,
    Block,
    BlockImpact,
    Capabilities,
    ClassFacts,
    Facts,
    InterfaceFacts,
    NeighborFacts,
    Platform,
    Reading,
)

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SECRET = re.compile(r"\bsecret (?!<)\S+")
SERVICES = ("ntp", "user", "banner", "hostname", "foreign")


def canonical(text: str) -> str:
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("!")]
    return "".join(f"{SECRET.sub('secret <masked>', line)}\n" for line in lines)


def blocks(text: str) -> tuple[Block, ...]:
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith(" "):
            found[-1].append(line)
        elif line.strip() and not line.startswith("!"):
            found.append([line])
    return tuple(Block(_key(lines[0]), "".join(f"{line}\n" for line in lines)) for lines in found)


def _key(line: str) -> str:
    first = line.partition(" ")[0]
    return first if first in {"hostname", "way-in"} else line.partition(" secret ")[0]


def block_impact(key: str, old: Block | None, new: Block | None) -> BlockImpact:
    first, _, name = key.partition(" ")
    if first in SERVICES:
        return BlockImpact("none", (), "management")
    if old is None:
        return BlockImpact("hitless", (name,) if first == "interface" else (), "new")
    if first == "interface":
        return BlockImpact("flap", (name,), "the port is set up anew")
    if first == "profile":
        return BlockImpact("buffer", (), "queues are set up anew")
    return BlockImpact("flap", (), "sessions restart") if first == "bgp" else BlockImpact("hitless", (), "")


def read(text: str) -> Reading:
    interfaces: dict[str, InterfaceFacts] = {}
    neighbors: dict[str, NeighborFacts] = {}
    profiles: dict[str, Mapping[int, ClassFacts]] = {}
    asn, hostname, unread = None, "", []
    for number, block in enumerate(blocks(text), 1):
        first, _, name = block.text.splitlines()[0].partition(" ")
        below = [line.split() for line in block.text.splitlines()[1:]]
        if first == "interface":
            interfaces[name] = _interface(below)
        elif first == "bgp":
            asn = int(name)
            neighbors = {w[1]: NeighborFacts(remote_asn=int(w[3])) for w in below if w[0] == "neighbor"}
        elif first == "profile":
            profiles[name] = {int(w[1]): ClassFacts(priority=int(w[3])) for w in below}
        elif first == "hostname":
            hostname = name
        elif first not in {*SERVICES, "way-in"}:
            unread.append((number, block.text))
    facts = Facts(hostname=hostname, asn=asn, interfaces=interfaces, neighbors=neighbors, profiles=profiles)
    return Reading(facts, tuple(unread))


def _interface(below: Iterable[list[str]]) -> InterfaceFacts:
    words = {w[0]: w[-1] for w in below}
    return InterfaceFacts(
        enabled="shutdown" not in words,
        addresses=(words["address"],) if "address" in words else (),
        ip_mtu_bytes=int(words["mtu"]) if "mtu" in words else None,
        queueing=words.get("profile"),
        bond=int(words["bond"]) if "bond" in words else None,
    )


def owns_way_in(old: str, new: str) -> tuple[str, ...]:
    was, now = ([line for line in text.splitlines() if line.startswith("way-in")] for text in (old, new))
    return ("the management address changes",) if was and was != now else ()


PLATFORM = Platform(
    name="toy",
    title="Toy",
    technology="ethernet",
    capabilities=lambda _release, _hardware: Capabilities(commit_timer=True),
    port_name=lambda slot, _model: f"p{slot.cage}",
    management_port=lambda _model: "m0",
    lower=lambda switch, _report: switch,
    template="toy/index.j2",
    path="configs/{name}.cfg",
    media_type="text/plain",
    read=read,
    project=lambda _switch: Facts(),
    canonical=canonical,
    blocks=blocks,
    block_impact=block_impact,
    driver="tests.deployment.box:BoxDriver",
    owns_way_in=owns_way_in,
)

HARDWARE = SwitchModel(id="toy", vendor="toy", model="Toy", asic="toy", cages=(), source="made for tests")


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ROWS, "toy", "tests.planning.toy:PLATFORM")
    registry.platform.cache_clear()


class Site(msgspec.Struct, frozen=True):
    """Switches, what is intended for each, and what each runs."""

    switches: dict[str, Switch]
    texts: dict[str, str]

    def artifacts(self) -> dict[str, Artifact]:
        return {
            name: Artifact(
                name=name, path=f"configs/{name}.cfg", media_type="text/plain", text=t, digest=digest(t)
            )
            for name, t in self.texts.items()
        }

    def with_texts(self, texts: Mapping[str, str]) -> Site:
        return Site(self.switches, {**self.texts, **texts})

    def edited(self, old: str, new: str, *names: str) -> Site:
        return self.with_texts({name: self.texts[name].replace(old, new) for name in names or self.texts})


def observed(texts: Mapping[str, str], diffs: Mapping[str, str] | None = None) -> dict[str, Observation]:
    return {name: observation(name, text, (diffs or {}).get(name)) for name, text in texts.items()}


def observation(name: str, text: str, diff: str | None = None) -> Observation:
    seen = masked(canonical(text))
    return Observation(
        device=name, source="device", when=NOW, text=seen, digest=digest(seen), device_diff=diff
    )


def applied(texts: Mapping[str, str]) -> dict[str, LastApplied]:
    """As if these had been applied before."""
    seen = {name: masked(canonical(text)) for name, text in texts.items()}
    return {name: LastApplied(digest(texts[name]), text, digest(text)) for name, text in seen.items()}


def options(**changed: object) -> PlanOptions:
    fields = {"site": "lab", "program": "0.1.0", "intent": "i" * 64, "created": NOW, **changed}
    return PlanOptions(**fields)  # type: ignore[arg-type]  # tests name the fields they mean


def planned(site: Site, running: Mapping[str, str], **changed: object) -> tuple[Plan, Texts]:
    """The plan from what runs to what the site intends, everything applied before unless said otherwise."""
    changed = {"last_applied": applied(running), **changed}
    return plan(site.artifacts(), observed(running), switches=site.switches, options=options(**changed))


def pod(units: int = 2, rails: int = 2, planes: int = 1, spines: int = 2, hosts: int = 2) -> Site:
    """Leaves by unit, rail and plane; spines by plane, one group each; hosts with a port a rail and plane."""
    switches = {
        s.name: s
        for s in (*_leaves(units, rails, planes, spines, hosts), *_spines(units, rails, planes, spines))
    }
    addressed = _addressed(switches)
    return Site(addressed, {name: config(switch, addressed) for name, switch in addressed.items()})


def _leaves(units: int, rails: int, planes: int, spines: int, hosts: int) -> Iterator[Switch]:
    for plane in range(planes):
        for unit in range(units):
            for rail in range(rails):
                down = [
                    _port(1 + h, LinkRole.HOST, f"host-{unit}-{h}", f"nic{rail}", rail, plane)
                    for h in range(hosts)
                ]
                number = unit * rails + rail
                up = [
                    _port(101 + s, LinkRole.UP, f"spine-{plane}-{s}", f"p{1 + number}", rail, plane)
                    for s in range(spines)
                ]
                yield _switch(f"leaf-{plane}-{unit}-{rail}", "leaf", (*down, *up), unit, rail, plane, -1)


def _spines(units: int, rails: int, planes: int, spines: int) -> Iterator[Switch]:
    for plane in range(planes):
        for s in range(spines):
            leaves = [(u, r) for u in range(units) for r in range(rails)]
            ports = [
                _port(1 + n, LinkRole.DOWN, f"leaf-{plane}-{u}-{r}", f"p{101 + s}", -1, plane)
                for n, (u, r) in enumerate(leaves)
            ]
            yield _switch(f"spine-{plane}-{s}", "spine", tuple(ports), -1, -1, plane, plane)


def _port(cage: int, role: LinkRole, peer: str, peer_port: str, rail: int, plane: int) -> SwitchPort:
    slot = PortSlot(
        slot=0, cage=cage, sub_port=0, sub_ports=1, first_lane=0, lanes=8, cage_lanes=8, speed_mbps=400_000
    )
    return SwitchPort(f"p{cage}", slot, role, peer, peer_port, enabled=True, rail=rail, plane=plane)


def _switch(
    name: str, role: str, ports: tuple[SwitchPort, ...], unit: int, rail: int, plane: int, group: int
) -> Switch:
    asn = 65000 + int(hashlib.sha256(name.encode()).hexdigest()[:6], 16)
    routing = Routing(
        asn, IPv4Address("10.255.0.1"), (4,), (), 64, None, 3, 3000, 9000, None, (65000, 1), (), (), (), ()
    )
    return Switch(
        name=name, site="lab", network="compute", role=role, unit=unit, rail=rail, plane=plane, group=group,
        platform="toy", release=None, hardware=HARDWARE, loopbacks=(), ports=ports, routing=routing,
        queueing=None, services=Services(), management=ManagementPort((), None, "MGMT"),
        origin=Origin(("networks", "compute", "tiers", role)),
    )  # fmt: skip


def _addressed(switches: Mapping[str, Switch]) -> dict[str, Switch]:
    """Each link its own /31; the first end in order of names gets the even address."""
    links: dict[tuple[str, ...], int] = {}
    made: dict[str, Switch] = {}
    for switch in switches.values():
        ports = []
        for port in switch.ports:
            ends = tuple(sorted((f"{switch.name} {port.name}", f"{port.peer} {port.peer_port}")))
            number = links.setdefault(ends, len(links))
            odd = ends[0] != f"{switch.name} {port.name}"
            address = ip_interface(f"{IPv4Address('10.0.0.0') + 2 * number + odd}/31")
            ports.append(msgspec.structs.replace(port, addresses=(address,)))
        made[switch.name] = msgspec.structs.replace(switch, ports=tuple(ports))
    return made


def config(switch: Switch, switches: Mapping[str, Switch], mtu: int = 9000) -> str:
    """The intended configuration of a toy switch."""
    lines = [f"hostname {switch.name}", f"way-in 192.0.2.{len(switch.name)}/24"]
    lines.append("user netops secret <secret:env:NETOPS>")
    for port in switch.ports:
        lines += [f"interface {port.name}", f"   description {port.peer}", f"   address {port.addresses[0]}"]
        lines += [f"   mtu {mtu}", "   profile roce"]
    lines.append(f"bgp {switch.routing.asn}")
    for port in switch.ports:
        if port.peer in switches:
            theirs = next(p for p in switches[port.peer].ports if p.name == port.peer_port)
            remote = switches[port.peer].routing.asn
            lines.append(f"   neighbor {theirs.addresses[0].ip} remote-as {remote}")
    lines += ["profile roce", "   queue 3 priority 3", "ntp 192.0.2.9"]
    return "".join(f"{line}\n" for line in lines)
