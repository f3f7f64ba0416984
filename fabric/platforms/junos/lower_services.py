"""`system` and `snmp` in Junos's words.

Sources: github Juniper/jvd @005ab344 (management instance, gRPC); Juniper's 24.4R1-EVO YANG for the rest. The classes
of users are our own, since an idle timeout cannot be set on Junos's. Traps: Juniper, SNMPv3 traps; their receivers are
IPv4 only (Juniper CLI reference, `tag`). SSH: Juniper, stateless firewall filter overview: Evolved has one filter for
the management interface and one, on lo0, for what comes in by other ports. Unverified: `root-authentication` with `*`.
"""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report, Severity
from fabric.intent.model import Snmp as IntentSnmp
from fabric.intent.model import User as IntentUser
from fabric.platforms.junos import codes
from fabric.platforms.junos.lower_interfaces import of
from fabric.platforms.junos.model import AccessFilter, Services, Snmp, SnmpUser, User
from fabric.platforms.junos.names import INSTANCE, management_port, quoted, secret
from fabric.platforms.object_names import natural

ROLES = {"admin": "FABRIC-ADMIN", "operator": "FABRIC-OPERATOR"}
LEVELS = {
    "errors": "error",
    "warnings": "warning",
    "notifications": "notice",
    "informational": "info",
    "debugging": "any",
}
KEY_WORDS = {"ssh-rsa": "ssh-rsa", "ssh-ed25519": "ssh-ed25519"}
"""First word of a key to its statement; others are ECDSA."""
CIPHERS = {"aes": "aes128", "aes256": "aes256"}
MINUTE_MS = 60_000
MOST_BANNER = 2048
"""Length of `system login message` in the 24.4R1-EVO YANG."""
FILTERS = ((4, "inet", "SSH-ACCESS", "protocol"), (6, "inet6", "SSH-ACCESS-V6", "next-header"))
"""Address family, its word, the name of its filter and the word that matches TCP."""
LOOPBACK_FILTERS = ((4, "inet", "NO-SSH", "protocol"), (6, "inet6", "NO-SSH-V6", "next-header"))
"""The same of what comes in by ports of the fabric."""
SSH_PORTS = "[ 22 830 ]"


def lower_services(switch: Switch, report: Report) -> Services:
    """Users, logs, time, AAA, gNMI, SNMP and our management access."""
    wanted, management = switch.services, switch.management
    instance = "" if management.vrf == "default" else INSTANCE
    first = wanted.ntp.servers[:1]
    gateway = management.gateway
    tacacs, gnmi, certificate = wanted.tacacs, wanted.gnmi, wanted.certificate
    _check(switch, report)
    return Services(
        instance=instance,
        in_instance=f" routing-instance {INSTANCE}" if instance else "",
        domain=wanted.management.domain or "",
        dns=tuple(str(one) for one in wanted.management.dns),
        ntp=tuple(f"{one} prefer" if one in first else str(one) for one in wanted.ntp.servers),
        syslog=tuple(str(one) for one in wanted.syslog.servers),
        syslog_level=LEVELS[wanted.syslog.level],
        users=tuple(_user(name, wanted.users[name]) for name in sorted(wanted.users, key=natural)),
        idle_minutes=int(wanted.ssh.idle_timeout_ms) // MINUTE_MS,
        banner=quoted((wanted.banner or "").strip("\n")) if (wanted.banner or "").strip("\n") else "",
        tacacs=tuple(str(one) for one in tacacs.servers) if tacacs else (),
        tacacs_secret=secret(tacacs.secret) if tacacs else "",
        accounting=bool(tacacs and tacacs.accounting),
        gnmi_port=gnmi.port if gnmi else 0,
        certificate=certificate.name if certificate else "",
        client_ca=(certificate.client_ca or "") if certificate else "",
        snmp=_snmp(switch, report),
        lldp=wanted.lldp,
        filters=lower_filters(switch),
        loopback_filters=lower_loopback_filters(switch),
        every_filter=tuple(dict.fromkeys((*lower_filters(switch), *lower_loopback_filters(switch)))),
        port=management_port(switch.hardware),
        addresses=of(4, management.addresses),
        addresses6=of(6, management.addresses),
        gateway=str(gateway) if gateway and gateway.version == 4 else "",
        gateway6=str(gateway) if gateway and gateway.version == 6 else "",
    )


def lower_filters(switch: Switch) -> tuple[AccessFilter, ...]:
    """Both families are closed to others, also one without an allowed prefix."""
    allow, gnmi = switch.services.ssh.allow, switch.services.gnmi
    if not allow:
        return ()
    ports = f"[ 22 830 {gnmi.port} ]" if gnmi and switch.services.management.allow else SSH_PORTS
    return tuple(
        AccessFilter(
            family,
            name,
            protocol,
            tuple(sorted((str(one) for one in allow if one.version == version), key=natural)),
            ports,
        )
        for version, family, name, protocol in FILTERS
    )


def lower_loopback_filters(switch: Switch) -> tuple[AccessFilter, ...]:
    """What comes in by ports of the fabric, where hosts are: no SSH, if there is a management network apart.

    Junos's SSH and NETCONF servers listen in every routing instance.
    """
    if switch.management.vrf == "default":
        return lower_filters(switch)
    return tuple(
        AccessFilter(family, name, protocol, (), SSH_PORTS) for _, family, name, protocol in LOOPBACK_FILTERS
    )


def _user(name: str, user: IntentUser) -> User:
    stored = quoted(user.password_hash) if user.password_hash else secret(user.password_secret)
    keys = tuple((KEY_WORDS.get(key.split()[0], "ssh-ecdsa"), quoted(key)) for key in user.ssh_keys)
    return User(name, ROLES[user.role], stored, keys)


def _snmp(switch: Switch, report: Report) -> Snmp | None:
    snmp = switch.services.snmp
    if snmp is None:
        return None
    place = Origin(("services", "snmp"))
    _check_traps(snmp, place, report)
    users = tuple(
        SnmpUser(
            name,
            user.auth,
            secret(user.auth_secret),
            CIPHERS.get(user.privacy, ""),
            secret(user.privacy_secret),
        )
        for name, user in sorted(snmp.users.items(), key=lambda item: natural(item[0]))
    )
    location, contact = (quoted(text) if text else "" for text in (snmp.location, snmp.contact))
    receivers = sorted((str(one) for one in snmp.trap_servers), key=natural)
    traps = tuple((receiver, user.name) for receiver in receivers for user in users)
    return Snmp(location, contact, users, traps)


def _check_traps(snmp: IntentSnmp, place: Origin, report: Report) -> None:
    if snmp.trap_servers and not snmp.users:
        report.add(
            codes.USER.at(
                place.child("users"),
                "Junos sends SNMPv3 traps in the name of a user, and there is none",
                hint="add a user below `services.snmp.users`, or leave `trap_servers` out",
            )
        )


def _check(switch: Switch, report: Report) -> None:
    ssh, gnmi, banner = switch.services.ssh, switch.services.gnmi, switch.services.banner or ""
    if len(banner) > MOST_BANNER:
        report.add(
            codes.RANGE.at(
                Origin(("services", "banner")),
                f"Junos takes a login message of {MOST_BANNER} characters, not {len(banner)}",
                value=len(banner),
                hint="shorten the banner",
            )
        )
    if ssh.idle_timeout_ms % MINUTE_MS:
        report.add(
            codes.UNITS.at(
                Origin(("services", "ssh", "idle_timeout")),
                f"Junos counts the idle timeout in minutes, not {ssh.idle_timeout_ms}",
                value=str(ssh.idle_timeout_ms),
                hint="write a whole number of minutes, as 30min",
            )
        )
    if switch.services.tacacs is not None:
        report.add(
            codes.USER.at(
                Origin(("services", "tacacs")),
                "Junos lets nobody in by TACACS+ who has no local user of that name",
                hint="add the names below `services.users`, or a user `remote` for all others by an override",
                severity=Severity.INFO,
            )
        )
    certificate = switch.services.certificate
    if gnmi is not None and certificate is not None:
        report.add(
            codes.CERTIFICATE.at(
                Origin(("services", "gnmi")),
                f"Junos serves gNMI with the local certificate {certificate.name}",
                hint=f"load it once: request security pki local-certificate load certificate-id {certificate.name}",
            )
        )
