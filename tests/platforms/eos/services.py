"""The management settings of a switch as the reader notes them, section by section."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.platforms.eos.lower_interfaces import spanning_tree
from fabric.platforms.eos.names import management_port
from tests.platforms.expected_services import (
    DEFAULT_ROUTES,
    Notes,
    aggregates,
    bfd,
    collected,
    discards,
    dns,
    each,
    gnmi,
    logging,
    ntp,
    snmp_place,
    ssh_idle,
    users,
    vlans,
)

ROLES = {"admin": "network-admin", "operator": "network-operator"}


def services(switch: Switch) -> dict[str, str]:
    """Section to its settings, sorted."""
    own = (part(switch) for part in (_system, _network, _snmp, _aaa, _management_access))
    shared = (part(switch) for part in (bfd, vlans, ssh_idle, snmp_place))
    return collected(users(switch, ROLES), aggregates(switch, " summary-only"), *shared, *own)


def _system(switch: Switch) -> Notes:
    vrf, interface, wanted = switch.management.vrf, management_port(switch.hardware), switch.services
    yield "spanning-tree", spanning_tree(switch)
    if vrf != "default":
        yield "vrfs", vrf
    if not wanted.lldp:
        yield "lldp", "off"
    else:
        yield from each("lldp", f"address {interface}", *([f"address vrf {vrf}"] if vrf != "default" else ()))
    if wanted.syslog.servers and wanted.syslog.level != "informational":
        yield "logging", f"level {wanted.syslog.level}"
    if wanted.syslog.servers:
        yield "logging", f"source {interface} vrf {vrf}"
    yield from logging(switch, vrf)
    yield from dns(switch, vrf)
    yield from ntp(switch, vrf, source=f"source {interface} vrf {vrf}", prefer=" prefer")


def _network(switch: Switch) -> Notes:
    routing, gateway = switch.routing, switch.management.gateway
    unnumbered = any(one.address is None for one in routing.neighbors)
    yield "routing", "model multi-agent"
    yield "routing", "ip routing ipv6 interfaces" if unnumbered else "ip routing"
    speaks6 = 6 in routing.families or any(a.version == 6 for g in switch.gateways for a in g.addresses)
    if unnumbered or speaks6:
        yield "routing", "ipv6 unicast-routing"
    if routing.load_balancing == "flowlet":
        yield "routing", "ip hardware fib load-balance distribution dynamic"
    if gateway is not None:
        yield "static routes", f"{switch.management.vrf} {DEFAULT_ROUTES[gateway.version]} {gateway}"
    yield from discards(switch, "Null0")
    yield "bgp", f"keepalive {routing.keepalive_ms // 1000} hold {routing.hold_ms // 1000}"
    yield "bgp", "redistribute connected route-map RM-CONNECTED"
    if any(one.arp_hosts for one in switch.gateways):
        yield "bgp", "redistribute attached-host route-map RM-CONNECTED"
    if switch.bond_system:
        unit, rail = max(switch.unit, 0), max(switch.rail, 0)
        yield "vlans", f"gateway 02:fb:{unit >> 8:02x}:{unit & 255:02x}:{rail >> 8:02x}:{rail & 255:02x}"
        yield "lacp", f"port ids {'1 32767' if switch.bond_system == 1 else '32768 65535'}"


def _snmp(switch: Switch) -> Notes:
    snmp, vrf = switch.services.snmp, switch.management.vrf
    if snmp is None:
        return
    yield "snmp", f"source {management_port(switch.hardware)} vrf {vrf}"
    if snmp.users:
        yield "snmp", "group FABRIC priv"
    for name, user in snmp.users.items():
        yield "snmp", f"user {name} group FABRIC {user.auth} {user.privacy}"
    traps = [f"trap {server} vrf {vrf} user {name}" for server in snmp.trap_servers for name in snmp.users]
    yield from each("snmp", *traps, *(["traps"] if traps else ()))
    if vrf != "default":
        yield from each("snmp", "no vrf default", f"vrf {vrf}")


def _aaa(switch: Switch) -> Notes:
    tacacs, vrf = switch.services.tacacs, switch.management.vrf
    if tacacs is None:
        yield "aaa", "authorization exec default local"
        return
    for server in tacacs.servers:
        yield from each("aaa", f"tacacs {server} vrf {vrf}", f"group server {server} vrf {vrf}")
    yield "aaa", f"tacacs source {management_port(switch.hardware)} vrf {vrf}"
    for what in ("authentication login", "authorization exec", "authorization commands all"):
        yield "aaa", f"{what} default group TACACS local"
    if tacacs.accounting:
        for what in ("exec", "commands all"):
            yield "aaa", f"accounting {what} default start-stop group TACACS"


def _management_access(switch: Switch) -> Notes:
    vrf, certificate = switch.management.vrf, switch.services.certificate
    allow, is_apart = switch.services.management.allow, vrf != "default"
    yield from each("eapi", "https", "on", f"vrf {vrf}")
    yield from each("ssh", *([f"vrf {vrf}", "off in vrf default"] if is_apart else ()))
    if allow:
        yield from each("eapi", f"ip from API-ALLOW vrf {vrf}", f"ipv6 from API-ALLOW-V6 vrf {vrf}")
    if switch.services.ssh.allow:
        yield from each("ssh", f"ip from SSH-ALLOW vrf {vrf}", f"ipv6 from SSH-ALLOW-V6 vrf {vrf}")
    if certificate is not None:
        yield from each("eapi", f"certificate {certificate.name}")
        yield "certificates", f"{certificate.name}.crt"
        if certificate.client_ca:
            yield "certificates", f"clients by {certificate.client_ca}.crt"
    yield from gnmi(switch, vrf if is_apart else "")
    if switch.services.gnmi is not None:
        yield from each("gnmi", "provider eos-native", *(["ip from API-ALLOW"] if allow else ()))
