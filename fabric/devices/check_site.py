"""What only the whole site can tell: names in other files, tenants, overrides that match nothing."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from fabric.devices import codes
from fabric.devices.context import NetworkContext
from fabric.devices.drains import check_drains
from fabric.diagnostics import Origin, Report
from fabric.documents.suggest import did_you_mean
from fabric.intent.codes import UNKNOWN_NAME
from fabric.intent.model import Intent, Network, Tenant
from fabric.topology.model import NetworkTopology, Topology
from fabric.topology.roles import Role
from fabric.units import counted


def check_intent(
    intent: Intent, topology: Topology, contexts: Sequence[NetworkContext], report: Report
) -> None:
    """Hold the files beside the intent, overrides and tenants against what was expanded."""
    switches = {
        network.names[node]: node for network in topology.networks.values() for node in network.switches
    }
    known = frozenset(switches)
    _state(intent, topology, known, report)
    for network in topology.networks.values():
        if intent.site.networks[network.name].technology == "ethernet":
            check_drains(intent, network, report)
    _inventory(intent, known, report)
    _feeds(intent, topology, report)
    _overrides(intent, known, contexts, report)
    unknown = Report()
    _members(intent, topology, unknown)
    _tenants(intent, topology, report, are_known=not unknown.has_errors)
    report.extend(unknown)
    _routers(intent, report)


def _suggest(name: str, known: frozenset[str]) -> str:
    close = get_close_matches(name, sorted(known), n=1)
    return f"did you mean {close[0]!r}?" if close else "`fabric show devices` lists the names"


def _state(intent: Intent, topology: Topology, known: frozenset[str], report: Report) -> None:
    everything = known | {name for network in topology.networks.values() for name in network.names}
    entries = [
        *(("drained", i, "device", e.device, known) for i, e in enumerate(intent.state.drained)),
        *(("shut_ports", i, "device", e.device, known) for i, e in enumerate(intent.state.shut_ports)),
        *(
            ("excluded_links", i, "device", e.device, known)
            for i, e in enumerate(intent.state.excluded_links)
        ),
        *(
            ("excluded_links", i, "peer", e.peer, everything)
            for i, e in enumerate(intent.state.excluded_links)
        ),
    ]
    for section, i, key, name, allowed in entries:
        if name not in allowed:
            origin = Origin((section, i, key), "state")
            hint = f"remove the entry if the site has the device no longer; else: {_suggest(name, allowed)}"
            report.add(codes.STATE_UNKNOWN.at(origin, f"there is no device {name!r}", value=name, hint=hint))


def _inventory(intent: Intent, known: frozenset[str], report: Report) -> None:
    known |= _managers(intent)
    for name in intent.inventory.devices:
        if name not in known:
            report.add(
                codes.INVENTORY_UNKNOWN.at(
                    Origin(("devices", name), "inventory"),
                    f"the intent makes no device {name!r}",
                    value=name,
                    hint=_suggest(name, known),
                )
            )


def _feeds(intent: Intent, topology: Topology, report: Report) -> None:
    """Power feeds of devices and hosts that the intent does not make: nothing would fail with them."""
    everything = frozenset(name for network in topology.networks.values() for name in network.names)
    for name in intent.inventory.feeds.devices:
        if name not in everything:
            rule, origin = (
                f"the intent makes no device {name!r}",
                Origin(("feeds", "devices", name), "inventory"),
            )
            report.add(UNKNOWN_NAME.at(origin, rule, value=name, hint=_suggest(name, everything)))


def _managers(intent: Intent) -> frozenset[str]:
    """Names of everything that manages a subnet: it has a management address like a switch."""
    attached = (
        name for name, attachment in intent.site.attachments.items() if attachment.kind == "subnet_manager"
    )
    hosts = (
        manager.host
        for network in intent.site.networks.values()
        for manager in network.infiniband.managers
        if manager.host is not None
    )
    return frozenset((*attached, *hosts))


def _overrides(
    intent: Intent, known: frozenset[str], contexts: Sequence[NetworkContext], report: Report
) -> None:
    matched = {i for context in contexts for numbered in context.overrides.values() for i, _ in numbered}
    for i, override in enumerate(intent.site.overrides):
        if i in matched or not contexts:
            continue
        scopes = {key: getattr(override, key) for key in ("device", "unit", "role", "network")}
        scope = {key: value for key, value in scopes.items() if value is not None}
        key, value = next(iter(scope.items()))
        report.add(
            codes.OVERRIDE_MATCHES_NOTHING.at(
                Origin(("overrides", i, key)),
                f"no switch has {' and '.join(f'{k} {v!r}' for k, v in scope.items())}",
                value=value,
                hint=_suggest(str(value), known),
            )
        )


def _tenants(intent: Intent, topology: Topology, report: Report, *, are_known: bool) -> None:
    """On InfiniBand they become partitions; on Ethernet several would need VRFs."""
    routed = {name for name, network in intent.site.networks.items() if network.technology == "ethernet"}
    tenants = {
        name: tenant
        for name, tenant in intent.site.tenants.items()
        if routed & set(tenant.networks or intent.site.networks)
    }
    apart = [name for name, tenant in tenants.items() if tenant.vrf] or (
        list(tenants) if len(tenants) > 1 else []
    )
    if apart:
        report.add(
            codes.TENANT_VRF.at(
                Origin(("tenants", apart[0])),
                f"{', '.join(apart)} would share one routing table",
                hint="one tenant without `vrf` is the whole network; several come with VRFs",
            )
        )
    for name, tenant in tenants.items() if are_known and not apart else ():
        networks = [topology.networks[key] for key in tenant.networks or topology.networks if key in routed]
        _lone(name, tenant, intent, networks, report)


def _lone(
    name: str, tenant: Tenant, intent: Intent, networks: Sequence[NetworkTopology], report: Report
) -> None:
    """One tenant of a part of the hosts: nothing would keep the others from them."""
    everyone = {
        net.names[node]: (net.host_group[node], net.unit[node])
        for net in networks
        for node in net.role_start[Role.HOST]
    }
    tagged = {host for host, facts in intent.inventory.hosts.items() if set(tenant.tags) & set(facts.tags)}
    named = {*tenant.hosts, *tagged}
    lone = [
        host
        for host, (group, unit) in everyone.items()
        if host in named or group in tenant.groups or unit in tenant.units
    ]
    if tenant.rails:
        rule = "only some rails are the tenant's"
    elif len(lone) < len(everyone):
        rule = f"members: {len(lone)} of {counted(len(everyone), 'host')}"
    else:
        return
    hint = f"name all hosts, by `groups: [{', '.join(intent.site.hosts)}]` alone, or remove the tenant"
    rule += ", and nothing keeps the others from reaching them: the network has one routing table"
    report.add(codes.TENANT_VRF.at(Origin(("tenants", name)), rule, hint=hint))


def _members(intent: Intent, topology: Topology, report: Report) -> None:
    """Hosts, units and rails of tenants that no network of theirs has."""
    for name, tenant in intent.site.tenants.items():
        networks = [topology.networks[key] for key in tenant.networks or topology.networks]
        hosts = frozenset(n.names[node] for n in networks for node in n.role_start[Role.HOST])
        origin = Origin(("tenants", name))
        for i, host in enumerate(tenant.hosts):
            if host not in hosts:
                hint = did_you_mean(host, sorted(hosts)) or "`fabric show links` lists the hosts"
                _unknown_member(origin.child("hosts", i), f"there is no host {host!r}", host, hint, report)
        for key, numbers in (("units", tenant.units), ("rails", tenant.rails)):
            count = max(getattr(network.sizes, key) for network in networks)
            for i, number in enumerate(numbers):
                if number >= count:
                    rule = f"there is no {key[:-1]} {number}; there are {key} 0 to {count - 1}"
                    hint = f"{key} are counted from 0"
                    _unknown_member(origin.child(key, i), rule, number, hint, report)


def _unknown_member(origin: Origin, rule: str, value: str | int, hint: str, report: Report) -> None:
    report.add(codes.TENANT_UNKNOWN.at(origin, rule, value=value, hint=hint))


def _routers(intent: Intent, report: Report) -> None:
    for name, attachment in intent.site.attachments.items():
        network = intent.site.networks.get(attachment.network)
        ethernet = network is not None and network.technology == "ethernet"
        if attachment.kind == "router" and attachment.bgp is None and ethernet:
            report.add(
                codes.ROUTER_WITHOUT_BGP.at(
                    Origin(("attachments", name)),
                    f"router {name} has no `bgp`",
                    value=name,
                    hint="add `bgp: {asn: NUMBER, prefixes: [PREFIX]}`, or make it another kind",
                )
            )


def check_layout(network: Network, name: str, report: Report) -> bool:
    """Whether switches of the network can be configured; with a finding if not.

    On Ethernet a layout other than a tree is drawn, counted and cabled, and that is all.
    """
    if network.layout is None or network.technology != "ethernet":
        return True
    kind = str(network.layout).partition(" ")[0]
    rule = f"a {kind} of Ethernet switches compiles to topology and cables only, not to configurations"
    hint = (
        "`fabric show devices` and `fabric show cables` have the design; for configurations remove `layout`"
    )
    at = Origin(("networks", name, "layout"))
    report.add(codes.LAYOUT_ETHERNET.at(at, rule, value=kind, hint=hint))
    return False
