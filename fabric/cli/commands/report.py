"""`fabric report`: everything that is known of a site, as one page for a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from fabric import api
from fabric.api import Compiled, open_site
from fabric.cli.command_classes import command
from fabric.cli.commands.lint import BASELINE
from fabric.cli.commands.simulate.options import OPERATIONS
from fabric.cli.common_options import current
from fabric.cli.known_names import network_option, views_of
from fabric.cli.printing.command_output import Output
from fabric.cli.views import bill_of_materials, failures, qos, topology
from fabric.cli.views.plan import EFFECTS
from fabric.cli.views.report_tables import page_table, page_tables
from fabric.cli.views.value_formats import View
from fabric.decoding import from_json
from fabric.diagnostics import FabricError, Invalid, Refused
from fabric.documents.places import placed
from fabric.documents.print_findings import placed_findings
from fabric.planning import store
from fabric.units import counted

if TYPE_CHECKING:
    from fabric.reporting.page import Facts, Finding, LoadFacts, PageTable, PlanFacts, Verified

MOST_FAILURES = 25
"""Classes of failures of a network that are listed."""
LARGEST_BYTES = 64 * 1024 * 1024
"""Of a saved answer of `fabric verify`."""
DEFAULT = Path("report.html")
STDOUT = Path("-")


@command(
    "report",
    examples=(
        "fabric report",
        "fabric report -o pod.html --collective alltoall",
        "fabric report --plan .fabric/plan",
        "fabric verify --format json > verify.json; fabric report --verify verify.json",
    ),
)
@click.option(
    "--out",
    "-o",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=DEFAULT,
    metavar="FILE",
    help="The page; `-` is the standard output. Default: report.html.",
)
@click.option(
    "--plan",
    "plan_folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Show a saved plan too: waves, impacts, differences.",
)
@click.option(
    "--verify",
    "verify_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Show what `fabric verify --format json` has printed.",
)
@click.option(
    "--collective",
    type=click.Choice(OPERATIONS),
    default=OPERATIONS[0],
    metavar="OPERATION",
    help="Whose load of the links is shown. Default: allreduce.",
)
@network_option("Only this network.")
def run(
    *,
    out: Path,
    plan_folder: Path | None,
    verify_file: Path | None,
    collective: str,
    network: str | None,
) -> None:
    """Write everything that is known of a site as one page for a browser.

    The page is one file that asks for nothing from outside: the network as a drawing that opens from the whole down
    to a single port, lint findings, failures, the load of a collective, queues, ports, racks, addresses, parts, and
    on request a plan and what was verified. It goes by mail, onto a share, into a pipeline's artifacts. Secrets are
    not in it. The same site gives the same bytes.
    """
    from fabric.reporting.page import page

    output = Output()
    site = open_site(current().site)
    views = views_of(site, network)
    verified = _verified(verify_file) if verify_file is not None else None
    plan = _plan(plan_folder) if plan_folder is not None else None
    with placed(site.intent.sources):
        facts = _facts(site, views, collective, plan, verified)
    text = page(facts)
    if out == STDOUT:
        output.raw(text)
    else:
        out.write_text(text, encoding="utf-8")
    switches = sum(len(view.topology.switches) for view in views)
    if not output.is_text and out != STDOUT:
        output.document({"site": site.topology.site, "report": str(out), "bytes": len(text.encode())})
    name = "standard output" if out == STDOUT else out
    output.summary(f"{name}: {counted(switches, ('switch', 'switches'))}, {len(text.encode()) / 1e6:.1f} MB")


def _facts(
    site: Compiled,
    views: tuple[View, ...],
    collective: str,
    plan: PlanFacts | None,
    verified: Verified | None,
) -> Facts:
    """Everything that the page tells, gathered."""
    from fabric.reporting.page import Facts

    findings, known = _findings()
    failed, failure_notes = _failures(site, views)
    loads = tuple(_load(site, view, collective) for view in views)
    return Facts(
        views=views,
        findings=findings,
        known_findings=known,
        tables={
            "lint": (),
            "failures": failed,
            "load": tuple(
                table for load, view in zip(loads, views, strict=True) for table in _load_tables(load, view)
            ),
            "queues": _queues(views),
            "ports": (page_table(topology.tier_table(views), "Tiers"), _room(views)),
            "asn": page_tables((topology.asn_table(views),)),
            "bom": page_tables((bill_of_materials.bom_table(views),)),
            "devices": (page_table(topology.device_table(views), "Switches"),),
        },
        notes={
            "failures": failure_notes,
            "load": tuple(f"{load.network}: {load.missing}" for load in loads if load.missing),
            "queues": () if _queues(views) else ("No lossless policy is applied here.",),
        },
        loads=loads,
        plan=plan,
        verified=verified,
    )


def _findings() -> tuple[tuple[Finding, ...], int]:
    """What lint says, as people read it, and how much of it the baseline holds. `Refused` for a broken baseline."""
    from fabric.reporting.page import Finding

    try:
        linting = api.lint(current().site)
    except ValueError as error:
        message = f"{BASELINE} is not one that this program has written: {error}"
        raise Refused(message, "write it anew with `fabric lint --write-baseline`") from None
    rows = tuple(
        Finding(
            code=one.code,
            severity=one.severity.value,
            place=one.place,
            message=one.message,
            hint=one.hint or "",
        )
        for one in placed_findings(linting.found, linting.sources)
    )
    return rows, linting.known


def _failures(site: Compiled, views: tuple[View, ...]) -> tuple[tuple[PageTable, ...], tuple[str, ...]]:
    """The worst single failures of each network."""
    tables, notes = [], []
    for view in views:
        try:
            impacts = api.impact(site, view.topology.name)
        except FabricError as error:
            notes.append(f"{view.topology.name}: {_reason(error)}")
            continue
        for impact in impacts:
            title = f"{view.topology.name}: {failures.summary(impacts)}"
            left = len(impact.classes) - MOST_FAILURES
            note = f"{left:,} milder classes: `fabric impact` lists them" if left > 0 else ""
            tables.append(page_table(failures.failure_table(impacts, MOST_FAILURES), title, note))
            notes += failures.notes(impact)
    return tuple(tables), tuple(notes)


def _load(site: Compiled, view: View, collective: str) -> LoadFacts:
    """The load of every link, or why there is none."""
    from fabric.reporting.page import LoadFacts
    from fabric.simulation import Question, Work

    name = view.topology.name
    try:
        answer = api.simulate(site, Work(network=name), Question(operation=collective))
    except FabricError as error:
        return LoadFacts(name, collective, missing=_reason(error))
    return LoadFacts(name, collective, answer)


def _load_tables(load: LoadFacts, view: View) -> tuple[PageTable, ...]:
    from fabric.cli.commands.simulate.tables import answer_lines, hot_table, tier_table

    if load.answer is None:
        return ()
    note = " ".join(f"{line}." for line in answer_lines(load.answer, view))
    title = f"{load.network}: load of links by tier; 1 is as busy as the busiest NIC port"
    hottest = page_table(hot_table({"": load.answer.hottest}, view), f"{load.network}: the busiest links")
    return (page_table(tier_table(load.answer.tiers), title, note), *([hottest] if hottest.rows else []))


def _queues(views: tuple[View, ...]) -> tuple[PageTable, ...]:
    queued = tuple(qos.queueings(views))
    return page_tables((qos.class_table(queued), qos.profile_table(queued), qos.budget_table(queued)))


def _room(views: tuple[View, ...]) -> PageTable:
    """What is installed, and what fits without a move."""
    from fabric.reporting.page import PageTable
    from fabric.topology.roles import Role

    rows = []
    for view in views:
        net, sizes = view.topology, view.topology.sizes
        units = len({(net.pod[node], net.unit[node]) for node in net.role_start[Role.LEAF]})
        hosts, places = len(net.role_start[Role.HOST]), sizes.units * sizes.host_slots
        rows.append((net.name, f"{units:,}", f"{sizes.units:,}", f"{hosts:,}", f"{places:,}"))
    return PageTable(
        title="Room to grow: nothing installed moves within the capacity",
        headings=("NETWORK", "UNITS", "UNITS BY CAPACITY", "HOSTS", "HOSTS BY CAPACITY"),
        rows=tuple(rows),
        numbers=(False, True, True, True, True),
    )


def _plan(folder: Path) -> PlanFacts:
    from fabric.reporting.page import PlanFacts

    plan, texts = store.load(folder)
    return PlanFacts(plan, texts, {impact.value: words for impact, words in EFFECTS.items()})


def _verified(file: Path) -> Verified:
    """A saved answer of `fabric verify`. `Refused` if it is none."""
    from fabric.reporting.page import Verified

    with file.open("rb") as opened:
        raw = opened.read(LARGEST_BYTES + 1)
    try:
        if len(raw) <= LARGEST_BYTES:
            return from_json(raw, Verified)
        problem = f"larger than {LARGEST_BYTES} bytes"
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        problem = str(error)
    message = f"{file} is not what `fabric verify --format json` prints: {problem}"
    raise Refused(message, "write it anew from what `fabric verify --format json` prints")


def _reason(error: FabricError) -> str:
    """Why there is no answer, in one line."""
    return error.diagnostics[0].rule if isinstance(error, Invalid) else str(error)
