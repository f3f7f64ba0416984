"""Management in neutral words, from the tables of CONFIG_DB: section to its settings, sorted."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.platforms.sonic.tables import Book, word, words

Notes = Iterator[tuple[str, str]]
"""Section and setting."""


def read_services(book: Book) -> dict[str, str]:
    """Everything about management, and how routing is run."""
    found: dict[str, list[str]] = {}
    for part in (_device, _cabling, _management, _servers, _access, _lists, _snmp, _tacacs, _relays):
        for section, text in part(book):
            found.setdefault(section, []).append(text)
    return {section: "\n".join(sorted(lines)) for section, lines in found.items()}


def _device(book: Book) -> Notes:
    local = book.row("DEVICE_METADATA", "localhost")
    for field in ("type", "hwsku", "platform", "buffer_model", "synchronous_mode", "default_pfcwd_status"):
        if field in local:
            yield "device", f"{field} {local[field]}"
    mode = word(local.get("docker_routing_config_mode"))
    if mode:
        managed = local.get("frr_mgmt_framework_config") == "true"
        yield "routing", f"{mode} {'managed' if managed else 'unmanaged'}"


def _cabling(book: Book) -> Notes:
    for name, row in book.rows("DEVICE_NEIGHBOR").items():
        yield "cabling", f"{name} to {row.get('name', '')} {row.get('port', '')}"
    for row in book.rows("CABLE_LENGTH").values():
        yield from (("cable length", f"{port} {length}") for port, length in row.items())
    for field in words(book.row("SWITCH_HASH", "GLOBAL").get("ecmp_hash")):
        yield "hash", field
    trimming = book.row("SWITCH_TRIMMING", "GLOBAL")
    if trimming:
        told = (word(trimming.get(name)) for name in ("size", "dscp_value", "queue_index"))
        yield "trimming", "{} B, DSCP {}, queue {}".format(*told)


def _management(book: Book) -> Notes:
    for key, row in book.rows("MGMT_INTERFACE").items():
        if "gwaddr" in row:
            yield "management", f"{key.partition('|')[2]} via {row['gwaddr']}"
    for name, row in book.rows("MGMT_PORT").items():
        yield "management", f"{name} {row.get('admin_status', 'up')}"
    if book.row("BANNER_MESSAGE", "global").get("state") == "enabled":
        yield "banner", word(book.row("BANNER_MESSAGE", "global").get("login"))


def _servers(book: Book) -> Notes:
    for server in book.rows("NTP_SERVER"):
        yield "ntp", f"server {server}"
    for row in book.rows("NTP").values():
        yield "ntp", f"from {', '.join(words(row.get('src_intf')))} vrf {row.get('vrf', 'default')}"
    for server, row in book.rows("SYSLOG_SERVER").items():
        yield "syslog", f"server {server} level {row.get('severity', 'all')} vrf {row.get('vrf', 'default')}"
    for server in book.rows("DNS_NAMESERVER"):
        yield "dns", f"server {server}"
    for domain in words(book.row("DNS_OPTIONS", "GLOBAL").get("search")):
        yield "dns", f"domain {domain}"


def _access(book: Book) -> Notes:
    minutes = book.row("SSH_SERVER", "POLICIES").get("inactivity_timeout")
    if minutes is not None:
        yield "ssh", f"idle {minutes} min"
    port = book.row("GNMI", "gnmi").get("port")
    if port is not None:
        yield "gnmi", f"port {port} client auth {book.row('GNMI', 'gnmi').get('client_auth', 'true')}"
    certificates = book.row("GNMI", "certs")
    for field, text in (("server_crt", "certificate"), ("ca_crt", "clients by")):
        if field in certificates:
            yield "gnmi", f"{text} {certificates[field]}"


def _lists(book: Book) -> Notes:
    """Control-plane ACLs: who may use what, in the order in which rules are looked at."""
    for key, row in book.rows("ACL_RULE").items():
        table = book.row("ACL_TABLE", key.partition("|")[0])
        for service in words(table.get("services")) if table.get("type") == "CTRLPLANE" else ():
            source = word(row.get("SRC_IP")) or word(row.get("SRC_IPV6"))
            port = f" port {row['L4_DST_PORT']}" if "L4_DST_PORT" in row else ""
            yield "lists", f"{service}{port} {word(row.get('PACKET_ACTION'))} {source}"


def _snmp(book: Book) -> Notes:
    for name, row in book.rows("SNMP_USER").items():
        kinds = (
            word(row.get(f"SNMP_USER_{kind}")) for kind in ("AUTH_TYPE", "ENCRYPTION_TYPE", "PERMISSION")
        )
        yield "snmp", f"user {name} {' '.join(kinds)}"
    for key, field in (("LOCATION", "Location"), ("CONTACT", "Contact")):
        if field in book.row("SNMP", key):
            yield "snmp", f"{key.lower()} {book.row('SNMP', key)[field]}"


def _tacacs(book: Book) -> Notes:
    for server, row in book.rows("TACPLUS_SERVER").items():
        yield "tacacs", f"server {server} priority {row.get('priority', '1')} vrf {row.get('vrf', 'default')}"
    if "passkey" in book.row("TACPLUS", "global"):
        yield "tacacs", "key"
    for what, row in book.rows("AAA").items():
        yield "aaa", f"{what} {row.get('login', 'local')}"


def _relays(book: Book) -> Notes:
    for name, row in book.rows("VLAN").items():
        yield from (("relay", f"{name} {server}") for server in words(row.get("dhcp_servers")))
    for name, row in book.rows("DHCP_RELAY").items():
        yield from (("relay", f"{name} {server}") for server in words(row.get("dhcpv6_servers")))
