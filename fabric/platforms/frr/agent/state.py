"""What the switch says of its ports and neighbours, as its programs print it."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from fabric.platforms.frr.agent.routing import asked
from fabric.platforms.frr.agent.system import Refused, first_line, run, where

NETWORK = Path("/sys/class/net")
COUNTERS = ("rx_bytes", "tx_bytes", "rx_errors", "rx_dropped", "tx_dropped")
NOT_PORTS = frozenset({"lo", "bonding_masters"})


def ports() -> dict[str, dict[str, Any]]:
    """By port: files of /sys/class/net, and what ethtool says where it is installed."""
    tool = where("ethtool")
    names = sorted(path.name for path in NETWORK.iterdir() if path.name not in NOT_PORTS)
    return {name: _port(name, tool) for name in names}


def _port(name: str, tool: str) -> dict[str, Any]:
    folder = NETWORK / name
    port: dict[str, Any] = {
        key: _text(folder / key) for key in ("operstate", "carrier", "speed", "mtu", "ifalias")
    }
    port["counters"] = {key: int(_text(folder / "statistics" / key) or 0) for key in COUNTERS}
    if tool and (folder / "device").exists():
        port["ethtool"] = run(tool, "-S", name).stdout
        port["fec"] = run(tool, "--show-fec", name).stdout
    return port


def queues() -> dict[str, dict[str, str]]:
    """By port: what `dcb` and `tc` print of it; empty where its driver knows none of it."""
    asked = {
        "pfc": ("dcb", "-j", "pfc", "show", "dev"),
        "app": ("dcb", "-j", "-N", "app", "show", "dev"),
        "qdisc": ("tc", "-j", "-d", "qdisc", "show", "dev"),
    }
    names = sorted(path.name for path in NETWORK.iterdir() if path.name not in NOT_PORTS)
    return {name: {key: _printed(*words, name) for key, words in asked.items()} for name in names}


def _printed(program: str, *words: str) -> str:
    tool = where(program)
    done = run(tool, *words) if tool else None
    return done.stdout if done is not None and done.returncode == 0 else ""


def _text(file: Path) -> str:
    with suppress(OSError):
        return file.read_text(errors="replace").strip()
    return ""


def lldp() -> str:
    """`lldpcli show neighbors`; empty where there is no lldpd."""
    tool = where("lldpcli")
    if not tool:
        return ""
    done = run(tool, "-f", "json0", "show", "neighbors")
    return done.stdout if done.returncode == 0 else ""


def facts() -> dict[str, Any]:
    """Host name, time since the start, and the board's name where there is one."""
    board = Path("/sys/class/dmi/id")
    return {
        "hostname": os.uname().nodename,
        "uptime": float(Path("/proc/uptime").read_text().split()[0]),
        "model": _text(board / "product_name"),
        "serial": _text(board / "product_serial"),
        "ports": sorted(path.name for path in NETWORK.iterdir() if path.name not in NOT_PORTS),
    }


def shown(commands: list[str]) -> list[str]:
    """What vtysh prints for each command; an error if FRR does not know it, or its daemon is dead.

    Commands whose answers are JSON share one start of vtysh, which costs more than they do.
    """
    if len(commands) > 1 and all(command.endswith(" json") for command in commands):
        done = asked(*commands)
        answers = _objects(done.stdout)
        if not done.returncode and len(answers) == len(commands):
            return answers
    return [_shown(command) for command in commands]


def _shown(command: str) -> str:
    done = asked(command)
    if done.returncode:
        raise Refused("command", f"{command}: {first_line([done.stderr, done.stdout])}")
    return done.stdout


def _objects(text: str) -> list[str]:
    """Texts of JSON objects that stand one behind another; none if something else is among them."""
    answers: list[str] = []
    rest = text.lstrip()
    while rest:
        try:
            value, end = json.JSONDecoder().raw_decode(rest)
        except ValueError:
            return []
        if not isinstance(value, dict):
            return []
        answers.append(rest[:end])
        rest = rest[end:].lstrip()
    return answers
