"""A site whose two subnet managers run on hosts of their own: real sshd, real OpenSM, simulated subnet."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from fabric import api
from fabric.api import Compiled
from fabric.deployment import Event, Pace, Result, Workplace
from fabric.deployment.permissions import needed
from fabric.devices.infiniband.model import Subnet
from fabric.devices.model import SubnetManager
from fabric.planning import Plan, save
from fabric.platforms.base import Target
from fabric.platforms.opensm.emulator import furnish
from fabric.platforms.opensm.session_tables import Tables, seen
from fabric.platforms.trust import Trust
from fabric.sandbox.ssh_server import SshServer
from tests.infiniband.simulator import Simulator, need_tools
from tests.infiniband.sites import SMALL, SMALL_HARDWARE
from tests.ports import free_port
from tests.programs import ANY, SEARCHED, needed_programs, run

MKEY, SAKEY = "0x7d1f00c0ffee4a11", "0x51a7b2c3d4e5f607"

QUICK = ("sminfo_polling_timeout 1000", "polling_retry_number 3")
FAST = Pace(revert_in_s=300, gate_timeout_s=60, gate_poll_s=0.2)
LED = ("LD_PRELOAD", "IBSIM_SOCKNAME", "SIM_HOST")


class Managed(msgspec.Struct):
    """The site, its hosts and its subnet."""

    folder: Path
    simulator: Simulator
    targets: dict[str, Target]
    work: Path
    events: list[Event] = msgspec.field(default_factory=list)
    """Of all applies."""

    @property
    def compiled(self) -> Compiled:
        """The site as its files say now."""
        return api.compile(self.folder)

    def place(self) -> Workplace:
        return Workplace(folder=self.folder, replaced=self.targets, stand_ins="sandbox", timeout_s=60)

    def edit(self, old: str, new: str) -> None:
        path = self.folder / "site.yaml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def plan(self) -> Plan:
        """Plan, and save the plan."""
        made, texts = api.plan(self.compiled, self.place(), adopt=True)
        saved = self.folder / "plan"
        shutil.rmtree(saved, ignore_errors=True)
        save(made, texts, saved)
        return made

    def apply(self, pace: Pace = FAST) -> Result:
        allow = tuple(needed(self.plan().changed))
        place, saved = self.place(), self.folder / "plan"
        return api.apply(saved, self.compiled, place, pace=pace, allow=allow, on_event=self.events.append)

    def host(self, manager: str, file: str = "") -> Path:
        return self.work / manager / file

    def partitions(self, manager: str) -> str:
        return self.host(manager, "etc/partitions.conf").read_text()

    def log(self, manager: str) -> str:
        """What OpenSM itself has logged."""
        return self.host(manager, "run/opensm.log").read_text(errors="replace")

    def history(self, manager: str) -> str:
        """What was done to the host's files."""
        return self.host(manager, "etc/.fabric/log").read_text()

    def tables(self) -> Tables:
        """The P_Key tables of the HCAs, by LID. A master that sweeps may not answer: then ask again."""
        for _ in range(5):
            found = seen(self._asked())
            if len(found) == len(self.subnet.ends):
                return found
        message = "the subnet administrator does not answer"
        raise TimeoutError(message)

    def _asked(self) -> str:
        command = (self.host("sm-1", "bin/saquery"), "--smkey", "x", "PKTR")
        return run(*command, input=f"{SAKEY}\n", start_new_session=True).stdout

    def table(self, lid: int) -> frozenset[int]:
        """The P_Keys of one port, asked of the port itself."""
        said = self.simulator.tool("smpquery", "pkeys", str(lid), "1", seconds=20)
        return frozenset(int(word, 16) for word in re.findall(r"0x[0-9a-f]{4}", said)) - {0}

    def pkeys(self, *hosts: str) -> set[frozenset[int]]:
        """The P_Keys of all ports of some hosts."""
        tables = self.tables()
        return {tables[end.lid] for end in self.subnet.ends if end.host in hosts}

    @property
    def subnet(self) -> Subnet:
        manager = self.compiled.devices["sm-1"]
        assert isinstance(manager, SubnetManager)
        return manager.subnet

    def plant(self, manager: str, program: str, text: str) -> None:
        """Put a program before the real one on a host's path."""
        path = self.host(manager, f"faults/{program}")
        path.write_text(text)
        path.chmod(0o755)

    def heal(self, manager: str) -> None:
        for path in self.host(manager, "faults").iterdir():
            path.unlink()

    def replaced(self, manager: str, **host: str) -> None:
        """The inventory says something else of a manager's host."""
        target = self.targets[manager]
        self.targets[manager] = msgspec.structs.replace(target, host={**target.host, **host})


@contextmanager
def managed(work: Path, text: str = SMALL.format(units=2)) -> Iterator[Managed]:
    """A small site with three tenants, its hosts fresh out of the box, OpenSM not even started."""
    need_tools()
    needed_programs("sshd", "ssh-keygen", "ssh-keyscan")
    folder = work / "site"
    for name, content in ({"site.yaml": text} | SMALL_HARDWARE).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    compiled = api.compile(folder)
    managers = {d.name: d for d in compiled.devices.values() if isinstance(d, SubnetManager)}
    with ExitStack() as stack:
        simulator = stack.enter_context(Simulator(managers["sm-1"].subnet, work / "ibsim"))
        targets = {name: _host(stack, simulator, manager, work) for name, manager in managers.items()}
        yield Managed(folder, simulator, targets, work)


def _host(stack: ExitStack, simulator: Simulator, manager: SubnetManager, work: Path) -> Target:
    folder = work / manager.name
    (folder / "faults").mkdir(parents=True)
    node = next(e.node_guid for e in manager.subnet.ends if e.port_guid == manager.port_guid)
    environment = {name: simulator.environment(node)[name] for name in LED}
    places = furnish(folder, manager.subnet, environment, QUICK)
    path = f"{folder / 'faults'}:{SEARCHED}"
    server = SshServer(folder / "ssh", "127.0.0.1", free_port(), {"PATH": path})
    stack.enter_context(server)
    stack.callback(run, folder / "bin/service", "stop", exits=ANY)  # 1: it does not run
    return Target(
        name=manager.name,
        address=server.address,
        port=server.port,
        username=server.user,
        password="",
        key_file=str(server.key_file),
        host=places,
        trust=Trust(known_hosts=str(server.known_hosts)),
    )
