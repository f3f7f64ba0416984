"""JSON-RPC as SR Linux speaks it: a request is carried out as a whole, or answered with an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from fabric.platforms.emulation import strikes
from fabric.platforms.srlinux.emulator.commands import CommandLine, difference
from fabric.platforms.srlinux.emulator.errors import RpcError
from fabric.platforms.srlinux.emulator.operations import operate
from fabric.platforms.srlinux.emulator.paths import at, changed, parsed
from fabric.platforms.srlinux.emulator.state import state
from fabric.platforms.srlinux.emulator.switch import SrlinuxSwitch

Tree = dict[str, Any]
PARSE_ERROR, FAILED = -32700, -1
VERSION = "/system/information/version"
"""What a driver asks for first: with it a login is tried."""
TOP = frozenset(
    {"acl", "bfd", "interface", "network-instance", "platform", "qos", "routing-policy", "system"}
)
"""Containers and lists at the top that are known here."""


def answer(switch: SrlinuxSwitch, username: str, body: bytes) -> bytes:
    """The answer to one request."""
    try:
        request = json.loads(body)
    except (ValueError, RecursionError):
        return _wrapped({"error": {"code": PARSE_ERROR, "message": "Parse error"}}, None)
    if not isinstance(request, dict) or request.get("jsonrpc") != "2.0" or "id" not in request:
        return _wrapped({"error": {"code": FAILED, "message": "Invalid request"}}, None)
    method, params = METHODS.get(str(request.get("method"))), request.get("params")
    if method is None or not isinstance(params, dict) or not isinstance(params.get("commands"), list):
        return _wrapped({"error": {"code": FAILED, "message": "Invalid method or params"}}, request["id"])
    try:
        content: Tree = {"result": method(switch, username, params)}
    except RpcError as error:
        content = {"error": {"code": FAILED, "message": str(error)}}
    return _wrapped(content, request["id"])


def _wrapped(content: Mapping[str, Any], number: Any) -> bytes:
    return json.dumps({**content, "id": number, "jsonrpc": "2.0"}).encode()


def _get(switch: SrlinuxSwitch, _username: str, params: Tree) -> list[Any]:
    first = params["commands"][0].get("path") if params["commands"] else ""
    with strikes(switch, "login" if first == VERSION else "read"):
        answers = []
        for command in params["commands"]:
            store = str(command.get("datastore") or params.get("datastore") or "running")
            steps = parsed(str(command.get("path", "")))
            if steps and steps[0].name not in TOP:
                message = f"Path not valid - unknown element '{steps[0].name}'. Options are [{', '.join(sorted(TOP))}]"
                raise RpcError(message)
            answers.append(at(_datastore(switch, store, {step.name for step in steps[:1]}), steps))
        return answers


def _datastore(switch: SrlinuxSwitch, name: str, tops: Collection[str]) -> Tree:
    if name in ("running", "candidate"):
        return switch.store.running
    if name == "state":
        return state(switch, tops)
    message = f"Datastore '{name}' cannot be read"
    raise RpcError(message)


def _tree(switch: SrlinuxSwitch, params: Tree) -> Tree:
    """What a request would have run."""
    tree = switch.store.running
    for command in params["commands"]:
        if (store := command.get("datastore") or params.get("datastore") or "candidate") != "candidate":
            message = f"Datastore '{store}' cannot be changed"
            raise RpcError(message)
        tree = changed(tree, str(command.get("action")), str(command.get("path", "")), command.get("value"))
    return tree


def _set(switch: SrlinuxSwitch, username: str, params: Tree) -> list[Any]:
    stores = {command.get("datastore") or params.get("datastore") for command in params["commands"]}
    if stores == {"tools"}:
        for command in params["commands"]:
            operate(switch, username, command)
        return [{}]
    with strikes(switch, "commit"):
        configured = switch.store.setting("/system/json-rpc-server/commit-confirmed-timeout", 0)
        switch.store.commit(
            _tree(switch, params), username, params.get("confirm-timeout", configured or None)
        )
    return [{}]


def _validate(switch: SrlinuxSwitch, _username: str, params: Tree) -> list[Any]:
    with strikes(switch, "load"):
        switch.store.check(_tree(switch, params))
    return [{}]


def _diff(switch: SrlinuxSwitch, _username: str, params: Tree) -> list[Any]:
    with strikes(switch, "compare"):
        text = difference(switch.store.running, _tree(switch, params))
    return [{"text": text}] if text else []


def _cli(switch: SrlinuxSwitch, username: str, params: Tree) -> list[Any]:
    line = CommandLine(switch, username)
    return [{"text": text} if (text := line.run(str(command))) else {} for command in params["commands"]]


METHODS: dict[str, Callable[[SrlinuxSwitch, str, Tree], list[Any]]] = {
    "get": _get,
    "set": _set,
    "validate": _validate,
    "diff": _diff,
    "cli": _cli,
}
