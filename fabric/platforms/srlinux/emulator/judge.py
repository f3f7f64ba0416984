"""Whether a configuration is one that SR Linux takes, by the tables of the dialect: what no table knows is refused."""

from __future__ import annotations

import json
from typing import Any

from fabric.platforms.srlinux.lines_services import OTHER_SERVERS
from fabric.platforms.srlinux.names import bare
from fabric.platforms.srlinux.read import read

Tree = dict[str, Any]
SERVER_LEAVES = frozenset(
    {"admin-state", "commit-confirmed-timeout", "network-instance", "unix-socket", "trace-options"}
)
"""Of `json-rpc-server` (`srl_nokia-json-rpc`)."""
CONFIGURATION_LEAVES = frozenset(
    {"max-checkpoints", "max-candidates", "idle-timeout", "auto-checkpoint", "auto-save"}
)
"""Of `configuration` (`srl_nokia-configuration`)."""
LONGEST_TIMER_S = 86_400


def judged(tree: Tree) -> tuple[str, ...]:
    """What is wrong with a configuration."""
    own, others = _parted(tree)
    unread = read(json.dumps(own, indent=1)).unread
    return (*(f"Path not valid - unknown element '{line}'" for _, line in unread), *_server(others))


def _parted(tree: Tree) -> tuple[Tree, Tree]:
    """A configuration without what no table is about, and that of `system`."""
    known = dict(tree)
    name = next((key for key in tree if bare(key) == "system"), "system")
    system = dict(tree.get(name, {}))
    others = {bare(key): system.pop(key) for key in list(system) if bare(key) in OTHER_SERVERS}
    configuration = next((key for key in system if bare(key) == "configuration"), "")
    if configuration:
        leaves = {bare(key): value for key, value in system[configuration].items()}
        others["configuration"] = {key: leaves[key] for key in leaves if key in CONFIGURATION_LEAVES}
        rest = {k: v for k, v in system[configuration].items() if bare(k) not in CONFIGURATION_LEAVES}
        system = {k: v for k, v in system.items() if k != configuration} | (
            {configuration: rest} if rest else {}
        )
    return known | ({name: system} if name in tree else {}), others


def _server(others: Tree) -> tuple[str, ...]:
    server = {bare(key): value for key, value in others.get("json-rpc-server", {}).items()}
    problems = [f"Path not valid - unknown element '{name}'" for name in server.keys() - SERVER_LEAVES]
    timer = server.get("commit-confirmed-timeout", 0)
    if not (isinstance(timer, int) and 0 <= timer <= LONGEST_TIMER_S):
        problems.append(
            f"Failed to parse value '{timer}' for 'commit-confirmed-timeout': not 0..{LONGEST_TIMER_S}"
        )
    profiles = {row.get("name") for row in others.get("tls", {}).get("server-profile", [])}
    for instance in server.get("network-instance", []):
        https = instance.get("https")
        if https is not None and https.get("tls-profile") not in profiles:
            problems.append(f"Missing reference: tls-profile '{https.get('tls-profile')}' is not configured")
    return tuple(problems)
