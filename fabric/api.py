"""The pipeline on one screen. The command line, tests and other programs call these; nothing else does the work.

YAML ─load→ Intent ─expand→ Topology ─derive→ Devices ─render→ Artifacts ┐
                                              running network ─observe→ Observations ┴─plan→ Plan ─apply→ Result

The upper line is `fabric.compiler`; what asks devices, or judges a site by arithmetic, is `fabric.operations`, a module
each. What asks vendors' schemas, other programs' formats or the sizes of a site is here. What talks to devices is
imported when it is first used: most commands ask none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from fabric.compiler import (
    Compiled,
    compile,
    derive,
    expand,
    load,
    open_site,
    remember,
    render,
    render_hosts,
)
from fabric.devices.site_devices import Devices
from fabric.intent.model import Intent
from fabric.late_names import late_names
from fabric.operations.fail import impact, maintenance
from fabric.operations.find_causes import derived_value, find_lines, printed, where, why
from fabric.operations.lint import lint, mend
from fabric.operations.report import report
from fabric.operations.simulate import (
    not_simulated,
    simulate,
    simulate_incasts,
    simulate_jobs,
    simulate_queue,
    simulate_training,
    simulate_variants,
)
from fabric.operations.size import size
from fabric.platforms.base import Artifact
from fabric.resources import StrPath
from fabric.topology.model import Topology
from fabric.topology.resize import Moves
from fabric.topology.resize import resize as moves

if TYPE_CHECKING:
    from fabric import exports, verification
    from fabric.operations.apply import apply, resume
    from fabric.operations.apply_options import check_plan, check_window
    from fabric.operations.compare_sites import compare_sites
    from fabric.operations.find_drift import drift
    from fabric.operations.observe import observe
    from fabric.operations.plan import plan, targeted
    from fabric.operations.roll_back import plan_rollback, rollback
    from fabric.operations.verify import ask_network, verify

__all__ = [
    "Compiled",
    "apply",
    "ask_network",
    "check",
    "check_plan",
    "check_window",
    "compare_sites",
    "compile",
    "derive",
    "derived_value",
    "drift",
    "expand",
    "export",
    "find_lines",
    "impact",
    "lint",
    "load",
    "maintenance",
    "mend",
    "not_simulated",
    "observe",
    "open_site",
    "plan",
    "plan_rollback",
    "printed",
    "remember",
    "render",
    "render_hosts",
    "report",
    "resize",
    "resume",
    "rollback",
    "simulate",
    "simulate_incasts",
    "simulate_jobs",
    "simulate_queue",
    "simulate_training",
    "simulate_variants",
    "size",
    "targeted",
    "verify",
    "where",
    "why",
]

_ASK_DEVICES = {
    "apply": "fabric.operations.apply",
    "ask_network": "fabric.operations.verify",
    "check_plan": "fabric.operations.apply_options",
    "check_window": "fabric.operations.apply_options",
    "compare_sites": "fabric.operations.compare_sites",
    "drift": "fabric.operations.find_drift",
    "observe": "fabric.operations.observe",
    "plan": "fabric.operations.plan",
    "plan_rollback": "fabric.operations.roll_back",
    "resume": "fabric.operations.apply",
    "rollback": "fabric.operations.roll_back",
    "targeted": "fabric.operations.plan",
    "verify": "fabric.operations.verify",
}
if not TYPE_CHECKING:  # checkers read the imports above
    __getattr__ = late_names(__name__, _ASK_DEVICES)


def export(
    intent: Intent,
    topology: Topology,
    kinds: Iterable[str],
    *,
    networks: Sequence[str] = (),
    devices: Callable[[], Devices] | None = None,
    artifacts: Callable[[], Mapping[str, Artifact]] | None = None,
    serial: int | None = None,
) -> exports.Exports:
    """What belongs to no single device, for other tools, printed when asked for. `Invalid` if one cannot hold it."""
    from fabric import exports  # slow, and most commands print none

    derived = cache(devices or (lambda: derive(intent, topology)))
    printed = artifacts or (lambda: render(derived()))
    source = exports.Source(intent, topology, derived, networks, printed, serial)
    return exports.export(source, kinds)


def check(
    compiled: Compiled, against: verification.Schemas, only: Iterable[str] = ()
) -> verification.Verdict:
    """Ask the vendors' schemas about every device, or about those of some platforms. Nothing is connected to."""
    from fabric import verification  # most commands ask no schema

    compiled.artifacts.check_together()
    judged = verification.Check(against, frozenset(only))
    for device in compiled.devices.values():
        if judged.wants(device):
            judged.add(device, compiled.artifacts[device.name].text)
    return judged.verdict()


def resize(path: StrPath, *, anew: bool = False) -> Moves:
    """Every cable, port, name, address and AS number that would move for the site to be as its intent says.

    `anew`: if everything were sized as on the first day, whatever fabric.lock holds.
    """
    return moves(load(path), anew=anew)
