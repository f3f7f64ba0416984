"""Lines of frr.conf that say nothing of routing, and the files of the system: what runs, and how the kernel routes."""

from __future__ import annotations

from fabric.configuration import Effect, Parts, Section, Statement
from fabric.platforms.effects import CHOSEN, NO_TRAFFIC
from fabric.platforms.frr.state import FrrState
from fabric.platforms.reading import put

LOGS = Effect("none", "logs only")
STARTS_ANEW = Effect("flap", "FRR starts anew")
KERNEL = Effect("flap", "forwarding, the choice of paths or the class of routed packets changes")
NAMED_ANEW = Effect("reload", "ports get other names at the next start")
EQUALS = "{equals: ?= ?}"
"""With or without blanks around it."""


def _kernel(state: FrrState, parts: Parts) -> None:
    state.service("sysctl", f"{parts['key']} = {parts['value']}")


def frr_lines() -> tuple[Statement, ...]:
    """At the left margin of frr.conf."""
    return (
        Statement("frr version {version}", effect=NO_TRAFFIC),
        Statement("frr defaults {profile}", effect=Effect("flap", "the defaults of every protocol change")),
        Statement("hostname {name}", reads=put("hostname", "name"), effect=Effect("none", "a name")),
        Statement("log syslog {level}", effect=LOGS),
        Statement("log|debug <what*>", is_unread=True, effect=LOGS),
        Statement("service integrated-vtysh-config", effect=NO_TRAFFIC),
        Statement(
            "[no] ip|ipv6 forwarding", effect=Effect("flap", "the switch stops or begins to route packets")
        ),
        Statement("ip|ipv6 nht <what*>", is_unread=True, effect=CHOSEN),
        Statement(
            "bgp as-path|extcommunity-list|large-community-list <what*>", is_unread=True, effect=CHOSEN
        ),
    )


def system_files() -> tuple[Statement, ...]:
    """Files that are a change each."""
    return (
        _file(
            "vtysh.conf",
            Statement("service integrated-vtysh-config"),
            effect=Effect("none", "where configuration is kept"),
        ),
        _file("daemons", Statement(r'<name:\w+>={value:\w+|"[^"]*"}'), effect=STARTS_ANEW),
        _file(
            "sysctl.conf",
            Statement(";<text:.*>", effect=Effect("none", "text only")),
            # By these, services answer in the VRF of management.
            Statement(
                rf"net.ipv4.<protocol:tcp|udp>_l3mdev_accept{EQUALS}{{value}}",
                reads=_services_in_vrfs,
                access="removed",
            ),
            Statement(rf"<key:net\.[^\s=]+>{EQUALS}{{value}}", reads=_kernel),
            effect=KERNEL,
        ),
        _file(
            "qos.service",
            Statement(r"<section:\[\w+\]>", below=Section(Statement(r"<key:\w+>={value*}"))),
            Statement(r"<key:\w+>={value*}"),
            effect=Effect("none", "when the script runs"),
        ),
        _file("ports.rules", Statement('SUBSYSTEM=="net", <rule*>'), effect=NAMED_ANEW),
    )


def _services_in_vrfs(state: FrrState, parts: Parts) -> None:
    state.service("sysctl", f"net.ipv4.{parts['protocol']}_l3mdev_accept = {parts['value']}")


def _file(name: str, *lines: Statement, effect: Effect) -> Statement:
    return Statement(name, below=Section(*lines, effect=effect), effect=effect, empty_is_absent=True)
