"""`fabric drift`: where the network has left the last applied state."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fabric import api
from fabric.api import open_site
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.online_commands import jobs_option, observing, skip_option, tell_of_run_under_way
from fabric.cli.printing.command_output import Output
from fabric.cli.printing.styled_lines import BOLD, DIM, PLAIN, Line, line
from fabric.cli.printing.warnings import warn
from fabric.cli.run import CHANGES, ERROR, OK
from fabric.cli.views.plan import IMPACT_STYLES, block_lines, diff_lines, names
from fabric.cli.where import Where, where_option
from fabric.deployment import Drift
from fabric.documents.places import placed
from fabric.tables.table import DEVICES
from fabric.units import counted


@command("drift", examples=("fabric drift", "fabric drift --sandbox", "fabric drift --format json"))
@where_option()
@skip_option
@jobs_option
def run(*, where: Where, skip_unreachable: bool, jobs: int) -> int:
    """Show where the network has left the last applied state.

    What somebody has typed is shown as a diff, secrets masked, with what typing it has done to traffic, and how much of
    it a plan would keep because it is not ours. Devices that drifted alike are one group. Of InfiniBand subnets the
    managers are looked at too: who is the master, and whether the others stand by. The exit code is 2 if any device
    drifted, a manager is not as planned, or a device turns out to keep what a failed run had left to its timer, and 1
    if a device was not compared, as it did not answer or did not let us look, and `--skip-unreachable` does not leave
    it for later.
    """
    return show_drift(where, jobs, skip_unreachable=skip_unreachable)


def show_drift(where: Where, jobs: int, *, skip_unreachable: bool, record: bool = False) -> int:
    """Show what was typed by hand, and with `record` write it down; the exit code."""
    output, settings = Output(), current()
    site, place = where.opened(open_site(settings.site), jobs)
    tell_of_run_under_way(output, place, site.intent.site.site)
    with placed(site.intent.sources), observing(len(site.artifacts), settings) as on_event:
        drift = api.drift(site, place, on_event=on_event, record=record)
    if output.is_text:
        output.lines(_lines(drift, settings.verbose))
    else:
        output.document({"site": site.intent.site.site, **msgspec.to_builtins(drift)})
    warn(drift.findings, site.intent)
    output.summary(_counts(drift))
    if drift.recorded is not None:
        output.next(
            f"The journal has it as run {drift.recorded}: no device was changed, and no line became ours."
        )
    if drift.unreachable and not (skip_unreachable and _answered(drift)):
        return ERROR
    if not drift.drifted or drift.recorded is not None:
        return CHANGES if drift.findings else OK
    kept = "; lines that are not ours are kept" if any(device.kept for device in drift.drifted) else ""
    output.next(f"Run `fabric plan` to see what the intent changes of it{kept}.")
    return CHANGES


def _lines(drift: Drift, verbose: int) -> Iterator[Line]:
    devices = {device.device: device for device in drift.drifted}
    for group in drift.groups:
        first = devices[group[0]]
        yield (
            (f"{counted(len(group), DEVICES)}: ", BOLD),
            (f"{names(group)}: ", PLAIN),
            (first.impact.value, IMPACT_STYLES[first.impact]),
        )
        yield from block_lines(first.changes, verbose)
        yield from diff_lines(first.diff, first.device if len(group) > 1 else "", verbose)
        if first.kept:
            count = len(first.kept)
            whose = "line that is not ours is" if count == 1 else "lines that are not ours are"
            yield line(f"  {count:,} {whose} kept by a plan", DIM)
        yield line()
    for device, reason in drift.unreachable.items():
        yield ((f"{device}: ", BOLD), (f"not compared: {reason}", {"fg": "red"}))


def _answered(drift: Drift) -> int:
    return len(drift.drifted) + len(drift.unchanged) + len(drift.never_applied)


def _counts(drift: Drift) -> str:
    total = _answered(drift) + len(drift.unreachable)
    counts = [f"{len(drift.drifted):,} drifted", f"{len(drift.unchanged):,} as applied"]
    counts += [f"{len(drift.never_applied):,} never applied"] if drift.never_applied else []
    counts += [f"{len(drift.unreachable):,} not compared"] if drift.unreachable else []
    return f"{counted(total, DEVICES)}: {', '.join(counts)}"
