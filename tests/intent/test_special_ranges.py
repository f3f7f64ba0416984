"""No address or prefix of the intent may be one that no network stands, whatever key it is written under."""

from __future__ import annotations

import json
from ipaddress import ip_network
from pathlib import Path

import pytest
import yaml

from fabric.documents import InvalidDocument
from fabric.intent.checks.addresses import SPECIAL
from fabric.intent.load import load_text

SCHEMAS = Path(__file__).parents[2] / "schemas"
SITE = """\
site: lab
units: 2
hosts: {gpu: {per_unit: 4, nics: {compute: {count: 8, speed: 400G}}}}
networks:
  compute:
    addressing:
      family: dual
      host_links: {mode: vlan, assignment: dhcp_relay, dhcp_servers: [192.0.2.67, "2001:db8::67"]}
    tiers: {leaf: {model: arista-7060x6-64pe, reserved_ports: 1}, spine: {model: arista-7060x6-64pe}}
attachments:
  border: {network: compute, kind: router, links: 1, speed: 400G, bgp: {asn: 64999, prefixes: [0.0.0.0/0]}}
services:
  snmp: {users: {ann: {auth_secret: "env:A", privacy_secret: "env:B"}}}
  tacacs: {servers: [192.0.2.1], secret: "env:C"}
"""
ADDRESSING, SERVICES, BORDER = ["networks", "compute", "addressing"], ["services"], ["attachments", "border"]
LINK = [*BORDER, "addresses"]
PLACES = {
    "HostLinks.dhcp_servers": ([*ADDRESSING, "host_links", "dhcp_servers"], "list"),
    "Addressing.former_host_pools": ([*ADDRESSING, "former_host_pools"], "list"),
    "Management.gateway": ([*SERVICES, "management", "gateway"], "value"),
    "Management.dns": ([*SERVICES, "management", "dns"], "list"),
    "Management.allow": ([*SERVICES, "management", "allow"], "list"),
    "Ssh.allow": ([*SERVICES, "ssh", "allow"], "list"),
    "Ntp.servers": ([*SERVICES, "ntp", "servers"], "list"),
    "Syslog.servers": ([*SERVICES, "syslog", "servers"], "list"),
    "Snmp.trap_servers": ([*SERVICES, "snmp", "trap_servers"], "list"),
    "Tacacs.servers": ([*SERVICES, "tacacs", "servers"], "list"),
    "ExternalBgp.prefixes": ([*BORDER, "bgp", "prefixes"], "list"),
    "ExternalBgp.advertise": ([*BORDER, "bgp", "advertise"], "list"),
    "AttachmentLink.ours": (LINK, "ours"),
    "AttachmentLink.theirs": (LINK, "theirs"),
    "AttachmentLink.ours6": (LINK, "ours6"),
    "AttachmentLink.theirs6": (LINK, "theirs6"),
    **{
        f"Addressing.{key}": ([*ADDRESSING, key], "pool")
        for key in (
            "host_pool",
            "fabric_pool",
            "loopback_pool",
            "host_pool6",
            "fabric_pool6",
            "loopback_pool6",
        )
    },
}
"""Where each field of an address stands, and how."""
FORMATS = ("fabric-address", "fabric-interface", "fabric-prefix", "fabric-ipv4", "fabric-ipv6")
SERVERS = ("gateway", "dns", "servers", "trap_servers", "dhcp_servers")
EXCEPTIONS = {
    "169.254.0.0/16": (*SERVERS, "allow", "ours", "theirs"),
    "fe80::/10": ("gateway", "allow", "ours", "theirs", "ours6", "theirs6"),
    "100::/64": ("prefixes", "advertise"),
}
"""Ranges that some keys take: what a router need not forward, and what it may discard."""


def fields_of_the_schema():
    """Every field of the intent that takes an address or prefix, as `Class.key`."""
    defs = json.loads((SCHEMAS / "intent.schema.json").read_text())["$defs"]
    return {
        f"{name}.{key}"
        for name, made in defs.items()
        for key, schema in made.get("properties", {}).items()
        if any(f'"{form}' in json.dumps(schema) for form in FORMATS)
    }


def test_every_field_of_the_schema_is_tried():
    assert fields_of_the_schema() == set(PLACES)


def found(field, network):
    """Codes at a field that holds something of a range."""
    path, how = PLACES[field]
    document = yaml.safe_load(SITE)
    is_prefix = how == "pool" or path[-1] in ("allow", "prefixes", "advertise", "former_host_pools")
    host = network.network_address + (1 if network.num_addresses > 1 else 0)
    value = str(network) if is_prefix else str(host)
    if path is LINK:
        length = 30 if network.version == 4 else 64
        other = {
            "ours": "192.0.2.1/30",
            "theirs": "192.0.2.2/30",
            "ours6": "2001:db8::1/64",
            "theirs6": "2001:db8::2/64",
        }
        value = [{**other, how: f"{host}/{length}"}]
    elif how == "list":
        value = [value]
    node = document
    for step in path[:-1]:
        node = node.setdefault(step, {})
    node[path[-1]] = value
    try:
        load_text({"site.yaml": yaml.safe_dump(document)})
    except InvalidDocument as error:
        return {finding.code for finding in error.diagnostics if finding.is_error}
    return set()


RIGHT = {4: ip_network("198.51.100.0/24"), 6: ip_network("2001:db8:7::/48")}


def takes(field, version):
    """Whether a field takes addresses of a version at all."""
    return version == 6 if field.endswith("6") else version == 4 or not field.endswith("_pool")


@pytest.mark.parametrize("field", PLACES)
def test_no_field_takes_an_address_of_a_special_range(field):
    path, how = PLACES[field]
    for special in (one for one in SPECIAL if takes(field, one.network.version)):
        key = how if path is LINK else path[-1]

        is_refused = key not in EXCEPTIONS.get(str(special.network), ())
        assert is_refused == ("FAB130" in found(field, special.network)), special


@pytest.mark.parametrize("field", [field for field, (_, how) in PLACES.items() if how != "pool"])
def test_other_addresses_are_taken(field):
    version = 6 if field.endswith("6") else 4

    assert "FAB130" not in found(field, RIGHT[version])
