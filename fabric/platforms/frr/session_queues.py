"""What the kernel says that ports do to packets: `dcb` and `tc`, as JSON.

Sources: iproute2 dcb/dcb_app.c (`dscp_prio`, `default_prio`), tc/q_ets.c, tc/q_red.c; Linux tools/testing/selftests,
drivers/net/mlxsw/qos_headroom.sh (`prio_pfc`). A port whose driver knows no DCB answers nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from fabric.platforms.device_state import PortQueues
from fabric.platforms.frr.state import QUANTUM_BYTES, QUEUES

Answer = Mapping[str, Any]
TC, DCB = "`tc qdisc show`", "`dcb {} show`"
REPORTS = {
    "has_pfc": DCB.format("pfc"),
    "pfc_priorities": DCB.format("pfc"),
    "ecn": TC,
    "dscp_to_traffic_class": DCB.format("app"),
    "shares": TC,
}
"""What ports tell of their queues, and where."""
POINTS = range(64)


def port_queues(ports: Mapping[str, Mapping[str, str]]) -> dict[str, PortQueues]:
    """Every port that tells something, by what its programs have printed."""
    known = ((name, _port(printed)) for name, printed in ports.items())
    return {name: queues for name, queues in known if queues != PortQueues()}


def _port(printed: Mapping[str, str]) -> PortQueues:
    pauses, points, disciplines = (_parsed(printed.get(name, "")) for name in ("pfc", "app", "qdisc"))
    paused = pauses.get("prio_pfc") if isinstance(pauses, dict) else None
    root = next((row for row in _rows(disciplines) if row.get("kind") == "ets"), None)
    priorities = None if paused is None else tuple(n for n, is_on in enumerate(paused) if is_on)
    return PortQueues(
        has_pfc=None if priorities is None else bool(priorities),
        pfc_priorities=priorities,
        ecn=None if root is None else dict(_curves(root, disciplines)),
        dscp_to_traffic_class=_classes(points) if isinstance(points, dict) else None,
        shares=None if root is None else dict(_shares(root.get("options", {}))),
    )


def _parsed(text: str) -> Any:
    return json.loads(text) if text.strip() else None


def _rows(answer: object) -> list[dict[str, Any]]:
    return [row for row in answer if isinstance(row, dict)] if isinstance(answer, list) else []


def _classes(answer: Answer) -> dict[int, int]:
    """Code point to the kernel's priority: what is not mapped has the default one."""
    usual = answer.get("default_prio") or [0]
    return dict.fromkeys(POINTS, int(usual[-1])) | {int(p): int(n) for p, n in answer.get("dscp_prio", ())}


def _shares(options: Answer) -> Iterator[tuple[int, int | None]]:
    """Bands from the top: the strict ones, then those with a quantum for each percent."""
    strict = int(options.get("strict", 0))
    yield from ((QUEUES - 1 - band, None) for band in range(strict))
    for band, quantum in enumerate(options.get("quanta", ()), strict):
        yield QUEUES - 1 - band, int(quantum) // QUANTUM_BYTES


def _curves(root: Answer, disciplines: object) -> Iterator[tuple[int, tuple[int, int, int] | None]]:
    """Each queue: the curve of what hangs below its band, if that marks."""
    parent = str(root.get("handle", ""))
    below = {row.get("parent"): row for row in _rows(disciplines) if row.get("kind") == "red"}
    for queue in range(QUEUES):
        row = below.get(f"{parent}{QUEUES - queue}", {})
        options = row.get("options", {})
        marks = "ecn" in options and options["ecn"] is not False
        chance = round(100 * float(options.get("probability", 1)))
        yield queue, (int(options["min"]), int(options["max"]), chance) if marks else None
