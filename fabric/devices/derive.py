"""Stage 3: what each device must know. The only place that sees the whole fabric and the policy together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

from msgspec.structs import replace

from fabric.devices.addresses import Ip, IpInterface, interface, ip
from fabric.devices.check_borders import check_borders
from fabric.devices.check_logins import check_logins
from fabric.devices.check_site import check_intent, check_layout
from fabric.devices.context import NetworkContext, mixed_links, network_context
from fabric.devices.hosts.derive_hosts import HostMapping
from fabric.devices.hosts.interface_names import check_systems
from fabric.devices.infiniband.host_ports import SubnetHosts
from fabric.devices.infiniband.subnet_managers import subnet_managers
from fabric.devices.model import (
    Device,
    ExtraLines,
    HostAddressing,
    HostGateway,
    ManagementPort,
    Routing,
    SubnetManager,
    Switch,
)
from fabric.devices.routing import network_routing, switch_routing
from fabric.devices.site_devices import Devices
from fabric.devices.switch_kinds import Products
from fabric.devices.switch_ports import attached_gateways, gateway_addresses, switch_ports
from fabric.devices.tier_queueing import used_queueing
from fabric.diagnostics import Origin, Report
from fabric.intent.intent_digest import digest
from fabric.intent.inventory import Inventory
from fabric.intent.model import Intent, Override, Services
from fabric.intent.model.lock import Lock
from fabric.intent.state import State
from fabric.qos.derive_queueing import check_policy
from fabric.topology.model import Topology
from fabric.topology.roles import NONE, Role


def derive(intent: Intent, topology: Topology, products: Products) -> Devices:
    """Every switch and host of the site, lazily. `Invalid` if no product could be configured as the intent requires."""
    report = Report()
    for name, policy in intent.policies.items():
        check_policy(policy, f"policy:{name}", report)
    if report.has_errors:
        report.finish()  # every port would complain of the same policy
    contexts = []
    managers: dict[str, SubnetManager] = {}
    for network in topology.networks.values():
        if network.technology == "infiniband":
            managers |= {sm.name: sm for sm in subnet_managers(intent, network, products, report)}
        elif (
            check_layout(intent.site.networks[network.name], network.name, report)
            and (context := network_context(intent, network, products, report)) is not None
        ):
            contexts.append(context)
    check_intent(intent, topology, contexts, report)
    check_logins(intent.inventory, _platforms(contexts, managers), products, report)
    check_borders(contexts, report)
    subnets = tuple(
        SubnetHosts(intent, topology.networks[name], subnet)
        for name, subnet in {manager.network: manager.subnet for manager in managers.values()}.items()
    )
    hosts = HostMapping(contexts, subnets)
    check_systems(intent, contexts, subnets, hosts, report)
    findings = report.finish()
    seats = {
        context.topology.names[node]: (context, node)
        for context in contexts
        for node in context.topology.switches
    }
    routings = {context.name: network_routing(context) for context in contexts}
    shared = _shared_fingerprint(intent, topology.lock)
    services = _services(intent)

    def device(name: str) -> Device:
        if name in managers:
            return managers[name]
        context, node = seats[name]
        return _switch(context, routings[context.name], services, node)

    def fingerprint(name: str) -> str:
        if name in managers:
            return f"{shared} {name} {digest(intent)}"  # it knows the whole inventory
        context, node = seats[name]
        return _fingerprint(context, shared, node)

    names, mixed = (*seats, *managers), tuple(mixed_links(contexts))
    return Devices(names, device, fingerprint, hosts, findings, mixed, hosts.described, tuple(contexts))


def _platforms(contexts: Iterable[NetworkContext], managers: Mapping[str, SubnetManager]) -> dict[str, str]:
    """The product of each device, by name."""
    known = {name: manager.platform for name, manager in managers.items()}
    for context in contexts:
        known |= context.platforms
    return known


def _services(intent: Intent) -> Services:
    """The site's services; SSH is open to `management.allow` unless it has a list of its own."""
    services = intent.site.services
    if services.ssh.allow or not services.management.allow:
        return services
    return replace(services, ssh=replace(services.ssh, allow=services.management.allow))


def _switch(context: NetworkContext, shared: Routing, services: Services, node: int) -> Switch:
    """One switch."""
    topology, intent = context.topology, context.intent
    name = topology.names[node]
    kind = context.kind_of(node)
    numbered = context.overrides.get(name, ())
    overrides = [override for _, override in numbered]
    releases = [override.release for override in overrides if override.release]
    release = releases[-1] if releases else kind.release
    ports = switch_ports(context, kind, node)
    limited = context.products.limits_prefixes(kind.platform, release, kind.model)
    return Switch(
        name=name,
        site=intent.site.site,
        network=context.name,
        role=kind.role,
        unit=topology.unit[node],
        rail=topology.rail[node],
        plane=topology.plane[node],
        pod=topology.pod[node],
        group=topology.group[node],
        platform=kind.platform,
        release=release,
        hardware=kind.model,
        loopbacks=_loopbacks(context, node),
        ports=ports,
        gateways=_gateways(context, node),
        host_addressing=_host_addressing(context),
        bond_system=_bond_system(context, node),
        routing=switch_routing(context, shared, node, ports, overrides, limited=limited),
        queueing=used_queueing(kind.queueing.queueing, ports) if kind.queueing else None,
        services=services,
        management=_management(context, name),
        drained=name in context.drained,
        keeps_sessions=context.drained.get(name) == "graceful",
        extra=_extra(numbered),
        origin=kind.origin,
        widened_by=next((number for number, override in reversed(numbered) if override.max_paths), None),
    )


def _loopbacks(context: NetworkContext, node: int) -> tuple[IpInterface, ...]:
    topology = context.topology
    addresses: tuple[IpInterface, ...] = ()
    if topology.loopback[node] != NONE:
        addresses = (IpInterface(topology.loopback[node], 32),)
    if topology.loopback6 and topology.loopback6[node] != NONE:
        addresses = (*addresses, IpInterface(topology.loopback6[node], 128, 6))
    return addresses


def _gateways(context: NetworkContext, node: int) -> tuple[HostGateway, ...]:
    """The VLANs of a leaf with their gateways: the hosts' at the first address of its block, then the attachments'."""
    topology, links = context.topology, context.network.addressing.host_links
    mtu, gateways = int(context.network.ip_mtu_bytes), []
    if links.mode != "routed" and topology.role[node] == Role.LEAF:
        addresses = gateway_addresses(topology, node)
        gateways.append(HostGateway(links.vlan, addresses, mtu, arp_hosts=links.mode == "lacp"))
    for attached, vlan, addresses in attached_gateways(topology, node):
        name = topology.names[attached]
        own = context.intent.site.attachments[name].ip_mtu_bytes or mtu
        gateways.append(HostGateway(vlan, addresses, int(own), attachment=name))
    return tuple(gateways)


def _host_addressing(context: NetworkContext) -> HostAddressing:
    links = context.network.addressing.host_links
    return HostAddressing(links.assignment, tuple(ip(server) for server in links.dhcp_servers))


def _bond_system(context: NetworkContext, node: int) -> int:
    topology = context.topology
    bonded = context.network.addressing.host_links.mode == "lacp" and topology.role[node] == Role.LEAF
    return topology.plane[node] + 1 if bonded else 0


def _management(context: NetworkContext, name: str) -> ManagementPort:
    facts = context.intent.inventory.devices.get(name)
    management = context.intent.site.services.management
    addresses = (interface(facts.address),) if facts and facts.address else ()
    gateway: Ip | None = ip(management.gateway) if management.gateway else None
    return ManagementPort(addresses, gateway, management.vrf)


def _extra(numbered: tuple[tuple[int, Override], ...]) -> tuple[ExtraLines, ...]:
    blocks: Mapping[str, ExtraLines] = {
        section: ExtraLines(section, text, Origin(("overrides", i, "extra", section)))
        for i, override in numbered
        for section, text in override.extra.items()
    }
    return tuple(blocks[section] for section in sorted(blocks))


def _shared_fingerprint(intent: Intent, lock: Lock) -> str:
    """Digest of everything that may reach any device: the intent without what concerns single devices.

    Overrides that their neighbours see (AS numbers, names of ports) count for all. `lock` is the one that was expanded
    to, not the one that was read: writing it for the first time changes no device. What hosts call their NICs reaches
    no device.
    """
    seen_by_others = [
        (o.device, o.role, o.unit, o.network, o.asn, o.model, o.platform, o.down_cages, o.up_cages)
        for o in intent.site.overrides
        if o.asn or o.model or o.platform or o.down_cages or o.up_cages
    ]
    groups = {name: replace(group, system=None) for name, group in intent.site.hosts.items()}
    common = replace(
        intent,
        site=replace(intent.site, overrides=(), hosts=groups),
        inventory=Inventory(),
        state=State(),
        lock=lock,
    )
    return sha256(f"{digest(common)} {seen_by_others!r}".encode()).hexdigest()


def _fingerprint(context: NetworkContext, shared: str, node: int) -> str:
    """Digest of what one device is derived from: what all share, and its own settings."""
    topology = context.topology
    name = topology.names[node]
    first, last = topology.port_base[node], topology.port_base[node + 1]
    shut = sorted(port for port in context.shut if first <= port < last)
    own = (
        context.overrides.get(name, ()),
        context.intent.inventory.devices.get(name),
        shut,
        context.drained.get(name),
    )
    return sha256(f"{shared} {name} {own!r}".encode()).hexdigest()
