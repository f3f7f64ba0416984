"""What NVUE's operational state says that ports do to packets.

Source: CumulusNetworks/docs content/nvue-reference/Show-Commands/QoS.md, columns *operational* of `nv show interface
<interface-id> qos` with `pfc` (`rx`, `tx`), `pfc-watchdog` (`state`), `mapping` (`trust`), `egress-scheduler` (`mode`,
`bw-percent` by traffic class) and `congestion-control` (`ecn` by traffic class). The REST API has objects and names of
the same form for each. Thresholds are printed rounded there (`153.00 KB`), code points in no example: neither is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabric.platforms.cumulus.session_documents import below, table
from fabric.platforms.cumulus.session_state import PANEL, Tree, number
from fabric.platforms.device_state import PortQueues

SHOW = "`nv show interface PORT qos "
REPORTS = {
    "has_pfc": f"{SHOW}pfc`",
    "has_watchdog": f"{SHOW}pfc-watchdog`",
    "marks": f"{SHOW}congestion-control`",
    "trusts_dscp": f"{SHOW}mapping`",
    "shares": f"{SHOW}egress-scheduler`",
}
"""What ports tell of their queues, and where."""
PARTS = ("pfc", "pfc-watchdog", "congestion-control", "mapping", "egress-scheduler")
TRUSTING = ("l3", "both")
QUEUES = range(8)


def port_queues(interfaces: Mapping[str, Any]) -> dict[str, PortQueues]:
    """Of the front panel: each port that tells something."""
    return {
        name: _port(table(row, "qos"))
        for name, row in interfaces.items()
        if name.startswith(PANEL) and table(row, "qos")
    }


def _port(qos: Tree) -> PortQueues:
    pauses = [is_on for way in ("rx", "tx") if (is_on := _is_on(below(qos, "pfc", way))) is not None]
    trust = below(qos, "mapping", "trust")
    return PortQueues(
        has_pfc=all(pauses) if pauses else None,
        has_watchdog=_is_on(below(qos, "pfc-watchdog", "state")),
        marks=_marks(table(qos, "congestion-control", "traffic-class")),
        trusts_dscp=trust in TRUSTING if isinstance(trust, str) else None,
        shares=dict(_shares(table(qos, "egress-scheduler", "traffic-class"))) or None,
    )


def _is_on(word: object) -> bool | None:
    """`enable` and `disable`; later releases say `enabled` and `disabled`."""
    return word.startswith("enable") if isinstance(word, str) else None


def _marks(rows: Tree) -> dict[int, bool] | None:
    """Of all queues, once any is told: those without a row have no congestion control."""
    if not rows:
        return None
    return {queue: _is_on(below(rows, str(queue), "ecn")) is True for queue in QUEUES}


def _shares(rows: Tree) -> Iterator[tuple[int, int | None]]:
    for name, row in rows.items():
        queue, mode = number(name), below(row, "mode")
        if queue is not None and isinstance(mode, str):
            yield queue, None if mode == "strict" else number(below(row, "bw-percent"))
