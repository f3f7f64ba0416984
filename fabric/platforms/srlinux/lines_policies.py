"""Every line of what routes are chosen by: policies, sets of prefixes and of communities."""

from __future__ import annotations

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.srlinux.rows import listed, noted
from fabric.platforms.srlinux.state import Inside, SrlState

CHOSEN = Effect("hitless", "routes are chosen anew, sessions stay")


def policy_lines() -> tuple[Statement, ...]:
    """`routing-policy`."""
    lines = Section(
        Statement("community-set <name*>", reads=_named, below=Section(*noted("member {members*}"))),
        Statement("prefix-set <name*>", reads=_named, below=Section(*noted("prefix <prefix> <lengths>"))),
        Statement("policy <name*>", reads=_named, below=POLICY),
        effect=CHOSEN,
    )
    return (Statement("routing-policy", below=lines, effect=CHOSEN, is_container=True),)


def _named(state: SrlState, parts: Parts) -> Inside:
    """An object that is known by its name, whatever it says."""
    state.policy(parts["line"])
    return Inside(state.policy, parts["line"])


STATEMENT = Section(
    *noted(
        "match / prefix / prefix-set {name*}",
        "match / bgp / community-set {name*}",
        "match / protocol {protocol}",
        "action / policy-result {result}",
        "action / bgp / communities / add {name*}",
        "action / bgp / communities / remove {name*}",
        "action / bgp / local-preference / set {value}",
    )
)
POLICY = Section(
    *noted("default-action / policy-result {result}"),
    Statement("statement <name*>", reads=listed, below=STATEMENT, order_counts=True),
)
"""The first statement that fits decides: their order is part of what they say."""
