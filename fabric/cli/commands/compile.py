"""`fabric compile`: the configuration of every device, and the files of hosts."""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import click

from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import current, processes_option
from fabric.cli.known_names import complete_device, known
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.progress import watched
from fabric.cli.printing.warnings import warn
from fabric.cli.staged_files import StagedFiles
from fabric.cli.stop import Stop
from fabric.cli.write_lock_file import check_lock, keep_lock
from fabric.compiler import Compiled, open_site, remember
from fabric.devices.model import SubnetManager
from fabric.diagnostics import Invalid, Report
from fabric.documents.places import placed
from fabric.exports.ibsim import netlist
from fabric.platforms.base import AnyPlatform, Artifact
from fabric.platforms.registry import platform
from fabric.rendering import HostArtifact
from fabric.workers import processors

MOST_FILES, FEW_FILES = 20, 3
"""More files than the first are told by the second and their number."""
Simulated = dict[str, tuple[AnyPlatform, list[tuple[SubnetManager, str]]]]
"""By network: its product and its managers with their files, the master first."""


@command(
    "compile",
    examples=(
        "fabric compile",
        "fabric compile -o build --locked",
        "fabric compile --only 'leaf-*'",
        "fabric compile --only leaf-0-0 --format json",
        "fabric compile --simulate simulation",
    ),
)
@click.option(
    "-o",
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder. Default: SITE/out.",
)
@click.option("--locked", is_flag=True, help="Fail if fabric.lock would change (for CI).")
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_device,
    help="Only devices and hosts of this name, or whose names fit this pattern (`gpu-*`); may be repeated.",
)
@click.option(
    "--simulate",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also write, for each InfiniBand network, a folder in which it runs on this machine: DIR/NETWORK/run.",
)
@processes_option
def run(
    *, out: Path | None, locked: bool, only: tuple[str, ...], simulate: Path | None, jobs: int | None
) -> None:
    """Write the configuration of every device, and the files of hosts.

    Nothing is written if anything has an error. Files that would not change are left alone. Secrets stand as
    placeholders: `apply` fills them in at the moment of the push. Hosts whose group has a `system` get files in
    `hosts/NAME/`, with the paths and modes that they have on the host: whoever sets up hosts puts them there;
    `plan` and `apply` leave hosts alone.
    """
    output, site = Output(), open_site(current().site, jobs or processors())
    target = out or site.folder / "out"
    if locked:
        check_lock(site)
    work = _chosen(site, only)
    devices, hosts = _write(site, work, target)
    lock = keep_lock(site, target)  # last: a site that does not compile has decided nothing
    remember(site.artifacts, site.folder)
    simulated = _simulations(site, simulate) if simulate else []
    written = devices.written + hosts.written
    if output.is_text:
        _list(written, target, output)
    else:
        output.document(
            {
                "site": site.topology.site,
                "folder": str(target),
                "written": written,
                "unchanged": devices.same,
                "devices": len(work.devices),
                "hosts": len(work.hosts),
                "hosts_unchanged": hosts.same,
                "simulations": [str(folder) for folder in simulated],
            }
        )
    if lock:
        output.note(f"{lock} says what capacity decided: commit it{_beside(lock, site)}")
    output.summary("; ".join(summary for summary in (devices.summary, hosts.summary) if summary))
    for folder in simulated:
        output.next(f"Run `{folder / 'run'} start` to bring the subnet up on this machine.")
    if output.is_text and not output.settings.quiet:
        output.next(_next_step(site))


def _beside(lock: Path, site: Compiled) -> str:
    """Where the lock of a site that cannot be written belongs."""
    folder = site.folder
    return "" if lock.parent == folder else f" in {folder}, which cannot be written here"


def _next_step(site: Compiled) -> str:
    """The plan, if the devices can be reached from here; else the sandbox, if it can play them all."""
    from fabric.deployment import Workplace  # slow, and only this line needs it

    try:
        Workplace(folder=site.folder).targets(site.intent.inventory, list(site.artifacts))
    except Invalid:
        products = {record.platform for record in site.artifacts.records.values()}
        if all(platform(product).is_emulated for product in products):
            words = "Run `fabric sandbox up`, then `fabric plan --sandbox --adopt`, to try it."
        else:
            words = "Run `fabric plan --offline CONFIGS` with a folder of their configurations."
        return f"No login for the devices is set here. {words}"
    return "Run `fabric plan` to see what would change on the network."


class Work(NamedTuple):
    """What is to be written, by name."""

    devices: list[str]
    hosts: list[str]


@dataclass
class Tally:
    """What became of one kind of thing."""

    what: str
    written: list[str] = field(default_factory=list)
    """Paths below the output folder."""
    changed: int = 0
    same: int = 0

    def add(self, staged: list[str]) -> None:
        """Count one device or host by its files that differ from those on disk."""
        self.written += staged
        self.changed += bool(staged)
        self.same += not staged

    @property
    def summary(self) -> str:
        """For people; empty if there is none."""
        count = self.changed + self.same
        return f"{count:,} {self.what}: {self.changed:,} written, {self.same:,} unchanged" if count else ""


def _chosen(site: Compiled, only: tuple[str, ...]) -> Work:
    """Devices and hosts that fit one of the patterns. `Stop` if a pattern fits none."""
    names = Work(list(site.artifacts), list(site.host_artifacts))
    if not only:
        return names
    for pattern in only:
        if not any(fnmatchcase(name, pattern) for kind in names for name in kind):
            known(pattern, (name for kind in names for name in kind), "device or described host")
    return Work(*([n for n in kind if any(fnmatchcase(n, p) for p in only)] for kind in names))


def _list(changed: list[str], target: Path, output: Output) -> None:
    """The files that were written; of many the first few, unless all are asked for."""
    few = changed if len(changed) <= MOST_FILES or output.settings.verbose else changed[:FEW_FILES]
    for name in few:
        output.note(str(target / name))
    if len(few) < len(changed):
        output.note(f"and {len(changed) - len(few):,} more below {target} (-v lists all)")


def _write(site: Compiled, work: Work, target: Path) -> tuple[Tally, Tally]:
    """Write everything, or nothing if there is an error. The process that prints a device stages its files."""
    report, devices, hosts = Report(), Tally("devices"), Tally("hosts")
    with placed(site.intent.sources), StagedFiles(target) as staged:

        def stage_device(artifact: Artifact) -> list[str]:
            return [path for path, text in artifact.files.items() if staged.add(path, text)]

        def stage_host(host: HostArtifact) -> list[str]:
            return [p for f in host.files if staged.add(p := host.path(f), f.text, f.mode)]

        with closing(site.artifacts.collect(report, work.devices, then=stage_device)) as printed:
            for paths in watched(printed, len(work.devices), "printing devices", current()):
                devices.add(paths)
        exported = site.host_artifacts.collect(report, work.hosts)
        for host in watched(exported, len(work.hosts), "printing hosts", current()):
            hosts.add(stage_host(host))
        findings = report.finish()
        staged.publish(devices.written + hosts.written)
    warn(site.diagnostics + findings, site.intent)
    return devices, hosts


def _simulations(site: Compiled, folder: Path) -> list[Path]:
    """Write a folder for each network whose product can be simulated. `Stop` if there is none."""
    if len(str(folder.resolve()).split()) > 1:
        reason = f"{folder.resolve()}: a subnet manager's files cannot name a folder with blanks"
        raise Stop(codes.NO_SIMULATION, reason, "choose another folder")
    by_name = _simulated_networks(site)
    if not by_name:
        reason = "no network of this site can be simulated here"
        raise Stop(codes.NO_SIMULATION, reason, "an InfiniBand network that OpenSM manages can")
    return [
        _write_simulation(product, managers, (folder / name).resolve())
        for name, (product, managers) in by_name.items()
    ]


def _simulated_networks(site: Compiled) -> Simulated:
    by_name: Simulated = {}
    by_network: defaultdict[str, list[SubnetManager]] = defaultdict(list)
    for device in site.devices.values():
        if isinstance(device, SubnetManager):
            by_network[device.network].append(device)
    for network, managers in by_network.items():
        product = platform(managers[0].platform)
        if product.simulation is not None:
            managers.sort(key=lambda manager: -manager.priority)
            by_name[network] = product, [(manager, site.artifacts[manager.name].text) for manager in managers]
    return by_name


def _write_simulation(product: AnyPlatform, managers: list[tuple[SubnetManager, str]], folder: Path) -> Path:
    assert product.simulation is not None  # noqa: S101  # chosen by it
    files = {"fabric.net": netlist(managers[0][0].subnet), **product.simulation(managers, folder)}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if text.startswith("#!/"):
            path.chmod(0o755)
    return folder
