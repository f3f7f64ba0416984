"""A lab for as long as a `with` block lasts, and the lab of `fabric lab up`, which outlives the command."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from fabric.devices.site_devices import Devices
from fabric.lab.blueprint import blueprint
from fabric.lab.build import Supervisor, build, end, remove
from fabric.lab.lower_to_lab import lab_product, switches_of
from fabric.lab.run_programs import check_this_machine
from fabric.lab.running_lab import RunningLab
from fabric.platforms.base import ValueOf


def made_up(reference: str) -> str:
    """A value for a secret of the intent: a lab keeps no real ones. The same at every switch, and in `--lab`."""
    return f"lab-{reference.partition(':')[2].lower().replace('_', '-').replace('/', '-')}"


class Lab(RunningLab):
    """A site as real software in boxes, from entry to exit of a `with` block; it ends with this process at the latest.

        with Lab(compiled.devices, configured=True) as lab:
            lab.wait_for_sessions()
            lab.output("leaf-0-0", "ip", "route")

    `Refused` on entry if this machine cannot run one.
    """

    def __init__(
        self,
        devices: Devices,
        *,
        folder: Path | None = None,
        configured: bool = False,
        hosts: bool = True,
        value_of: ValueOf = made_up,
    ) -> None:
        """`folder`: where keys and state are; None: a temporary one. The rest as for `blueprint`."""
        self._design = partial(blueprint, devices, value_of=value_of, configured=configured, hosts=hosts)
        self._site = site_of(devices)
        self._configured = configured
        self._own = folder is None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="fabric-lab-"))
        self._supervisor: Supervisor | None = None

    def __enter__(self) -> Self:
        check_this_machine(lab_product().box.programs)
        try:
            self._supervisor, self.state = build(
                self._design, self.folder, site=self._site, configured=self._configured, keep=False
            )
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._close()

    def _close(self) -> None:
        if self._supervisor is not None:
            self._supervisor.close()
        end(self.folder)
        if self._own:
            remove(self.folder)


def up(
    devices: Devices,
    folder: Path,
    *,
    configured: bool = False,
    hosts: bool = True,
    value_of: ValueOf = made_up,
) -> RunningLab:
    """Start the lab of a site, which goes on until `down`. `Refused` if one runs there, or this machine cannot."""
    check_this_machine(lab_product().box.programs)
    design = partial(blueprint, devices, value_of=value_of, configured=configured, hosts=hosts)
    build(design, folder, site=site_of(devices), configured=configured, keep=True)
    return RunningLab(folder)


def down(folder: Path) -> bool:
    """End the lab of a folder, and remove whatever a start that was cut short has left. False: none ran."""
    return end(folder)


def site_of(devices: Devices) -> str:
    """The name of the site. `Refused` if it has no Ethernet switch."""
    from fabric.diagnostics import Refused

    for switch in switches_of(devices):
        return switch.site
    message = "this site has no Ethernet switch: there is nothing to play in a lab"
    raise Refused(message, "a subnet manager is played by `fabric sandbox up`")
