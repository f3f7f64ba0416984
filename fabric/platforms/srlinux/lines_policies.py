"""Every line of what routes are chosen by: policies, sets of prefixes and of communities."""

from __future__ import annotations

from fabric.configuration import Effect, Parts, Reader, Section, Statement
from fabric.platforms.srlinux.state import Inside, SrlState, told, within

CHOSEN = Effect("hitless", "routes are chosen anew, sessions stay")


def policy_lines() -> tuple[Statement, ...]:
    """`routing-policy`."""
    kinds = (
        Statement("community-set <name*>", reads=_named("community-set"), below=COMMUNITIES),
        Statement("prefix-set <name*>", reads=_named("prefix-set"), below=PREFIXES),
        Statement("policy <name*>", reads=_named("policy"), below=POLICY),
    )
    return (
        Statement("routing-policy", below=Section(*kinds, effect=CHOSEN), effect=CHOSEN, is_container=True),
    )


def _named(kind: str) -> Reader:
    """A reader of an object that is known by its name, whatever it says."""

    def enter(state: SrlState, parts: Parts) -> Inside:
        name = f"{kind} {parts['name']}"
        state.policy(name)
        return Inside(state.policy, name)

    return enter


RESULT = Statement("policy-result {result}", reads=told("{result}"))
COMMUNITIES = Section(Statement("member {members*}", reads=told("{members}")))
PREFIXES = Section(Statement("prefix <prefix> <lengths>", reads=told("{prefix} {lengths}")))
MATCH = Section(
    Statement(
        "prefix",
        below=Section(Statement("prefix-set {name*}", reads=told("match prefix-set {name}"))),
    ),
    Statement(
        "bgp",
        below=Section(Statement("community-set {name*}", reads=told("match community-set {name}"))),
    ),
    Statement("protocol {protocol}", reads=told("match protocol {protocol}")),
)
CHANGES = Section(
    Statement(
        "communities",
        below=Section(
            Statement("add {name*}", reads=told("add community-set {name}")),
            Statement("remove {name*}", reads=told("remove community-set {name}")),
        ),
    ),
    Statement(
        "local-preference",
        below=Section(Statement(r"set {value:\d+}", reads=told("set local-preference {value}"))),
    ),
)
STATEMENT = Section(
    Statement("match", below=MATCH),
    Statement("action", below=Section(RESULT, Statement("bgp", below=CHANGES))),
)
POLICY = Section(
    Statement("default-action", reads=within("default"), below=Section(RESULT)),
    Statement("statement <name*>", reads=within("{name}"), below=STATEMENT, order_counts=True),
)
"""The first statement that fits decides: their order is part of what they say."""
