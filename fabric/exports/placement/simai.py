"""A topology file for SimAI: GPUs, scale-up switches, switches, and every link between them, by number.

Format: aliyun/SimAI, what `gen_Topo_Template.py` writes: a line `nodes gpus_per_server nvswitches switches links
gpu_type`, a line with the numbers of all switches, a line `from to bandwidth latency error_rate` for each link.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fabric.exports.network_view import View
from fabric.exports.slurm import Plan
from fabric.exports.source import Kind, Lines, Source
from fabric.topology.roles import NONE, Role

LATENCY, SCALE_UP_LATENCY = "0.0005ms", "0.000025ms"
SCALE_UP_MBPS = 2_880_000
"""Of a GPU, unless the catalogue says. All three are the defaults of SimAI's own generator."""
GPU_TYPES = ("A100", "A800", "H800", "H20", "H100")
"""SimAI knows these; a host of another is the last one to it."""


def gpus_of(source: Source, group: str) -> int:
    """GPUs of a host of a group."""
    written = source.intent.site.hosts[group]
    model = source.intent.hardware.hosts[written.model] if written.model else None
    return written.gpus if written.gpus is not None else model.gpus if model else 0


def _groups(source: Source) -> list[str]:
    return sorted(set(source.with_hosts[0].host_group.values())) if source.with_hosts else []


def _applies(source: Source) -> bool:
    counts = {gpus_of(source, group) for group in _groups(source)}
    return len(counts) == 1 and counts != {0}


def _domains(plan: Plan) -> list[int]:
    """The number of the scale-up domain of each host, in order of the hosts."""
    domain_of = {host: block.name for block in plan.blocks() if block.is_scale_up for host in block.hosts}
    names = [domain_of.get(host, str(host)) for host in plan.topology.role_start[Role.HOST]]
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return [number[name] for name in names]


def _scale_up(source: Source) -> tuple[int, str]:
    """Mb/s of a GPU in its scale-up domain, and the type of the GPU."""
    group = source.intent.site.hosts[_groups(source)[0]]
    model = source.intent.hardware.hosts[group.model] if group.model else None
    facts = model.facts.get("scale_up", {}) if model else {}
    gigabytes = facts.get("per_gpu_gbytes_s") if isinstance(facts, dict) else None
    # The catalogue counts both directions, a link of SimAI one.
    mbps = int(gigabytes) * 8000 // 2 if isinstance(gigabytes, int) else SCALE_UP_MBPS
    name = model.model if model else ""
    return mbps, next((gpu for gpu in GPU_TYPES if gpu in name), GPU_TYPES[-1])


def _lines(source: Source, domain_of: list[int]) -> Iterator[str]:
    view = next(view for view in source.views if view.topology is source.with_hosts[0])
    gpus = gpus_of(source, _groups(source)[0])
    scale_up_mbps, gpu_type = _scale_up(source)
    count, domains = len(domain_of) * gpus, max(domain_of) + 1
    switches = len(view.topology.switches)
    links = list(_links(view, _Numbers(view, gpus, count + domains)))
    total = count + domains + switches
    yield f"{total} {gpus} {domains} {switches} {count + len(links)} {gpu_type}\n"
    yield " ".join(map(str, range(count, total))) + "\n"
    for gpu in range(count):
        yield f"{gpu} {count + domain_of[gpu // gpus]} {_rate(scale_up_mbps)} {SCALE_UP_LATENCY} 0\n"
    yield from links


class _Numbers:
    """The number of what a port belongs to: a GPU by its NIC, or a switch."""

    def __init__(self, view: View, gpus: int, first_switch: int) -> None:
        self.view, self.gpus, self.first_switch = view, gpus, first_switch
        self.first_host = view.topology.role_start[Role.HOST].start

    def of(self, node: int, port: int) -> int:
        """The number of one end of a link."""
        topology = self.view.topology
        if topology.role[node] != Role.HOST:
            return self.first_switch + node
        ports = topology.port_base[node + 1] - topology.port_base[node]
        place = (port - topology.port_base[node]) * self.gpus // ports
        return (node - self.first_host) * self.gpus + place


def _links(view: View, numbers: _Numbers) -> Iterator[str]:
    for low, port, high, peer in view.links():
        if Role.ATTACHMENT in (view.topology.role[low], view.topology.role[high]):
            continue
        speed = view.speed_mbps(port, peer)
        if speed is not None and view.topology.peer[port] != NONE:
            yield f"{numbers.of(low, port)} {numbers.of(high, peer)} {_rate(speed)} {LATENCY} 0\n"


def _rate(mbps: int) -> str:
    return f"{mbps // 1000}Gbps"


def _files(source: Source) -> Iterator[tuple[str, Lines]]:
    plan = Plan(source.intent, source.with_hosts[0], source.report)
    yield "topology", partial(_lines, source, _domains(plan))


KIND = Kind("simai", "GPUs, switches and links for the simulator SimAI", _applies, _files)
