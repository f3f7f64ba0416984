"""`fabric where`: what a line of the intent makes."""

from __future__ import annotations

import click

from fabric import api
from fabric.cli.command_classes import command
from fabric.cli.common_options import current
from fabric.cli.printing.command_output import Output
from fabric.cli.views import provenance as views
from fabric.compiler import open_site
from fabric.units import counted


@command(
    "where",
    examples=(
        "fabric where site.yaml:27",
        "fabric where site.yaml:27:28",
        "fabric where networks.compute.ip_mtu",
        "fabric where lock:networks.compute.asn_bases.leaf --format json",
    ),
)
@click.argument("place")
def run(*, place: str) -> None:
    """Show what a line of the intent makes: which devices, and which lines of their files.

    PLACE is `FILE:LINE`, `FILE:LINE:COLUMN`, or the dotted path of a key. The site is compiled again with another value
    there, one that is valid, and compared: what differs is made by the value. Nothing is written. Devices of which the
    same forms of lines differ are shown once; forms are lines without their numbers.
    """
    output, settings = Output(), current()
    site = open_site(settings.site)
    made = api.where(site, place)
    if output.is_text:
        for number, one in enumerate(made):
            if number:
                output.line()
            output.lines(views.made_lines(one, everything=settings.verbose > 0))
    else:
        output.document({"values": [views.made_document(one) for one in made]})
    output.summary(counted(len(made), views.VALUES))
