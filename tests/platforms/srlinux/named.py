"""Named objects of SR Linux."""

from __future__ import annotations

import json

from tests.platforms.names import Names, leaves

LISTS = {
    "community-set": ("name", "community-set"),
    "prefix-set": ("name", "prefix-set"),
    "policy": ("name", "policy"),
    "group": ("group-name", "group"),
    "scheduler-policy": ("name", "scheduler-policy"),
    "dscp-policy": ("name", "dscp-policy"),
    "pfc-mapping-profile": ("name", "pfc-mapping-profile"),
    "buffer-allocation-profile": ("name", "buffer-allocation-profile"),
    "queue-management-profile": ("name", "queue-management-profile"),
    "queue-template": ("name", "queue-template"),
    "ecn-dscp-policy": ("name", "ecn-dscp-policy"),
}
"""Where a list stands, which key names an entry, and what it is."""
CALLS = {
    "prefix-set": "prefix-set",
    "community-set": "community-set",
    "add": "community-set",
    "remove": "community-set",
    "import-policy": "policy",
    "export-policy": "policy",
    "peer-group": "group",
    "scheduler-policy": "scheduler-policy",
    "dscp-policy": "dscp-policy",
    "pfc-mapping-profile": "pfc-mapping-profile",
    "buffer-allocation-profile": "buffer-allocation-profile",
    "pfc-buffer-allocation-profile": "buffer-allocation-profile",
    "queue-management-profile": "queue-management-profile",
    "queue-template": "queue-template",
    "ecn-dscp-policy": "ecn-dscp-policy",
}


def named(text: str) -> tuple[Names, Names]:
    """What it defines and refers to."""
    tree = json.loads(text)
    defined: Names = set()
    referred: Names = set()
    for path, value in leaves(tree):
        keys = [key.rpartition(":")[2] for key in path]
        for word, (key, kind) in LISTS.items():
            if keys[-2:] == [word, key]:
                defined.add((kind, value))
        if keys[-1] in CALLS:
            referred.add((CALLS[keys[-1]], value))
    return defined, referred
