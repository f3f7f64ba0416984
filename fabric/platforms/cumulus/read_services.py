"""Rows of `system` and `service`."""

from __future__ import annotations

from fabric.platforms.cumulus.reading import Row, note, noted_if_on, top

USER = r"system aaa user (\S+)"
RELAY = r"service dhcp-relay \S+"
SYSLOG = r"(?:service syslog \S+|system syslog) server (\S+)"
ROWS: tuple[Row, ...] = (
    (r"system hostname", top("hostname", str)),
    (r"system aaa (?:class|role) .*", None),
    (r"system aaa authentication-order \d+", None),
    (rf"{USER} hashed-password", None),
    (rf"{USER} role", note("users", r"\1 role VALUE")),
    (rf"{USER} ssh authorized-key \S+ key", note("users", r"\1 key VALUE")),
    (rf"{USER} ssh authorized-key \S+ type", None),
    (rf"{USER} full-name", None),
    (r"system aaa tacacs server (\S+) priority", note("aaa", r"tacacs \1 VALUE")),
    (r"system aaa tacacs server (\S+) (?:secret|prefer-ip-version)", None),
    (r"system aaa tacacs accounting (?:enable|state)", noted_if_on("aaa", "accounting")),
    (r"system aaa tacacs vrf", None),
    (r"system api state", None),
    (r"system config auto-save (?:enable|state)", None),
    (r"system control-plane acl (\S+) inbound", note("firewall", r"\1")),
    (r"system forwarding ecmp-hash (\S+)", noted_if_on("hash", r"\1")),
    (r"system forwarding hash-seed", note("hash", "seed VALUE")),
    (r"system forwarding packet-trim (size|switch-priority)", note("trimming", r"\1 VALUE")),
    (r"system forwarding packet-trim remark dscp", note("trimming", "dscp VALUE")),
    (r"system forwarding packet-trim state", None),
    (r"system gnmi-server listening-address (\S+)", note("gnmi", r"\1")),
    (r"system gnmi-server port", note("gnmi", "port VALUE")),
    (r"system gnmi-server certificate", note("gnmi", "certificate VALUE")),
    (r"system gnmi-server mtls ca-certificate", note("gnmi", "clients by VALUE")),
    (r"system gnmi-server state", None),
    (r"system message pre-login", note("banner")),
    (r"system ssh-server inactive-timeout", note("ssh")),
    (r"system ssh-server state", None),
    (r"system ssh-server vrf (\S+)", note("ssh", r"vrf \1")),
    (r"system api listening-address (\S+)", note("api", r"\1")),
    (r"(?:service|system) lldp state", note("lldp")),
    (r"(?:service dns \S+|system dns) server (\S+)", note("dns", r"server \1")),
    (r"(?:service dns \S+|system dns) search (\S+)", note("dns", r"domain \1")),
    (r"(?:service ntp \S+|system ntp) server (\S+)(?: iburst)?", note("ntp", r"server \1")),
    (rf"{SYSLOG}(?: vrf)?", note("logging", r"host \1")),
    (rf"{SYSLOG} selector \d+ selector-id", None),
    (r"system syslog selector \S+ severity", note("logging", "severity VALUE")),
    (rf"{RELAY} downstream-interface (\S+) server-group-name", note("dhcp relay", r"interface \1")),
    (rf"{RELAY} server-group \S+ server (\S+)", note("dhcp relay", r"server \1")),
    (rf"{RELAY} server-group \S+ upstream-interface (\S+)", note("dhcp relay", r"interface \1")),
    (rf"{RELAY} interface (\S+)", note("dhcp relay", r"interface \1")),
    (rf"{RELAY} server (\S+)", note("dhcp relay", r"server \1")),
)
