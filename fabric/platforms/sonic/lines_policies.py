"""Tables of prefix lists, communities and route maps.

Sources: sonic-routing-policy-sets.yang, sonic-route-map.yang.
"""

from __future__ import annotations

from fabric.configuration import Parts, Statement
from fabric.platforms.effects import CHOSEN
from fabric.platforms.sonic.rows import field, kept, kept_table, known, quiet_table, row, table
from fabric.platforms.sonic.state import SonicState

ENTRY = "|".join(rf"<{part}:[^|\s]+>" for part in ("list", "sequence", "prefix", "lengths"))


def _set(state: SonicState, parts: Parts) -> list[str]:
    return state.policies.setdefault(parts["line"], [])


def _members(entries: list[str], parts: Parts) -> None:
    entries.extend(f"permit {member}" for member in parts["value"].split())


def policy_tables() -> tuple[Statement, ...]:
    """The lists and route maps, by name."""
    members = (*known("set_type", "match_action", "action"), field("community_member", _members))
    clause = kept("route_operation", "match_prefix_set", "match_community", "set_community_inline")
    return (
        kept_table("PREFIX_SET", "<list>", *kept("mode"), effect=CHOSEN),
        kept_table("PREFIX", ENTRY, *kept("action"), effect=CHOSEN),
        table("COMMUNITY_SET", row("<list>", *members, reads=_set), effect=CHOSEN),
        quiet_table("ROUTE_MAP_SET", "<map>", effect=CHOSEN),
        kept_table("ROUTE_MAP", "<map>|<sequence>", *clause, effect=CHOSEN),
    )
