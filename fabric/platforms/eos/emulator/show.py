"""`show` commands, in the shapes of EOS's JSON and text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fabric.platforms.eos.emulator import show_bgp, show_counters, show_queues, show_system
from fabric.platforms.eos.emulator.device import EosSwitch
from fabric.platforms.eos.emulator.grammar import CliError, refuse
from fabric.platforms.eos.emulator.store import text

Answer = dict[str, Any]


class NotConverted(CliError):
    """A command that answers in text only, or in JSON only."""


JSON: dict[str, Callable[[EosSwitch], Answer]] = {
    "show version": show_system.version,
    "show hostname": show_system.hostname,
    "show interfaces": show_system.interfaces,
    "show interfaces status": show_system.interfaces_status,
    "show interfaces error-correction": show_counters.error_correction,
    "show priority-flow-control counters": show_counters.priority_flow_control,
    "show qos interfaces ecn counters queue": show_counters.marked,
    "show lldp neighbors": show_system.lldp_neighbors,
    "show lldp neighbors detail": show_system.lldp_neighbors_detail,
    "show configuration sessions": show_system.sessions,
    "show configuration sessions detail": show_system.sessions_detail,
    "show management api http-commands": show_system.api_http,
    "show ip bgp summary vrf all": show_bgp.summary4,
    "show ipv6 bgp summary vrf all": show_bgp.summary6,
    "show ip bgp neighbors vrf all": show_bgp.neighbors4,
    "show ipv6 bgp peers vrf all": show_bgp.neighbors6,
    "show ip route bgp": show_bgp.routes4,
    "show ipv6 route bgp": show_bgp.routes6,
    "show ip bgp summary": lambda device: show_bgp.default_only(show_bgp.summary4(device)),
    "show ipv6 bgp summary": lambda device: show_bgp.default_only(show_bgp.summary6(device)),
}

SESSION = re.compile(r"show session-config named (\S+)( diffs)?\Z")


def answer(device: EosSwitch, line: str, form: str) -> Answer:
    """What a `show` command answers. `CliError` if there is no such command."""
    command, pipe, after_pipe = line.partition(" | ")
    if pipe:
        form = "json" if after_pipe == "json" else form
    show = JSON.get(command)
    if show is not None:
        shown = show(device)
        return {"output": show_system.printed(command, shown)} if form == "text" else shown
    written = _text(device, command)
    if form != "text":
        message = "Command cannot be converted to JSON"
        raise NotConverted(message)
    return {"output": written}


def _text(device: EosSwitch, command: str) -> str:
    store = device.store
    if command in {"show running-config", "show running-config all"}:
        return f"! Command: {command}\n{device.banner()}!\n{text(store.running)}!\nend\n"
    if command == "show qos interfaces":
        return show_queues.interfaces(device)
    if command == "show startup-config":
        return f"! Command: {command}\n{device.banner()}!\n{text(store.startup)}!\nend\n"
    match = SESSION.match(command)
    if match is None:
        raise refuse(command.split(), 1)
    if match[2]:
        return store.diffs(match[1])
    return f"! Command: {command}\n{device.banner()}!\n{text(store.named(match[1]).config)}!\nend\n"
