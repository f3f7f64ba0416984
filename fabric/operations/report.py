"""Everything that is known of a site, as one page for a browser."""

from __future__ import annotations

from pathlib import Path

from fabric.compiler import Compiled
from fabric.documents.places import placed
from fabric.exports.network_view import views
from fabric.resources import StrPath


def report(
    compiled: Compiled,
    network: str | None = None,
    *,
    collective: str = "allreduce",
    plan: StrPath | None = None,
    verified: StrPath | None = None,
) -> str:
    """One HTML page that asks for nothing from outside: of every network of a site, or of one.

    `collective`: whose load of the links is shown. `plan`: the folder of a saved plan. `verified`: a file of what
    `fabric verify --format json` has printed. The same arguments give the same bytes. `Invalid` if the site has
    errors, `KeyError` for a network that it does not have, `Refused` if a file is not what it should be.
    """
    from fabric.operations import page_facts  # templates and numpy come with it
    from fabric.reporting.page import page

    if network is not None:
        _ = compiled.topology.networks[network]
    shown = views(compiled.intent, compiled.topology, (network,) if network else ())
    verdict = page_facts.saved_verdict(Path(verified)) if verified is not None else None
    saved = page_facts.saved_plan(Path(plan)) if plan is not None else None
    with placed(compiled.intent.sources):
        return page(page_facts.facts_of(compiled, shown, collective, saved, verdict))
