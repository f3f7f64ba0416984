"""A question about a site: its network as a graph, its hash, and the job that is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from fabric.devices.drains import drained
from fabric.devices.infiniband.derive_subnet import is_adaptive
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Invalid, Origin
from fabric.documents.places import InvalidDocument
from fabric.graph import Graph, graph_of, graphs
from fabric.intent.model import Intent
from fabric.intent.model.tiers import Network
from fabric.simulation.answer import Answer
from fabric.simulation.forwarding import SubnetTables
from fabric.simulation.hashing import HashModel
from fabric.simulation.host_lists import named_hosts, sources_of
from fabric.simulation.jobs import Job, job
from fabric.simulation.one_more_spine import with_one_more_spine
from fabric.simulation.parallelism import Asked, Training, train
from fabric.simulation.routes import Routes, routes_of
from fabric.simulation.simulate import Question, simulate
from fabric.simulation.site_routes import ethernet_routes, subnet_routes
from fabric.simulation.two_jobs import Beside, together
from fabric.simulation.variants import OtherNetwork, Variant, variants
from fabric.topology.model import Topology
from fabric.topology.roles import Role

OF_SEEDS = {
    "product": HashModel.CRC32,
    "per_tier": HashModel.CRC32_SEEDED,
    "per_device": HashModel.CRC32_PER_DEVICE,
}
"""By `routing.hashing.seed` of the intent."""
BALANCED = {"flowlet": HashModel.FLOWLET, "per_packet": HashModel.SPRAY}
"""What `load_balancing` of the intent makes switches do."""


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """Where a job runs."""

    network: str
    gpus: int | None = None
    """None: all but those of spare hosts."""
    placement: str = "contiguous"
    """`contiguous`: hosts as they stand, unit by unit; `random`."""
    seed: int = 0
    """Of a random placement."""
    host_list: tuple[str, ...] = ()
    """Lines of a file of hosts, in the order of the ranks; empty: as `placement` says."""
    file: str = ""
    """That they are from."""
    table_files: tuple[tuple[str, str], ...] = ()
    """Names of files with forwarding tables of the subnet, and their texts; empty: its routing is derived."""


@dataclass(frozen=True)
class Simulated:
    """A site and what is known of how its networks forward."""

    intent: Intent
    topology: Topology
    devices: Devices | None = None
    """None where none is derived: then ports that operators have shut still carry."""
    tables: SubnetTables | None = None
    """Of the InfiniBand network that is asked about; None: its routing is derived."""


def of_site(site: Simulated, work: Work, question: Question) -> Answer:
    """The answer for one network of a site, without what is taken out. `Invalid` if the job or tables do not fit it."""
    graph, (chosen,), own, routes = _asked(site, (work,), question)
    return replace(simulate(graph, chosen, own, routes), engine=routes.engine)


def variants_of_site(site: Simulated, work: Work, question: Question) -> tuple[Variant, ...]:
    """The answer and what changes of the question would make of it, best first. `Invalid` likewise."""
    graph, (chosen,), own, routes = _asked(site, (work,), question)
    return variants(graph, chosen, own, routes, _other_networks(site, graph, chosen, own))


def training_of_site(site: Simulated, work: Work, asked: Asked, question: Question) -> Training:
    """What the dimensions of a training job do to a network. `Invalid` if degrees do not fit the job.

    Degrees that are all given make the job as large as their product, unless `work` says otherwise.
    """
    if work.gpus is None:
        work = msgspec.structs.replace(work, gpus=asked.gpus)
    graph, (chosen,), own, routes = _asked(site, (work,), question)
    return replace(train(graph, chosen, asked, own, routes), engine=routes.engine)


def together_of_site(site: Simulated, works: Sequence[Work], question: Question) -> tuple[Beside, ...]:
    """Several jobs at the same time, all with one question, in their order. `Invalid` likewise."""
    graph, jobs, own, routes = _asked(site, works, question)
    return together(graph, [(chosen, own) for chosen in jobs], routes)


def _asked(
    site: Simulated, works: Sequence[Work], question: Question
) -> tuple[Graph, list[Job], Question, Routes]:
    """The network, the jobs, the question with the network's own hash, and its routes."""
    graph = graphs(site.topology, site.devices, site.intent)[works[0].network]
    jobs = [_job(site.intent, graph, work) for work in works]
    network = site.intent.site.networks[works[0].network]
    if question.hash_model is None:
        may_adapt = network.technology == "infiniband" and site.tables is None
        adaptive = may_adapt and is_adaptive(site.intent, network)
        question = replace(question, hash_model=hash_model_of(network, adaptive=adaptive))
    return graph, jobs, question, _routes(site.intent, graph, jobs, question.model, site.tables)


def _routes(
    intent: Intent, graph: Graph, jobs: Sequence[Job], model: HashModel, tables: SubnetTables | None = None
) -> Routes:
    if intent.site.networks[graph.net.name].technology != "infiniband":
        return ethernet_routes(intent, graph)
    nics = np.concatenate([chosen.nic_links.ravel() for chosen in jobs])
    return subnet_routes(intent, graph, tables, nics) if model is HashModel.DESTINATION else routes_of(graph)


def _other_networks(site: Simulated, graph: Graph, chosen: Job, question: Question) -> Iterator[OtherNetwork]:
    """The same job on the network with a spine more. Not where ports are shut by name, or where tables are given."""
    larger = with_one_more_spine(site.intent, graph.net)
    if site.devices is not None or site.tables is not None or larger is None:
        return
    intent, net, change = larger
    other = graph_of(net, drained=drained(intent, net))
    nodes = {net.names[node]: node for node in net.role_start[Role.HOST]}
    hosts = [nodes[graph.net.names[host]] for host in chosen.hosts.tolist()]
    moved = job(intent, other, hosts=hosts)
    yield OtherNetwork(change=change, job=moved, routes=_routes(intent, other, [moved], question.model))


def _job(intent: Intent, graph: Graph, work: Work) -> Job:
    if not work.file:
        return job(intent, graph, gpus=work.gpus, placement=work.placement, seed=work.seed)
    hosts = named_hosts(graph.net, work.host_list, work.file)
    try:
        return job(intent, graph, hosts=hosts, gpus=work.gpus, placement=work.placement, seed=work.seed)
    except Invalid as error:  # of the list, not of the site
        place = Origin(document=work.file)
        found = [msgspec.structs.replace(finding, origin=place) for finding in error.diagnostics]
        raise InvalidDocument(found, sources_of(work.file)) from error


def hash_model_of(network: Network, *, adaptive: bool = False) -> HashModel:
    """What switches choose equal paths by, as the intent has it. It does not say how a product hashes: CRC-32.

    `adaptive`: the subnet manager lets switches choose packet by packet, as Ethernet switches do that spray.
    """
    if network.technology == "infiniband":
        return HashModel.SPRAY if adaptive else HashModel.DESTINATION
    if network.routing.load_balancing in BALANCED:
        return BALANCED[network.routing.load_balancing]
    return OF_SEEDS[network.routing.hashing.seed]
