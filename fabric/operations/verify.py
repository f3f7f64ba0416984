"""A running network held against its site: what answers are needed, where they come from, what is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fabric import analysis, deployment
from fabric.compiler import Compiled, derive
from fabric.deployment import OnEvent, Workplace, ignore
from fabric.devices.model import SubnetManager, Switch
from fabric.diagnostics import Refused
from fabric.platforms import registry
from fabric.resources import StrPath
from fabric.verification.ethernet import (
    Evidence,
    PlannedNetwork,
    read_answers,
    read_host_results,
    verify_network,
)

if TYPE_CHECKING:
    from fabric.verification.ethernet.check_paths import Widths
    from fabric.verification.infiniband import SubnetVerdict
    from fabric.verification.verdict import NetworkVerdict


def verify(
    compiled: Compiled,
    network: str,
    outputs: StrPath | None = None,
    *,
    hosts: StrPath | None = None,
    simulated: bool = False,
    place: Workplace | None = None,
    save: StrPath | None = None,
    on_event: OnEvent = ignore,
) -> NetworkVerdict:
    """Compare a running network with the intent. Nothing is changed. `Refused` if the site has no such network.

    `outputs` is a folder with what was asked before: answers that `save` has kept, or, of InfiniBand, what the
    subnet's tools have printed. Without it the switches of `place` are asked, or those tools are run here, on a host of
    the subnet. `hosts`: a folder with what the hosts' own verify program has printed, a file a host; of Ethernet alone.
    `simulated`: the subnet runs under ibsim, whose links are all 4x HDR.
    """
    known = compiled.topology.networks.get(network)
    if known is None:
        message = f"{network} is not a network of this site"
        raise Refused(message, "`fabric show topology` lists them")
    if known.technology == "infiniband":
        if hosts is not None:
            message = f"{network} is InfiniBand: its adapters are checked with the subnet"
            raise Refused(message, "leave out `--hosts`")
        where = place or Workplace(folder=compiled.folder)
        return _verify_subnet(
            compiled, network, Path(outputs) if outputs is not None else None, where, simulated=simulated
        )
    if outputs is not None:
        answers, unread = read_answers(Path(outputs), frozenset(_switches(compiled, network)))
        evidence = Evidence(answers=answers, unread=unread)
    else:
        evidence = ask_network(compiled, network, place or Workplace(folder=compiled.folder), on_event)
        if save is not None:
            deployment.save_answers(Path(save), evidence.answers)
    if hosts is not None:
        evidence = _with_hosts(evidence, Path(hosts), compiled, network)
    switches = (compiled.devices[name] for name in _switches(compiled, network))
    plan = PlannedNetwork(
        network,
        (switch for switch in switches if isinstance(switch, Switch)),
        (compiled.devices.hosts[name] for name in compiled.devices.hosts),
        compiled.intent.inventory,
    )
    return verify_network(plan, evidence, _widths(compiled, network, plan))


def _with_hosts(evidence: Evidence, folder: Path, compiled: Compiled, network: str) -> Evidence:
    """The same, with the results of its hosts."""
    hosts = compiled.devices.hosts
    names = {name for name in hosts if any(port.network == network for port in hosts[name].ports)}
    results, unread = read_host_results(folder, names)
    return msgspec.structs.replace(evidence, hosts=results, unread=(*evidence.unread, *unread))


def ask_network(compiled: Compiled, network: str, place: Workplace, on_event: OnEvent = ignore) -> Evidence:
    """What the switches of an Ethernet network say of themselves and their neighbours."""
    targets = place.targets(compiled.intent.inventory, _switches(compiled, network))
    with place.executor() as executor:
        answers, silent = deployment.ask_answers(
            targets, compiled.platform_of, executor=executor, on_event=on_event
        )
    return Evidence(
        answers=answers, silent=silent, has_speeds=place.stand_ins != "lab", has_routes=place.has_routes
    )


def _switches(compiled: Compiled, network: str) -> list[str]:
    """The switches of one network that can be there: in a lab, those that are played."""
    return [name for name in compiled.topology.networks[network].names if name in compiled.devices]


def _widths(compiled: Compiled, network: str, plan: PlannedNetwork) -> Widths | None:
    """The paths that are to be there; None while a switch is drained: then fewer are meant."""
    if any(switch.drained for switch in plan.switches.values()):
        return None
    site = derive(compiled.intent, compiled.topology)  # a lab's devices have no context of their own
    context = next(context for context in site.contexts if context.name == network)
    return analysis.expected_widths(context, site)


def _verify_subnet(
    compiled: Compiled, network: str, outputs: Path | None, place: Workplace, *, simulated: bool
) -> SubnetVerdict:
    """Managers, cables, partitions, lanes, routes; the subnet's tools are run here, on a host of the subnet."""
    from fabric.verification import infiniband  # only InfiniBand needs it

    devices = compiled.devices.values()
    managers = [
        device for device in devices if isinstance(device, SubnetManager) and device.network == network
    ]
    subnet, product = managers[0].subnet, registry.platform(managers[0].platform)
    planned = infiniband.planned_managers(managers, shared=product.shares_database)
    if outputs is not None:
        evidence = infiniband.read_folder(outputs)
    else:
        keys, environment = subnet.keys, _led(network, place)
        asked = (keys.management, keys.administration) if keys else ()
        known = place.source.resolve(asked)
        with infiniband.tools(*(known[one] for one in asked), environment=environment) as tools:
            evidence = infiniband.collect(subnet, tools, (manager.port_guid for manager in planned))
    panel = infiniband.device_labels(
        compiled.intent, compiled.topology.networks[network], managers[0].platform
    )
    return infiniband.verify_subnet(
        subnet,
        evidence,
        panel,
        managers=planned,
        everybody=product.whole,
        simulated=simulated or bool(place.stand_ins),
    )


def _led(network: str, place: Workplace) -> Mapping[str, str]:
    """What leads the tools to the subnet of `place`; nothing for the real one.

    `Refused` if a sandbox or a lab does not play it: the tools would ask this machine's own adapters.
    """
    if place.stand_ins and network not in place.subnets:
        message = f"the {place.stand_ins} plays no subnet of {network}"
        raise Refused(message, "`fabric sandbox down`, then `fabric sandbox up`, simulate it anew")
    return place.subnets.get(network, {})
