"""The sandbox's control channel: one JSON line asks, one answers, over a socket that only its owner may open."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from fabric.decoding import convert, from_json
from fabric.diagnostics import FabricError, Refused
from fabric.documents.suggest import nearest_first
from fabric.platforms.emulation import Emulated, Faults, PortFault
from fabric.sandbox.emulated_network import Growth
from fabric.sandbox.host_faults import SUPPORTED, HostFaults
from fabric.sandbox.sandbox import Sandbox

TIMEOUT_S = 30
UPDATE_TIMEOUT_S = 600
"""For thousands of devices that are switched on."""
MAX_LINE_BYTES = 256 * 1024 * 1024
"""Of a request with the devices of a large site."""
EVERY = "*"
"""In place of a name: all devices."""


NOT_OF_MANAGERS = (
    "{names}: hosts of subnet managers are real (sshd and the product itself), and know faults only"
)


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked: `faults`, `set`, `clear`, `drift`, `reboot`, `running`, or `advance` or `update` for all."""

    action: str
    device: str = EVERY
    faults: dict[str, Any] = {}
    lines: tuple[str, ...] = ()
    seconds: float = 0.0
    devices: tuple[Emulated, ...] = ()
    """Of `update`: those that there shall be."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What is answered: an error for people, or a result by device."""

    error: str = ""
    devices: dict[str, Any] = {}
    growth: Growth = Growth()


def fault_names() -> tuple[str, ...]:
    """Every fault that can be set."""
    return tuple(field.name for field in msgspec.structs.fields(Faults))


def _unusual(fault: PortFault) -> dict[str, Any]:
    """What of a port's fault is set."""
    usual = msgspec.structs.asdict(PortFault())
    return {name: value for name, value in msgspec.structs.asdict(fault).items() if value != usual[name]}


class Control:
    """Carries out requests on a running sandbox, in the sandbox's own thread."""

    def __init__(
        self,
        sandbox: Sandbox,
        update: Callable[[tuple[Emulated, ...]], Growth] | None = None,
        managers: Mapping[str, HostFaults] | None = None,
    ) -> None:
        self._sandbox = sandbox
        self._managers = managers or {}
        self._update = update or sandbox.update
        self._actions: Mapping[str, Callable[[str, Request], Any]] = {
            "faults": self._faults,
            "set": self._set,
            "clear": self._clear,
            "drift": self._drift,
            "reboot": self._reboot,
            "running": self._running,
        }

    async def serve(self, path: Path) -> asyncio.Server:
        """Listen at `path`."""
        # Its folder is its owner's alone.
        return await asyncio.start_unix_server(self._connected, path, limit=MAX_LINE_BYTES)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        writer.write(msgspec.json.encode(self.answer(line)) + b"\n")
        await writer.drain()
        writer.close()

    def answer(self, line: bytes) -> Reply:
        """The reply to one line."""
        try:
            request = from_json(line, Request)
            return self._act(request)
        except (msgspec.MsgspecError, FabricError, ValueError) as error:
            return Reply(error=str(error))

    def _act(self, request: Request) -> Reply:
        if request.action == "advance":
            self._sandbox.advance(request.seconds)
            return Reply()
        if request.action == "update":
            return Reply(growth=self._update(request.devices))
        action = self._actions.get(request.action)
        names = self._names(request)
        if action is None:
            message = f"unknown action {request.action!r}"
            raise Refused(message)
        for name in names:
            if name not in self._sandbox.network and name not in self._managers:
                message = f"the sandbox has no device {name!r}"
                raise Refused(message)
        if request.faults.get("ports"):
            names = self._with_ports(names, frozenset(request.faults["ports"]) - {EVERY})
        return Reply(devices={name: action(name, request) for name in names})

    def _with_ports(self, names: list[str], ports: frozenset[str]) -> list[str]:
        """Of several devices those that have a cable at all of these ports. `Refused` if none has."""
        known = {name: self._sandbox.network.wires(name) for name in names if name not in self._managers}
        having = [name for name, wires in known.items() if ports <= wires.keys()]
        if known and ports and not having:
            who = names[0] if len(names) == 1 else "no device"
            there = {port for wires in known.values() for port in wires}
            missing = min(ports - there, default=min(ports))
            verb = "has no cable at" if len(names) == 1 else "has a cable at"
            message = f"{who} {verb} port {missing!r}; known: {nearest_first(missing, sorted(there))}"
            raise Refused(message)
        return having if known and ports else names

    def _names(self, request: Request) -> list[str]:
        """The devices that are meant: all are those that can do what is asked."""
        of_hosts = request.action in ("faults", "set", "clear")
        if request.device != EVERY:
            if request.device in self._managers and not of_hosts:
                raise Refused(NOT_OF_MANAGERS.format(names=request.device))
            return [request.device]
        names = [*self._sandbox.network]
        if of_hosts and (not names or request.faults.keys() <= SUPPORTED):
            names += self._managers
        elif not names and self._managers:
            raise Refused(NOT_OF_MANAGERS.format(names=", ".join(sorted(self._managers))))
        return names

    def _faults(self, name: str, _request: Request) -> dict[str, Any]:
        """The faults that are set."""
        if name in self._managers:
            return self._managers[name].now()
        usual = msgspec.structs.asdict(Faults())
        now = msgspec.structs.asdict(self._sandbox.network[name].faults)
        changed = {fault: value for fault, value in now.items() if value != usual[fault]}
        if "ports" in changed:
            changed["ports"] = {port: _unusual(fault) for port, fault in changed["ports"].items()}
        return changed

    def _set(self, name: str, request: Request) -> dict[str, Any]:
        checked = convert(request.faults, Faults, strict=False)
        unknown = sorted(set(request.faults) - set(fault_names()))
        if unknown:
            message = f"unknown fault {unknown[0]!r}; known: {', '.join(fault_names())}"
            raise Refused(message)
        if name in self._managers:
            self._managers[name].set(checked, frozenset(request.faults))
            return self._faults(name, request)
        checked.ports = {**self._sandbox.network[name].faults.ports, **checked.ports}
        self._sandbox.set_faults(name, **{fault: getattr(checked, fault) for fault in request.faults})
        return self._faults(name, request)

    def _clear(self, name: str, request: Request) -> dict[str, Any]:
        if name in self._managers:
            self._managers[name].clear()
            return {}
        self._sandbox.clear_faults(name)
        return self._faults(name, request)

    def _drift(self, name: str, request: Request) -> str:
        self._sandbox.drift(name, *request.lines)
        return "typed"

    def _reboot(self, name: str, _request: Request) -> str:
        self._sandbox.reboot(name)
        return "rebooted"

    def _running(self, name: str, _request: Request) -> str:
        return self._sandbox.running_config(name)


def ask(path: Path, request: Request, timeout_s: int = TIMEOUT_S) -> Reply:
    """Ask a running sandbox. `Refused` if it rejects the request; `OSError` if none is running."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(timeout_s)
        client.connect(str(path))
        client.sendall(msgspec.json.encode(request) + b"\n")
        with client.makefile("rb") as answer:
            reply = from_json(answer.readline(), Reply)
    if reply.error:
        raise Refused(reply.error)
    return reply
