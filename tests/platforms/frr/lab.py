"""Real FRR in network namespaces: one for each switch, a veth for each cable. Ends what it started, by process id."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from fabric.devices.model import Switch

DAEMONS = Path("/usr/lib/frr")
SYSCTLS = {
    "ipv4/ip_forward": 1,
    "ipv6/conf/all/forwarding": 1,
    "ipv4/fib_multipath_hash_policy": 1,
    "ipv6/conf/default/accept_dad": 0,
    "ipv6/conf/all/accept_dad": 0,
    "ipv4/conf/all/ignore_routes_with_linkdown": 1,
    "ipv4/conf/default/ignore_routes_with_linkdown": 1,
}


def missing() -> str:
    """What a lab lacks here; empty if nothing."""
    if not (DAEMONS / "bgpd").exists() or shutil.which("vtysh") is None:
        return "FRR"
    if shutil.which("ip") is None:
        return "iproute2"
    return "" if os.getuid() == 0 else "root"


class Lab:
    """Switches as processes. A context manager."""

    def __init__(self, switches: Mapping[str, Switch], configs: Mapping[str, str]) -> None:
        self.switches, self.configs = switches, configs
        self.folder = Path(tempfile.mkdtemp(prefix="fabric-frr-"))
        self.folder.chmod(0o755)
        self.prefix = f"ff{os.getpid() % 100000}-"
        self.started: list[subprocess.Popen[bytes]] = []
        self.namespaces: dict[str, str] = {}
        self.holders: dict[str, int] = {}

    def __enter__(self) -> Self:
        try:
            for name in self.switches:
                self._namespace(name)
            self._wire()
            with ThreadPoolExecutor(8) as many:
                list(many.map(self._start, self.switches))
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process that was started; the namespaces go with their last one."""
        for process in self.started:
            process.kill()
        for process in self.started:
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, name: str, *command: str, stdin: str | None = None) -> str:
        """The output of a command inside a switch."""
        inside = ["nsenter", f"--target={self.holders[name]}", "--net", "--uts", *command]
        done = subprocess.run(inside, input=stdin, capture_output=True, text=True, check=False, timeout=30)
        return done.stdout + done.stderr

    def vtysh(self, name: str, *commands: str) -> str:
        """What FRR answers."""
        place = str(self.folder / name)
        words = [word for command in commands for word in ("-c", command)]
        return self.run(name, "vtysh", "--vty_socket", place, "--config_dir", place, *words)

    def sessions(self, name: str) -> dict[str, str]:
        """State of each session by neighbour."""
        found: dict[str, str] = {}
        for family in ("ipv4", "ipv6"):
            said = json.loads(self.vtysh(name, f"show bgp {family} unicast summary json") or "{}")
            found |= {peer: one["state"] for peer, one in said.get("peers", {}).items()}
        return found

    def routes(self, name: str, family: int = 4) -> dict[str, int]:
        """Destinations of BGP in the kernel's own table, with the number of paths."""
        said = json.loads(self.run(name, "ip", f"-{family}", "-j", "route", "show", "proto", "bgp") or "[]")
        found: dict[str, int] = {}
        for one in said:
            if one.get("type") != "blackhole":
                target = one["dst"] if "/" in one["dst"] else f"{one['dst']}/{32 if family == 4 else 128}"
                found[target] = found.get(target, 0) + len(one.get("nexthops", [1]))
        return found

    def fail(self, name: str, port: str) -> None:
        """Take a cable out."""
        self.run(name, "ip", "link", "set", port, "down")

    def wait(self, done: Callable[[], bool], limit_s: float = 25) -> bool:
        """Ask until `done` says yes; whether it did."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            if done():
                return True
            time.sleep(0.2)
        return False

    def _namespace(self, name: str) -> None:
        """A process that does nothing holds the namespaces of a switch."""
        holder = subprocess.Popen(["unshare", "--net", "--uts", "sleep", "600"])
        self.started.append(holder)
        self.holders[name] = holder.pid
        while any(_space("self", kind) == _space(holder.pid, kind) for kind in ("net", "uts")):
            time.sleep(0.005)
        script = "".join(f"echo {v} > /proc/sys/net/{k};" for k, v in SYSCTLS.items())
        self.run(name, "sh", "-c", f"{script} hostname {name}; ip link set lo up")

    def _wire(self) -> None:
        lines = []
        for name, switch in self.switches.items():
            here = self.holders[name]
            for port in switch.ports:
                peer = self.holders.get(port.peer)
                if peer is not None and (name, port.name) < (port.peer, port.peer_port):
                    ends = f"netns {here} type veth peer name {port.peer_port} netns {peer}"
                    lines.append(f"link add {port.name} {ends}")
                elif peer is None and port.addresses:
                    ends = f"netns {here} type veth peer name host-{port.name} netns {here}"
                    lines.append(f"link add {port.name} {ends}")
        subprocess.run(["ip", "-batch", "-"], input="\n".join(lines), text=True, check=True)
        for name, switch in self.switches.items():
            self.run(name, "ip", "-batch", "-", stdin="\n".join(_up(switch, self.holders)))

    def _start(self, name: str) -> None:
        place = self.folder / name
        place.mkdir()
        (place / "frr.conf").write_text(self.configs[name])
        (place / "vtysh.conf").write_text("")
        user = pwd.getpwnam("frr")
        os.chown(place, user.pw_uid, user.pw_gid)
        for daemon in ("zebra", "bgpd", "bfdd"):
            own = {"bgpd": ["-P", "0"], "bfdd": ["--bfdctl", f"{place}/bfdd.sock"]}.get(daemon, [])
            command = [
                *("nsenter", f"--target={self.holders[name]}", "--net", "--uts"),
                *(f"{DAEMONS}/{daemon}", "-u", "frr", "-g", "frr", "-f", "/dev/null"),
                *(
                    "-i",
                    f"{place}/{daemon}.pid",
                    "-z",
                    f"{place}/zserv.api",
                    "--vty_socket",
                    str(place),
                    *own,
                ),
            ]
            quiet = subprocess.DEVNULL
            self.started.append(subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet))
            assert self.wait((place / f"{daemon}.vty").exists, 15), f"{daemon} of {name} does not start"
        self.run(name, "vtysh", "--vty_socket", str(place), "--config_dir", str(place), "-b")


def _space(process: int | str, kind: str) -> Path:
    """The namespace that a process is in."""
    return Path(f"/proc/{process}/ns/{kind}").readlink()


def _up(switch: Switch, known: Mapping[str, int]) -> Iterable[str]:
    for address in switch.loopbacks:
        yield f"addr add {address} dev lo"
    for port in switch.ports:
        if port.peer not in known and not port.addresses:
            continue
        yield from (f"addr add {address} dev {port.name}" for address in port.addresses)
        if port.peer not in known:
            yield f"link set host-{port.name} up"
        yield f"link set {port.name} up"
