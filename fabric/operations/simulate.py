"""What a collective puts on the links of a network, and how the queue of an incast grows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fabric.compiler import Compiled
from fabric.devices.model import SubnetManager
from fabric.devices.site_devices import Devices
from fabric.diagnostics import Refused

if TYPE_CHECKING:
    from fabric.simulation import (
        Answer,
        Beside,
        Incast,
        Question,
        Simulated,
        SubnetTables,
        TableFile,
        Variant,
        Work,
    )
    from fabric.simulation.parallelism import Asked, Training
    from fabric.simulation.queues import IncastQueue, QueueCourse


def simulate(compiled: Compiled, work: Work, question: Question) -> Answer:
    """What a collective of a job puts on a network's links. `Invalid` if the job does not fit it."""
    from fabric import simulation

    return simulation.of_site(_site(compiled, work), work, question)


def simulate_variants(compiled: Compiled, work: Work, question: Question) -> tuple[Variant, ...]:
    """The same job with other queue pairs, hashes, seeds and orders of hosts, best first. `Invalid` as `simulate`."""
    from fabric import simulation

    return simulation.variants_of_site(_site(compiled, work), work, question)


def simulate_jobs(compiled: Compiled, works: Sequence[Work], question: Question) -> tuple[Beside, ...]:
    """Jobs at the same time: what each gets alone and beside the others. `Invalid` as `simulate`."""
    from fabric import simulation

    return simulation.together_of_site(_site(compiled, works[0]), works, question)


def simulate_training(compiled: Compiled, work: Work, asked: Asked, question: Question) -> Training:
    """What each dimension of a training job puts on a network's links, and all of them. `Invalid` as `simulate`."""
    from fabric import simulation

    return simulation.training_of_site(_site(compiled, work), work, asked, question)


def simulate_incasts(compiled: Compiled, network: str, incasts: Sequence[Incast]) -> tuple[IncastQueue, ...]:
    """The queue of each incast by the site's own policy; none where no device is derived, and on InfiniBand."""
    from fabric.simulation import queues

    if compiled.intent.site.networks[network].technology == "infiniband":
        return ()
    devices, _why = compiled.devices_if_any
    contexts = {} if devices is None else {context.name: context for context in devices.contexts}
    return tuple(queues.incast_queues(contexts[network], incasts)) if network in contexts else ()


def not_simulated(compiled: Compiled, network: str) -> Iterator[str]:
    """What no answer about a network has in it, and why, in words."""
    if compiled.intent.site.networks[network].technology == "infiniband":
        yield "InfiniBand's credits let no queue overflow and pause no class: no queue is told"
        return
    _devices_of_site, why = compiled.devices_if_any
    if why:
        rule = f"{why[0].code}: {why[0].rule}"
        yield f"no queue is told, and ports that are shut by name still carry: {rule}"


def simulate_queue(
    compiled: Compiled, senders: int, switch: str | None = None, until_us: float = 500.0
) -> tuple[QueueCourse, ...]:
    """The queue of an incast on every kind of port, or on those of one switch. `Invalid` if no device is derived."""
    from fabric.devices.model import Switch
    from fabric.simulation import queues  # late: only this command needs it

    known = compiled.devices.values() if switch is None else (compiled.devices.get(switch),)
    switches = (device for device in known if isinstance(device, Switch))
    return tuple(queues.courses(switches, compiled.intent, senders, until_us))


def _site(compiled: Compiled, work: Work) -> Simulated:
    """What a simulation sees of a site."""
    from fabric import simulation

    tables = _tables(compiled, work) if work.table_files else None
    return simulation.Simulated(compiled.intent, compiled.topology, _devices(compiled), tables)


def _tables(compiled: Compiled, work: Work) -> SubnetTables:
    """The forwarding tables that files hold. `Refused` if the network has none, or a file."""
    from fabric import simulation

    managers = (device for device in compiled.devices.values() if isinstance(device, SubnetManager))
    subnet = next((manager.subnet for manager in managers if manager.network == work.network), None)
    if subnet is None:
        message = f"{work.network} is not an InfiniBand subnet: its switches have no linear forwarding tables"
        raise Refused(message, "leave `--lft` out, or name the InfiniBand network with `--network`")
    files = tuple(_table_file(name, text) for name, text in work.table_files)
    return simulation.SubnetTables(subnet=subnet, files=files)


def _table_file(name: str, text: str) -> TableFile:
    from fabric import simulation
    from fabric.verification.infiniband.reading.forwarding_tables import begin_lines, parse_lfts

    dumped = parse_lfts(text)
    if not dumped.tables:
        message = f"{name}: no forwarding table in it"
        raise Refused(message, "name the output of `dump_lfts` or `ibroute`, or OpenSM's opensm-lfts.dump")
    return simulation.TableFile(
        name=name,
        tables=dumped.tables,
        owners=dumped.owners,
        lines=begin_lines(text),
        left_out=dumped.left_out,
    )


def _devices(compiled: Compiled) -> Devices | None:
    """Only where ports are shut: their names are the products', which are not needed for anything else here."""
    state, overrides = compiled.intent.state, compiled.intent.site.overrides
    shuts = state.shut_ports or state.excluded_links or any(each.shutdown_ports for each in overrides)
    return compiled.devices_if_any[0] if shuts else None
