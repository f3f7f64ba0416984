"""Tables of the switch itself and of its management, and the lines of frr.conf that say nothing of routing.

Sources: sonic-device_metadata.yang, sonic-ntp.yang, sonic-syslog.yang, sonic-dns.yang, sonic-system-tacacs.yang,
sonic-system-aaa.yang, sonic-ssh-server.yang, sonic-gnmi.yang, sonic-banner.yang, sonic-feature.yang, sonic-snmp.yang,
sonic-acl.yang.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fabric.configuration import Effect, Statement
from fabric.platforms.effects import NO_TRAFFIC
from fabric.platforms.sonic.lines_bgp import ALL_ANEW
from fabric.platforms.sonic.lower_acl import LISTS
from fabric.platforms.sonic.rows import (
    each,
    field,
    free_table,
    held_row,
    keep,
    kept,
    kept_row,
    kept_table,
    known,
    row,
    row_says,
    says,
    table,
)
from fabric.platforms.sonic.state import DEVICE

STARTS = Effect("reload", "the container of BGP is set up when all services start")
OTHERS = Effect("flap", "a list of others may drop traffic of hosts")

_quiet = partial(table, effect=NO_TRAFFIC)


def service_tables() -> tuple[Statement, ...]:
    """Of the switch and of how it is managed."""
    return (
        kept_table(
            "DEVICE_METADATA",
            "localhost",
            *_device_fields(),
            effect=Effect("reload", "what the switch is may touch all of it"),
        ),
        free_table("FEATURE", NO_TRAFFIC),
        kept_table("BANNER_MESSAGE", "global", *kept("state", "login"), effect=NO_TRAFFIC),
        *_server_tables(),
        *_access_tables(),
        *_list_tables(),
        *_snmp_tables(),
    )


def frr_lines() -> tuple[Statement, ...]:
    """The lines of frr.conf that say nothing of routing."""
    lines = ("hostname <name>", "service integrated-vtysh-config", "no fpm use-next-hop-groups")
    return (
        Statement("frr defaults datacenter", effect=Effect("flap", "the defaults of all protocols change")),
        *(Statement(line, effect=NO_TRAFFIC) for line in (*lines, "fpm address 127.0.0.1")),
    )


def _device_fields() -> Iterator[Statement]:
    quiet = Effect("hitless", "the name only")
    yield from kept("hostname", effect=quiet)
    yield from kept("default_pfcwd_status", effect=Effect("hitless", "read when ports start their watchdog"))
    yield from kept(*(name for name in DEVICE if name != "default_pfcwd_status"))
    yield from kept("bgp_asn", "bgp_router_id", effect=ALL_ANEW)
    yield from kept("docker_routing_config_mode", "frr_mgmt_framework_config", effect=STARTS)
    yield from known("mac", "bgp_adv_lo_prefix_as_128")


def _server_tables() -> Iterator[Statement]:
    """Who tells the time and the names, and who hears of events."""
    server = row("<server>", *known("association_type"), reads=says("ntp", "server {server}"))
    yield _quiet("NTP_SERVER", server)
    source = field("src_intf", keep("src_intf", lambda names: ", ".join(names.split())))
    says_source = row_says("ntp", "source {src_intf} vrf {vrf}", src_intf="", vrf="default")
    yield _quiet("NTP", row("<row>", source, *kept("vrf"), reads=says_source))
    level = row_says("logging", "host {line} level {severity} vrf {vrf}", severity="all", vrf="default")
    yield _quiet("SYSLOG_SERVER", row("<server>", *kept("severity", "vrf"), reads=level))
    yield _quiet("DNS_NAMESERVER", row("<server>", reads=says("dns", "server {server}")))
    yield _quiet("DNS_OPTIONS", row("GLOBAL", field("search", each("dns", "domain {}"))))


def _access_tables() -> Iterator[Statement]:
    """Who may log in, and by what."""
    idle = field("inactivity_timeout", says("ssh", "idle {value} min"), access="none")
    yield _quiet("SSH_SERVER", held_row("POLICIES", idle))
    key = field("passkey", says("tacacs", "key"))
    yield _quiet("TACPLUS", held_row("global", *known("auth_type"), key))
    says_server = row_says(
        "tacacs", "server {line} priority {priority} vrf {vrf}", priority="1", vrf="default"
    )
    fields = (*kept("priority", access="none"), *kept("vrf"))
    yield _quiet("TACPLUS_SERVER", held_row("<server>", *fields, reads=says_server))
    says_login = row_says("aaa", "{line} {login}", login="local")
    login = held_row("<what>", *kept("login"), *known("failthrough"), reads=says_login, access="changed")
    yield _quiet("AAA", login)
    says_port = row_says("gnmi", "port {port} client auth {client_auth}", client_auth="true")
    certificates = (
        field("server_crt", says("gnmi", "certificate {value}")),
        field("ca_crt", says("gnmi", "clients by {value}")),
        *known("server_key"),
    )
    yield _quiet(
        "GNMI", row("gnmi", *kept("port", "client_auth"), reads=says_port), row("certs", *certificates)
    )


def _list_tables() -> Iterator[Statement]:
    """Ours are for the switch's own services; a list of others may be for traffic of hosts.

    A list for services shuts out whom it does not name, so it counts where it is new, and a rule of it where it goes.
    """
    control = Statement("type {value:CTRLPLANE}", reads=keep("type"), access="added")
    of_table = (
        control,
        *kept("type"),
        *kept("services", access="added"),
        *known("policy_desc", "stage"),
    )
    of_rule = (
        *known("PRIORITY", access="none"),
        *kept("PACKET_ACTION", "SRC_IP", "SRC_IPV6", "L4_DST_PORT"),
    )
    ours = rf"<list:(?:{'|'.join(LISTS)})[^|\s]*>"
    for name, key, fields in (("ACL_TABLE", "", of_table), ("ACL_RULE", "|<rule>", of_rule)):
        row_of = partial(row, reads=kept_row(name), access="removed" if fields is of_rule else None)
        yield table(
            name,
            row_of(f"{ours}{key}", *fields, effect=NO_TRAFFIC),
            row_of(f"<list>{key}", *fields, effect=OTHERS),
        )


def _snmp_tables() -> Iterator[Statement]:
    kinds = ("AUTH_TYPE", "ENCRYPTION_TYPE", "PERMISSION")
    fields = tuple(f"SNMP_USER_{kind}" for kind in kinds)
    words = " ".join(("user {line}", *(f"{{{name}}}" for name in fields)))
    secrets = known("SNMP_USER_TYPE", "SNMP_USER_AUTH_PASSWORD", "SNMP_USER_ENCRYPTION_PASSWORD")
    user = row(
        "<user>",
        *kept(*fields),
        *secrets,
        reads=row_says("snmp", words, **dict.fromkeys(fields, "")),
    )
    yield _quiet("SNMP_USER", user)
    location = row("LOCATION", field("Location", says("snmp", "location {value}")))
    contact = row("CONTACT", field("Contact", says("snmp", "contact {value}")))
    yield _quiet("SNMP", location, contact)
