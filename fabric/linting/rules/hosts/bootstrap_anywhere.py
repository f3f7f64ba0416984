"""The bootstrap of collectives takes the interface that it was given."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin, Severity
from fabric.linting.host_examples import described
from fabric.linting.rule import Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1702",
    "bootstrap-anywhere",
    "NCCL chooses the interface of its bootstrap by itself",
    severity=Severity.INFO,
    why="It takes the first interface that is up and no loopback or container bridge. On a host with many that may be "
    "a rail: a routed port that reaches the others' rails only, so that a job hangs at its start.",
    fix="Write `nccl.socket_interface` with the interface of the management or frontend network.",
    source="NCCL, environment variables: NCCL_SOCKET_IFNAME",
    fails=described(nccl="{}"),
    passes=described(),
)
def bootstrap_anywhere(site: Linted) -> Iterator[Found]:
    """A host group with GPUs has `system` with `nccl`, and that no `socket_interface`."""
    for name, group in site.intent.site.hosts.items():
        system = group.system
        if system is None or system.nccl == "none" or group.gpus == 0:
            continue
        if system.nccl.socket_interface is None:
            yield Found(
                Origin(("hosts", name, "system", "nccl", "socket_interface")),
                f"hosts of {name} have {len(system.nics)} networks beside that of management to choose from",
            )
