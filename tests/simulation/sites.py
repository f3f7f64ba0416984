"""Networks of the shipped sites and of small intents, each made once."""

from __future__ import annotations

from functools import cache

from fabric.graph import Graph, graph_of
from fabric.intent.load import load
from fabric.intent.model import Intent
from fabric.simulation.jobs import Job, job
from fabric.simulation.routes import Routes, routes_of
from fabric.topology.expand import expand
from tests.topology.builders import REFERENCE

SITES = sorted(path.parent.name for path in REFERENCE.glob("*/site.yaml"))
LARGE = {"meta-24k", "hpn7-pod", "superpod-b300-spectrumx-16su", "megascale", "leonardo-dragonfly-plus"}
SMALL = sorted({*SITES} - LARGE - {"aquila-clique", "superpod-b200-16su"})


@cache
def intent(site: str) -> Intent:
    return load(REFERENCE / site)


@cache
def graph(site: str) -> Graph:
    return graph_of(expand(intent(site)).networks["compute"])


@cache
def routes(site: str) -> Routes:
    return routes_of(graph(site))


def job_on(site: str, **options) -> Job:
    return job(intent(site), graph(site), **options)
