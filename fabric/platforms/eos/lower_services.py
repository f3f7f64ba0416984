"""Management in EOS's words: users, logs, time, SNMP, AAA, SSH, gNMI.

Source of every line: Arista AVD 6.4, the keys named at each function. Secrets are placeholders: EOS takes them as
they are (type 0, or the hash of a user) and stores them in its own encryption.
"""

from __future__ import annotations

from collections.abc import Iterable

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.intent.model import User as IntentUser
from fabric.platforms.eos import codes
from fabric.platforms.eos.model_services import (
    AccessList,
    Api,
    Dns,
    Gnmi,
    Lldp,
    Logging,
    Snmp,
    SnmpUser,
    Ssh,
    SslProfile,
    Tacacs,
    User,
)
from fabric.platforms.eos.names import management_port
from fabric.platforms.object_names import natural
from fabric.platforms.texts import placeholder

ACCESS_LIST, ACCESS_LIST6 = "SSH-ALLOW", "SSH-ALLOW-V6"
API_LIST, API_LIST6 = "API-ALLOW", "API-ALLOW-V6"
ROLES = {"admin": (15, "network-admin"), "operator": (1, "network-operator")}
"""Our roles to EOS's privilege level and built-in role."""
DEFAULT_LEVEL = "informational"
"""Of `logging trap` (EOS manual). Not written: EOS does not show it."""
MINUTE_MS = 60_000
MOST_KEYS = 2


def in_vrf(switch: Switch) -> str:
    """` vrf MGMT`, or nothing in the default VRF, as EOS prints it."""
    return "" if switch.management.vrf == "default" else f" vrf {switch.management.vrf}"


def lower_users(switch: Switch, report: Report) -> tuple[User, ...]:
    """`username`: AVD `local_users`."""
    users = switch.services.users
    return tuple(_user(name, users[name], report) for name in sorted(users, key=natural))


def lower_lldp(switch: Switch) -> Lldp:
    """`lldp`: AVD `lldp`. On by default."""
    vrf = "" if switch.management.vrf == "default" else switch.management.vrf
    return Lldp(switch.services.lldp, management_port(switch.hardware), vrf)


def lower_logging(switch: Switch) -> Logging | None:
    """`logging`: AVD `logging`; hosts in the order of their text."""
    servers = switch.services.syslog.servers
    if not servers:
        return None
    hosts = tuple(sorted(str(server) for server in servers))
    level = switch.services.syslog.level
    return Logging(
        "" if level == DEFAULT_LEVEL else level, hosts, in_vrf(switch), management_port(switch.hardware)
    )


def lower_dns(switch: Switch) -> Dns:
    """`ip name-server`, `dns domain`: AVD `ip_name_server`, `dns_domain`."""
    settings = switch.services.management
    servers = sorted((str(server) for server in settings.dns), key=natural)
    return Dns(tuple(servers), switch.management.vrf, settings.domain or "")


def lower_ntp(switch: Switch) -> tuple[str, ...]:
    """`ntp server`: AVD `ntp`. In EOS's order; the first one written is preferred."""
    servers = [str(server) for server in switch.services.ntp.servers]
    preferred = servers[:1]
    return tuple(
        f"{server} prefer" if server in preferred else server for server in sorted(servers, key=natural)
    )


def lower_snmp(switch: Switch) -> Snmp | None:
    """`snmp-server`: AVD `snmp_server`. Version 3 with privacy, and only in the management VRF."""
    snmp = switch.services.snmp
    if snmp is None:
        return None
    users = sorted(snmp.users, key=natural)
    hosts = sorted(str(server) for server in snmp.trap_servers)
    return Snmp(
        snmp.contact or "",
        snmp.location or "",
        tuple(
            SnmpUser(
                name, user.auth, placeholder(user.auth_secret), user.privacy, placeholder(user.privacy_secret)
            )
            for name, user in ((name, snmp.users[name]) for name in users)
        ),
        tuple((host, user) for host in hosts for user in users),
        "" if switch.management.vrf == "default" else switch.management.vrf,
        in_vrf(switch),
        management_port(switch.hardware),
    )


def lower_tacacs(switch: Switch) -> Tacacs | None:
    """`tacacs-server`, `aaa`: AVD `tacacs_servers`, `aaa_*`. Local users work if no server answers."""
    tacacs = switch.services.tacacs
    if tacacs is None:
        return None
    servers = tuple(str(server) for server in tacacs.servers)
    interface = management_port(switch.hardware)
    return Tacacs(servers, placeholder(tacacs.secret), in_vrf(switch), interface, tacacs.accounting)


def lower_api(switch: Switch) -> Api:
    """`management api http-commands`: AVD `management_api_http`."""
    certificate = switch.services.certificate
    lists = (API_LIST, API_LIST6) if switch.services.management.allow else ("", "")
    return Api(switch.management.vrf, certificate.name if certificate else "", *lists)


def lower_gnmi(switch: Switch) -> Gnmi | None:
    """`management api gnmi`: AVD `management_api_gnmi`. It has no list for IPv6."""
    gnmi, certificate = switch.services.gnmi, switch.services.certificate
    if gnmi is None:
        return None
    return Gnmi(
        gnmi.port,
        "" if switch.management.vrf == "default" else switch.management.vrf,
        certificate.name if certificate else "",
        API_LIST if switch.services.management.allow else "",
    )


def lower_ssl(switch: Switch) -> SslProfile | None:
    """`management security`, `ssl profile`: AVD `management_security.ssl_profiles`."""
    certificate = switch.services.certificate
    if certificate is None:
        return None
    name, client_ca = certificate.name, certificate.client_ca
    return SslProfile(name, f"{name}.crt", f"{name}.key", f"{client_ca}.crt" if client_ca else "")


def lower_ssh(switch: Switch, report: Report) -> Ssh:
    """`management ssh`: AVD `management_ssh`."""
    ssh = switch.services.ssh
    if ssh.idle_timeout_ms % MINUTE_MS:
        report.add(
            codes.GRANULARITY.at(
                Origin(("services", "ssh", "idle_timeout")),
                f"Arista EOS counts the idle timeout in minutes, not {ssh.idle_timeout_ms}",
                value=str(ssh.idle_timeout_ms),
                hint="write a whole number of minutes, as 30min",
            )
        )
    names = (ACCESS_LIST, ACCESS_LIST6) if ssh.allow else ("", "")
    vrf = switch.management.vrf
    # The server also runs in the default VRF, where the hosts are, unless it is shut there.
    vrfs = (
        ()
        if vrf == "default"
        else tuple((name, name == vrf) for name in sorted((vrf, "default"), key=natural))
    )
    return Ssh(int(ssh.idle_timeout_ms) // MINUTE_MS, *names, in_vrf(switch), vrfs)


def lower_access_lists(switch: Switch) -> tuple[tuple[AccessList, ...], tuple[AccessList, ...]]:
    """`ip access-list standard`: who may use SSH and the APIs; a family without a source is denied."""
    wanted = [
        (names, allow)
        for names, allow in (
            ((API_LIST, API_LIST6), switch.services.management.allow),
            ((ACCESS_LIST, ACCESS_LIST6), switch.services.ssh.allow),
        )
        if allow
    ]
    four = (
        AccessList(names[0], _entries(str(p) for p in allow if p.version == 4)) for names, allow in wanted
    )
    six = (AccessList(names[1], _entries(str(p) for p in allow if p.version == 6)) for names, allow in wanted)
    return tuple(four), tuple(six)


def lower_banner(switch: Switch, report: Report) -> str:
    """`banner login`, up to its `EOF`. Lines must survive NAPALM, which strips each and drops comments."""
    banner = (switch.services.banner or "").strip("\n")
    for number, line in enumerate(banner.splitlines(), start=1):
        if line != line.strip() or line.startswith("!") or line == "EOF":
            report.add(
                codes.TEXT.at(
                    Origin(("services", "banner")),
                    f"line {number} of the banner would not arrive at Arista EOS as written: {line!r}",
                    value=line,
                    hint="no spaces at either end, no `!` in front, no line `EOF`",
                    about=str(number),
                )
            )
    return banner


def _user(name: str, user: IntentUser, report: Report) -> User:
    place = Origin(("services", "users", name))
    stored = user.password_hash or placeholder(user.password_secret)
    if len(user.ssh_keys) > MOST_KEYS:
        report.add(
            codes.USER.at(
                place.child("ssh_keys"),
                f"Arista EOS holds {MOST_KEYS} SSH keys of a user, {name} has {len(user.ssh_keys)}",
                value=len(user.ssh_keys),
                hint="keep two keys, or add a second user",
            )
        )
    keys = (*user.ssh_keys, "", "")
    return User(name, *ROLES[user.role], stored, keys[0], keys[1])


def _entries(prefixes: Iterable[str]) -> tuple[tuple[int, str], ...]:
    actions = [f"permit {prefix}" for prefix in prefixes] or ["deny any"]
    return tuple((10 * number, action) for number, action in enumerate(actions, start=1))
