"""Stands in for mlnx_qos, mlxreg, nicctl, dcb and ethtool: keeps what it is told, shows it, and records each change.

It knows the arguments that public scripts show and refuses all others. Its answers have the form of
- `mlnx_qos`: community.mellanox.com DOC-2792 and att/netarbiter, nvmf/OUTPUTSAMPLE.setup-nic-lossless-layer3.sh.md;
- `mlxreg`: docs.nvidia.com, Adaptive Retransmission, sample usage;
- `nicctl show`: ROCm documentation (verification of AI NICs) and amd/node-scraper, test_network_collector.py;
- `dcb`: iproute2, dcb-app(8), dcb-pfc(8), dcb-ets(8).
"""

# ruff: noqa: T201  # a program prints
# Tests start it some hundred times, and importing pathlib or json takes longer than what it does:
# ruff: noqa: PTH110, PTH118, PTH119, PTH123, PTH202, S302  # what it reads is what it wrote

from __future__ import annotations

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STATE = os.path.join(os.environ["STANDIN"], "state")
CHANGES = os.path.join(os.environ["STANDIN"], "changes")
MLX5 = {
    "trust": "pcp",
    "dscp": [point // 8 for point in range(64)],
    "prio_tc": "1,0,2,3,4,5,6,7",
    "tsa": ",".join(["vendor"] * 8),
    "tcbw": "0,0,0,0,0,0,0,0",
    "pfc": "0,0,0,0,0,0,0,0",
    "cable_len": "7",
}
NICCTL = {
    "pause-type": "none",
    "rx-pause": "disable",
    "tx-pause": "disable",
    "classification-type": "pcp",
    "dscp": [0] * 64,
    "no-drop": [],
    "scheduling": [[0, "DWRR", "0", "N/A"]],
    "dcqcn": {},
}
DCB = {
    "app": {"dscp-prio": []},
    "pfc": {"prio-pfc": [f"{n}:off" for n in range(8)]},
    "ets": {
        "prio-tc": [f"{n}:0" for n in range(8)],
        "tc-tsa": [f"{n}:strict" for n in range(8)],
        "tc-bw": [f"{n}:0" for n in range(8)],
    },
}
DCQCN_NAMES = {
    "ai-rate": "Rate increase in AI phase",
    "rate-increase-byte-count": "Rate increase byte count",
    "alpha-update-g": "Alpha update G value",
    "alpha-update-interval": "Alpha update interval",
    "hai-rate": "Rate increase in HAI phase",
    "initial-alpha-value": "Initial alpha value",
    "rate-reduce-monitor-period": "Rate reduce monitor period",
    "rate-increase-threshold": "Rate increase threshold",
    "rate-increase-interval": "Rate increase interval",
    "token-bucket-size": "Token bucket size",
    "cnp-dscp": "DSCP value used for CNP",
}


def options_of(words: list[str]) -> dict[str, str]:
    return dict(zip((w.lstrip("-") for w in words[::2]), words[1::2], strict=True))


def mlnx_qos(state: dict[str, Any], words: list[str]) -> bool:
    if words[0] != "-i":
        sys.exit("mlnx_qos: no interface")
    own = state.setdefault(words[1], dict(MLX5))
    options = options_of(words[2:])
    for name, value in options.items():
        if name == "dscp2prio":
            word, point, priority = value.split(",")
            if word != "set":
                sys.exit(f"mlnx_qos: {value}")
            own["dscp"][int(point)] = int(priority)
        elif name in MLX5:
            own[name] = value
        else:
            sys.exit(f"mlnx_qos: {name}")
    pairs = zip(own["tcbw"].split(","), own["tsa"].split(","), strict=True)
    bandwidth = [int(share) for share, kind in pairs if kind == "ets"]
    if bandwidth and sum(bandwidth) != 100:
        sys.exit("mlnx_qos: ETS bandwidth is not 100")
    show_mlx5(own)
    return bool(options)


def show_mlx5(own: dict[str, Any]) -> None:
    print(f"DCBX mode: OS controlled\nPriority trust state: {own['trust']}\ndscp2prio mapping:")
    for priority in range(8):
        points = [point for point in reversed(range(64)) if own["dscp"][point] == priority]
        for start in range(0, len(points), 8):
            listed = "".join(f"{point:02}," for point in points[start : start + 8])
            print(f"        prio:{priority} dscp:{listed}")
    print("Receive buffer size (bytes): 262016,0,0,0,0,0,0,0,")
    print(
        f"Cable len: {own['cable_len']}\nPFC configuration:\n        priority    0   1   2   3   4   5   6   7"
    )
    print("        enabled     " + "   ".join(own["pfc"].split(",")) + "   ")
    classes = [int(number) for number in own["prio_tc"].split(",")]
    pairs = zip(own["tcbw"].split(","), own["tsa"].split(","), strict=True)
    for number, (share, kind) in enumerate(pairs):
        print(
            f"tc: {number} ratelimit: unlimited, tsa: {kind}" + (f", bw: {share}%" if kind == "ets" else "")
        )
        for priority, own_class in enumerate(classes):
            if own_class == number:
                print(f"         priority:  {priority}")


def mlxreg(state: dict[str, Any], words: list[str]) -> bool:
    own = state.setdefault(f"pci {words[1]}", {"adaptive_routing_forced_en": "0x0"})
    if words[0] != "-d" or words[2:4] != ["--reg_name", "ROCE_ACCL"]:
        sys.exit(f"mlxreg: {words}")
    if words[4:] == ["--get"]:
        print("Sending access register...\n\nField Name                | Data\n" + "=" * 40)
        print("roce_adp_retrans_en       | 0x00000001")
        print(f"adaptive_routing_forced_en | {int(own['adaptive_routing_forced_en'], 16):#010x}")
        return False
    if words[4] != "--set" or words[6:] != ["--yes"]:
        sys.exit(f"mlxreg: {words}")
    name, value = words[5].split("=")
    own[name] = value
    return True


def nicctl(state: dict[str, Any], words: list[str]) -> bool:
    own = state.setdefault("nicctl", marshal.loads(marshal.dumps(NICCTL)))
    shown = {("show", "port"): show_ports, ("show", "qos"): show_qos, ("show", "dcqcn"): show_dcqcn}
    if tuple(words) in shown:
        shown[words[0], words[1]](own)
        return False
    verbs = {"port": update_port, "qos": update_qos, "dcqcn": update_dcqcn}
    if words[0] != "update" or words[1] not in verbs:
        sys.exit(f"nicctl: {words}")
    verbs[words[1]](own, words[2:])
    return True


def update_port(own: dict[str, Any], words: list[str]) -> None:
    if words[0] != "--all":
        sys.exit(f"nicctl update port: {words}")
    own |= options_of(words[1:])


def update_qos(own: dict[str, Any], words: list[str]) -> None:
    if words[0] == "--classification-type":
        own["classification-type"] = words[1]
        return
    options = options_of(words[1:])
    if words[0] == "dscp-to-priority":
        first, _, last = options["dscp"].partition("-")
        for point in range(int(first), int(last or first) + 1):
            own["dscp"][point] = int(options["priority"])
    elif words[0] == "pfc":
        pauses = set(own["no-drop"]) - {int(options["priority"])}
        own["no-drop"] = sorted(
            pauses | ({int(options["priority"])} if options["no-drop"] == "enable" else set())
        )
    elif words[0] == "scheduling":
        columns = (options[name].split(",") for name in ("priority", "dwrr", "rate-limit"))
        own["scheduling"] = sorted(
            [int(p), "strict", "N/A", limit] if limit != "0" else [int(p), "DWRR", weight, "N/A"]
            for p, weight, limit in zip(*columns, strict=True)
        )
    else:
        sys.exit(f"nicctl update qos: {words}")


def update_dcqcn(own: dict[str, Any], words: list[str]) -> None:
    options = options_of(words)
    if options.pop("i") != "1":
        sys.exit("nicctl: profile")
    device = options.pop("r")
    own["dcqcn"][device] = {DCQCN_NAMES[name]: value for name, value in options.items()}


def show_ports(own: dict[str, Any]) -> None:
    print("NIC  : 42424650-4c32-3531-3530-314343000000 (0000:f6:00.0)\n")
    print("Port : 04908132-5d88-4242-4242-000011010000 (eth1/1)\n  Spec:")
    for name, value in (
        ("Pause type", own["pause-type"].upper()),
        ("MTU", "9216"),
        ("TX pause", own["tx-pause"] + "d"),
        ("RX pause", own["rx-pause"] + "d"),
    ):
        print(f"    {name:40} : {value}")
    changes = os.path.getsize(CHANGES) if os.path.exists(CHANGES) else 0
    print(f"  Status:\n    Transceiver temperature (in C)           : {40 + changes % 9}")


def show_qos(own: dict[str, Any]) -> None:
    print("NIC  : 42424650-4c32-3531-3230-303443000000 (0000:f6:00.0)\n")
    print("Port : 04908130-a7a0-4242-4242-000011010000\n")
    print(f"  Classification type         : {own['classification-type'].upper()}\n\n  DSCP-to-priority :")
    for priority in sorted(set(own["dscp"])):
        points = [point for point, to in enumerate(own["dscp"]) if to == priority]
        print(
            f"    DSCP bitmap               : {sum(1 << p for p in points):#018x} ==> priority : {priority}"
        )
    for priority in sorted(set(own["dscp"])):
        points = [point for point, to in enumerate(own["dscp"]) if to == priority]
        starts = [p for p in points if p - 1 not in points]
        ends = [p for p in points if p + 1 not in points]
        ranges = (f"{a}" if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))
        print(f"    DSCP                      : {', '.join(ranges)} ==> priority : {priority}")
    print(f"\n\n  PFC :\n    PFC priority bitmap       : {sum(1 << p for p in own['no-drop']):#x}")
    print(f"    PFC no-drop priorities    : {','.join(map(str, own['no-drop']))}\n\n  Scheduling :")
    print("    --------------------------------------------\n    Priority  Scheduling  Bandwidth Rate-limit")
    print("              Type        (in %age) (in Gbps)\n    --------------------------------------------")
    for priority, kind, weight, limit in own["scheduling"]:
        print(f"    {priority:<9} {kind:<11} {weight:<9} {limit}")


def show_dcqcn(own: dict[str, Any]) -> None:
    for device, values in own["dcqcn"].items():
        print(f"NIC : 42424650-4c32-3531-3230-303443000000 (0000:f6:00.0)\n{'-' * 90}\n")
        print(f"ROCE device                                : {device}")
        print(
            "  DCQCN profile id                         : 1\n  Status                                   : Enabled"
        )
        for name, value in values.items():
            print(f"  {name:40} : {value}")
        print("*" * 90)


def dcb(state: dict[str, Any], words: list[str]) -> bool:
    what, verb, dev, interface, *rest = [word for word in words if word != "-N"]
    if dev != "dev" or verb != {"show": "show", "app": "replace"}.get(
        what if verb != "show" else "show", "set"
    ):
        sys.exit(f"dcb: {words}")
    own = state.setdefault(interface, marshal.loads(marshal.dumps(DCB)))[what]
    if verb == "show":
        for name in rest or own:
            print(name, *own[name], "")
        return False
    for word in rest:
        if word in own:
            name, own[word] = word, []
        else:
            own[name].append(word)
    return True


def main() -> None:
    """One call: the program's name says whose."""
    program, words = os.path.basename(sys.argv[0]), sys.argv[1:]
    state = {}
    if os.path.exists(STATE):
        with open(STATE, "rb") as file:
            state = marshal.load(file)
    tools = {"mlnx_qos": mlnx_qos, "mlxreg": mlxreg, "nicctl": nicctl, "dcb": dcb}
    if tools.get(program, lambda _state, _words: True)(state, words):
        with open(CHANGES, "a", encoding="utf-8") as log:
            log.write(f"{program} {' '.join(words)}\n")
    with open(STATE, "wb") as file:
        marshal.dump(state, file)


if __name__ == "__main__":
    main()
