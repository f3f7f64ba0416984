"""What of management EOS shows in an order, in units or under names of its own.

Source of every line: Arista AVD 6.4 (`local_users`, `lldp`, `logging`, `ip_name_server`, `ntp`, `snmp_server`,
`tacacs_servers`, `aaa_*`, `management_api_http`, `management_api_gnmi`, `management_security`, `management_ssh`).
Secrets are placeholders: EOS takes them as they are (type 0, or the hash of a user) and stores them in its own
encryption. Local users work if no server of TACACS+ answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from fabric.devices.model import Switch
from fabric.intent.model import Snmp
from fabric.platforms.access_lists import access_lists
from fabric.platforms.eos.model import Management
from fabric.platforms.eos.names import management_port
from fabric.platforms.object_names import natural
from fabric.platforms.service_ranges import MINUTE_MS

UserT = TypeVar("UserT")
PRIVILEGES = {"admin": 15, "operator": 1}
"""Of our roles, which EOS has built in as `network-admin` and `network-operator`."""


def lower_services(switch: Switch) -> Management:
    """Users, servers, and how the switch is reached."""
    services, vrf = switch.services, switch.management.vrf
    is_apart = vrf != "default"
    preferred = {str(server) for server in services.ntp.servers[:1]}
    snmp = services.snmp or Snmp()
    api_lists = access_lists("API-ALLOW", services.management.allow)
    ssh_lists = access_lists("SSH-ALLOW", services.ssh.allow)
    return Management(
        services=services,
        users=tuple((name, user, PRIVILEGES[user.role]) for name, user in _by_name(services.users)),
        log_servers=tuple(sorted(map(str, services.syslog.servers))),
        name_servers=_in_order(services.management.dns),
        ntp_servers=tuple((server, server in preferred) for server in _in_order(services.ntp.servers)),
        snmp_users=tuple(_by_name(snmp.users)),
        trap_servers=tuple(sorted(map(str, snmp.trap_servers))),
        port=switch.management,
        interface=management_port(switch.hardware),
        vrf=vrf if is_apart else "",
        in_vrf=f" vrf {vrf}" if is_apart else "",
        banner=(services.banner or "").strip("\n"),
        idle_minutes=services.ssh.idle_timeout_ms // MINUTE_MS,
        # The server also runs in the default VRF, where the hosts are, unless it is shut there.
        ssh_vrfs=tuple((name, name == vrf) for name in sorted((vrf, "default"), key=natural) if is_apart),
        api_lists=api_lists,
        ssh_lists=ssh_lists,
        access_lists=tuple(sorted((*api_lists, *ssh_lists), key=lambda sources: sources.word, reverse=True)),
    )


def _by_name(users: Mapping[str, UserT]) -> list[tuple[str, UserT]]:
    return sorted(users.items(), key=lambda named: natural(named[0]))


def _in_order(servers: Iterable[object]) -> tuple[str, ...]:
    return tuple(sorted(map(str, servers), key=natural))
