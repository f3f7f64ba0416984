"""Hosts that the programs of a site have taken out of service, and that nobody has brought back."""

from __future__ import annotations

from fabric.cli.printing.command_output import Output
from fabric.cli.views.plan import names
from fabric.deployment import Journal


def tell_who_is_left(output: Output, journal: Journal, site: str, number: int | None = None) -> None:
    """The hosts that runs, or one run, have taken out of service and not brought back."""
    left = journal.left_cordoned(site)
    for run, waves in left.items():
        if number in (None, run):
            hosts = tuple(host for of_wave in waves.values() for host in of_wave)
            later = "`after` of `cordon` runs when a later run gives them one"
            output.note(f"{names(hosts)}: no path since run {run}; {later}.")
    open_runs = {record.id for record in journal.runs(site) if not record.finished}
    for run, waves in journal.cordoned_by_run(site).items():
        devices = tuple(name for wave in waves.keys() - left.get(run, {}).keys() for name in waves[wave])
        if devices and run not in open_runs and number in (None, run):
            output.note(f"hosts behind {names(devices)}: still out of service since run {run}.")
