"""What the contract of drivers needs to know of FRR on Linux: a real switch in a box, its clock a real one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from tests.platforms.frr import sites
from tests.platforms.frr.lab import needed_lab
from tests.platforms.frr.switches import PROGRAMS, SwitchBox, text_of
from tests.programs import needed_programs

PASSWORD = "L0GIN-of-the-bench"
HASH = "$6$benchbench$.3NiJoklpPBwrisv3UB2qC.HkaJjdKLosqRxT0FdDyqWnDTOBSX.3umG7Bmpw1E5mCp5MhcLSvtRXMmNGjGut/"
"""Of the password, by `openssl passwd -6`."""
LINE = "ip prefix-list PL-LOOPBACKS seq 10 "
ANOTHER = "ip prefix-list PL-LOOPBACKS seq 20 permit 192.0.2.77/32\n"


class FrrBench:
    """One leaf; its neighbours are not there."""

    platform = "frr"
    is_virtual = False

    def __init__(self, box: SwitchBox) -> None:
        self.box = box
        self.target = msgspec.structs.replace(box.target, password=PASSWORD, key_file="", timeout_s=30)
        first = text_of(box.files)
        second = first.replace(LINE, f"{ANOTHER}{LINE}")
        self.texts = (first, second)
        self.refused = second.replace(
            "route-map RM-TO-ABOVE permit 20\n", "route-map RM-TO-ABOVE permit many\n"
        )
        assert len({first, second, self.refused}) == 3
        box.run("sed", "-i", f"s#^root:[^:]*:#root:{HASH}:#", "/etc/shadow")

    def running(self) -> str:
        """As FRR prints it on the console, and the files beside it."""
        return text_of(self.box.files | {"frr.conf": self.box.vtysh("show running-config")})

    def type_in(self) -> None:
        """Somebody adds a line in vtysh."""
        self.box.vtysh("configure terminal", "ip prefix-list TYPED seq 5 permit 203.0.113.0/24")

    def faults(self, **faults: object) -> None:
        """Make them on the switch; those that are not named here end."""
        for name, (begin, end) in self._faults().items():
            (begin if faults.pop(name, None) else end)()
        assert not faults, f"no such fault of a real switch: {', '.join(faults)}"

    def pass_time(self, seconds: float) -> None:
        """Wait: the clock of the switch is this machine's."""
        time.sleep(seconds)

    def reboot(self) -> None:
        """End all processes and start from the disk."""
        self.box.reboot()

    def drop_connections(self) -> None:
        """A candidate stands on the switch's disk, whoever is connected."""

    def _faults(self) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
        box = self.box
        return {
            "refuse": (lambda: box.signal("sshd", "KILL"), box.listen),
            "hang": (lambda: box.signal("sshd", "STOP"), lambda: box.signal("sshd", "CONT")),
            "fail_commit": (lambda: box.signal("bgpd", "STOP"), lambda: box.signal("bgpd", "CONT")),
            "disk_full": (box.fill, box.free),
        }


@contextmanager
def bench(folder: Path) -> Iterator[FrrBench]:
    """A leaf that runs what its site wants."""
    needed_lab()
    needed_programs(*PROGRAMS)
    site = sites.eight("unnumbered")
    name = site.of_role("leaf")[0]
    ports = tuple(port.name for port in site.switches[name].ports)
    with SwitchBox(name, site.files[name], folder / "keys", ports) as box:
        yield FrrBench(box)
