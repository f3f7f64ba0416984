"""Labs for tests: real software in boxes, from the text of a site.

    from tests.lab.labs import needed_lab, small_lab

    @pytest.fixture(scope="module")
    def lab():
        with small_lab(configured=True) as lab:
            lab.wait_for_sessions()
            yield lab

Leave the changes of one test behind for no other: a lab of your own takes some 2 s. Mark such tests `live`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from fabric import compiler
from fabric.devices.site_devices import Devices
from fabric.lab import Lab
from tests.programs import needed_programs, needed_root

PROGRAMS = (
    "ip",
    "nsenter",
    "unshare",
    "mount",
    "sysctl",
    "nft",
    "sshd",
    "ssh-keygen",
    "lldpd",
    "lldpcli",
    "zebra",
    "bgpd",
    "bfdd",
    "staticd",
    "vtysh",
    "frr-reload.py",
)
SMALL = """
site: lab-test
units: 2
hosts:
  gpu: {{per_unit: 1, gpus: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}
networks:
  compute:
    rails: {{leaves: {leaves}}}
    addressing: {{family: {family}}}
    routing: {routing}
    tiers:
      leaf: {{model: {model}, platform: {platform}}}
      spine: {{model: {model}, platform: {platform}, count: {spines}}}
    lossless: null
services: {{lldp: true}}
"""
"""Two units with a host of two NICs each; one leaf a unit, or one a rail."""
QUICK = "{bgp: {keepalive: 1s, hold: 3s}, bfd: {interval: 300ms, multiplier: 3}}"


def needed_lab() -> None:
    """Skip, by name, where something is missing that a lab takes."""
    needed_programs(*PROGRAMS)
    needed_root()


@cache
def small_site(
    *,
    leaves: int = 1,
    spines: int = 2,
    family: str = "ipv4",
    routing: str = "{}",
    platform: str = "eos",
    model: str = "arista-7060x6-64pe",
) -> Devices:
    """A site of `2 * leaves` leaves and some spines, of whatever product."""
    text = SMALL.format(
        leaves=leaves, spines=spines, family=family, routing=routing, platform=platform, model=model
    )
    return devices_of(text)


def devices_of(text: str) -> Devices:
    """The devices of a site that is one file."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "site.yaml").write_text(text)
        return compiler.compile(Path(folder)).devices


def small_lab(devices: Devices | None = None, *, configured: bool = False, hosts: bool = True) -> Lab:
    """A lab of a small site, to be entered by `with`. Skips where it cannot run."""
    needed_lab()
    return Lab(devices or small_site(), configured=configured, hosts=hosts)


def processes_in(lab: int) -> list[int]:
    """Processes in the process namespace of a lab's first process, or below it."""
    return [
        pid
        for pid in (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
        if _is_below(pid, lab)
    ]


def _is_below(pid: int, lab: int) -> bool:
    try:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    parent = int(words[1])
    return pid == lab or (parent > 1 and _is_below(parent, lab))
