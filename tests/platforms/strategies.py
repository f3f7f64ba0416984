"""Random intents within what a product says that it can, and the switches that become of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml
from hypothesis import assume, reject
from hypothesis import strategies as st

from fabric.devices.model import Switch
from fabric.diagnostics import Invalid
from fabric.platforms.base import Capabilities
from tests.platforms.cases import RESERVED, SHUT
from tests.platforms.everywhere import capabilities
from tests.platforms.sites import (
    HASH,
    HASH256,
    KEY,
    POLICY,
    Words,
    compiled,
    inventory,
    merged,
    refusals,
)

Part = st.SearchStrategy[dict[str, Any]]
"""A mapping of an intent, as plain values."""

SECRETS = st.sampled_from(["env:SECRET", "file:/run/secrets/one"])
SERVERS = st.lists(
    st.sampled_from(["192.0.2.1", "192.0.2.9", "192.0.2.10", "2001:db8::5"]), unique=True, max_size=3
)
LEVELS = st.sampled_from(["errors", "warnings", "notifications", "informational", "debugging"])
LOGINS = st.from_regex(r"[a-z][a-z0-9]{3,8}", fullmatch=True).filter(lambda name: name != "admin")
LINES = st.text(
    st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#`\"'\\^<>"),
    min_size=1,
    max_size=9,
)
PLAIN: st.SearchStrategy[Words] = st.just({})
NUMBERS = range(7)
"""Of classes with a share; 7 is left to the strict one."""


def option(key: str, values: st.SearchStrategy[Any]) -> Part:
    """The key, or nothing."""
    return st.one_of(st.just({}), values.map(lambda value: {key: value}))


@st.composite
def joined(draw: st.DrawFn, *parts: Part) -> dict[str, Any]:
    """All of them."""
    return dict(merged(*(draw(part) for part in parts)))


@st.composite
def shares(draw: st.DrawFn, count: int) -> list[int]:
    """Whole percentages above 0 that sum to 100."""
    cuts = sorted(draw(st.sets(st.integers(1, 99), min_size=count - 1, max_size=count - 1)))
    return [high - low for low, high in zip([0, *cuts], [*cuts, 100], strict=True)]


@st.composite
def curves(draw: st.DrawFn) -> dict[str, Any] | str:
    """A marking curve."""
    if draw(st.booleans()):
        return "auto"
    low = draw(st.integers(1, 5000))
    high = low + draw(st.integers(1, 5000))
    return {"kmin": f"{low}KB", "kmax": f"{high}KB", "pmax": draw(st.integers(1, 100))}


@st.composite
def policies(draw: st.DrawFn, can: Capabilities) -> dict[str, Any]:
    """Classes by weight, some of them paused, a strict one, and the watchdog."""
    numbers = draw(st.lists(st.sampled_from(NUMBERS), unique=True, min_size=1, max_size=4))
    most = min(can.max_lossless_priorities, 2)
    lossless = draw(st.sets(st.sampled_from([n for n in numbers[1:] if n] or [0]), max_size=most)) - {0}
    points = draw(st.permutations(range(64)))
    classes: dict[str, Any] = {}
    for i, (number, share) in enumerate(zip(numbers, draw(shares(len(numbers))), strict=True)):
        few = sorted(points[2 * i : 2 * i + draw(st.integers(1, 2))])
        made = {"dscp": few if i else "rest", "traffic_class": number, "queue": number, "share": share}
        if number in lossless:
            made["priority"] = number
        if number in lossless or draw(st.booleans()):
            made["ecn"] = draw(curves())
        classes[f"c{number}"] = made
    if any("ecn" in one for one in classes.values()) or draw(st.booleans()):
        queue = draw(st.sampled_from([n for n in (6, 7) if n not in numbers]))
        cnp = {"dscp": [points[60]], "traffic_class": queue, "queue": queue, "strict": True}
        classes["cnp"] = cnp | draw(option("max_rate", st.integers(1, 20)) if can.max_rate else st.just({}))
    watchdog: Any = "none"
    if lossless and can.pfc_watchdog and draw(st.booleans()):
        watchdog = draw(watchdogs(can))
    return {"classes": classes, "cnp": "cnp" if "cnp" in classes else None, "watchdog": watchdog}


@st.composite
def watchdogs(draw: st.DrawFn, can: Capabilities) -> dict[str, Any]:
    """Timers that are multiples of the polling interval."""
    detect = 100 * draw(st.integers(2, 10))
    return {
        "action": draw(st.sampled_from(sorted(can.watchdog_actions & {"drop", "forward", "notify"}))),
        "detect": f"{detect}ms",
        "restore": f"{detect + 100 * draw(st.integers(0, 5))}ms",
        "poll": "100ms",
    }


@st.composite
def host_links(draw: st.DrawFn, can: Capabilities, families: Sequence[str]) -> dict[str, Any]:
    """Ports or VLANs of hosts, and where addresses come from."""
    modes = ["routed", "routed", *(["vlan"] if can.vlan_gateways else [])]
    made: dict[str, Any] = {"mode": draw(st.sampled_from(modes))}
    if made["mode"] == "routed":
        made["prefix_length"] = draw(st.sampled_from([31, 30]))
    ways = ["static", *(["dhcp_relay"] if can.dhcp_relay else [])]
    ways += ["slaac"] if can.slaac and "ipv6" in families else []
    made["assignment"] = draw(st.sampled_from(ways))
    if made["assignment"] == "dhcp_relay":
        servers = {"ipv4": ["192.0.2.67", "192.0.2.68"], "ipv6": ["2001:db8::67"]}
        made["dhcp_servers"] = [server for family in families for server in servers[family]]
    if made["assignment"] == "slaac":
        made["prefix6_length"] = 64
    return made


@st.composite
def addressings(draw: st.DrawFn, can: Capabilities) -> dict[str, Any]:
    """Families, parities, AS numbers, host links."""
    found = [
        "ipv4",
        *(["ipv6", "dual"] if can.ipv6_fabric else []),
        *(["unnumbered"] if can.unnumbered_bgp else []),
    ]
    family = draw(st.sampled_from(found))
    hosts = draw(st.sampled_from(["ipv4", "dual"])) if family == "unnumbered" else family
    both = ("ipv4", "ipv6") if hosts == "dual" else (hosts,)
    return {
        "family": family,
        "host_family": hosts,
        "fabric_even": draw(st.sampled_from(["upper", "lower"])),
        "host_even": draw(st.sampled_from(["leaf", "host"])),
        "host_links": draw(host_links(can, both)),
        "asn": draw(
            joined(option("leaf_numbers", st.just("per_pod")), option("leaf", st.integers(64512, 64600)))
        ),
    }


@st.composite
def routings(draw: st.DrawFn, can: Capabilities) -> dict[str, Any]:
    """Timers, secrets, limits, equal paths."""
    keepalive = draw(st.integers(1, 60))
    bgp = draw(
        joined(
            st.just(
                {"keepalive": f"{keepalive}s", "hold": f"{keepalive * draw(st.sampled_from([3, 3, 3, 4]))}s"}
            ),
            option("password", SECRETS) if can.bgp_password else st.just({}),
            option("ttl_security", st.booleans()) if can.ttl_security else st.just({}),
            option("max_prefixes", st.integers(1, 100_000)) if can.max_prefixes else st.just({}),
        )
    )
    bfd = st.fixed_dictionaries(
        {"interval": st.integers(5, 99).map(lambda n: f"{10 * n}ms"), "multiplier": st.integers(3, 20)}
    )
    seeds = st.sampled_from(["per_device", "per_tier"]).map(lambda seed: {"seed": seed})
    return draw(
        joined(
            st.just({"bgp": bgp}),
            option("bfd", st.just("none") | bfd if can.bfd else st.just("none")),
            option("max_paths", st.integers(1, 64)),
            option("hashing", seeds) if can.hash_seed else st.just({}),
            option("advertise_host_links", st.sampled_from(["specific", "none"])),
        )
    )


def users(platform_hash: str) -> st.SearchStrategy[Any]:
    """Logins by hash, by a secret, by key."""
    key = "password_hash_sha256" if platform_hash == HASH256 else "password_hash"
    kinds = st.sampled_from(
        [{key: platform_hash}, {"password_secret": "env:HASH"}, {key: platform_hash, "ssh_keys": [KEY]}]
    )
    roles = st.sampled_from(["admin", "operator"])
    return st.dictionaries(
        LOGINS, st.tuples(kinds, roles).map(lambda pair: {**pair[0], "role": pair[1]}), max_size=3
    )


WATCHERS = joined(
    st.sampled_from([{"auth_secret": "env:A", "privacy_secret": "env:P", "auth": "sha", "privacy": "aes"}])
)


@st.composite
def all_services(draw: st.DrawFn, can: Capabilities, platform_hash: str) -> dict[str, Any]:
    """Any mix of management services."""
    tacacs = {"servers": ["192.0.2.1", "192.0.2.9"], "secret": "env:T", "accounting": draw(st.booleans())}
    snmp = joined(
        st.dictionaries(LOGINS, WATCHERS, min_size=1, max_size=2).map(lambda found: {"users": found}),
        option("location", LINES),
        option("contact", LINES),
    )
    level = {"level": draw(LEVELS)} if can.syslog_level else {}
    certified = {"gnmi": {"port": draw(st.integers(1024, 65535))}, "certificate": {"name": "fabric"}}
    idle = draw(st.integers(1, 60).map(lambda minutes: f"{minutes}min"))
    return draw(
        joined(
            st.just({"management": {"gateway": "198.51.100.1", "dns": draw(SERVERS)}}),
            st.just({"ntp": {"servers": draw(SERVERS)}, "users": draw(users(platform_hash))}),
            st.just({"ssh": {"idle_timeout": idle}}),
            st.just({"syslog": {"servers": draw(SERVERS), **level}}),
            option("snmp", snmp) if can.snmpv3 else st.just({}),
            option("tacacs", st.just(tacacs)) if can.tacacs else st.just({}),
            st.sampled_from([{}, certified]) if can.gnmi and can.certificate else st.just({}),
            option("banner", st.just("No entry.\n\ninterface Ethernet1/1\nend")),
        )
    )


def attachments(can: Capabilities, assignment: str, *, bfd: bool, own: str) -> Part:
    """A border router and storage on the first leaf; its gateways serve hosts and storage alike."""
    there = {"network": "compute", "links": 1, "speed": "400G", "to": {"unit": 0, "rails": [0]}}
    bgp = joined(
        st.just({"asn": 65010, "default_route": True}),
        option("password", SECRETS) if can.bgp_password else st.just({}),
        option("bfd", st.booleans()) if bfd else st.just({}),
        option("ttl_security", st.booleans()) if can.ttl_security else st.just({}),
        option("max_prefixes", st.integers(1, 1000)) if can.max_prefixes else st.just({}),
        option("advertise", st.just([own])),
    ).map(lambda found: {**there, "kind": "router", "bgp": found})
    filer = joined(
        st.just({**there, "kind": "storage"}),
        option("vlan", st.just(120)) if can.vlan_gateways and assignment == "static" else st.just({}),
    )
    return joined(option("border", bgp), option("filer", filer))


SHAPES: tuple[tuple[dict[str, Any], tuple[str, ...]], ...] = (
    ({}, ("leaf-0-0", "spine-1")),
    (
        {
            "pods": {"units": 1},
            "cables": {"spine_superspine": {"length": "40m"}},
            "tiers": {"superspine": {"count": 1}},
        },
        ("leaf-0-0", "spine-0-1", "superspine-0-0"),
    ),
    ({"zones": {"units": 1}}, ("leaf-0-0", "spine-0-0")),
)
"""Shapes with the switches that are looked at."""


@st.composite
def intents(draw: st.DrawFn, platform: str, platform_hash: str = HASH) -> tuple[Words, str]:
    """What is changed in the small site, and the switch to look at."""
    can = capabilities(platform)
    shape, names = draw(st.sampled_from(SHAPES))
    name = draw(st.sampled_from(names))
    network = {
        "addressing": draw(addressings(can)),
        "routing": draw(routings(can)),
        "ip_mtu": draw(st.sampled_from([9000, 1500, 1280, 4200, 9100])),
    }
    extra = draw(st.sampled_from([(), (RESERVED,)])) if not shape else ()
    site: dict[str, Any] = {"networks": {"compute": merged(shape, network)}}
    if extra:
        site["attachments"] = draw(
            attachments(
                can,
                network["addressing"]["host_links"]["assignment"],
                bfd=network["routing"].get("bfd", "none" if not can.bfd else "") != "none",
                own="fd00::/32" if network["addressing"]["host_family"] == "ipv6" else "10.0.0.0/10",
            )
        )
    entry = {
        "device": name,
        "mode": draw(st.sampled_from(["graceful", "shut"])),
        **yaml.safe_load(f"{{{SHUT}}}"),
    }
    files: dict[str, Any] = {
        "site.yaml": merged(site, {"services": draw(all_services(can, platform_hash))}),
        "state.yaml": {"drained": [entry] if draw(st.booleans()) and can.drain else []},
    }
    rules = draw(policies(can))
    unused = {POLICY: {"classes": dict.fromkeys(("rest", "roce", "cnp"))}}
    return merged(*extra, files, unused, {POLICY: rules}), name


def of_release(words: Words, release: str | None) -> Words:
    """That release on all tiers."""
    tiers = {"leaf", "spine", *words["site.yaml"]["networks"]["compute"].get("tiers", ())}
    told = {"tiers": {tier: {"release": release} for tier in sorted(tiers)}}
    return {"site.yaml": {"networks": {"compute": told}}}


@st.composite
def switches(
    draw: st.DrawFn,
    platform: str,
    platform_hash: str = HASH,
    releases: Sequence[str | None] = (None,),
    models: Sequence[str | None] = (None,),
    more: st.SearchStrategy[Words] = PLAIN,
) -> Switch:
    """Any switch that its product supports, in one of these releases, on one of these models."""
    words, name = draw(intents(platform, platform_hash))
    address = draw(st.sampled_from(["198.51.100.11/24", "2001:db8::11/64"]))
    found = inventory(f"devices: {{{name}: {{address: '{address}'}}}}")
    release = of_release(words, draw(st.sampled_from(releases)))
    model = draw(st.sampled_from(models))
    try:
        made = compiled(platform, found, words, release, draw(more), model=model)[name]
    except Invalid:
        reject()
    assert isinstance(made, Switch)
    assume(not refusals(made))
    return made
