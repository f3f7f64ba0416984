"""The reference pages, made from the program itself: `python -m fabric.cli.reference [DOCS]` writes them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import click
import msgspec

from fabric.cli.app import fabric
from fabric.cli.command_classes import Command, LateGroup
from fabric.cli.output_schemas import PRINTED, printed_schema
from fabric.cli.views.hardware_models import cages_of, nics_of, platforms_of, splits_of
from fabric.diagnostics import FIRST_OF_LINT, Code, codes, number_of
from fabric.documents.schema.field_docstrings import class_doc, field_docs
from fabric.documents.schema.json_schema import BASE, DIALECT
from fabric.hardware import load_catalogue
from fabric.planning.model import Change, Coupling, DevicePlan, DiffGroup, Observation, Plan, Scope, Wave
from fabric.platforms.base import Capabilities
from fabric.platforms.capabilities import BESIDE_FLAGS
from fabric.platforms.registry import ROWS, platform

OUTPUTS: dict[str, tuple[type[msgspec.Struct], str]] = {
    "plan": (Plan, "Plan: what would change, and in which waves (plan.json of a saved plan)"),
}
"""By name: the type that a document holds, and its title."""
DESCRIBED = (Change, Coupling, DevicePlan, DiffGroup, Observation, Plan, Scope, Wave)
"""Structs whose keys are described by their docstrings."""

PACKAGES = {
    "0": "Documents: files and YAML",
    "1": "Intent",
    "2": "Topology",
    "3": "Lossless policy",
    "4": "Devices: addresses, routing, queues",
    "5": "Platforms and rendering",
    "6": "Planning",
    "7": "Deployment",
    "8": "Sandbox and verification",
    "9": "Command line",
}
"""First digit of a code to the package that registers it."""
REPORTED = {
    "PFC": ("has_pfc", "pfc_priorities"),
    "PFC watchdog": ("has_watchdog", "detect_ms"),
    "whether a queue marks": ("marks", "ecn"),
    "ECN thresholds": ("ecn",),
    "whether DSCP counts": ("trusts_dscp", "dscp_to_traffic_class"),
    "traffic class of each DSCP": ("dscp_to_traffic_class",),
    "scheduling": ("is_scheduled", "shares"),
}
"""What ports report of their queues: fields of `PortQueues`."""
MADE = "<!-- Made by `python -m fabric.cli.reference`; a test holds it to the program. -->\n"


def diagnostics_page() -> str:
    """`docs/diagnostics.md`: every code with its rule, why it exists and how to fix it."""
    return "\n".join(_diagnostics())


def _diagnostics() -> Iterator[str]:
    yield f"# Diagnostics\n\n{MADE}"
    yield "What `fabric explain CODE` prints, for every code. Every finding also says where it is, the value there,"
    yield "and what would be right. Rules of `fabric lint` have pages of their own: [rules](rules/README.md).\n"
    known = [code for code in codes().values() if number_of(code.code) < FIRST_OF_LINT]
    for digit, group in groupby(known, key=lambda code: code.code[3]):
        yield f"## {PACKAGES[digit]}\n"
        for code in group:
            yield from _diagnostic(code)


def _diagnostic(code: Code) -> Iterator[str]:
    yield f"### {code.code}: {code.title}\n"
    if code.severity.value != "error":
        yield f"*{code.severity.value}*\n"
    yield f"{code.why}\n"
    yield f"**How to fix it.** {code.fix}\n"


def platforms_page() -> str:
    """`docs/platforms.md`: what each platform supports, and the source of each claim."""
    return "\n".join(_platforms())


def _platforms() -> Iterator[str]:
    yield f"# Platforms\n\n{MADE}"
    yield "What each Ethernet platform supports on the first model of the catalogue that runs it, newest release."
    yield "What it does not support is refused (FAB579) where an intent asks for it; nothing is left out in silence."
    yield "The first rows are what a product does by itself. A lossless quantity is *written*, *product-derived*"
    yield "(computed by the product, shown in the plan) or *refused*.\n"
    able = {name: _able(name) for name in sorted(ROWS) if platform(name).technology == "ethernet"}
    yield f"| supports | {' | '.join(platform(name).title for name in able)} |"
    yield f"|---|{'---|' * len(able)}"
    yield f"| plan and apply online | {' | '.join(_online(name) for name in able)} |"
    for field in msgspec.structs.fields(Capabilities):
        if field.name not in BESIDE_FLAGS:
            cells = (_cell(getattr(record, field.name)) for record in able.values())
            yield f"| {field.name.replace('_', ' ')} | {' | '.join(cells)} |"
    yield ""
    yield from _how_changed()
    yield from _queue_reports()
    for name, record in able.items():
        yield f"\n## {platform(name).title}: sources\n"
        if (undriven := platform(name).undriven) is not None:
            yield f"- not changed online: {undriven.feature}; {undriven.fix}"
        yield from (f"- {what.replace('_', ' ')}: {source}" for what, source in record.sources.items())
    yield ""


def _online(name: str) -> str:
    """Whether its switches are asked and changed, or planned from saved configurations alone."""
    product = platform(name)
    return "yes" if product.driver else "refused" if product.undriven else "not yet"


def _how_changed() -> Iterator[str]:
    """How each product is reached, and what its commit timer can do."""
    yield "## How they are changed\n"
    yield "Each product is reached in one way, whose timer, answers and accidents the tests know."
    yield "A timer is one of the device itself: it takes a change back that nobody confirms.\n"
    yield "| product | reached over | timer | a restart while it runs leaves | others are locked out |"
    yield "|---|---|---|---|---|"
    driven = (
        name for name in sorted(ROWS) if platform(name).driver and platform(name).technology == "ethernet"
    )
    for product in map(platform, driven):
        timer = product.timer
        ways = " and ".join(f"{end.protocol} (port {end.port})" for end in product.endpoints)
        spans = f"{timer.shortest_s:,} to {timer.longest_s:,} s" + (
            f", in steps of {timer.step_s} s" if timer.step_s > 1 else ""
        )
        left = {
            "before": "the old configuration",
            "after": "the new one",
            "unknown": "either: no source says",
        }
        lock = "yes" if timer.locks else "no: what runs is compared again right before the commit"
        yield f"| {product.title} | {ways} | {spans} | {left[timer.after_reboot]} | {lock} |"


def _queue_reports() -> Iterator[str]:
    """What `fabric verify` reads of the queues of each product's ports."""
    yield "\n## What verify reads of their queues\n"
    yield "`fabric verify` compares the running configuration of every product with the intent: classes, PFC, ECN,"
    yield "shares, watchdog. Beside it, what ports report of themselves is compared with that configuration, as far as"
    yield "a public source shows the form of the answer. What is not told, nobody looks at. MTU, speed and carrier are"
    yield "read from the ports of every product.\n"
    yield f"| product | {' | '.join(REPORTED)} |"
    yield f"|---|{'---|' * len(REPORTED)}"
    for name in sorted(ROWS):
        if platform(name).technology == "ethernet":
            reports, missing = _reports_of(name), "not told" if platform(name).driver else "not asked"
            cells = (
                "; ".join(dict.fromkeys(reports[field] for field in fields if field in reports)) or missing
                for fields in REPORTED.values()
            )
            yield f"| {platform(name).title} | {' | '.join(cells)} |"


def _reports_of(name: str) -> dict[str, str]:
    """Fields of `PortQueues` that the driver of a product tells, and where it reads them."""
    module, _, driver = platform(name).driver.partition(":")
    return dict(getattr(getattr(import_module(module), driver), "queue_reports", {})) if driver else {}


def _able(name: str) -> Capabilities:
    switches = load_catalogue().switches.values()
    runs = (m for m in switches if any(software.name == name for software in m.software))
    model = next(runs, None) or next(iter(switches))
    return platform(name).capabilities(None, model)


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or "no"
    return str(value)


def hardware_page() -> str:
    """`docs/hardware.md`: the models of the catalogue, each with its sources."""
    return "\n".join(_hardware())


def _hardware() -> Iterator[str]:
    catalogue = load_catalogue()
    yield f"# Hardware\n\n{MADE}"
    yield "What `fabric show models` lists: every model compiles, in two tiers and in three, on every platform beside"
    yield "it (Cumulus needs an admin user, FRR the policy without watchdog). The first is the default."
    yield "`fabric show models NAME` tells more, and `fabric/hardware/models/`"
    yield "holds each number with its source. A site adds its own models in `hardware/NAME.yaml`.\n"
    yield "| model | sold as | ASIC | cages | splits | platforms |"
    yield "|---|---|---|---|---|---|"
    for name, model in catalogue.switches.items():
        cells = (
            f"`{name}`",
            model.model,
            model.asic,
            cages_of(model),
            ", ".join(splits_of(model)),
            ", ".join(platforms_of(model)),
        )
        yield f"| {' | '.join(cells)} |"
    yield "\n## Hosts\n\n| model | sold as | GPUs | scale-up domain | NICs x ports x speed |\n|---|---|---|---|---|"
    for name, host in catalogue.hosts.items():
        facts = (
            f"`{name}`",
            host.model,
            f"{host.gpus}",
            f"{host.scale_up_domain_gpus}",
            "; ".join(nics_of(host)),
        )
        yield f"| {' | '.join(facts)} |"
    yield "\n## Sources\n"
    sources = {name: model.source for name, model in catalogue.switches.items()}
    sources |= {name: host.source for name, host in catalogue.hosts.items()}
    yield from (f"- `{name}`: {' '.join(source.split())}" for name, source in sources.items())
    yield ""


def commands_page() -> str:
    """`docs/commands.md`: the help of every command, its exit codes, and what they all have in common."""
    return "\n".join(_commands())


def _commands() -> Iterator[str]:
    yield f"# Commands\n\n{MADE}"
    yield INTRODUCTION
    context = click.Context(fabric, info_name="fabric", **fabric.context_settings)
    yield from _section(fabric, context, "fabric")
    for name, command, inner in _walk(fabric, context):
        yield from _section(command, inner, name)


INTRODUCTION = """\
Results go to stdout; progress, counts and messages go to stderr. Every command ends with one line that counts.

| exit code | meaning |
|---|---|
| 0 | nothing to do, or done |
| 1 | an error, a wrong command line too |
| 2 | changes are pending: `fabric plan`, `fabric drift` and `fabric resize` |
| 130 | interrupted |
| 141 | the reader of a pipe has gone |

`--format json` prints one document with `format_version`; `fabric apply` and `fabric rollback` print one JSON
object a line.
Keys are in snake case and carry their unit. Readers ignore keys that they do not know. Colour follows `--no-color`,
`NO_COLOR`, `FORCE_COLOR` and `CI`, then the terminal. In a terminal columns that do not fit are left out; in a pipe,
as csv and as json nothing is.

## Defaults

`~/.config/fabric/config.toml` (or below `XDG_CONFIG_HOME`) and `fabric.toml`, in the site's folder or above it up to
the folder of the repository, give options other defaults: a table a command, a key an option. The command line wins,
then the site's file.

```toml
[show]
format = "csv"
[lab.status]
quiet = true
```

No file sets what permits a change (`--yes`, `--allow`, `--adopt`, `--rotate-secrets`, ...), and for commands that
change something only how results are shown; a site's file names no other files to read or write.
"""


def _walk(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        yield inner.command_path, command, inner
        if isinstance(command, click.Group):
            yield from _walk(command, inner)


def _section(command: click.Command, context: click.Context, name: str) -> Iterator[str]:
    yield f"## `{name}`\n"
    formatter = click.HelpFormatter(width=100, max_width=100)
    command.format_usage(context, formatter)
    command.format_help_text(context, formatter)
    if isinstance(command, Command):
        command.format_own_options(context, formatter)
    elif isinstance(command, LateGroup):
        command.format_options(context, formatter)
    command.format_epilog(context, formatter)
    yield f"```text\n{formatter.getvalue().rstrip()}\n```\n"
    if isinstance(command, Command):
        yield f"Formats: {', '.join(f'`{name}`' for name in command.formats)}.\n"


def main(folder: Path) -> None:
    """Write the pages, and the schemas of what the program writes into `schemas/` beside them."""
    from fabric.linting.rule_pages import rule_pages

    folder.mkdir(exist_ok=True)
    (folder / "diagnostics.md").write_text(diagnostics_page(), encoding="utf-8")
    (folder / "commands.md").write_text(commands_page(), encoding="utf-8")
    (folder / "hardware.md").write_text(hardware_page(), encoding="utf-8")
    (folder / "platforms.md").write_text(platforms_page(), encoding="utf-8")
    (folder / "rules").mkdir(exist_ok=True)
    for name, text in rule_pages().items():
        (folder / "rules" / name).write_text(text, encoding="utf-8")
    for name, text in output_schema_files().items():
        (folder.resolve().parent / "schemas" / name).write_text(text, encoding="utf-8")


def output_schema(name: str) -> dict[str, Any]:
    """The schema of one of `OUTPUTS`."""
    kind, title = OUTPUTS[name]
    schema = msgspec.json.schema(kind)
    for struct in DESCRIBED:
        if struct.__name__ in schema["$defs"]:
            _describe(schema["$defs"][struct.__name__], struct)
    head = {"$schema": DIALECT, "$id": f"{BASE}{name}.schema.json", "title": title}
    return head | schema


def _describe(schema: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    schema["description"] = class_doc(struct)
    docs = field_docs(struct)
    for key, prop in schema["properties"].items():
        if docs.get(key):
            prop["description"] = docs[key]


def output_schema_files() -> dict[str, str]:
    """The files of `schemas/` by name, as they are committed."""
    schemas = {name: output_schema(name) for name in OUTPUTS} | {
        name: printed_schema(name) for name in PRINTED
    }
    return {f"{name}.schema.json": json.dumps(schema, indent=2) + "\n" for name, schema in schemas.items()}


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs"))
