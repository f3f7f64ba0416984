"""Named objects of SONiC: rows of CONFIG_DB that are called by others, and those of frr.conf."""

from __future__ import annotations

import json

from fabric.platforms.base import split_parts
from tests.platforms.frr import named as frr
from tests.platforms.names import Names

TABLES = {
    "SCHEDULER": "scheduler",
    "WRED_PROFILE": "wred_profile",
    "DSCP_TO_TC_MAP": "dscp_to_tc_map",
    "TC_TO_QUEUE_MAP": "tc_to_queue_map",
    "TC_TO_PRIORITY_GROUP_MAP": "tc_to_pg_map",
    "MAP_PFC_PRIORITY_TO_QUEUE": "pfc_to_queue_map",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": "pfc_to_pg_map",
    "BUFFER_PROFILE": "profile",
    "BUFFER_POOL": "pool",
    "PREFIX_SET": "match_prefix_set",
    "COMMUNITY_SET": "match_community",
    "ROUTE_MAP_SET": "route_map",
    "BGP_PEER_GROUP": "peer_group_name",
    "BGP_BBR": "",
}
SAME = {"route_map_in": "route_map", "route_map_out": "route_map", "profile_list": "profile"}
BUILT_IN = {"NULL"}


def named(text: str) -> tuple[Names, Names]:
    """What it defines and refers to."""
    parts = split_parts(text)
    defined, referred = frr.named(parts.get("frr.conf", ""))
    tables = json.loads(parts["config_db.json"])
    for table, kind in TABLES.items():
        defined |= {(kind, name.rpartition("|")[2]) for name in tables.get(table, {})}
    kinds = {*TABLES.values(), *SAME}
    for rows in tables.values():
        for row in rows.values():
            for field, value in row.items():
                if field in kinds and field:
                    values = value if isinstance(value, list) else [value]
                    referred |= {(SAME.get(field, field), one) for one in values if one not in BUILT_IN}
    return defined, referred
