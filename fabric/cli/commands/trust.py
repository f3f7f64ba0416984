"""`fabric trust`: host keys and certificates of devices, against what is known of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from fabric import api
from fabric.api import Compiled, open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import complete_device, known, target_option
from fabric.cli.online_commands import jobs_option
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.findings import print_text, shown
from fabric.cli.run import CHANGES, ERROR, OK
from fabric.cli.where import Where, where_option
from fabric.deployment.connection.check_trust import WRONG, Identity, State, identities, record
from fabric.deployment.connection.parallel_devices import threads
from fabric.deployment.connection.trust_findings import trust_findings
from fabric.deployment.workplace import Workplace
from fabric.diagnostics import Diagnostic
from fabric.documents.places import placed
from fabric.platforms.registry import platform
from fabric.tables.table import DEVICES, Column, Row, Table
from fabric.units import counted

STYLES = {State.KNOWN: "green", State.NEW: "yellow", **dict.fromkeys(WRONG, "bold red")}


@command(
    "trust",
    examples=(
        "fabric trust",
        "fabric trust --target 'role:spine' --record",
        "fabric trust --replace leaf-0-0",
        "fabric trust --format csv",
        "fabric trust --sandbox",
        "fabric trust --sandbox --format json",
    ),
    formats=("text", "json", "csv"),
)
@target_option()
@where_option(asks=False)
@click.option(
    "--record", "new", is_flag=True, help="Write down what is new, in `trust/` of the site's folder."
)
@click.option(
    "--replace",
    multiple=True,
    metavar="DEVICE",
    shell_complete=complete_device,
    help="Write down what this device shows in place of what is recorded of it; may be repeated.",
)
@jobs_option
def run(*, target: tuple[str, ...], where: Where, new: bool, replace: tuple[str, ...], jobs: int) -> int:
    """Show by what devices are known, and record new ones.

    Each device is asked for its certificate, its SSH host key or both, as its product is reached. Nobody logs in and no
    secret is read. Nothing proves that a new fingerprint is the device's: compare it with its console before you
    `--record` it. What has changed is recorded by `--replace` only. The exit code is 2 if something is new and was not
    recorded, and 1 if something has changed, is refused, or does not answer.
    """
    if where.stand_ins and (new or replace):
        message = (
            f"a {where.stand_ins} knows its devices by itself: --record and --replace are for the site's own"
        )
        raise click.UsageError(message)
    output, settings = Output(), current()
    site, place = where.opened(open_site(settings.site), jobs)
    for name in replace:
        known(name, site.artifacts, "device")
    chosen = api.targeted(site, target)
    with placed(site.intent.sources):
        found, missing = _asked(site, place, chosen.union(replace if chosen else ()))
        written = record(found, place.folder, new=new, replaced=replace)
    output.tables([_table(found, written)], {"site": site.intent.site.site})
    left = [one for one in found if one not in frozenset(written)]
    findings = (*missing, *trust_findings(left))
    print_text(shown(findings, site.intent.sources), settings)
    output.summary(_counts(found, written))
    fresh = any(one.state is State.NEW for one in left)
    if fresh:
        output.next(
            "Compare each new fingerprint with the device's console, then run `fabric trust --record`."
        )
    return ERROR if findings else CHANGES if fresh else OK


def _asked(
    site: Compiled, place: Workplace, chosen: frozenset[str]
) -> tuple[tuple[Identity, ...], tuple[Diagnostic, ...]]:
    """What the chosen devices show, or all that a driver reaches; beside it those without an address."""
    driven = [name for name in site.artifacts if platform(site.platform_of(name)).endpoints]
    names = [name for name in driven if not chosen or name in chosen]
    ways, missing = place.addresses(site.intent.inventory, names)
    with threads(place.given_executor, place.jobs) as executor:
        found = identities(
            ways, lambda name: platform(site.platform_of(name)).endpoints, place.folder, executor
        )
    return found, missing


def _table(found: tuple[Identity, ...], written: tuple[Identity, ...]) -> Table:
    def rows() -> Iterator[Row]:
        for one in found:
            at = (one.device, one.protocol, one.address, one.port)
            yield *at, one.kind, one.shown, one.state, one.reason or one.by, one in written

    columns = (
        Column(key="device", heading="DEVICE"),
        Column(key="protocol", heading="BY"),
        Column(key="address", heading="ADDRESS", rank=4),
        Column(key="port", heading="PORT", right=True, rank=3),
        Column(key="type", heading="TYPE", rank=1),
        Column(key="fingerprint", heading="FINGERPRINT", wraps=True),
        Column(key="state", heading="STATE", style=lambda state: STYLES[state]),
        Column(key="known_by", heading="KNOWN BY", wraps=True, rank=2),
        Column(key="recorded", heading="RECORDED NOW", rank=5),
    )
    return Table(name="identities", columns=columns, rows=rows, noun=("identity", "identities"))


def _counts(found: tuple[Identity, ...], written: tuple[Identity, ...]) -> str:
    devices = len({one.device for one in found})
    counts = Counter(one.state for one in found)
    words = [f"{counts[state]:,} {state.value}" for state in State if counts[state]]
    words += [f"{len(written):,} recorded"] if written else []
    return f"{counted(devices, DEVICES)}: {', '.join(words) or 'none asked'}"
