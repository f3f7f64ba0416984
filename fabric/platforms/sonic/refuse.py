"""What a switch needs and SONiC does not support: the whole list, each with its reason and its fix."""

from __future__ import annotations

from fabric.devices.model import LinkRole, Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.attached import unattached
from fabric.platforms.base import Capabilities
from fabric.platforms.management import allowed, unmanaged
from fabric.platforms.sonic import codes, modes
from fabric.platforms.sonic.capabilities import capabilities
from fabric.platforms.sonic.lower_acl import has_bfd
from fabric.platforms.sonic.lower_services import CIPHERS, HASHES, MINUTE_MS
from fabric.platforms.sonic.modes import RELEASES, Missing, Mode
from fabric.platforms.trimming import untrimmed
from fabric.platforms.unguarded import unguarded

SSH_MINUTES = (0, 35_000)
"""sonic-ssh-server.yang inactivity_timeout."""
SNMP_NAME = (4, 32)
"""sonic-snmp.yang SNMP_USER name."""


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs and SONiC cannot say."""
    if not modes.is_known(switch.release):
        place = switch.origin.child("release")
        rule = f"SONiC {switch.release}: its models were not checked"
        hint = f"write {' or '.join(RELEASES)}, with -{' or -'.join(Mode)} for a routing mode"
        report.add(codes.UNSUPPORTED.at(place, rule, value=switch.release, hint=hint))
        return
    can = capabilities(switch.release, switch.hardware)
    everything = (
        *_routing(switch, can),
        *modes.refused(switch),
        *_hosts(switch),
        *_services(switch),
        *untrimmed(switch, can),
        *unguarded(switch, can),
        *unmanaged(switch, can),
        *unattached(switch, can),
    )
    for origin, feature, hint in everything:
        rule = f"SONiC on {switch.hardware.model}: {feature}"
        report.add(codes.UNSUPPORTED.at(origin, rule, hint=hint, subjects=(switch.name,)))
    _lossless(switch, can, report)
    _warn(switch, report)


def _lossless(switch: Switch, can: Capabilities, report: Report) -> None:
    queueing = switch.queueing
    lossless = {p for kind in queueing.profiles for p in kind.priorities} if queueing else set()
    if queueing and len(lossless) > can.max_lossless_priorities:
        rule = f"SONiC on {switch.hardware.model}: at most {can.max_lossless_priorities} lossless priorities"
        place = Origin(("classes",), f"policy:{queueing.policy}")
        hint = "make a class lossy, or choose a model of Broadcom or NVIDIA"
        report.add(codes.UNSUPPORTED.at(place, rule, value=len(lossless), hint=hint))


def _warn(switch: Switch, report: Report) -> None:
    """What is said, but does not work out of the box."""
    routing, place = switch.routing, Origin(("networks", switch.network, "routing"))
    if switch.services.users:
        rule, hint = (
            "SONiC keeps no local users in CONFIG_DB",
            "create them at the installation, or use TACACS+",
        )
        report.add(codes.OUTSIDE.at(Origin(("services", "users")), rule, hint=hint))
    if len(switch.services.ntp.servers) > 1:
        rule, hint = "SONiC prefers none of several time servers", "write one, if it matters which"
        report.add(codes.OUTSIDE.at(Origin(("services", "ntp", "servers")), rule, hint=hint))
    if routing.bfd_interval_ms is not None and any(one.address is not None for one in routing.neighbors):
        rule = "SONiC drops BFD to the addresses of its ports until the ASIC has a session of its own"
        report.add(codes.BFD_FILTER.at(place.child("bfd"), rule, hint=codes.BFD_FILTER.fix))
    if modes.mode_of(switch.release) is Mode.BGPCFGD:
        rule = (
            "SONiC's bgpcfgd takes and tells every prefix, turns graceful restart on in leaves, and in a lab of "
            "FRR 8.4.4 its policy left a leaf with a route that its spine had lost"
        )
        hint = "take `-bgpcfgd` out of the release to have the network's own policy"
        report.add(codes.OWN_POLICY.at(switch.origin.child("release"), rule, value=switch.release, hint=hint))


def _routing(switch: Switch, can: Capabilities) -> Missing:
    place, routing = Origin(("networks", switch.network, "routing")), switch.routing
    if routing.load_balancing != "ecmp":
        text = (
            f"no table for load balancing {routing.load_balancing} in the models of {' or '.join(RELEASES)}"
        )
        yield place.child("load_balancing"), text, "use `load_balancing: ecmp`"
    if routing.hash_seed is not None:
        yield place.child("hashing", "seed"), "no table for a hash seed", "use `seed: product`"
    unknown = sorted(set(routing.hashing.fields) - can.hash_fields)
    if unknown:
        yield place.child("hashing", "fields"), f"no hash field for {', '.join(unknown)}", "leave them out"
    if "DNX" in switch.hardware.asic:
        text = "virtual output queues need SYSTEM_PORT and VOQ tables that no published fixed switch shows"
        yield (
            switch.origin.child("model"),
            text,
            "choose a model of Tomahawk or Spectrum, or another platform",
        )


def _hosts(switch: Switch) -> Missing:
    addressing = Origin(("networks", switch.network, "addressing"))
    mode, assignment = addressing.child("host_links", "mode"), addressing.child("host_links", "assignment")
    if switch.has_bonds:
        text = "LACP over two leaves needs a system id that PORTCHANNEL does not have"
        hint = "attach hosts by routed links, or use another platform for this tier"
        yield mode, text, hint
    if any(gateway.arp_hosts for gateway in switch.gateways):
        yield mode, "no host routes from ARP", "use routed host links"
    if switch.host_addressing.assignment == "slaac":
        text = "no table that turns router advertisements on"
        yield assignment, text, "use static addresses or DHCP relay"
    routed = any(port.role == LinkRole.HOST and port.addresses for port in switch.ports)
    if switch.host_addressing.assignment == "dhcp_relay" and routed:
        text = "DHCP relay works on VLANs only"
        yield assignment, text, "use VLAN gateways, or static addresses"


def _services(switch: Switch) -> Missing:
    wanted, place = switch.services, Origin(("services",))
    yield from _snmp(switch)
    if wanted.ssh.allow and has_bfd(switch):
        text = "a list of who may use SSH makes caclmgrd drop what no rule lists, BFD of FRR too"
        at = allowed(switch)
        hint = f"write `bfd: none` below `routing` of {switch.network}, or remove `{at}`"
        yield at, text, hint
    if wanted.management.domain and not wanted.management.dns:
        text = "a domain only beside name servers (sonic-dns.yang)"
        yield place.child("management", "domain"), text, "add `dns`, or leave `domain` out"
    addresses, gateway = switch.management.addresses, switch.management.gateway
    if gateway is not None and addresses and gateway.version not in {one.version for one in addresses}:
        text = f"gateway {gateway} has no address of its family beside it (MGMT_INTERFACE gwaddr)"
        yield place.child("management", "gateway"), text, "give the switch an address of that family"
    minutes, rest = divmod(int(wanted.ssh.idle_timeout_ms), MINUTE_MS)
    if rest or not SSH_MINUTES[0] <= minutes <= SSH_MINUTES[1]:
        text = f"the idle timeout is whole minutes up to {SSH_MINUTES[1]}"
        yield place.child("ssh", "idle_timeout"), text, "write whole minutes, as 30min"


def _snmp(switch: Switch) -> Missing:
    wanted, place = switch.services.snmp, Origin(("services", "snmp"))
    if wanted is None:
        return
    for name, user in wanted.users.items():
        spot = place.child("users", name)
        if user.auth not in HASHES:
            text = f"SNMPv3 with {user.auth}: HMAC-SHA-2 of the model is no word of net-snmp's CreateUser"
            yield spot.child("auth"), text, "write `auth: sha`"
        if user.privacy not in CIPHERS:
            yield (
                spot.child("privacy"),
                f"SNMPv3 with {user.privacy}, only AES of 128 bits",
                "write `privacy: aes`",
            )
        if not SNMP_NAME[0] <= len(name) <= SNMP_NAME[1]:
            text = f"an SNMPv3 user has {SNMP_NAME[0]} to {SNMP_NAME[1]} letters"
            yield spot, text, "choose a longer name"
    if wanted.trap_servers:
        text = "traps go out with a community only (snmpd.conf.j2 trapsink), never as SNMPv3"
        yield place.child("trap_servers"), text, "leave `trap_servers` out, or watch by gNMI"
