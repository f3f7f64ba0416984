"""What both files mean for links and sessions."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface

import msgspec

from fabric.platforms.sonic.agent.lines import Line
from fabric.platforms.sonic.agent.routing import is_ours
from fabric.platforms.sonic.agent.tables import Tables

USUAL_HOLD_S = 180.0
"""FRR's default of `timers bgp`."""
DATACENTER_HOLD_S = 9.0
BFD_S = 0.9
"""FRR's detection time without a profile: 300 ms times 3."""
USUAL_MTU = 9100
"""sonic-port.yang."""
FAMILIES = {"ipv4": 4, "ipv6": 6}


class Port(msgspec.Struct, kw_only=True):
    """A port of the front panel, a loopback or the interface of a VLAN."""

    enabled: bool = True
    alias: str = ""
    speed_mbps: int | None = None
    fec: str | None = None
    mtu_bytes: int = USUAL_MTU
    addresses: tuple[IPv4Interface | IPv6Interface, ...] = ()
    link_local: bool = False


class Peer(msgspec.Struct, kw_only=True):
    """A configured neighbour: an address, or whoever is at a port."""

    name: str
    is_port: bool = False
    remote_asn: tuple[tuple[int, int], ...] = ()
    families: frozenset[int] = frozenset()
    password: str | None = None
    shutdown: bool = False
    hold_s: float = USUAL_HOLD_S
    bfd_s: float | None = None


class View(msgspec.Struct, kw_only=True):
    """A configuration, understood."""

    hostname: str
    asn: int
    router_id: str
    ports: dict[str, Port]
    peers: tuple[Peer, ...]
    drained: bool
    prefixes: tuple[int, int]


def view(tables: Tables, lines: list[Line]) -> View:
    """Of CONFIG_DB and of what FRR runs."""
    local = tables.get("DEVICE_METADATA", {}).get("localhost", {})
    ports = _ports(tables)
    router = next((text for path, text in lines if not path and text.startswith("router bgp ")), "")
    bgp = _Bgp(lines, router)
    own = [
        address for name, port in ports.items() if name.startswith("Loopback") for address in port.addresses
    ]
    versions = [address.version for address in own]
    asn = router.split()[2] if router else str(local.get("bgp_asn", "0"))
    peers = tuple(bgp.peers()) if is_ours(tables) else tuple(_rows(tables))
    return View(
        hostname=str(local.get("hostname", "sonic")),
        asn=int(asn) if asn.isdecimal() else 0,
        router_id=bgp.word("bgp router-id") or next((str(a.ip) for a in own if a.version == 4), "0.0.0.0"),  # noqa: S104  # BGP's word for none
        ports=ports,
        peers=peers,
        drained=bgp.drains(),
        prefixes=(versions.count(4), versions.count(6)),
    )


def _ports(tables: Tables) -> dict[str, Port]:
    ports = {
        name: Port(
            enabled=row.get("admin_status") == "up",
            alias=str(row.get("alias", name)),
            speed_mbps=int(row["speed"]) if str(row.get("speed", "")).isdecimal() else None,
            fec=row.get("fec"),
            mtu_bytes=int(row["mtu"]) if str(row.get("mtu", "")).isdecimal() else USUAL_MTU,
        )
        for name, row in tables.get("PORT", {}).items()
    }
    for table in ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN_INTERFACE", "MGMT_INTERFACE"):
        for key, row in tables.get(table, {}).items():
            name, _, address = key.partition("|")
            port = ports.setdefault(name, Port())
            port.link_local |= row.get("ipv6_use_link_local_only") == "enable"
            if address:
                port.addresses = (*port.addresses, ip_interface(address))
    return ports


def _rows(tables: Tables) -> Iterator[Peer]:
    """Neighbours in the words of the daemons that configure FRR by CONFIG_DB."""
    groups = {key.partition("|")[2]: row for key, row in tables.get("BGP_PEER_GROUP", {}).items()}
    for key, row in tables.get("BGP_NEIGHBOR", {}).items():
        name = key.rpartition("|")[2]
        group = groups.get(str(row.get("peer_group_name")), {})
        asn = str(row.get("asn", ""))
        is_port = name.startswith("Ethernet")
        yield Peer(
            name=name,
            is_port=is_port,
            remote_asn=((int(asn), int(asn)),) if asn.isdecimal() else (),
            families=frozenset({4, 6} if is_port else {6 if ":" in name else 4}),
            shutdown=row.get("admin_status") == "down",
            hold_s=float(row.get("holdtime") or group.get("holdtime") or USUAL_HOLD_S),
            bfd_s=BFD_S if group.get("bfd") == "true" else None,
        )


class _Bgp:
    """The lines of `router bgp`."""

    def __init__(self, lines: list[Line], router: str) -> None:
        self._lines = lines
        self._main = [text for path, text in lines if router and path == (router,)]
        self._families = {
            text.split()[1]: [below for path, below in lines if path == (router, text)]
            for text in self._main
            if text.startswith("address-family ")
        }

    @property
    def _usual_hold_s(self) -> float:
        """That of the profile."""
        is_quick = ((), "frr defaults datacenter") in self._lines
        return DATACENTER_HOLD_S if is_quick else USUAL_HOLD_S

    def word(self, start: str) -> str:
        """What follows these words; empty if no line begins so."""
        rows = (text.removeprefix(start).strip() for text in self._main if text.startswith(f"{start} "))
        return next(rows, "")

    def drains(self) -> bool:
        """Whether it asks for the traffic to go elsewhere (RFC 8326)."""
        return "bgp graceful-shutdown" in self._main

    def peers(self) -> Iterator[Peer]:
        """Each neighbour with what its group says."""
        settings: dict[str, dict[str, str]] = {}
        for text in self._main:
            if text.startswith("neighbor "):
                _, name, first, *rest = [*text.split(" ", 3), ""]
                settings.setdefault(name, {})[first] = (rest or [""])[0]
        groups = {name for name, own in settings.items() if own.get("peer-group") == ""}
        for name, own in settings.items():
            if name not in groups:
                yield self._peer(name, own, settings)

    def _peer(self, name: str, own: dict[str, str], settings: dict[str, dict[str, str]]) -> Peer:
        over = own.get("interface", "").split()
        group = own.get("peer-group") or (over[over.index("peer-group") + 1] if "peer-group" in over else "")
        merged = {**settings.get(group, {}), **own}
        asn = merged.get("remote-as") or (over[over.index("remote-as") + 1] if "remote-as" in over else "")
        return Peer(
            name=name,
            is_port="interface" in own,
            remote_asn=_range(asn),
            families=frozenset(
                version
                for family, version in FAMILIES.items()
                if {f"neighbor {each} activate" for each in (name, group)}
                & set(self._families.get(family, ()))
            ),
            password=merged.get("password"),
            shutdown="shutdown" in merged,
            hold_s=float((self.word("timers bgp").split() or ["", str(self._usual_hold_s)])[1]),
            bfd_s=self._bfd_s(merged["bfd"]) if "bfd" in merged else None,
        )

    def _bfd_s(self, words: str) -> float:
        name = words.removeprefix("profile ").strip()
        rows = dict(text.rsplit(" ", 1) for path, text in self._lines if path == ("bfd", f"profile {name}"))
        return int(rows.get("receive-interval", "300")) * int(rows.get("detect-multiplier", "3")) / 1000


def _range(word: str) -> tuple[tuple[int, int], ...]:
    if word == "external":
        return ((1, 4294967295),)
    return ((int(word), int(word)),) if word.isdecimal() else ()


def ports_towards(ports: dict[str, Port], address: str) -> tuple[str, ...]:
    """Ports on whose subnets an address is."""
    remote = ip_address(address)
    return tuple(n for n, port in ports.items() if any(remote in own.network for own in port.addresses))
