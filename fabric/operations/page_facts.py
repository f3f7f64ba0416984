"""What the page of a site is made from: gathered from lint, failures, a collective, tables, and saved answers."""

from __future__ import annotations

from pathlib import Path

import msgspec

from fabric.compiler import Compiled
from fabric.decoding import from_json
from fabric.diagnostics import FabricError, Invalid, Refused
from fabric.documents.print_findings import placed_findings
from fabric.exports.network_view import View
from fabric.intent.default_pools import PRIMARY
from fabric.operations.fail import impact
from fabric.operations.lint import BASELINE, lint_site
from fabric.operations.simulate import simulate
from fabric.planning import store
from fabric.planning.report import EFFECTS
from fabric.reporting.page import Facts, Finding, LoadFacts, PageTable, PlanFacts, Verified
from fabric.reporting.page.page_tables import page_table, page_tables
from fabric.tables import bill_of_materials, failures, qos, topology
from fabric.tables.collectives import answer_lines, hot_table, tier_table
from fabric.topology.roles import Role

MOST_FAILURES = 25
"""Classes of failures of a network that are listed."""
LARGEST_BYTES = 64 * 1024 * 1024
"""Of a saved answer of `fabric verify`."""


def facts_of(
    site: Compiled,
    shown: tuple[View, ...],
    collective: str,
    plan: PlanFacts | None,
    verified: Verified | None,
) -> Facts:
    """Everything that the page tells, gathered."""
    findings, known = _findings(site)
    failed, failure_notes = _failures(site, shown)
    loads = tuple(_load(site, view, collective) for view in shown)
    queues = _queues(shown)
    return Facts(
        views=shown,
        findings=findings,
        known_findings=known,
        tables={
            "lint": (),
            "failures": failed,
            "load": tuple(
                table for load, view in zip(loads, shown, strict=True) for table in _load_tables(load, view)
            ),
            "queues": queues,
            "ports": (page_table(topology.tier_table(shown), "Tiers"), _room(shown)),
            "asn": page_tables((topology.asn_table(shown),), "AS numbers"),
            "bom": page_tables((bill_of_materials.bom_table(shown),), "Parts"),
            "devices": (page_table(topology.device_table(shown), "Switches"),),
        },
        notes={
            "failures": failure_notes,
            "load": tuple(f"{load.network}: {load.missing}" for load in loads if load.missing),
            "queues": () if queues else ("No lossless policy is applied here.",),
        },
        loads=loads,
        plan=plan,
        verified=verified,
    )


def _findings(site: Compiled) -> tuple[tuple[Finding, ...], int]:
    """What lint says, as people read it, and how much of it the baseline holds. `Refused` for a broken baseline."""
    try:
        linting = lint_site(site)
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


def _failures(site: Compiled, shown: tuple[View, ...]) -> tuple[tuple[PageTable, ...], tuple[str, ...]]:
    """The worst single failures of each network."""
    tables, notes = [], []
    for view in shown:
        try:
            impacts = impact(site, view.topology.name)
        except FabricError as error:
            notes.append(f"{view.topology.name}: {_reason(error)}")
            continue
        for found in impacts:
            title = f"{view.topology.name}: {failures.summary(impacts)}"
            left = len(found.classes) - MOST_FAILURES
            note = f"{left:,} milder classes: `fabric impact` lists them" if left > 0 else ""
            tables.append(
                page_table(failures.failure_table(impacts, MOST_FAILURES), title, note, explained=True)
            )
            notes += failures.notes(found)
    return tuple(tables), tuple(notes)


def _load(site: Compiled, view: View, collective: str) -> LoadFacts:
    """The load of every link, or why there is none."""
    from fabric.simulation import Question, Work

    name = view.topology.name
    attached = site.intent.site.attachments.values()
    if name != PRIMARY and any(a.kind == "storage" and a.network == name for a in attached):
        missing = (
            f"no collective is shown where storage is cabled: `fabric simulate --network {name}` shows one"
        )
        return LoadFacts(name, collective, missing=missing)
    try:
        answer = simulate(site, Work(network=name), Question(operation=collective))
    except FabricError as error:
        return LoadFacts(name, collective, missing=_reason(error))
    return LoadFacts(name, collective, answer)


def _load_tables(load: LoadFacts, view: View) -> tuple[PageTable, ...]:
    if load.answer is None:
        return ()
    note = f"{'; '.join(answer_lines(load.answer, view))}."
    title = f"{load.network}: load of links by tier; 1 is as busy as the busiest NIC port"
    hottest = page_table(hot_table({"": load.answer.hottest}, view), f"{load.network}: the busiest links")
    return (page_table(tier_table(load.answer.tiers), title, note), *([hottest] if hottest.rows else []))


def _queues(shown: tuple[View, ...]) -> tuple[PageTable, ...]:
    queued = tuple(qos.queueings(shown))
    return page_tables((qos.class_table(queued), qos.profile_table(queued), qos.budget_table(queued)))


def _room(shown: tuple[View, ...]) -> PageTable:
    """What is installed, and what fits without a move."""
    rows = []
    for view in shown:
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


def saved_plan(folder: Path) -> PlanFacts:
    """A saved plan, with the texts of its differences. `Refused` if the folder holds none."""
    plan, texts = store.load(folder)
    return PlanFacts(plan, texts, {impact.value: words for impact, words in EFFECTS.items()})


def saved_verdict(file: Path) -> Verified:
    """A saved answer of `fabric verify`. `Refused` if it is none."""
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
