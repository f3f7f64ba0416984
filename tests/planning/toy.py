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
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from ipaddress import IPv4Address, ip_interface

import msgspec
import pytest

from fabric.configuration import Dialect, Effect, Indented, Parts, Section, Statement
from fabric.devices.model import LinkRole, ManagementPort, Routing, Switch, SwitchPort
from fabric.diagnostics import Origin
from fabric.hardware.model import PortSlot, SwitchModel
from fabric.intent.model import Services
from fabric.planning import LastApplied, Observation, Plan, PlanOptions, Texts, plan
from fabric.planning.texts import digest, masked
from fabric.platforms import registry
from fabric.platforms.base import Artifact, Capabilities, Platform, Reading
from fabric.platforms.reading import Peer, Port, Profile, State, added, fixed, put, reading

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SECRET = re.compile(r"\bsecret (?!<)\S+")


def mask(text: str) -> str:
    return SECRET.sub("secret <masked>", text)


MANAGEMENT = Effect("none", "management")
ON_PORT = Effect("flap", "the port is set up anew", "port", new="hitless")
QUEUES = Effect("buffer", "queues are set up anew", new="hitless")
SESSIONS = Effect("flap", "sessions restart", new="hitless")


def _interface(state: State, parts: Parts) -> Port:
    return state.port(parts["port"])


def _neighbor(state: State, parts: Parts) -> None:
    state.peers.setdefault(parts["peer"], Peer()).remote_asn = int(parts["asn"])


def _priority(profile: Profile, parts: Parts) -> None:
    profile.priorities.append(int(parts["priority"]))


DIALECT = Dialect(
    syntax=Indented(),
    top=Section(
        Statement("hostname {name}", reads=put("hostname", "name"), effect=MANAGEMENT),
        Statement("way-in {address}", effect=Effect("hitless", "management"), access="changed"),
        Statement("user <name> secret {secret}", effect=MANAGEMENT),
        Statement(
            "interface <port>",
            reads=_interface,
            below=Section(
                Statement("description {text*}", reads=put("description", "text")),
                Statement("address {address}", reads=added("addresses", "address")),
                Statement("mtu {bytes}", reads=put("ip_mtu_bytes", "bytes", int)),
                Statement("profile {profile}", reads=put("queueing", "profile")),
                Statement("bond {bond}", reads=put("bond", "bond", int)),
                Statement("vlan {vlan}", reads=put("vlan", "vlan", int)),
                Statement("unnumbered", reads=fixed("link_local", value=True)),
                Statement("shutdown", reads=fixed("enabled", value=False)),
                effect=ON_PORT,
            ),
            effect=ON_PORT,
        ),
        Statement(
            "bgp {asn}",
            reads=put("asn", "asn", int),
            below=Section(Statement("neighbor <peer> remote-as {asn}", reads=_neighbor), effect=SESSIONS),
            effect=SESSIONS,
        ),
        Statement(
            "profile <name>",
            reads=lambda state, parts: state.profiles.setdefault(parts["name"], Profile()),
            below=Section(Statement("queue <queue> priority {priority}", reads=_priority), effect=QUEUES),
            effect=QUEUES,
        ),
        *(
            Statement(f"vrf <vrf> {word} {{value}}", effect=MANAGEMENT, access=access)
            for word, access in (("login", "changed"), ("filter", "added"), ("allow", "removed"))
        ),
        Statement("ntp <server>", effect=MANAGEMENT, topic="ntp"),
        Statement("banner <name>", is_free=True, effect=MANAGEMENT),
    ),
    mask=mask,
)


def read(text: str) -> Reading:
    return reading(DIALECT, text)


PLATFORM = Platform(
    name="toy",
    title="Toy",
    technology="ethernet",
    capabilities=lambda _release, _hardware: Capabilities(known_release=True, known_hardware=True),
    port_name=lambda slot, _model: f"p{slot.cage}",
    management_port=lambda _model: "m0",
    lower=lambda switch, _report: switch,
    template="toy/index.j2",
    path="configs/{name}.cfg",
    media_type="text/plain",
    read=read,
    dialect=lambda: DIALECT,
    driver="tests.deployment.box:BoxDriver",
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


def canonical(text: str) -> str:
    return masked(DIALECT.plain(text))


def observed(texts: Mapping[str, str], diffs: Mapping[str, str] | None = None) -> dict[str, Observation]:
    return {name: observation(name, text, (diffs or {}).get(name)) for name, text in texts.items()}


def observation(name: str, text: str, diff: str | None = None) -> Observation:
    seen = masked(DIALECT.plain(text))
    return Observation(
        device=name, source="device", when=NOW, text=seen, digest=digest(seen), device_diff=diff
    )


def applied(texts: Mapping[str, str]) -> dict[str, LastApplied]:
    """As if these had been applied before."""
    seen = {name: masked(DIALECT.plain(text)) for name, text in texts.items()}
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
