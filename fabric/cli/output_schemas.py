"""The JSON Schemas of what commands print with `--format json`: from the columns of tables, and from records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from fabric.cli.commands import history, show
from fabric.cli.commands.simulate.incast_tables import incast_table
from fabric.cli.views import hardware_models, layouts
from fabric.deployment.drift import DeviceDrift
from fabric.documents.print_findings import Finding
from fabric.documents.schema.field_docstrings import class_doc, field_docs
from fabric.documents.schema.json_schema import BASE, DIALECT
from fabric.hardware import load_catalogue
from fabric.operations.compare_sites import IntentChange
from fabric.planning.model import Plan
from fabric.planning.report import Summary
from fabric.tables import collectives as loads
from fabric.tables import failures, qos
from fabric.tables.column_meanings import property_of
from fabric.tables.table import Table
from fabric.topology.resize import Move
from fabric.verification.finding import Finding as Fault
from fabric.verification.verdict import Seen

Schema = dict[str, Any]
NO_VIEW: Any = None
"""Columns are the same for every site; rows are never asked for."""


def described(kind: str, meaning: str) -> Schema:
    """A key that stands beside the tables."""
    return {"type": kind, "description": meaning}


SITE = {"site": described("string", "Name of the site.")}


class Printed(NamedTuple):
    """What one command prints."""

    title: str
    head: Mapping[str, Schema]
    tables: Callable[[], Sequence[Table]] = tuple
    sometimes: tuple[str, ...] = ()
    """Columns that are there for some sites only."""
    records: Mapping[str, Any] = {}
    """Typed records by key."""


def _shown(name: str) -> Printed:
    def tables() -> Sequence[Table]:
        if name == show.QOS:
            return (
                qos.class_table(()),
                qos.profile_table(()),
                qos.budget_table(()),
                qos.applied_table(None, None),
            )
        return show.LISTS[name]((), None)

    head = {**SITE, "list": described("string", "Name of the list.")}
    return Printed(f"fabric show {name}: what a site expands to", head, tables, ("called",))


PRINTED: Mapping[str, Printed] = {
    **{f"show-{name}": _shown(name) for name in (*show.LISTS, show.QOS)},
    "impact": Printed(
        "fabric impact: what failures take of the network",
        {**SITE, "pairs": described("boolean", "Whether two fail together.")},
        lambda: (failures.failure_table((), None),),
        ("network",),
    ),
    "impact-take": Printed(
        "fabric impact --take: what taking something out does",
        {
            **SITE,
            "taken": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Switches and links, as they were named.",
            },
            "is_allowed": described("boolean", "Whether nobody is cut off by it."),
        },
        lambda: (failures.taken_table(()), failures.job_table(())),
    ),
    "show-models": Printed(
        "fabric show models: the hardware that a tier or a group of hosts may name",
        {"list": described("string", "Name of the list.")},
        lambda: hardware_models.catalogue_tables(load_catalogue()),
    ),
    "history": Printed("fabric history: every run", SITE, lambda: (history.run_table(),)),
    "history-run": Printed(
        "fabric history RUN: every device of a run",
        {**SITE, **{key: {"description": meaning} for key, meaning in history.ABOUT.items()}},
        lambda: (history.step_table((), {}),),
    ),
    "history-device": Printed(
        "fabric history DEVICE: every run that was to change a device",
        {**SITE, "device": described("string", "Name of the device.")},
        lambda: (history.change_table(()),),
    ),
    "drift": Printed(
        "fabric drift: what was typed by hand",
        SITE,
        records={
            "drifted": tuple[DeviceDrift, ...],
            "unchanged": tuple[str, ...],
            "never_applied": tuple[str, ...],
            "unreachable": dict[str, str],
            "groups": tuple[tuple[str, ...], ...],
            "recorded": int | None,
        },
    ),
    "verify": Printed(
        "fabric verify: the running network held against the intent",
        {**SITE, "network": described("string", "Name of the network.")},
        records={
            "findings": tuple[Fault, ...],
            "seen": tuple[Seen, ...],
            "not_seen": tuple[Seen, ...],
            "unread": tuple[str, ...],
        },
    ),
    "simulate": Printed(
        "fabric simulate: what one collective operation puts on the links",
        {**SITE, "answer": described("object", "The operation, its hosts, and the bandwidth that it gets.")},
        lambda: (
            loads.tier_table(()),
            loads.hot_table({"": ()}, NO_VIEW),
            incast_table((), (), NO_VIEW),
        ),
    ),
    "size": Printed(
        "fabric size: the cheapest layouts for a number of GPUs",
        {
            "gpus": described("integer", "GPUs."),
            "hosts": described("integer", "Hosts."),
            "considered": described("integer", "Layouts that were considered."),
            "sized": described("integer", "Layouts that were computed in full."),
        },
        lambda: (layouts.layout_table(()),),
    ),
    "diff": Printed(
        "fabric diff: what a commit, a branch or an edit changes",
        {"diffs": described("object", "The text of each difference by its digest.")},
        records={
            "intent": tuple[IntentChange, ...],
            "moves": tuple[Move, ...],
            "additions": tuple[Move, ...],
            "summary": Summary,
            "plan": Plan,
        },
    ),
    **{
        name: Printed(f"fabric {name}: {what}", {}, records={"diagnostics": tuple[Finding, ...]})
        for name, what in (("validate", "everything that is wrong"), ("lint", "what is legal but unwise"))
    },
}
"""By the name of the schema."""


def printed_schema(name: str) -> Schema:
    """The schema of what one command prints. Keys that it does not name are allowed: later versions may add some."""
    printed = PRINTED[name]
    records, definitions = _records(printed.records)
    version = described(
        "string", "Version of the form. Readers ignore unknown keys of the same major version."
    )
    properties = {"format_version": version, **printed.head, **records}
    for table in printed.tables():
        properties[table.name] = {
            "type": "array",
            "description": f"A row for each {table.noun[0]}.",
            "items": _row(table, printed.sometimes),
        }
    return {
        "$schema": DIALECT,
        "$id": f"{BASE}{name}.schema.json",
        "title": printed.title,
        "type": "object",
        "properties": properties,
        # With --columns a table may be left out, and rows have fewer keys.
        "required": ["format_version", *printed.head, *records],
        **({"$defs": definitions} if definitions else {}),
    }


def _row(table: Table, sometimes: tuple[str, ...]) -> Schema:
    keys = dict.fromkeys([*(column.key for column in table.columns), *sometimes])
    if "called" in keys and table.name != "tiers":
        del keys["called"]
    return {"type": "object", "properties": {key: property_of(key) for key in keys}}


def _records(records: Mapping[str, Any]) -> tuple[Schema, Schema]:
    """The schemas of typed records, and those of the structs in them with the words of their docstrings."""
    made, definitions = msgspec.json.schema_components(tuple(records.values()), ref_template="#/$defs/{name}")
    structs = {kind.__name__: kind for kind in _structs()}
    for name, schema in definitions.items():
        if name in structs:
            schema["description"] = class_doc(structs[name])
            docs = field_docs(structs[name])
            for key, value in schema["properties"].items():
                if docs.get(key):
                    value["description"] = docs[key]
    return dict(zip(records, made, strict=True)), dict(sorted(definitions.items()))


def _structs() -> tuple[type[msgspec.Struct], ...]:
    from fabric.planning import model

    planned = (
        model.Change,
        model.Coupling,
        model.DevicePlan,
        model.DiffGroup,
        model.Observation,
        model.Scope,
    )
    return (DeviceDrift, Finding, IntentChange, Move, Plan, Seen, Summary, model.Wave, *planned)
