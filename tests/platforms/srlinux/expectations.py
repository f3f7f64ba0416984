"""What the laws over all platforms must know of SR Linux."""

from __future__ import annotations

import json

from tests.platforms.expectations import BYTES, Section, StaticRoute, SwitchExpectations
from tests.platforms.profiles import Found
from tests.platforms.srlinux.read_policies import by_policies

KINDS = {
    "scheduler-policies/scheduler-policy": "name",
    "pfc-mapping-profile": "name",
    "buffer-management/queue-management-profile": "name",
    "buffer-management/buffer-allocation-profile": "name",
}


def printed_profiles(text: str) -> Found:
    tree = json.loads(text)
    qos = next((tree[key] for key in tree if key.rpartition(":")[2] == "qos"), {})
    for path, key in KINDS.items():
        rows = qos
        for step in path.split("/"):
            rows = rows.get(step, {})
        for row in rows or ():
            yield (path, row[key]), json.dumps({k: v for k, v in row.items() if k != key}, sort_keys=True)


EXPECTED = SwitchExpectations(
    builds_sessions_anew_for_limits=True,
    management_route=StaticRoute(
        place='(\\{"name":"mgmt","type":"[^"]+",)',
        written='\\1"static-routes":{"route":[{"prefix":"192.0.2.0/24",{route}}]},',
        routes=('"next-hop-group":"a"', '"next-hop-group":"b"'),
    ),
    model="nokia-ixr-h5-64d",
    own_files={
        "lists": "the key of each list of Nokia's models",
    },
    profiles=printed_profiles,
    policies=by_policies,
    dropped=r'"prefix": ?"{}", ?"preference": ?250, ?"next-hop-group": ?"discard"',
    unmarked='"communities":{"remove":"from-above"}',
    not_said={"queueing.marking_depth_bytes": BYTES},
    not_in_facts=frozenset({"host_addressing.assignment", "host_addressing.dhcp_servers"}),
    timers=[("multiplier", "21", "20")],
    most={"management.dns": 3},
    overrides={
        "ours": Section(
            programs=["system { event-handler { instance x { upython-script x.py } } }"],
            harm=["interface {port} {{ admin-state disable }}"],
        ),
    },
)
