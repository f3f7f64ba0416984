"""Every line of `system` and `service`: users, logs, time, AAA, and how the switch is reached.

Up to 5.14 a part of it stands below `service`, by VRF. Hash fields are loaded without an interruption (Cumulus Linux
5.14, Equal Cost Multipath Load Sharing).
"""

from __future__ import annotations

from operator import itemgetter

from fabric.configuration import Effect, Parts, Statement
from fabric.configuration.syntaxes.quoting import meant
from fabric.platforms.cumulus.rows import container, switch, thing
from fabric.platforms.cumulus.state import Place, begin, note, of_file
from fabric.platforms.effects import NO_TRAFFIC

FLOWS = Effect("hitless", "flows move to other paths")
TRIMMED = Effect("flap", "a service port starts to carry cut packets around")
PATHS = Effect("flap", "the hardware's path tables are written anew")
RELAYED = Effect("hitless", "the relay starts anew")


def _banner(place: Place, parts: Parts) -> None:
    place.state.service("banner", meant(parts["text"]))


DNS = (
    thing("server", Statement("<server>", reads=note("dns", "server {server}"))),
    thing("search", Statement("<domain>", reads=note("dns", "domain {domain}"))),
)
NTP = thing("server <server>", Statement("iburst {on}"), reads=note("ntp", "server {server}"))
SYSLOG = thing(
    "server <host>",
    Statement("vrf {instance}"),
    thing(r"selector <place:\d+>", Statement("selector-id {selector}")),
    reads=note("logging", "host {host}"),
)
LLDP = thing("lldp", Statement("state {state}", reads=note("lldp", "{state}")))
LEVEL = Statement("severity {level}", reads=note("logging", "level {level}"))

USER = thing(
    "<user>",
    # Management access stands on admins alone: on who is one, and on keys.
    Statement("role {role:system-admin}", reads=note("users", "{user} role {role}"), access="removed"),
    Statement("role {role}", reads=note("users", "{user} role {role}")),
    Statement("hashed-password {hash*}"),
    Statement("full-name {text*}"),
    thing(
        "ssh authorized-key <login>",
        Statement("key {key*}", reads=note("users", "{user} key {key}"), access="removed"),
        Statement("type {type}"),
    ),
    access="none",
    account=itemgetter("user"),
)
TACACS = thing(
    "tacacs",
    thing(
        "server <server>",
        Statement(r"priority {priority:\d+}", reads=note("aaa", "tacacs {server} {priority}")),
        Statement("secret {secret*}"),
        Statement("prefer-ip-version {version}"),
    ),
    thing("accounting", *switch("enable|state", note("aaa", "accounting")), access="none"),
    Statement("vrf {instance}"),
    access="changed",
)
RIGHTS = thing("command-path <path>", Statement("permission {right}"))
AAA = container(
    "aaa",
    thing("class <class>", Statement("action {action}"), RIGHTS),
    thing("role <role> class", Statement("<class>")),
    thing("authentication-order", Statement(r"<place:\d+> {method}"), access="changed"),
    container("user", USER),
    TACACS,
    access="removed",
)
API = thing(
    "api",
    Statement("state {state}"),
    thing("listening-address", Statement("<listener>", reads=note("api", "{listener}")), access="changed"),
    access="removed",
)
CONTROL_PLANE = thing(
    "control-plane",
    thing("acl <list>", Statement("inbound", reads=note("firewall", "{list}"))),
    access="changed",
)
GNMI = thing(
    "gnmi-server",
    thing("listening-address", Statement("<listener>", reads=note("gnmi", "{listener}"))),
    Statement("<what:port|certificate> {value}", reads=note("gnmi", "{what} {value}")),
    thing("mtls", Statement("ca-certificate {ca}", reads=note("gnmi", "clients by {ca}"))),
    Statement("state {state}"),
)
SSH = thing(
    "ssh-server",
    Statement("inactive-timeout {minutes}", reads=note("ssh", "idle {minutes} min"), access="none"),
    Statement("state {state}"),
    thing("vrf", Statement("<instance>", reads=note("ssh", "vrf {instance}"))),
    access="changed",
)
FORWARDING = thing(
    "forwarding",
    thing("ecmp-hash", *switch("<field>", note("hash", "{field}")), effect=FLOWS),
    Statement("hash-seed {seed}", reads=note("hash", "seed {seed}")),
    thing(
        "packet-trim",
        Statement("<what:size|switch-priority> {value}", reads=note("trimming", "{what} {value}")),
        thing("remark", Statement("dscp {point}", reads=note("trimming", "dscp {point}"))),
        Statement("state {state}"),
        effect=TRIMMED,
    ),
    effect=PATHS,
)
RELAYS = Statement("<name>", reads=note("dhcp relay", "interface {name}"))
ASKS = Statement("<server>", reads=note("dhcp relay", "server {server}"))
RELAY = (
    thing("downstream-interface <name>", Statement("server-group-name {group}"), reads=RELAYS.reads),
    thing("server-group <group>", thing("server", ASKS), thing("upstream-interface", RELAYS)),
    thing("interface", RELAYS),
    thing("server", ASKS),
)


def service_lines() -> tuple[Statement, ...]:
    """`system` and `service`."""
    return (
        container(
            "system",
            Statement("hostname {name}", reads=of_file("hostname", "name")),
            thing("config auto-save", Statement("enable|state {state}")),
            thing("message", Statement("pre-login {text*}", reads=_banner)),
            thing("dns", *DNS),
            thing("ntp", NTP),
            thing("syslog", SYSLOG, thing("selector <selector>", LEVEL)),
            *(AAA, API, CONTROL_PLANE, FORWARDING, GNMI, LLDP, SSH),
            effect=NO_TRAFFIC,
            reads=begin,
        ),
        container(
            "service",
            thing("dns <vrf_name>", *DNS),
            thing("ntp <vrf_name>", NTP),
            thing("syslog <vrf_name>", SYSLOG),
            thing("dhcp-relay <vrf_name>", *RELAY, effect=RELAYED),
            LLDP,
            effect=NO_TRAFFIC,
            reads=begin,
        ),
    )
