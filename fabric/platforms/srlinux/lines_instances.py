"""Every line of network instances: their ports, static routes, aggregates, and how equal paths are shared."""

from __future__ import annotations

from dataclasses import replace

from fabric.configuration import Effect, Parts, Reader, Section, Statement
from fabric.platforms.srlinux.lines_bgp import bgp_lines
from fabric.platforms.srlinux.lines_interfaces import STATE, without_effects
from fabric.platforms.srlinux.names import MANAGEMENT_INSTANCE, VLAN_INSTANCE, bare
from fabric.platforms.srlinux.state import Inside, Instance, SrlState, listed, told

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


def _noted(words: str) -> Reader:
    """A reader of lines whose settings below are noted with those of the instance, behind these words."""

    def enter(instance: Instance, _parts: Parts) -> Inside:
        return Inside(lambda _section, text: instance.keep(text), "", f"{words} ")

    return enter


AGGREGATE = Section(Statement("summary-only {on}", reads=told("summary-only {on}")))
ROUTE = Section(
    Statement("next-hop-group {name*}", reads=told("by {name}")),
    Statement(r"preference {preference:\d+}", reads=told("preference {preference}")),
)
NEXT_HOPS = Section(
    Statement(
        "blackhole", below=Section(Statement("generate-icmp {on}", reads=told("drops, generate-icmp {on}")))
    ),
    Statement(
        r"nexthop <index:\d+>",
        below=Section(Statement("ip-address {address}", reads=told("{address}"))),
    ),
)
BALANCED = Section(Statement("prefix <prefix>", reads=told("{prefix}")))
LINES = (
    Statement("type {type}", reads=_kind),
    Statement(STATE, default=("admin-state enable",)),
    Statement("description {text*}", effect=TEXT, access="none"),
    Statement(r"interface <port:ethernet-[\d/]+>.<index:\d+>", reads=_member, effect=JOINS),
    Statement("interface <member>", reads=_member),
    Statement("ip-forwarding", below=Section(Statement("receive-ipv4-check {on}"))),
    Statement(
        "ip-load-balancing",
        below=Section(Statement("dynamic-load-balancing", reads=_noted("dynamic balancing"), below=BALANCED)),
        effect=FLOWS,
    ),
    Statement(
        "aggregate-routes",
        reads=_noted("aggregate"),
        below=Section(Statement("route <prefix>", reads=listed("{prefix}"), below=AGGREGATE)),
        effect=TOLD,
    ),
    Statement(
        "static-routes",
        reads=_noted("route"),
        below=Section(Statement("route <prefix>", reads=listed("{prefix}"), below=ROUTE)),
        effect=ROUTES,
    ),
    Statement(
        "next-hop-groups",
        reads=_noted("next-hop-group"),
        below=Section(Statement("group <name*>", reads=listed("{name}"), below=NEXT_HOPS)),
        effect=USED,
    ),
    Statement("protocols", below=Section(*bgp_lines()), is_container=True),
)


def instance_lines() -> tuple[Statement, ...]:
    """`network-instance`."""
    quiet = tuple(map(without_effects, LINES))
    vlan = Effect("flap", "hosts of the VLAN lose their gateway while it changes")
    unknown = Effect("flap", "what this instance does is not known: it counts as an interruption")
    management = _of(MANAGEMENT_INSTANCE, quiet, Effect("none", "no traffic of hosts"))
    return (
        _of("default", LINES, INTERRUPTED),
        replace(management, access="changed"),
        _of(rf"{VLAN_INSTANCE}\d+", quiet, vlan),
        _of(".+", quiet, unknown),
    )


def _of(name: str, lines: tuple[Statement, ...], effect: Effect) -> Statement:
    """An instance of that name. Each of its settings is a change of its own."""
    below = Section(*lines, effect=effect)
    pattern = f"network-instance <instance:{name}>"
    return Statement(pattern, reads=_instance, below=below, effect=effect, is_container=True)
