"""What a stranger must know of a site: a few sentences and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fabric.exports.network_view import View
from fabric.platforms import registry
from fabric.reporting.drawing.scopes import Fabric, pod_word
from fabric.reporting.drawing.tier_plans import words_of
from fabric.topology.roles import NONE, Role
from fabric.units import Speed, counted, ratio


def tiles(views: Sequence[View]) -> Iterator[tuple[str, str]]:
    """Number and word of what is counted."""
    switches = sum(len(view.topology.switches) for view in views)
    hosts = {view.topology.names[n] for view in views for n in view.topology.role_start[Role.HOST]}
    links = sum(peer > port for view in views for port, peer in enumerate(view.topology.peer))
    yield f"{switches:,}", "switches"
    if hosts:
        yield f"{len(hosts):,}", "hosts"
        if gpus := _gpus(views):
            yield f"{gpus:,}", "GPUs"
    yield f"{links:,}", "links"
    if len(views) > 1:
        yield f"{len(views)}", "networks"


def _gpus(views: Sequence[View]) -> int:
    """GPUs of all hosts, each host once."""
    found: dict[str, int] = {}
    for view in views:
        net = view.topology
        for node in net.role_start[Role.HOST]:
            group = view.intent.site.hosts[net.host_group[node]]
            model = view.intent.hardware.hosts.get(group.model or "")
            gpus = group.gpus if isinstance(group.gpus, int) else getattr(model, "gpus", 0)
            found[net.names[node]] = gpus or 0
    return sum(found.values())


def story(fabric: Fabric) -> str:
    """One network in sentences."""
    return " ".join(_sentences(fabric))


def _sentences(fabric: Fabric) -> Iterator[str]:
    net, sizes = fabric.net, fabric.net.sizes
    tiers = [
        words_of(len(net.role_start[role]), role) for role in Role if role.is_switch and net.role_start[role]
    ]
    yield f"{_listed(tiers)} ({net.technology}) join {words_of(len(net.role_start[Role.HOST]), Role.HOST)}."
    yield f"{_products(fabric)}."
    hosts = net.role_start[Role.HOST]
    if hosts:
        ports = net.port_base[hosts[0] + 1] - net.port_base[hosts[0]]
        speed = next((fabric.speeds[peer] for _n, _p, _o, peer in fabric.links_of((hosts[0],))), 0)
        at = f" at {Speed(speed)}" if speed else ""
        yield f"A host has {counted(ports, ('port', 'ports'))}{at}."
    leaves = net.role_start[Role.LEAF]
    if any(net.rail[leaf] != NONE for leaf in leaves) and sizes.rails > 1:
        yield _rails(sizes.rails, sizes.leaves_per_unit)
    if sizes.planes > 1:
        yield f"{sizes.planes} planes are separate up to the hosts: one may fail and no host is cut off."
    if hosts and all(len({other for *_, other, _peer in fabric.links_of((host,))}) == 1 for host in hosts):
        yield "Each host hangs on one leaf, and is cut off if that fails."
    if len(fabric.pods) > 1:
        word = pod_word(net)
        yield f"Units stand in {len(fabric.pods)} {word}s."
    for role, value in sorted(net.oversubscription.items()):
        what = "as much bandwidth up as down" if value == 1 else f"{ratio(value)} bandwidth down to up"
        yield f"A {role.name.lower()} has {what}."
    if fabric.drained or fabric.shut:
        out = sum(fabric.is_out(*link) for link in fabric.view.links())
        yield f"{counted(out, ('link is', 'links are'))} out of service by the will of operators."


def _products(fabric: Fabric) -> str:
    """What the switches are: one sentence for all tiers of the same models."""
    view, net = fabric.view, fabric.net
    tiers: dict[tuple[str, ...], list[str]] = {}
    for role in Role:
        if role.is_switch and net.role_start[role]:
            models = tuple(sorted({_title(view, node) for node in net.role_start[role]}))
            tiers.setdefault(models, []).append(words_of(2, role).partition(" ")[2])
    if len(tiers) == 1:
        return f"All switches are {_listed(list(next(iter(tiers))))}"
    parts = [f"{_listed(roles)} are {_listed(list(models))}" for models, roles in tiers.items()]
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def _title(view: View, node: int) -> str:
    """Maker and model of a switch, and the software on it."""
    model = view.intent.hardware.switches[view.model(node) or ""]
    name = model.model if model.model.startswith(model.vendor) else f"{model.vendor} {model.model}"
    software = view.platform(node)
    return f"{name} with {registry.platform(software).title}" if software else name


def _rails(rails: int, leaves: int) -> str:
    """How NICs and leaves meet."""
    if leaves == rails:
        return f"There are {rails} rails: NIC i of every host lands on the leaf of rail i in its unit."
    if leaves == 1:
        return f"The {rails} rails of a unit share one leaf in each plane."
    return f"The {rails} rails of a unit share {leaves} leaves in each plane."


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
