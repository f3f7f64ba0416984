"""Real FRR in boxes: namespaces of network, host name, files and processes for each switch, a veth for each cable.

FRR runs at its own paths (`/etc/frr`, `/run/frr` are the box's), so the stock vtysh and frr-reload.py work. A box is
held by its first process: when that ends, the kernel ends everything in it. Nothing has a name outside, so that labs
do not see each other.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from fabric.devices.hosts.model import Host
from fabric.devices.model import Switch
from fabric.platforms.frr.names import vlan_name
from tests.programs import Exits, needed_programs, needed_root, path_of, resolved, run, start
from tests.waiting import PATIENCE_S, until

PROGRAMS = (
    "bgpd",
    "bfdd",
    "staticd",
    "zebra",
    "vtysh",
    "frr-reload.py",
    "ip",
    "ss",
    "tc",
    "sysctl",
    "nsenter",
    "unshare",
)
LONGEST_S = 3600
"""Then a box ends by itself."""
SETUP = (
    "for d in /var/tmp /etc/frr /run/frr; do mount -t tmpfs -o mode=755 tmpfs $d; done; chown frr:frr /run/frr;"
    "hostname $0; ip link set lo up; touch /run/frr/ready; exec sleep "
)
START = (
    ". /etc/frr/daemons; d=/usr/lib/frr;"
    '$d/zebra -d -F "$frr_profile" $zebra_options && $d/bgpd -d -F "$frr_profile" $bgpd_options &&'
    '$d/staticd -d -F "$frr_profile" $staticd_options &&'
    '{ [ "${bfdd:-no}" = no ] || $d/bfdd -d -F "$frr_profile" $bfdd_options; } && vtysh -b'
)
"""As FRR's own init script does, from the same file."""
QUICK = "net.ipv6.conf.all.accept_dad = 0\nnet.ipv6.conf.default.accept_dad = 0\nnet.ipv4.conf.all.rp_filter = 0\n"
"""Link-local addresses at once."""


def needed_lab() -> None:
    """Skip, by name, where something is missing that a lab takes."""
    needed_programs(*PROGRAMS)
    needed_root()


class Box:
    """A machine of its own, as far as the kernel goes. Its files are those of the system outside of FRR's folders."""

    def __init__(self, host_name: str, shell: str = "sh", setup: str = f"{SETUP}{LONGEST_S}") -> None:
        inner = [path_of("unshare"), "--net", "--uts", "--mount", "--pid", "--fork", "--kill-child"]
        command = ["setpriv", "--pdeathsig", "KILL", *inner, shell, "-c", setup, host_name]
        self.holder = start(*command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        children = Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children")
        self._until(lambda: children.read_text().split())
        self.pid = int(children.read_text())
        self.root = Path(f"/proc/{self.pid}/root")
        self._until((self.root / "run/frr/ready").exists)

    def run(self, command: str, *words: str, stdin: str | None = None, exits: Exits = 0) -> str:
        """What a command inside says, which must end as expected."""
        inside = ["nsenter", f"--target={self.pid}", "--net", "--uts", "--mount", "--pid", "--root", "--wd"]
        done = run(*inside, resolved(command), *words, input=stdin, exits=exits)
        return done.stdout + done.stderr

    def batch(self, lines: Iterable[str], *options: str) -> None:
        """Commands of `ip`, all of which must work."""
        said = self.run("ip", *options, "-batch", "-", stdin="\n".join(lines))
        assert not said, said

    def write(self, path: str, text: str) -> None:
        """A file of the box. Its folder may be that of a program which this machine does not have."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def close(self) -> None:
        """End its first process, and with it all others."""
        os.kill(self.holder.pid, signal.SIGKILL)
        self.holder.wait()

    def _until(self, done: Callable[[], object]) -> None:
        def there() -> bool:
            assert self.holder.poll() is None, "a box does not start"
            return bool(done())

        until(there, PATIENCE_S, "a box")


class Lab:
    """Switches and hosts as boxes; the `untold` ones find their addresses themselves. A context manager."""

    def __init__(
        self,
        switches: Mapping[str, Switch],
        files: Mapping[str, Mapping[str, str]],
        hosts: Iterable[Host] = (),
        untold: Iterable[str] = (),
    ) -> None:
        self.switches, self.files, self.untold = switches, files, tuple(untold)
        self.hosts = {host.name: host for host in hosts}
        self.boxes: dict[str, Box] = {}
        self.dead: set[tuple[str, str]] = set()
        """Ends of cables that were taken out: switch and port."""

    def __enter__(self) -> Self:
        try:
            for name, device in (*self.switches.items(), *self.hosts.items()):
                self.boxes[name] = Box(device.name)
            for name in self.untold:
                self.boxes[name] = Box(name)
                self.boxes[name].run("sysctl", "-q", "-p", "-", stdin=QUICK)
            run("ip", "-batch", "-", input="\n".join(self._cables()))
            with ThreadPoolExecutor(4) as many:
                list(many.map(self._start, self.switches))
                list(many.map(self._attach, self.hosts.values()))
                list(many.map(self._plug, self.untold))
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End every box."""
        for box in self.boxes.values():
            box.close()

    def vtysh(self, name: str, *commands: str) -> str:
        """What FRR answers."""
        words = [word for command in commands for word in ("-c", command)]
        return self.boxes[name].run("vtysh", *words)

    def asked(self, name: str, command: str) -> dict:
        """What BGP answers in JSON."""
        return json.loads(self.boxes[name].run("vtysh", "-d", "bgpd", "-c", command) or "{}")

    def sessions(self, name: str) -> dict[str, str]:
        """State of each session by neighbour."""
        found: dict[str, str] = {}
        for families in self.asked(name, "show bgp summary json").values():
            found |= {peer: one["state"] for peer, one in families.get("peers", {}).items()}
        return found

    def routes(self, name: str, version: int) -> dict[str, set[str]]:
        """Destinations of BGP in the kernel's own table, with the interfaces of their paths."""
        said = self.boxes[name].run("ip", f"-{version}", "-j", "route", "show", "proto", "bgp")
        found: dict[str, set[str]] = {}
        for one in json.loads(said or "[]"):
            if one.get("type") != "blackhole":
                target = {"default": "0.0.0.0/0" if version == 4 else "::/0"}.get(one["dst"], one["dst"])
                target += "" if "/" in target else f"/{32 if version == 4 else 128}"
                hops = one.get("nexthops") or [one]
                found.setdefault(target, set()).update(hop["dev"] for hop in hops)
        return found

    def paths(self, name: str, version: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Every prefix and AS path that BGP has heard of, chosen or not."""
        said = self.asked(name, f"show bgp ipv{version} unicast json")
        for prefix, entries in said.get("routes", {}).items():
            for entry in entries:
                yield prefix, tuple(int(asn) for asn in entry["path"].split())

    def fail(self, name: str, port: str) -> None:
        """Take a cable out."""
        peer = next(one for one in self.switches[name].ports if one.name == port)
        self.dead |= {(name, port), (peer.peer, peer.peer_port)}
        self.boxes[name].batch([f"link set {port} down"])

    def wait(self, done: Callable[[], bool], limit_s: float = PATIENCE_S) -> bool:
        """Ask until `done` says yes; whether it did."""
        try:
            until(done, limit_s, "the laboratory")
        except TimeoutError:
            return False
        return True

    def _cables(self) -> Iterator[str]:
        for name, switch in self.switches.items():
            here = self.boxes[name].pid
            for port in switch.ports:
                peer = self.boxes.get(port.peer)
                if peer and (
                    port.peer not in self.switches or (name, port.name) < (port.peer, port.peer_port)
                ):
                    ends = f"netns {here} type veth peer name {port.peer_port} netns {peer.pid}"
                    yield f"link add {port.name} {ends}"

    def _start(self, name: str) -> None:
        box, switch = self.boxes[name], self.switches[name]
        for file in ("frr.conf", "daemons", "vtysh.conf"):
            box.write(f"etc/frr/{file}", self.files[name][file])
        settings = self.files[name]["sysctl.conf"] + QUICK
        assert not (said := box.run("sysctl", "-q", "-p", "-", stdin=settings)), said
        box.batch(self._up(switch))
        said = box.run("sh", "-c", START)
        assert (box.root / "run/frr/bgpd.vty").exists(), said

    def _up(self, switch: Switch) -> Iterator[str]:
        yield from (f"addr add {address} dev lo" for address in switch.loopbacks)
        for port in switch.ports:
            if port.peer in self.boxes:
                yield from (f"addr add {address} dev {port.name}" for address in port.addresses)
                yield f"link set {port.name} up mtu {port.ip_mtu_bytes}"

        yield from self._vlans(switch)

    def _vlans(self, switch: Switch) -> Iterator[str]:
        """A bridge for each VLAN, with its gateway: the kernel of a laboratory often has no VLAN filter."""
        for gateway in switch.gateways:
            name = vlan_name(gateway.vlan)
            yield f"link add {name} type bridge stp_state 0"
            for port in switch.ports:
                if port.vlan == gateway.vlan and port.peer in self.boxes:
                    yield f"link set {port.name} master {name}"
            yield from (f"addr add {address} dev {name}" for address in gateway.addresses)
            yield f"link set {name} up"

    def _plug(self, name: str) -> None:
        """A host that is told nothing."""
        self.boxes[name].batch(f"link set {port} up" for port in self._ports(name))

    def _ports(self, host: str) -> list[str]:
        return [port.peer_port for one in self.switches.values() for port in one.ports if port.peer == host]

    def _attach(self, host: Host) -> None:
        """A routing table for each NIC port, chosen by the source address."""
        box = self.boxes[host.name]
        box.run("sysctl", "-q", "-p", "-", stdin=QUICK)
        for table, port in enumerate(host.ports, start=1):
            name = next(one.peer_port for one in self.switches[port.peer].ports if one.name == port.peer_port)
            box.batch([f"link set {name} up mtu {port.ip_mtu_bytes}"])
            for address, gateway in zip(port.addresses, port.gateways, strict=True):
                source = str(address).partition("/")[0]
                lines = [
                    f"addr add {address} dev {name}",
                    f"rule add from {source} table {table}",
                    f"route add default via {gateway} dev {name} table {table}",
                ]
                box.batch(lines, f"-{address.version}")
