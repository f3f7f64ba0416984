"""`fabric show`: what a site expands to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import click

from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.known_names import (
    complete_device,
    complete_network,
    known,
    known_device,
    target_option,
    views_of,
)
from fabric.cli.printing.command_output import Output
from fabric.cli.stop import Stop
from fabric.cli.views import hardware_models, links
from fabric.compiler import Compiled, open_site
from fabric.devices.model import Switch
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Invalid
from fabric.hardware import load_catalogue
from fabric.intent.load import SITE_FILE
from fabric.tables import bill_of_materials, qos, topology
from fabric.tables.chosen_names import Chosen, targeted
from fabric.tables.table import Table, total
from fabric.tables.value_formats import View
from fabric.units import counted

Maker = Callable[[Sequence[View], Chosen], tuple[Table, ...]]

QOS = "qos"
LISTS: dict[str, Maker] = {
    "topology": lambda views, _only: (topology.tier_table(views),),
    "devices": lambda views, only: (topology.device_table(views, only),),
    "links": lambda views, only: (links.link_table(views, only),),
    "cables": lambda views, only: (links.cable_table(views, only),),
    "addresses": lambda views, only: (links.address_table(views, only),),
    "asn": lambda views, only: (topology.asn_table(views, only),),
    "bom": lambda views, only: (bill_of_materials.bom_table(views, only),),
    "sizing": lambda views, _only: (topology.sizing_table(views),),
}
STDOUT = Path("-")
MODELS = "models"
BY_DEVICE = ("devices", "links", "cables", "addresses", "asn", "bom", QOS)
BY_TARGET = tuple(name for name in BY_DEVICE if name != QOS)
BY_NETWORK = ("topology", "devices", "links", "cables", "addresses", "asn", QOS, "bom", "sizing")


def complete_model(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """Names of models for the shell."""
    catalogue = load_catalogue()
    return [name for name in (*catalogue.switches, *catalogue.hosts) if name.startswith(start)]


@command(
    "show",
    examples=(
        "fabric show topology",
        "fabric show topology --svg fabric.svg",
        "fabric show devices",
        "fabric show links --device leaf-0-0",
        "fabric show links --target role:leaf,unit:0 --columns device,port,peer",
        "fabric show cables --format csv",
        "fabric show addresses --network compute",
        "fabric show asn",
        "fabric show qos",
        "fabric show bom --format json",
        "fabric show bom --target unit:0",
        "fabric show sizing",
        "fabric show sizing --fresh",
        "fabric show models",
        "fabric show models arista-7060x6-64pe",
    ),
    formats=("text", "json", "csv"),
)
@click.argument("what", type=click.Choice((*BY_NETWORK, MODELS)), metavar="LIST")
@click.argument("model", required=False, metavar="[MODEL]", shell_complete=complete_model)
@click.option(
    "--network",
    metavar="NAME",
    shell_complete=complete_network,
    help="Only this network. With every list but models.",
)
@click.option(
    "--device",
    metavar="NAME",
    shell_complete=complete_device,
    help="Only this device or host. With devices, links, cables, addresses, asn, bom and qos.",
)
@target_option(
    "Only these devices and hosts, and what ends at them. With devices, links, cables, addresses, asn and bom"
)
@click.option(
    "--fresh",
    is_flag=True,
    help="With sizing: what a search without fabric.lock would choose, and the runner-up.",
)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="With topology: draw it into a file; `-` is the standard output.",
)
def run(
    *,
    what: str,
    model: str | None,
    network: str | None,
    device: str | None,
    target: tuple[str, ...],
    fresh: bool,
    svg: Path | None,
) -> None:
    """Show what a site expands to: devices, cables, addresses, ...

    LIST is one of topology, devices, links, cables, addresses, asn, qos, bom, sizing. `models` needs no site: it
    lists the hardware that a tier or a group of hosts may name, and with a MODEL everything that is known of it.

    In a terminal columns that do not fit are left out, and named; in a pipe, as csv and as json nothing is.
    `--columns` chooses among them. A link or a cable is shown, and counted as a part, if either of its ends is a
    target.
    """
    options = {"--network": network, "--device": device, "--target": target, "--fresh": fresh, "--svg": svg}
    _go_together(what, {**options, "a MODEL": model})
    output = Output()
    if what == MODELS:
        _models(model, output)
        return
    site = open_site(current().site)
    views = views_of(site.unlocked if fresh else site, network)
    if svg:
        _draw(site, views, svg, output)
        return
    chosen = known_device(site, device, network)
    only = targeted(target, views)
    if chosen:
        only = {chosen, *(only or ())}
    tables = _queueing(site, views, network, chosen) if what == QOS else LISTS[what](views, only)
    is_empty = not any(True for table in tables for _row in table.rows())
    if is_empty and (chosen or target):
        rule = f"{chosen or ' '.join(target)} has {LACKS[what]}"
        raise Stop(codes.UNKNOWN_NAME, rule, f"`fabric show {what}` lists what there is")
    output.tables(tables, {"site": site.topology.site, "list": what})
    why = f": {network} has {LACKS.get(what, 'nothing to list')}" if is_empty and network else ""
    output.summary(f"{total(tables)}{why}")


LACKS = {
    "devices": "no devices",
    "links": "no link",
    "cables": "no cable",
    "addresses": "no address that this site gives",
    "asn": "no AS number: only switches of Ethernet networks have one",
    "bom": "no part",
    QOS: "no queueing: only switches of Ethernet networks with a policy (`lossless`) have it",
    "sizing": "no size that was chosen: all are written",
}
"""What a device or a network has not, by the list that would be empty: it alone would not tell why."""


GOES_WITH = {
    "--network": BY_NETWORK,
    "--device": BY_DEVICE,
    "--target": BY_TARGET,
    "--fresh": ("sizing",),
    "--svg": ("topology",),
    "a MODEL": (MODELS,),
}
"""The lists that each option is for."""


def _go_together(what: str, given: Mapping[str, object]) -> None:
    """`UsageError` where an option would do nothing to the list."""
    for option, value in given.items():
        if value and what not in GOES_WITH[option]:
            message = f"{option} goes with {', '.join(GOES_WITH[option])}"
            raise click.UsageError(message)


def _queueing(
    site: Compiled, views: Sequence[View], network: str | None, device: str | None
) -> tuple[Table, ...]:
    """The lossless policy of every kind of switch, or of one switch. `Stop` if the device is none."""
    queueings = tuple(qos.queueings(views))
    devices = _derived(site)
    if device is not None:
        switch = site.devices.get(device)
        if not isinstance(switch, Switch):
            rule = f"{device} is not a switch that queues by the policy"
            raise Stop(codes.UNKNOWN_NAME, rule, "name a switch; the settings of hosts: `fabric compile`")
        queueings = ((switch.network, switch.role, switch.queueing),) if switch.queueing else ()
        queueings = tuple(queueing for queueing in queueings if network in (None, queueing[0]))
    tables = (qos.class_table(queueings), qos.profile_table(queueings), qos.budget_table(queueings))
    return (*tables, qos.applied_table(devices, network, device))


def _derived(site: Compiled) -> Devices | None:
    """The devices; None where they cannot be derived: `validate` says why, and a list shows what it can."""
    with suppress(Invalid):
        return site.devices
    return None


def _models(name: str | None, output: Output) -> None:
    """The catalogue, with the models that the site brings along if there is a site."""
    folder = current().site
    catalogue = open_site(folder).intent.hardware if (folder / SITE_FILE).is_file() else load_catalogue()
    if name is not None:
        known(name, (*catalogue.switches, *catalogue.hosts), "model", "the catalogue")
        tables = hardware_models.model_tables(catalogue, name)
        output.tables(tables, {"model": name})
        place = "a tier" if name in catalogue.switches else "a group of hosts"
        output.summary(f"{name}: {total(tables)}")
        output.next(f"Write `model: {name}` in {place}.")
        return
    tables = hardware_models.catalogue_tables(catalogue)
    output.tables(tables, {"list": MODELS})
    output.summary(total(tables))


def _draw(site: Compiled, views: Sequence[View], target: Path, output: Output) -> None:
    from fabric.reporting.drawing.picture import draw

    picture = draw(views)
    if target == STDOUT:
        output.raw(picture)
    else:
        target.write_text(picture, encoding="utf-8")
    nodes = sum(len(view.topology.switches) for view in views)
    if not output.is_text and target != STDOUT:
        output.document({"site": site.topology.site, "svg": str(target), "switches": nodes})
    name = "standard output" if target == STDOUT else target
    output.summary(f"{name}: {counted(nodes, ('switch', 'switches'))} drawn")
