"""Every line of network instances: their ports, static routes, aggregates, and how equal paths are shared."""

from __future__ import annotations

from dataclasses import replace

from fabric.configuration import Effect, Parts, Section, Statement, quiet
from fabric.platforms.srlinux.lines_bgp import bgp_lines
from fabric.platforms.srlinux.lines_interfaces import STATE
from fabric.platforms.srlinux.names import MANAGEMENT_INSTANCE, VLAN_INSTANCE, bare
from fabric.platforms.srlinux.rows import settings
from fabric.platforms.srlinux.state import Instance, SrlState

TEXT = Effect("none", "text only")
TOLD = Effect("hitless", "routes are advertised anew")
ROUTES = Effect("hitless", "only these routes")
USED = Effect("hitless", "only the static routes that use it")
JOINS = Effect("flap", "the port joins or leaves the routing table", "port")
FLOWS = Effect("flap", "flows move to other paths: some packets come out of order")
INTERRUPTED = Effect("flap", "what is routed in it is interrupted")


def _instance(state: SrlState, parts: Parts) -> Instance:
    return state.instance(parts["instance"])


def _kind(instance: Instance, parts: Parts) -> None:
    instance.kind = bare(parts["type"])


def _member(instance: Instance, parts: Parts) -> None:
    instance.members.append(parts["line"].partition(" ")[2])


LINES = (
    Statement("type {type}", reads=_kind),
    Statement(STATE, default=("admin-state enable",)),
    Statement("description {text*}", effect=TEXT, access="none"),
    Statement(r"interface <port:ethernet-[\d/]+>.<index:\d+>", reads=_member, effect=JOINS),
    Statement("interface <member>", reads=_member),
    Statement("ip-forwarding", below=Section(Statement("receive-ipv4-check {on}"))),
    *settings("ip-load-balancing / dynamic-load-balancing / prefix <prefix>", effect=FLOWS),
    *settings("aggregate-routes / route <prefix> / summary-only {on}", effect=TOLD),
    *settings(
        "static-routes / route <prefix> / next-hop-group {name*}",
        "static-routes / route <prefix> / preference {preference}",
        effect=ROUTES,
        overrides=True,
    ),
    *settings(
        "next-hop-groups / group <name*> / blackhole / generate-icmp {on}",
        "next-hop-groups / group <name*> / nexthop <index> / ip-address {address}",
        effect=USED,
    ),
    Statement("protocols", below=Section(*bgp_lines()), is_container=True),
)


def instance_lines() -> tuple[Statement, ...]:
    """`network-instance`."""
    lines = tuple(map(quiet, LINES))
    vlan = Effect("flap", "hosts of the VLAN lose their gateway while it changes")
    unknown = Effect("flap", "what this instance does is not known: it counts as an interruption")
    management = _of(MANAGEMENT_INSTANCE, lines, Effect("none", "no traffic of hosts"))
    return (
        _of("default", LINES, INTERRUPTED),
        replace(management, access="changed"),
        _of(rf"{VLAN_INSTANCE}\d+", lines, vlan),
        _of(".+", lines, unknown),
    )


def _of(name: str, lines: tuple[Statement, ...], effect: Effect) -> Statement:
    """An instance of that name. Each of its settings is a change of its own."""
    below = Section(*lines, effect=effect)
    pattern = f"network-instance <instance:{name}>"
    return Statement(pattern, reads=_instance, below=below, effect=effect, is_container=True)
