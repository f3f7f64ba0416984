"""`fabric size`: what to buy for a number of GPUs."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabric import api
from fabric.cli import codes
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.printing.command_output import Output
from fabric.cli.session_commands import for_site
from fabric.cli.stop import Stop
from fabric.compiler import open_site
from fabric.hardware import Catalogue, load_catalogue
from fabric.intent.load import SITE_FILE
from fabric.units import Speed, counted, parse_ratio

if TYPE_CHECKING:
    from fabric.capacity import Found, Layout, Request

NIC = re.compile(r"(?:(?P<ports>[1-9]|1[0-6])x)?(?P<speed>[0-9.]+[A-Z])\Z")
NAME = re.compile(r"[a-z][a-z0-9-]{0,30}\Z")


def _read(read: Callable[[str], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that reads a value, or several; what `read` refuses is a mistake of usage."""

    def callback(_context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
        try:
            return None if value is None else read(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return callback


def _nic(text: str) -> tuple[int, int]:
    """Ports and the speed of each, of `400G` or `2x200G`."""
    match = NIC.match(text)
    if match is None:
        message = f"{text!r} is not the speed of a NIC: write it like 400G, or 2x200G for one of two ports"
        raise ValueError(message)
    return int(match["ports"] or 1), int(Speed.parse(match["speed"]))


def _percent(text: str) -> Fraction:
    """`75%` as a share."""
    match = re.match(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)%?\Z", text)
    share = Fraction(match[1]) / 100 if match else Fraction(2)
    if share > 1:
        message = f"{text!r} is not a share: write it like 75%"
        raise ValueError(message)
    return share


def _ratio(text: str) -> Fraction:
    ratio = parse_ratio(text)
    if not ratio:
        message = f"{text!r} is not a valid ratio: write it like 1:1 or 15:1"
        raise ValueError(message)
    return ratio


@command(
    "size",
    examples=(
        "fabric size --gpus 4096 --nic 400G",
        "fabric size --gpus 1024 --nic 400G --models qm9700 --technology infiniband",
        "fabric size --gpus 15360 --nic 2x200G --models nvidia-sn5600 --oversubscription 16:15",
        "fabric size --gpus 2048 --nic 400G --keep-spine 90%",
        "fabric size --gpus 2048 --nic 400G --write pod1 --choice 2",
    ),
    formats=("text", "json", "csv"),
)
@click.option("--gpus", type=click.IntRange(1, 1_000_000), required=True, help="GPUs, each with one NIC.")
@click.option(
    "--nic",
    metavar="SPEED",
    required=True,
    callback=_read(_nic),
    help="Speed of a NIC: 400G; 2x200G: two ports.",
)
@click.option(
    "--nics-per-host", type=click.IntRange(1, 64), default=8, show_default=True, help="NICs of one host."
)
@click.option(
    "--models", metavar="A,B", default="", help="Only these switches. Default: all boxes of the catalogue."
)
@click.option(
    "--technology", type=click.Choice(("ethernet", "infiniband")), default="ethernet", show_default=True
)
@click.option(
    "--oversubscription",
    metavar="A:B",
    default="1:1",
    callback=_read(_ratio),
    help="Of leaves, at most. Default: 1:1.",
)
@click.option(
    "--spine-oversubscription",
    metavar="A:B",
    default="1:1",
    callback=_read(_ratio),
    help="Of spines. Default: 1:1.",
)
@click.option(
    "--planes", type=click.IntRange(1, 16), help="1: the ports of a NIC meet at the spines (dual ToR)."
)
@click.option(
    "--rails",
    type=click.Choice(("any", "full", "none")),
    default="any",
    show_default=True,
    help="full: each NIC of a host on a leaf of its own; none: all on the same.",
)
@click.option("--tiers", type=click.IntRange(1, 3), help="Exactly so many tiers. Default: as few as needed.")
@click.option(
    "--uplinks", metavar="SPEED", callback=_read(Speed.parse), help="Speed of links between switches."
)
@click.option(
    "--keep-leaf", metavar="N%", callback=_read(_percent), help="Least that a host keeps without one leaf."
)
@click.option("--keep-spine", metavar="N%", callback=_read(_percent), help="Without one spine or superspine.")
@click.option("--keep-plane", metavar="N%", callback=_read(_percent), help="Without one plane.")
@click.option(
    "--order",
    type=click.Choice(("switches", "optics", "capacity")),
    default="switches",
    show_default=True,
    help="What the first layout has least of; capacity: bandwidth of all switches.",
)
@click.option(
    "--choices", type=click.IntRange(1, 100), default=10, show_default=True, help="Layouts to show."
)
@click.option("--write", type=click.Path(path_type=Path), metavar="DIR", help="Write a layout as a new site.")
@click.option(
    "--choice", type=click.IntRange(1), default=1, show_default=True, help="Which one, by its number."
)
def run(*, write: Path | None, choice: int, choices: int, **options: Any) -> None:
    """Find the cheapest layouts for a number of GPUs, each ready as a site.

    Every layout of one to three tiers is considered: rails, planes, splits of cages, hosts of a unit, units of a pod.
    The catalogue holds no prices: the layout with the fewest switches comes first, then fewest optics and cables.
    Chassis are considered only if `--models` names them. FREE is how many more GPUs the same switches and links take.

    LEFT is what every host keeps of its bandwidth after the worst failure of one switch.
    """
    output = Output()
    request = _request(options)
    found = api.size(request, _catalogue(), max(choices, choice if write else 1))
    if choice > len(found.layouts):
        raise Stop(codes.UNKNOWN_NAME, f"there is no choice {choice}", f"there are {len(found.layouts)}")
    from fabric.cli.views.layouts import layout_table

    head: dict[str, Any] = {
        "gpus": request.gpus,
        "hosts": request.hosts,
        "considered": found.considered,
        "sized": found.sized,
    }
    if write is not None:
        target = _write(request, found.layouts[choice - 1], write)
        head["written"] = str(target)
    table = layout_table(found.layouts[:choices])
    output.tables([table], head)
    output.summary(f"{_counts(found)} for {counted(request.hosts, 'host')}")
    if write is None:
        output.next("Add `--write DIR --choice N` to have one as a site.")
    else:
        first, second = for_site("validate", write), for_site("show topology", write)
        output.note(f"{write / SITE_FILE} written: choice {choice}")
        output.next(f"Run `{first}`, then `{second}`.")


def _counts(found: Found) -> str:
    return f"the cheapest {len(found.layouts)} of {counted(found.considered, 'layout')} considered"


def _request(options: dict[str, Any]) -> Request:
    from fabric.capacity import Request

    ports, nic_mbps = options["nic"]
    planes = options["planes"]
    if planes and planes > 1 and ports == 1:
        ports, nic_mbps = planes, nic_mbps // planes
    return Request(
        gpus=options["gpus"],
        nic_mbps=nic_mbps,
        nic_ports=ports,
        planes=planes,
        nics_per_host=options["nics_per_host"],
        models=tuple(name for name in options["models"].split(",") if name),
        technology=options["technology"],
        oversubscription=options["oversubscription"],
        spine_oversubscription=options["spine_oversubscription"],
        tiers=options["tiers"],
        rails=options["rails"],
        uplink_mbps=int(options["uplinks"]) if options["uplinks"] else None,
        keep_leaf=options["keep_leaf"] or Fraction(0),
        keep_spine=options["keep_spine"] or Fraction(0),
        keep_plane=options["keep_plane"] or Fraction(0),
        order=options["order"],
    )


def _catalogue() -> Catalogue:
    """The shipped models, and those that the site brings along if there is a site."""
    folder = current().site
    return open_site(folder).intent.hardware if (folder / SITE_FILE).is_file() else load_catalogue()


def _write(request: Request, layout: Layout, folder: Path) -> Path:
    """The site of a layout in a folder of its own. `Stop` if there is something in it."""
    from fabric.capacity import site_text

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Stop(codes.NOT_EMPTY, f"{folder} exists and is not an empty folder", "choose another name")
    name = folder.resolve().name.lower()
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / SITE_FILE
    target.write_text(site_text(request, layout, name if NAME.match(name) else "sized"), encoding="utf-8")
    return target
