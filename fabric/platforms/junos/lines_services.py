"""Every statement of management: users, logs, time, SNMP, AAA, and how the switch is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter

from fabric.configuration import Effect, Parts, Statement
from fabric.platforms.junos.lines_interfaces import NO_TRAFFIC
from fabric.platforms.junos.rows import (
    anything,
    entered,
    entered_in,
    noted,
    noted_in,
    section,
    stanza,
    values,
)
from fabric.platforms.junos.state import JunosState, Place
from fabric.platforms.reading import fixed, note, put

PATHS = Effect("flap", "the hardware's path tables are written anew")


def service_lines() -> tuple[Statement, ...]:
    """`system`, `snmp`, `chassis`, and what is not read but known to touch no traffic."""
    return (
        # Junos writes it by itself.
        Statement("version {release}", is_default=lambda _parts: True),
        stanza("system", *_system(), *_login(), *_reached(), effect=NO_TRAFFIC, is_container=True),
        stanza("snmp", *_snmp(), reads=section("snmp"), effect=NO_TRAFFIC, is_container=True),
        stanza(
            "chassis",
            Statement(r"maximum-ecmp {paths:\d+}", reads=put("max_paths", "paths", int), effect=PATHS),
            stanza(
                r"fpc <fpc:\d+>",
                stanza("traffic-manager", Statement("buffer-monitor-enable", reads=noted), reads=entered),
                reads=entered_in("chassis"),
            ),
            is_container=True,
        ),
        stanza("security", effect=NO_TRAFFIC, is_container=True),
        stanza("event-options", effect=NO_TRAFFIC, is_container=True),
    )


def _system() -> Iterator[Statement]:
    """Names, logs, time."""
    yield Statement("host-name {name}", reads=put("hostname", "name"))
    yield Statement("domain-name {domain}", reads=note("domain-name", "{domain}"))
    yield stanza("name-server", Statement("<server> [{options*}]", reads=noted), reads=section("name-server"))
    yield stanza("ntp", Statement("server <server> [{options*}]", reads=noted), reads=section("ntp"))
    yield stanza(
        "syslog",
        stanza("host <host>", Statement("<facility> {level}", reads=noted), *anything(), reads=noted),
        reads=section("syslog"),
    )
    yield stanza("accounting", *anything("events"), reads=section("accounting"))
    yield Statement("management-instance", reads=fixed("has_instance", value=True), access="changed")


def _login() -> Iterator[Statement]:
    """Who may log in."""
    yield stanza("root-authentication", Statement("encrypted-password {hash}"))
    yield Statement(
        "authentication-order {order*}", reads=note("authentication-order", "{order}"), access="changed"
    )
    yield stanza(
        "login",
        Statement("message {text*}", reads=noted_in("login")),
        stanza(
            "class <class>",
            Statement("idle-timeout {minutes}", reads=noted, access="none"),
            *anything("permissions"),
            reads=noted_in("login"),
            access="removed",
        ),
        stanza("user <user>", *_user(), reads=_of_user, access="removed", account=itemgetter("user")),
    )
    yield stanza(
        "tacplus-server",
        stanza("<server>", *values("routing-instance"), Statement("secret {secret}"), reads=entered),
        reads=section("tacplus-server"),
        access="removed",
    )
    yield stanza("radius-server", *anything(), reads=section("radius-server"), access="removed")


def _user() -> Iterator[Statement]:
    yield Statement("class {class}", reads=noted)
    # Junos gives the number by itself.
    yield Statement(r"uid {number:\d+}", is_default=lambda _parts: True)
    yield stanza(
        "authentication",
        Statement("encrypted-password {hash}"),
        Statement(r"<kind:ssh-\S+> <key*>", reads=noted),
        reads=entered,
    )


def _reached() -> Iterator[Statement]:
    """SSH, NETCONF and gNMI."""
    words = (
        "port",
        "local-certificate",
        "routing-instance",
        "certificate-authority",
        "client-certificate-request",
    )
    yield stanza(
        "services",
        stanza("ssh", *values("root-login"), reads=entered_in("services"), access="removed"),
        stanza("netconf", Statement("ssh", reads=noted), reads=entered_in("services"), access="removed"),
        stanza("extension-service", *anything(*words), reads=noted_in("services")),
    )


def _snmp() -> Iterator[Statement]:
    """Who watches, what is seen, and where traps go."""
    users = stanza(
        "usm", stanza("local-engine", _watcher(), *anything(), reads=entered), *anything(), reads=entered
    )
    words = ("address", "tag-list", "routing-instance", "message-processing-model", "type", "tag")
    yield stanza("v3", users, *anything("read-view", "notify-view", *words), reads=noted)
    yield stanza("view <view>", Statement("oid <oid> [{how}]", reads=noted), *anything(), reads=noted)
    yield from values("location", "contact")
    yield Statement("routing-instance-access", reads=noted)


def _watcher() -> Statement:
    """A user of SNMP. Junos keeps a password as the key that it makes of it."""
    kinds = (
        stanza(
            f"{kind}-<protocol>",
            Statement(f"{kind}-password {{secret}}"),
            Statement(f"{kind}-key {{secret}}", expands=_password(kind)),
            reads=lambda protected, parts: protected.append(parts["protocol"]),
        )
        for kind in ("authentication", "privacy")
    )
    return stanza("user <user>", *kinds, reads=_protected)


def _password(kind: str) -> Callable[[Parts], tuple[str]]:
    """What a key stands for."""
    return lambda parts: (f"{kind}-password {parts['secret']}",)


def _of_user(state: JunosState, parts: Parts) -> Place:
    return Place(state.notes("login user"), parts["user"])


def _protected(place: Place, parts: Parts) -> list[str]:
    place.enter(parts["line"])
    protected: list[str] = place.owner.snmp_users.setdefault(parts["user"], [])
    return protected
