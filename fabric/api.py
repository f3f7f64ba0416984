"""The pipeline on one screen. The command line, tests and other programs call these; nothing else does the work.

YAML ─load→ Intent ─expand→ Topology ─derive→ Devices ─render→ Artifacts ┐
                                              running network ─observe→ Observations ┴─plan→ Plan ─apply→ Result

The upper line is `fabric.compiler`; what asks devices is `fabric.operations`, a module each step. What asks vendors'
schemas, other programs' formats or the sizes of a site is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fabric import exports, verification
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
from fabric.operations.apply import apply, resume
from fabric.operations.apply_options import check_plan
from fabric.operations.find_drift import drift
from fabric.operations.lint import lint, mend
from fabric.operations.observe import observe
from fabric.operations.plan import plan, targeted
from fabric.operations.roll_back import plan_rollback, rollback
from fabric.operations.verify import ask_network, verify
from fabric.topology.model import Topology
from fabric.topology.resize import Moves
from fabric.topology.resize import resize as moves

if TYPE_CHECKING:  # numpy comes with them
    from fabric.capacity import Found, Request
    from fabric.failures import Impact, Maintenance
    from fabric.hardware import Catalogue
    from fabric.simulation import Answer, Question, Variant, Work
    from fabric.simulation.queues import QueueCourse
if TYPE_CHECKING:
    from fabric.simulation import Answer, Beside, Question, Variant, Work

__all__ = [
    "Compiled",
    "apply",
    "ask_network",
    "check",
    "check_plan",
    "compile",
    "derive",
    "drift",
    "expand",
    "export",
    "impact",
    "lint",
    "load",
    "maintenance",
    "mend",
    "observe",
    "open_site",
    "plan",
    "plan_rollback",
    "remember",
    "render",
    "render_hosts",
    "resize",
    "resume",
    "rollback",
    "simulate",
    "simulate_queue",
    "size",
    "targeted",
    "variants",
    "traffic",
    "traffic_of_jobs",
    "traffic_variants",
    "verify",
]


def export(
    intent: Intent,
    topology: Topology,
    kinds: Iterable[str],
    *,
    networks: Sequence[str] = (),
    devices: Callable[[], Devices] | None = None,
) -> exports.Exports:
    """What belongs to no single device, for other tools, printed when asked for. `Invalid` if one cannot hold it."""
    source = exports.Source(intent, topology, devices or (lambda: derive(intent, topology)), networks)
    return exports.export(source, kinds)


def traffic(compiled: Compiled, work: Work, question: Question) -> Answer:
    """What a collective of a job puts on a network's links. `Invalid` if the job does not fit it."""
    from fabric import simulation

    return simulation.of_site(compiled.intent, compiled.topology, work, question)


def traffic_variants(compiled: Compiled, work: Work, question: Question) -> tuple[Variant, ...]:
    """The same job with other queue pairs, hashes, seeds and orders of hosts, best first. `Invalid` as `traffic`."""
    from fabric import simulation

    return simulation.variants_of_site(compiled.intent, compiled.topology, work, question)


def traffic_of_jobs(compiled: Compiled, works: Sequence[Work], question: Question) -> tuple[Beside, ...]:
    """Jobs at the same time: what each gets alone and beside the others. `Invalid` as `traffic`."""
    from fabric import simulation

    return simulation.together_of_site(compiled.intent, compiled.topology, works, question)


def check(
    compiled: Compiled, against: verification.Schemas, only: Iterable[str] = ()
) -> verification.Verdict:
    """Ask the vendors' schemas about every device, or about those of some platforms. Nothing is connected to."""
    compiled.artifacts.check_together()
    judged = verification.Check(against, frozenset(only))
    for device in compiled.devices.values():
        if judged.wants(device):
            judged.add(device, compiled.artifacts[device.name].text)
    return judged.verdict()


def impact(compiled: Compiled, network: str | None = None, *, pairs: bool = False) -> tuple[Impact, ...]:
    """What each failure, or each pair of links, takes of every network, or of one.

    `Invalid` if the site cannot be expanded, `Refused` if a network has too few symmetries for all of its pairs.
    """
    from fabric import failures

    ask = failures.pairs if pairs else failures.single
    return ask(compiled.intent, compiled.topology, compiled.derivable, network)


def maintenance(
    compiled: Compiled, names: Sequence[str], jobs: Mapping[str, Sequence[str]], network: str | None = None
) -> tuple[Maintenance, ...]:
    """What taking out switches and links does to each network that has them. `KeyError`: what none has."""
    from fabric import failures

    return failures.taken(compiled.intent, compiled.topology, compiled.derivable, names, jobs, network)


def resize(path: Path, *, anew: bool = False) -> Moves:
    """Every cable, port, name, address and AS number that would move for the site to be as its intent says.

    `anew`: if everything were sized as on the first day, whatever fabric.lock holds.
    """
    return moves(load(path), anew=anew)


def size(request: Request, catalogue: Catalogue, choices: int = 10) -> Found:
    """The cheapest layouts of a network that does not exist yet. `Invalid` if the catalogue's models join it nohow."""
    from fabric import capacity  # late: only this command needs it

    return capacity.size(request, catalogue, choices)


def simulate(compiled: Compiled, work: Work, question: Question) -> Answer:
    """What a collective of a job puts on a network's links. `Invalid` if the job does not fit it."""
    from fabric import simulation

    return simulation.of_site(compiled.intent, compiled.topology, work, question)


def variants(compiled: Compiled, work: Work, question: Question) -> tuple[Variant, ...]:
    """The same job with other queue pairs, hashes, seeds and orders of hosts, best first. `Invalid` as `simulate`."""
    from fabric import simulation

    return simulation.variants_of_site(compiled.intent, compiled.topology, work, question)
def simulate_queue(
    compiled: Compiled, senders: int, switch: str | None = None, until_us: float = 500.0
) -> tuple[QueueCourse, ...]:
    """The queue of an incast on every kind of port, or on those of one switch. `Invalid` if no device is derived."""
    from fabric.devices.model import Switch
    from fabric.simulation import queues  # late: only this command needs it

    known = compiled.devices.values() if switch is None else (compiled.devices.get(switch),)
    switches = (device for device in known if isinstance(device, Switch))
    return tuple(queues.courses(switches, compiled.intent.site.networks, senders, until_us))
