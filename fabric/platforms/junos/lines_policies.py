"""Every statement of what routes are chosen by: policies, lists, static routes, aggregates; and of filters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabric.configuration import Access, Effect, Parts, Reader, Statement
from fabric.platforms.effects import DEFAULT_VRF, SESSIONS_UNKNOWN, otherwise
from fabric.platforms.junos.lines_bgp import number_lines
from fabric.platforms.junos.names import INSTANCE
from fabric.platforms.junos.rows import (
    anything,
    entered,
    entered_in,
    noted,
    noted_in,
    section,
    stanza,
    values,
)
from fabric.platforms.junos.state import JunosState, Place

CHOSEN = Effect("hitless", "routes are chosen anew")
NO_TRAFFIC = Effect("none", "no traffic of hosts")
TO_ITSELF = Effect("none", "only connections to the switch itself")


def policy_lines() -> tuple[Statement, ...]:
    """`policy-options`, `routing-options`, `routing-instances` and `firewall`."""
    return (
        stanza("policy-options", *_policies(), effect=CHOSEN, is_container=True),
        stanza(
            "routing-options",
            *number_lines(),
            stanza("forwarding-table", *anything("export"), reads=noted_in("routing-options"), effect=CHOSEN),
            *otherwise(CHOSEN, _routes(entered_in("routing-options"), "always", DEFAULT_VRF)),
            effect=SESSIONS_UNKNOWN,
            is_container=True,
        ),
        stanza(
            "routing-instances",
            _instance(INSTANCE, "always"),
            _instance("<instance>", "none"),
            reads=section("routing-instances"),
            is_container=True,
        ),
        stanza(
            "firewall",
            stanza("family <family:inet6?>", _filter(), reads=entered_in("firewall"), is_container=True),
            effect=TO_ITSELF,
            is_container=True,
        ),
    )


def _policies() -> Iterator[Statement]:
    yield Statement(r"as-list <list> members {asn:\d+}", reads=_as_list)
    yield stanza("community <policy>", *values("members"), reads=_policy)
    yield stanza(
        "policy-statement <policy>",
        stanza("term <term>", *_clauses(), reads=noted, order_counts=True),
        *_clauses(),
        reads=_policy,
    )


def _clauses() -> Iterator[Statement]:
    """What routes a term is about, and what it does with them."""
    verdict = Statement("{verdict:accept|reject}", reads=noted)
    yield from (stanza(word, *anything(), reads=noted) for word in ("from", "to"))
    yield stanza("then", verdict, *anything(), reads=noted)


def _instance(name: str, access: Access) -> Statement:
    """A routing instance; that of management touches no traffic of hosts."""
    effect = NO_TRAFFIC if name == INSTANCE else None
    routing = stanza("routing-options", *_routes(noted, access), *anything(), reads=noted)
    return stanza(name, routing, *anything(), reads=noted, effect=effect)


def _routes(reads: Reader, access: Access, vrf: str = "") -> Iterator[Statement]:
    """Static routes and aggregates, of IPv4 or of a table. `access` of a static route."""
    yield from _tables(reads, access, vrf)
    yield stanza("rib <table>", *_tables(entered, access, vrf), reads=reads)


def _tables(reads: Reader, access: Access, vrf: str) -> Iterator[Statement]:
    route = stanza("route <prefix>", *anything("next-hop", "preference"), reads=noted, access=access, vrf=vrf)
    yield stanza("static", replace(route, overrides=vrf == DEFAULT_VRF), *anything(), reads=reads)
    yield stanza("aggregate", stanza("route <prefix>", *anything(), reads=noted), *anything(), reads=reads)


def _filter() -> Statement:
    term = stanza("term <term>", *_conditions(), reads=noted, order_counts=True)
    return stanza("filter <filter>", term, *anything(), reads=noted, access="changed")


def _conditions() -> Iterator[Statement]:
    """What packets a term is about, and what it does with them."""
    yield stanza("from", *anything("protocol", "next-header", "destination-port"), reads=noted)
    yield stanza("then", Statement("{verdict:accept|discard|reject}", reads=noted), *anything(), reads=noted)


def _as_list(state: JunosState, parts: Parts) -> None:
    state.as_lists[parts["list"]] = int(parts["asn"])


def _policy(state: JunosState, parts: Parts) -> Place:
    return Place(state.policies.setdefault(parts["policy"], []))
