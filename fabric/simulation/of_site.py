"""A question about a site: its network as a graph, its hash, and the job that is meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from fabric.devices.site_devices import Devices
from fabric.graph import Graph, graphs
from fabric.intent.model import Intent
from fabric.intent.model.tiers import Network
from fabric.simulation.answer import Answer
from fabric.simulation.hashing import HashModel
from fabric.simulation.jobs import Job, job, named_hosts
from fabric.simulation.parallelism import Asked, Training, train
from fabric.simulation.simulate import Question, simulate
from fabric.simulation.two_jobs import Beside, together
from fabric.simulation.variants import Variant, variants
from fabric.topology.model import Topology


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


def of_site(
    intent: Intent, topology: Topology, devices: Devices | None, work: Work, question: Question
) -> Answer:
    """The answer for one network of a site, without what is taken out. `Invalid` if the job does not fit it.

    `devices`: None where none is derived; then ports that operators have shut still carry.
    """
    return simulate(*_asked(intent, topology, devices, work, question))


def variants_of_site(
    intent: Intent, topology: Topology, devices: Devices | None, work: Work, question: Question
) -> tuple[Variant, ...]:
    """The answer and what changes of the question would make of it, best first. `Invalid` likewise."""
    return variants(*_asked(intent, topology, devices, work, question))


def training_of_site(
    intent: Intent, topology: Topology, devices: Devices | None, work: Work, asked: Asked, question: Question
) -> Training:
    """What the dimensions of a training job do to a network. `Invalid` if degrees do not fit the job.

    Degrees that are all given make the job as large as their product, unless `work` says otherwise.
    """
    if work.gpus is None:
        work = msgspec.structs.replace(work, gpus=asked.gpus)
    graph, chosen, own = _asked(intent, topology, devices, work, question)
    return train(graph, chosen, asked, own)


def together_of_site(
    intent: Intent, topology: Topology, devices: Devices | None, works: Sequence[Work], question: Question
) -> tuple[Beside, ...]:
    """Several jobs at the same time, all with one question, in their order. `Invalid` likewise."""
    asked = [_asked(intent, topology, devices, work, question) for work in works]
    return together(asked[0][0], [(job_of, own) for _graph, job_of, own in asked])


def _asked(
    intent: Intent, topology: Topology, devices: Devices | None, work: Work, question: Question
) -> tuple[Graph, Job, Question]:
    graph = graphs(topology, devices, intent.state)[work.network]
    hosts = named_hosts(graph.net, work.host_list, work.file) if work.file else ()
    chosen = job(intent, graph, hosts=hosts, gpus=work.gpus, placement=work.placement, seed=work.seed)
    if question.hash_model is None:
        question = replace(question, hash_model=hash_model_of(intent.site.networks[work.network]))
    return graph, chosen, question


def hash_model_of(network: Network) -> HashModel:
    """What switches choose equal paths by, as the intent has it. It does not say how a product hashes: CRC-32."""
    if network.technology == "infiniband":
        return HashModel.DESTINATION
    if network.routing.load_balancing == "per_packet":
        return HashModel.SPRAY
    return HashModel.CRC32 if network.routing.hashing.seed == "product" else HashModel.CRC32_SEEDED
