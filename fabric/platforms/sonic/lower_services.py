"""Management as tables of CONFIG_DB.

Sources: sonic-mgmt_*.yang, sonic-ntp.yang, sonic-syslog.yang, sonic-dns.yang, sonic-system-tacacs.yang,
sonic-system-aaa.yang, sonic-ssh-server.yang, sonic-gnmi.yang, sonic-banner.yang, sonic-feature.yang, sonic-snmp.yang;
sonic-buildimage dockers/docker-snmp/snmpd.conf.j2 @0c4a8a4 (which prints `sysContact Contact TEXT`).
"""

from __future__ import annotations

from typing import Any

from fabric.devices.model import Switch
from fabric.platforms.sonic.model import Rows, Tables
from fabric.platforms.texts import placeholder

SEVERITIES = {
    "errors": "error",
    "warnings": "warn",
    "notifications": "notice",
    "informational": "info",
    "debugging": "debug",
}
HASHES = {"sha": "SHA"}
CIPHERS = {"aes": "AES"}
"""What sonic-snmp.yang allows and net-snmp knows, of the intent's."""
MINUTE_MS = 60_000
CERTIFICATES = "/etc/sonic/telemetry"
"""Where SONiC's own sample has the certificates of gNMI (sonic-yang-models doc/Configuration.md, GNMI)."""


def service_tables(switch: Switch) -> Tables:
    """The tables of management that are not empty."""
    services, vrf = switch.services, vrf_of(switch)
    tables: Tables = {
        "MGMT_PORT": {"eth0": {"alias": "eth0", "admin_status": "up"}},
        "MGMT_VRF_CONFIG": {"vrf_global": {"mgmtVrfEnabled": "true" if vrf == "mgmt" else "false"}},
        "NTP_SERVER": {str(server): {"association_type": "server"} for server in services.ntp.servers},
        "SYSLOG_SERVER": {
            str(server): {"vrf": vrf, "severity": SEVERITIES[services.syslog.level]}
            for server in services.syslog.servers
        },
        "DNS_NAMESERVER": {str(server): {} for server in services.management.dns},
        "SSH_SERVER": {
            "POLICIES": {"inactivity_timeout": str(int(services.ssh.idle_timeout_ms) // MINUTE_MS)}
        },
    }
    if services.ntp.servers:
        tables["NTP"] = {"global": {"vrf": vrf, "src_intf": "eth0"}}
    if services.management.dns and services.management.domain:
        tables["DNS_OPTIONS"] = {"GLOBAL": {"search": [services.management.domain]}}
    tables |= _gnmi(switch)
    if not services.lldp:
        tables["FEATURE"] = {"lldp": {"state": "disabled"}}
    if services.banner:
        tables["BANNER_MESSAGE"] = {"global": {"state": "enabled", "login": services.banner.strip("\n")}}
    tables |= _snmp(switch) | _tacacs(switch, vrf)
    return {name: rows for name, rows in tables.items() if rows}


def _gnmi(switch: Switch) -> Tables:
    """GNMI: with the paths of certificate and key, without which the server would run without TLS."""
    gnmi, certificate = switch.services.gnmi, switch.services.certificate
    if gnmi is None or certificate is None:
        return {}
    files = {
        "server_crt": f"{CERTIFICATES}/{certificate.name}.cer",
        "server_key": f"{CERTIFICATES}/{certificate.name}.key",
    }
    if certificate.client_ca:
        files["ca_crt"] = f"{CERTIFICATES}/{certificate.client_ca}.cer"
    asked = "true" if certificate.client_ca else "false"
    return {"GNMI": {"certs": {**files}, "gnmi": {"port": str(gnmi.port), "client_auth": asked}}}


def vrf_of(switch: Switch) -> str:
    """The VRF of management: SONiC has one, called `mgmt`, or none."""
    return "default" if switch.management.vrf == "default" else "mgmt"


def management_rows(switch: Switch) -> Rows:
    """MGMT_INTERFACE: the address of eth0, with the gateway of its family."""
    gateway = switch.management.gateway
    rows: Rows = {}
    for address in switch.management.addresses:
        has_gateway = gateway is not None and gateway.version == address.version
        rows[f"eth0|{address}"] = {"gwaddr": str(gateway)} if has_gateway else {}
    return rows


def _snmp(switch: Switch) -> Tables:
    snmp = switch.services.snmp
    if snmp is None:
        return {}
    tables: Tables = {
        "SNMP_USER": {
            name: {
                "SNMP_USER_TYPE": "Priv",
                "SNMP_USER_PERMISSION": "RO",
                "SNMP_USER_AUTH_TYPE": HASHES.get(user.auth, ""),
                "SNMP_USER_AUTH_PASSWORD": placeholder(user.auth_secret),
                "SNMP_USER_ENCRYPTION_TYPE": CIPHERS.get(user.privacy, ""),
                "SNMP_USER_ENCRYPTION_PASSWORD": placeholder(user.privacy_secret),
            }
            for name, user in snmp.users.items()
        },
        "SNMP": {},
    }
    if snmp.location:
        tables["SNMP"]["LOCATION"] = {"Location": snmp.location}
    if snmp.contact:
        tables["SNMP"]["CONTACT"] = {"Contact": snmp.contact}
    return tables


def _tacacs(switch: Switch, vrf: str) -> Tables:
    tacacs = switch.services.tacacs
    if tacacs is None:
        return {}
    servers: dict[str, Any] = {
        str(server): {"priority": str(len(tacacs.servers) - number), "vrf": vrf}
        for number, server in enumerate(tacacs.servers)
    }
    tables: Tables = {
        "TACPLUS": {"global": {"auth_type": "login", "passkey": placeholder(tacacs.secret)}},
        "TACPLUS_SERVER": servers,
        "AAA": {"authentication": {"login": "tacacs+,local", "failthrough": "True"}},
    }
    if tacacs.accounting:
        tables["AAA"]["accounting"] = {"login": "tacacs+"}
    return tables
