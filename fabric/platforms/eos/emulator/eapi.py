"""Arista's eAPI: JSON-RPC `runCmds` over HTTPS.

Form and error codes: https://www.arista.com/en/um-eos/eos-programmability, and pyeapi's parser.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

INVALID_COMMAND = 1002
COULD_NOT_RUN = 1000
NOT_CONVERTED = 1003
PARSE_ERROR = -32700
METHOD_NOT_FOUND = -32601
INVALID_PARAMETERS = -32602

Run = Callable[[list[Any], str], list[dict[str, Any]]]


class CommandFailed(Exception):  # the field's word
    """One command of a request failed: its number from 0, what failed, and the answers before it."""

    def __init__(self, number: int, command: str, error: str, done: list[dict[str, Any]], code: int) -> None:
        self.number = number
        self.command = command
        self.error = error
        self.done = done
        self.code = code
        super().__init__(error)


REASONS = {
    INVALID_COMMAND: "invalid command",
    COULD_NOT_RUN: "could not run command",
    NOT_CONVERTED: "unconverted command",
}


def answer(body: bytes, run: Run) -> bytes:
    """The reply to a request body."""
    try:
        request = json.loads(body)
    except ValueError:
        return _error(None, PARSE_ERROR, "Parse error")
    if not isinstance(request, dict) or request.get("method") != "runCmds":
        return _error(None, METHOD_NOT_FOUND, "Method not found")
    number, parameters = request.get("id"), request.get("params")
    if not isinstance(parameters, dict) or not isinstance(parameters.get("cmds"), list):
        return _error(number, INVALID_PARAMETERS, "Invalid params")
    commands = parameters["cmds"]
    return _run(number, commands, parameters.get("format") or "json", run)


def _run(number: object, commands: list[Any], form: str, run: Run) -> bytes:
    try:
        result = run(commands, form)
    except CommandFailed as failed:
        where = f"CLI command {failed.number + 1} of {len(commands)} '{failed.command}'"
        data = [*failed.done, {"errors": [failed.error]}]
        return _error(number, failed.code, f"{where} failed: {REASONS[failed.code]}", data)
    return msgspec.json.encode({"jsonrpc": "2.0", "id": number, "result": result})


def _error(number: object, code: int, message: str, data: list[dict[str, Any]] | None = None) -> bytes:
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode()
