"""Every line of `router policy`, and static routes."""

from __future__ import annotations

from fabric.configuration import Parts, Statement
from fabric.platforms.cumulus.rows import container, thing
from fabric.platforms.cumulus.state import Place, enter, instead, note, ruled
from fabric.platforms.effects import CHOSEN, DEFAULT_VRF, THESE

RULE = r"rule <rule:\d+>"


def _prefix(place: Place, parts: Parts) -> Place:
    ruled("{rule} {prefix}")(place, parts)
    return enter(place, parts)


def _length(place: Place, parts: Parts) -> None:
    short = place.words("{rule} {prefix}", parts)
    instead(
        place.state.policies[place.parts["name"]], short, place.words(f"{short} {{end}} {{length}}", parts)
    )


LENGTH = Statement(r"<end:max|min>-prefix-len {length:\d+}", reads=_length)
COMMUNITIES = (
    Statement("action {action}", reads=ruled("{rule} {action}")),
    thing("community", Statement("<community>", reads=ruled("{rule} {community}"))),
)
PREFIXES = (
    Statement("action {action}", reads=ruled("{rule} {action}")),
    thing("match <prefix>", LENGTH, reads=_prefix),
)
CLAUSES = (
    Statement("action {action:permit|deny}", reads=ruled("{rule} {action}")),
    thing("action", Statement("<action:permit|deny>", reads=ruled("{rule} {action}"))),
    thing(
        "match",
        Statement("<what:ip-prefix-list|type|community-list> {value}", reads=ruled("{rule} {what} {value}")),
    ),
    thing(
        "set",
        thing("community", Statement("<community>", reads=ruled("{rule} set {community}"))),
        Statement("community-delete-list {list}", reads=ruled("{rule} delete {list}")),
        Statement(r"local-preference {value:\d+}", reads=ruled("{rule} local-preference {value}")),
    ),
)


def policy_lines() -> tuple[Statement, ...]:
    """`router policy`: each list and route-map by its name."""
    kind = Statement("type {type}", reads=ruled("{type}"))
    return (
        container(
            "policy",
            container("community-list", thing("<name>", thing(RULE, *COMMUNITIES))),
            container("prefix-list", thing("<name>", kind, thing(RULE, *PREFIXES))),
            container("route-map", thing("<name>", thing(RULE, *CLAUSES))),
            effect=CHOSEN,
        ),
    )


def static_lines() -> tuple[Statement, ...]:
    """`vrf default router static`."""
    drops = Statement("type {kind}", reads=note("static routes", "{prefix} {kind} {distance}"))
    return (
        container(
            "static",
            thing(
                "<prefix>",
                Statement("address-family {family}"),
                thing(r"distance <distance:\d+> via blackhole", drops),
                overrides=True,
            ),
            effect=THESE,
            access="always",
            vrf=DEFAULT_VRF,
        ),
    )
