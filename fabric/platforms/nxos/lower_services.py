"""Management in NX-OS's words.

A login by key alone has the password `!`, as NX-OS itself shows it. If no TACACS+ server answers, local logins hold:
`aaa authentication login default fallback error local` is NX-OS's default (Security guide).

Sources: Ansible cisco.nxos (`ntp_global`, `logging_global`, `acls`, `user`), Cisco Nexus 9000
Security guide (`tacacs-server`, `line vty`) and Programmability guide (`feature grpc`).
"""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.intent.model import User
from fabric.platforms.nxos import codes
from fabric.platforms.nxos.names import MANAGEMENT_VRF
from fabric.platforms.object_names import natural
from fabric.platforms.texts import placeholder

IN_VRF = f"use-vrf {MANAGEMENT_VRF}"
ROLES = {"admin": "network-admin", "operator": "network-operator"}
LEVELS = {"errors": 3, "warnings": 4, "notifications": 5, "informational": 6, "debugging": 7}
MINUTE_MS = 60_000
NO_PASSWORD = "!"  # noqa: S105 the word by which NX-OS says that there is none
LOWEST_GRPC_PORT = 1024
MOST_NAME_SERVERS = 6
ACCESS_LIST, ACCESS_LIST6 = "SSH-ALLOW", "SSH-ALLOW-V6"


def lower_system(switch: Switch, report: Report) -> tuple[str, ...]:
    """Single lines at the left margin."""
    _check_numbers(switch, report)
    return (*_users(switch, report), *_servers(switch))


def _check_numbers(switch: Switch, report: Report) -> None:
    gnmi, servers = switch.services.gnmi, switch.services.management.dns
    if gnmi is not None and gnmi.port < LOWEST_GRPC_PORT:
        report.add(
            codes.RANGE.at(
                Origin(("services", "gnmi", "port")),
                f"Cisco NX-OS serves gNMI on ports from {LOWEST_GRPC_PORT}, not {gnmi.port}",
                value=gnmi.port,
                hint="write 50051, which is its own default",
            )
        )
    if len(servers) > MOST_NAME_SERVERS:
        report.add(
            codes.RANGE.at(
                Origin(("services", "management", "dns")),
                f"Cisco NX-OS asks at most {MOST_NAME_SERVERS} name servers, not {len(servers)}",
                value=len(servers),
                hint="leave the others out",
            )
        )


def lower_features(switch: Switch) -> tuple[str, ...]:
    """What must be turned on before its commands exist."""
    wanted = {
        "bgp": True,
        "scp-server": True,
        "bfd": switch.routing.bfd_interval_ms is not None,
        "dhcp": switch.host_addressing.assignment == "dhcp_relay",
        "grpc": switch.services.gnmi is not None,
        "interface-vlan": bool(switch.gateways),
        "lldp": switch.services.lldp,
        "tacacs+": switch.services.tacacs is not None,
    }
    return tuple(sorted(name for name, on in wanted.items() if on))


def lower_vrf(switch: Switch) -> tuple[str, ...]:
    """Below `vrf context management`."""
    settings, gateway = switch.services.management, switch.management.gateway
    return (
        *([f"ip domain-name {settings.domain}"] if settings.domain else []),
        *([f"ip name-server {' '.join(map(str, settings.dns))}"] if settings.dns else []),
        *(
            [f"{'ipv6 route ::/0' if gateway.version == 6 else 'ip route 0.0.0.0/0'} {gateway}"]
            if gateway
            else []
        ),
    )


def lower_aaa(switch: Switch) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Below the TACACS+ group, and what AAA does with it."""
    tacacs = switch.services.tacacs
    if tacacs is None:
        return (), ()
    group = (*(f"server {one}" for one in tacacs.servers), IN_VRF, "source-interface mgmt0")
    accounting = ("aaa accounting default group TACACS",) if tacacs.accounting else ()
    return group, ("aaa authentication login default group TACACS", *accounting)


def lower_terminal(switch: Switch, report: Report) -> tuple[str, ...]:
    """Below `line vty`."""
    ssh = switch.services.ssh
    if ssh.idle_timeout_ms % MINUTE_MS:
        report.add(
            codes.RANGE.at(
                Origin(("services", "ssh", "idle_timeout")),
                f"Cisco NX-OS counts the idle timeout in minutes, not {ssh.idle_timeout_ms}",
                value=str(ssh.idle_timeout_ms),
                hint="write a whole number of minutes, as 30min",
            )
        )
    allowed = (f"access-class {ACCESS_LIST} in", f"ipv6 access-class {ACCESS_LIST6} in") if ssh.allow else ()
    return (f"exec-timeout {int(ssh.idle_timeout_ms) // MINUTE_MS}", *allowed)


def lower_access_lists(switch: Switch) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Who may use SSH; a family without a source is denied."""
    allow = switch.services.ssh.allow
    if not allow:
        return ()
    four = [f"permit tcp {one} any eq 22" for one in allow if one.version == 4] or ["deny ip any any"]
    six = [f"permit tcp {one} any eq 22" for one in allow if one.version == 6] or ["deny ipv6 any any"]
    return (
        (f"ip access-list {ACCESS_LIST}", tuple(f"{10 * i} {text}" for i, text in enumerate(four, start=1))),
        (
            f"ipv6 access-list {ACCESS_LIST6}",
            tuple(f"{10 * i} {text}" for i, text in enumerate(six, start=1)),
        ),
    )


def lower_banner(switch: Switch, report: Report) -> str:
    """`banner motd`, between two `#`."""
    banner = (switch.services.banner or "").strip("\n")
    if "#" in banner:
        report.add(
            codes.TEXT.at(
                Origin(("services", "banner")),
                "Cisco NX-OS would end the banner at its first #",
                hint="leave `#` out of the banner",
            )
        )
    return banner


def _users(switch: Switch, report: Report) -> Iterator[str]:
    users = switch.services.users
    for name in sorted(users, key=natural):
        user = users[name]
        stored = _stored(user)
        _check_user(name, user, stored, report)
        yield f"username {name} password 5 {stored} role {ROLES[user.role]}"
        for key in user.ssh_keys:
            yield f"username {name} sshkey {key}"


def _stored(user: User) -> str:
    """What stands for the password; empty if it is only known in a form that NX-OS does not take."""
    only_keys = user.ssh_keys and user.password_hash is None
    return (
        user.password_hash_sha256 or placeholder(user.password_secret) or (NO_PASSWORD if only_keys else "")
    )


def _check_user(name: str, user: User, stored: str, report: Report) -> None:
    place = Origin(("services", "users", name))
    if not stored:
        report.add(
            codes.USER.at(
                place,
                f"Cisco NX-OS holds passwords of logins as SHA-256 crypt, and {name} has none",
                hint="give `password_hash_sha256`, or `password_secret` that refers to a hash with `$5$`",
            )
        )
    if len(user.ssh_keys) > 1:
        report.add(
            codes.USER.at(
                place.child("ssh_keys"),
                f"Cisco NX-OS: sources show one SSH key of a user, {name} has {len(user.ssh_keys)}",
                value=len(user.ssh_keys),
                hint="keep one key, or add a second user",
            )
        )


def _grpc(switch: Switch) -> Iterator[str]:
    """Source: ironcore-dev network operator, Nexus bootstrap: `grpc certificate`, `grpc client root certificate`."""
    gnmi, certificate = switch.services.gnmi, switch.services.certificate
    if gnmi is None:
        return
    yield f"grpc {IN_VRF}"
    yield f"grpc port {gnmi.port}"
    if certificate is not None:
        yield f"grpc certificate {certificate.name}"
        if certificate.client_ca:
            yield f"grpc client root certificate {certificate.client_ca}"


def _servers(switch: Switch) -> Iterator[str]:
    wanted = switch.services
    if wanted.tacacs is not None:
        for server in wanted.tacacs.servers:
            yield f"tacacs-server host {server} key 0 {placeholder(wanted.tacacs.secret)}"
    for number, server in enumerate(wanted.ntp.servers):
        yield f"ntp server {server} {'prefer ' if number == 0 else ''}{IN_VRF}"
    if wanted.ntp.servers:
        yield "ntp source-interface mgmt0"
    for server in wanted.syslog.servers:
        yield f"logging server {server} {LEVELS[wanted.syslog.level]} {IN_VRF}"
    yield from _grpc(switch)
    if switch.host_addressing.assignment == "dhcp_relay":
        yield from ("service dhcp", "ip dhcp relay", "ipv6 dhcp relay")
    routing = switch.routing
    if routing.bfd_interval_ms is not None:
        interval = routing.bfd_interval_ms
        yield f"bfd interval {interval} min_rx {interval} multiplier {routing.bfd_multiplier}"
