"""Management, where NVUE's words are not the intent's: accounts, `interface eth0`, log levels, the REST API.

Sources, below CumulusNetworks/docs `content/`: `nvue-reference/Set-and-Unset-Commands/{User-Account,SSH-Server,
Syslog,TACACS,LLDP,gnmi,API,System-Forwarding}.md`, the manuals of 5.14 and 5.15 of the same subjects. Roles, classes
and the firewall are those of a fresh switch (the `startup.yaml` files in `cumulus-linux-510`, VRR and OSPF): a replace
would delete them. Not verified on a switch: whether the factory's firewall lets in a gNMI port other than 9339.
"""

from __future__ import annotations

from fabric.devices.addresses import Ip
from fabric.devices.model import Switch
from fabric.platforms.cumulus.lower_interfaces import IPV4, addresses_of
from fabric.platforms.cumulus.model import Management, User
from fabric.platforms.cumulus.names import MANAGEMENT_VRF
from fabric.platforms.cumulus.releases import NEW_DIALECT, at_least
from fabric.platforms.object_names import natural
from fabric.platforms.texts import placeholder

ROLES = {"admin": "system-admin", "operator": "nvue-monitor"}
LOCKED = "$6$locked$" + "." * 86
"""A hash of SHA-512's form that no password is known to have: only keys may log in. `*` would be ambiguous, because
NVUE shows every hash as `*`."""
SEVERITIES = {
    "errors": "error",
    "warnings": "warn",
    "notifications": "notice",
    "informational": "info",
    "debugging": "debug",
}
"""Our log levels to those of `system syslog selector`."""


def lower_management(switch: Switch) -> Management:
    """Our management access: eth0 with its addresses and gateway; without addresses, all by DHCP."""
    port = switch.management
    gateway = port.gateway if port.addresses else None
    return Management(
        management_vrf(switch),
        tuple(address.ip for address in port.addresses),
        addresses_of(port.addresses),
        gateway if gateway and gateway.version == IPV4 else None,
        gateway if gateway and gateway.version != IPV4 else None,
    )


def management_vrf(switch: Switch) -> str:
    """The VRF of eth0. SSH listens in all VRFs unless one is named, in that of the hosts too."""
    return "default" if switch.management.vrf == "default" else MANAGEMENT_VRF


def api_addresses(management: Management) -> tuple[Ip, ...]:
    """The REST API listens at every address, unless some are named. The reference shows IPv4 addresses alone."""
    return () if management.vrf == "default" or management.ip.six else management.addresses


def severity(switch: Switch) -> str:
    """The least severe messages that are sent. Selectors before 5.15 also filter by facility: none is used."""
    syslog = switch.services.syslog
    return SEVERITIES[syslog.level] if syslog.servers and at_least(switch.release, NEW_DIALECT) else ""


def lower_users(switch: Switch) -> tuple[User, ...]:
    """The accounts: a replaced configuration has no other ones."""
    return tuple(
        User(
            name,
            ROLES[user.role],
            user.password_hash or placeholder(user.password_secret) or LOCKED,
            tuple(key.split(" ")[:2] for key in user.ssh_keys),
        )
        for name, user in sorted(switch.services.users.items(), key=lambda pair: natural(pair[0]))
    )
