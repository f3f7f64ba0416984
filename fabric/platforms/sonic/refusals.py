"""What a switch needs and SONiC does not support, beyond what its capabilities tell; what does not work at once."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.platforms.needs.services import allowed
from fabric.platforms.needs.table import unsupported
from fabric.platforms.routing.ranges import RoutingRanges, out_of_range
from fabric.platforms.sonic import codes, modes
from fabric.platforms.sonic.lower_acl import has_bfd
from fabric.platforms.sonic.lower_services import MINUTE_MS
from fabric.platforms.sonic.modes import Missing, Mode

TAKES = RoutingRanges("FRR on SONiC", max_paths=256)
"""What SONiC builds FRR with (sonic-buildimage src/sonic-frr: --enable-multipath)."""
SSH_MINUTES = (0, 35_000)
"""sonic-ssh-server.yang inactivity_timeout."""
SNMP_NAME = (4, 32)
"""sonic-snmp.yang SNMP_USER name."""


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs, that SONiC cannot say, and that no flag tells."""
    for origin, feature, hint in (*modes.refused(switch), *_services(switch)):
        report.add(unsupported(switch, "SONiC", origin, feature, hint))
    report.extend(out_of_range(switch, TAKES, codes.RANGE))
    _warn(switch, report)


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
    if routing.bfd_interval_ms is not None and any(peer.address is not None for peer in routing.neighbors):
        rule = "SONiC drops BFD to the addresses of its ports until the ASIC has a session of its own"
        report.add(codes.BFD_FILTER.at(place.child("bfd"), rule, hint=codes.BFD_FILTER.fix))
    if modes.mode_of(switch.release) is Mode.BGPCFGD:
        rule = (
            "SONiC's bgpcfgd takes and tells every prefix, turns graceful restart on in leaves, and in a lab of "
            "FRR 8.4.4 its policy left a leaf with a route that its spine had lost"
        )
        hint = "take `-bgpcfgd` out of the release to have the network's own policy"
        report.add(codes.OWN_POLICY.at(switch.origin.child("release"), rule, value=switch.release, hint=hint))


def _services(switch: Switch) -> Missing:
    services, place = switch.services, Origin(("services",))
    yield from _snmp(switch)
    if services.ssh.allow and has_bfd(switch):
        text = "a list of who may use SSH makes caclmgrd drop what no rule lists, BFD of FRR too"
        at = allowed(switch)
        hint = f"write `bfd: none` below `routing` of {switch.network}, or remove `{at}`"
        yield at, text, hint
    if services.management.domain and not services.management.dns:
        text = "a domain only beside name servers (sonic-dns.yang)"
        yield place.child("management", "domain"), text, "add `dns`, or leave `domain` out"
    addresses, gateway = switch.management.addresses, switch.management.gateway
    if gateway is not None and addresses and gateway.version not in {ip.version for ip in addresses}:
        text = f"gateway {gateway} has no address of its family beside it (MGMT_INTERFACE gwaddr)"
        yield place.child("management", "gateway"), text, "give the switch an address of that family"
    minutes, rest = divmod(int(services.ssh.idle_timeout_ms), MINUTE_MS)
    if rest or not SSH_MINUTES[0] <= minutes <= SSH_MINUTES[1]:
        text = f"the idle timeout is whole minutes up to {SSH_MINUTES[1]}"
        yield place.child("ssh", "idle_timeout"), text, "write whole minutes, as 30min"


def _snmp(switch: Switch) -> Missing:
    snmp, place = switch.services.snmp, Origin(("services", "snmp"))
    if snmp is None:
        return
    for name in snmp.users:
        if not SNMP_NAME[0] <= len(name) <= SNMP_NAME[1]:
            text = f"an SNMPv3 user has {SNMP_NAME[0]} to {SNMP_NAME[1]} letters"
            yield place.child("users", name), text, "choose a longer name"
