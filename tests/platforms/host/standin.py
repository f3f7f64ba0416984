"""Stands in for mlnx_qos, nicctl, dcb and ethtool: keeps what it is told, shows it, and records each change.

It knows the arguments that public scripts show and refuses all others. The form of `mlnx_qos`'s answer is that of
att/netarbiter, nvmf/OUTPUTSAMPLE.setup-nic-lossless-layer3.sh.md.
"""

# ruff: noqa: T201  # a program prints

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ["STANDIN"])
STATE = FOLDER / "state.json"
MLX5 = {
    "trust": "pcp",
    "dscp": [point // 8 for point in range(64)],
    "prio_tc": "1,0,2,3,4,5,6,7",
    "tsa": ",".join(["vendor"] * 8),
    "tcbw": "0,0,0,0,0,0,0,0",
    "pfc": "0,0,0,0,0,0,0,0",
    "cable_len": "7",
}


def mlnx_qos(state: dict[str, Any], words: list[str]) -> bool:
    if words[0] != "-i":
        sys.exit("mlnx_qos: no interface")
    own = state.setdefault(words[1], dict(MLX5))
    options = dict(zip(words[2::2], words[3::2], strict=True))
    for option, value in options.items():
        name = option.removeprefix("--")
        if name == "dscp2prio":
            word, point, priority = value.split(",")
            if word != "set":
                sys.exit(f"mlnx_qos: {value}")
            own["dscp"][int(point)] = int(priority)
        elif name in MLX5:
            own[name] = value
        else:
            sys.exit(f"mlnx_qos: {option}")
    bandwidth = [
        int(share)
        for share, kind in zip(own["tcbw"].split(","), own["tsa"].split(","), strict=True)
        if kind == "ets"
    ]
    if bandwidth and sum(bandwidth) != 100:
        sys.exit("mlnx_qos: ETS bandwidth is not 100")
    show(own)
    return bool(options)


def show(own: dict[str, Any]) -> None:
    print(f"Priority trust state: {own['trust']}\ndscp2prio mapping:")
    for priority in range(8):
        points = [point for point in reversed(range(64)) if own["dscp"][point] == priority]
        for start in range(0, len(points), 8):
            listed = "".join(f"{point:02}," for point in points[start : start + 8])
            print(f"        prio:{priority} dscp:{listed}")
    print("PFC configuration:\n        enabled     " + "   ".join(own["pfc"].split(",")))
    for name in ("prio_tc", "tsa", "tcbw", "cable_len"):
        print(f"{name}: {own[name]}")


def nicctl(state: dict[str, Any], words: list[str]) -> bool:
    own = state.setdefault("nicctl", {})
    if words[0] == "show" and words[1:] in (["port"], ["qos"], ["dcqcn"]):
        print(
            json.dumps({key: value for key, value in own.items() if key.startswith(words[1])}, sort_keys=True)
        )
        return False
    if words[0] != "update" or words[1] not in ("port", "qos", "dcqcn"):
        sys.exit(f"nicctl: {words}")
    key = " ".join(words[1:-2])
    own[key] = words[-2:]
    return True


def dcb(state: dict[str, Any], words: list[str]) -> bool:
    what, verb, dev, interface, *rest = words
    if dev != "dev" or verb not in ("show", "set", "replace"):
        sys.exit(f"dcb: {words}")
    own = state.setdefault(interface, {})
    if verb == "show":
        print(what, own.get(what))
        return False
    own[what] = rest
    return True


def main() -> None:
    """One call: the program's name says whose."""
    program, words = Path(sys.argv[0]).name, sys.argv[1:]
    state = json.loads(STATE.read_text()) if STATE.exists() else {}
    tools = {"mlnx_qos": mlnx_qos, "nicctl": nicctl, "dcb": dcb, "ethtool": lambda _state, _words: True}
    if tools[program](state, words):
        with (FOLDER / "changes").open("a") as log:
            log.write(f"{program} {' '.join(words)}\n")
    STATE.write_text(json.dumps(state))


if __name__ == "__main__":
    main()
