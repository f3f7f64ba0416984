"""Hosts that the programs of a site have taken out of service, and that nobody has brought back."""

from __future__ import annotations

from fabric.cli.printing.command_output import Output
from fabric.cli.views.plan import names
from fabric.deployment import Journal

LATER = "`after` of `cordon` runs when a later run gives them one"


def tell_who_is_left(output: Output, journal: Journal, site: str, number: int | None = None) -> None:
    """The hosts that runs, or one run, have taken out of service and not brought back."""
    open_runs = {record.id for record in journal.runs(site) if not record.finished}
    for run, waves in journal.cordoned_by_run(site).items():
        if number not in (None, run):
            continue
        hosts = dict.fromkeys(host for wave in waves.values() if wave.is_over for host in wave.hosts)
        if hosts:
            output.note(f"{names(tuple(hosts))}: no path since run {run}; {LATER}.")
        devices = dict.fromkeys(name for wave in waves.values() if not wave.is_over for name in wave.devices)
        if devices and run not in open_runs:
            later = "`after` of `cordon` runs when a later run finds that they have a path"
            output.note(
                f"hosts behind {names(tuple(devices))}: still out of service since run {run}; {later}."
            )
