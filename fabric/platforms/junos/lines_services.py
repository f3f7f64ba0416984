"""Every statement of management: users, logs, time, SNMP, AAA, and how the switch is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fabric.configuration import Effect, Parts, Statement
from fabric.platforms.junos.lines_interfaces import NO_TRAFFIC
from fabric.platforms.junos.stanzas import (
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
        Statement("version {release}", effect=NO_TRAFFIC),
        stanza("system", *_system(), *_login(), *_reached(), effect=NO_TRAFFIC, is_container=True),
        stanza("snmp", *_snmp(), reads=section("snmp"), effect=NO_TRAFFIC, is_container=True),
        stanza(
            "chassis",
            Statement(r"maximum-ecmp {paths:\d+}", reads=put("max_paths", "paths", int)),
            stanza(
                r"fpc <fpc:\d+>",
                stanza("traffic-manager", Statement("buffer-monitor-enable", reads=noted), reads=entered),
                reads=entered_in("chassis"),
            ),
            effect=PATHS,
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
    yield stanza("accounting", *values("events"), *anything(), reads=section("accounting"))
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
            *values("permissions"),
            *anything(),
            reads=noted_in("login"),
            access="removed",
        ),
        stanza("user <user>", *_user(), reads=_of_user, access="removed"),
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
    identity = values("certificate-authority", "client-certificate-request")
    mutual = stanza("mutual-authentication", *identity, *anything(), reads=noted)
    ssl = stanza("ssl", *values("port", "local-certificate"), mutual, *anything(), reads=noted)
    grpc = stanza("grpc", ssl, *values("routing-instance"), *anything(), reads=noted)
    yield stanza(
        "services",
        stanza("ssh", *values("root-login"), reads=entered_in("services"), access="removed"),
        stanza("netconf", Statement("ssh", reads=noted), reads=entered_in("services"), access="removed"),
        stanza(
            "extension-service",
            stanza("request-response", grpc, *anything(), reads=noted),
            *anything(),
            reads=noted_in("services"),
        ),
    )


def _snmp() -> Iterator[Statement]:
    yield from values("location", "contact")
    yield stanza("v3", *_users(), *_views(), *_traps(), *anything(), reads=noted)
    yield stanza("view <view>", Statement("oid <oid> [{how}]", reads=noted), *anything(), reads=noted)
    yield Statement("routing-instance-access", reads=noted)


def _users() -> Iterator[Statement]:
    """Of SNMP. Junos keeps a password as the key that it makes of it."""
    kinds = (
        stanza(
            f"{kind}-<protocol>",
            Statement(f"{kind}-password {{secret}}"),
            Statement(f"{kind}-key {{secret}}", expands=_password(kind)),
            reads=lambda protected, parts: protected.append(parts["protocol"]),
        )
        for kind in ("authentication", "privacy")
    )
    user = stanza("user <user>", *kinds, reads=_snmp_user)
    yield stanza("usm", stanza("local-engine", user, *anything(), reads=entered), *anything(), reads=entered)


def _views() -> Iterator[Statement]:
    """Who sees what."""
    name = stanza("security-name <name>", *values("group"), *anything(), reads=noted)
    level = stanza("security-level <level>", *values("read-view", "notify-view"), *anything(), reads=noted)
    prefix = stanza("default-context-prefix", _of_model(level), *anything(), reads=noted)
    yield stanza(
        "vacm",
        stanza("security-to-group", _of_model(name), *anything(), reads=noted),
        stanza("access", stanza("group <group>", prefix, *anything(), reads=noted), *anything(), reads=noted),
        *anything(),
        reads=noted,
    )


def _of_model(below: Statement) -> Statement:
    return stanza("security-model <model>", below, *anything(), reads=noted)


def _traps() -> Iterator[Statement]:
    """Where traps go, and in whose name."""
    words = ("message-processing-model", "security-model", "security-level", "security-name")
    parameters = stanza("parameters", *values(*words), *anything(), reads=noted)
    target = values("address", "tag-list", "routing-instance", "target-parameters")
    yield stanza("target-address <target>", *target, *anything(), reads=noted)
    yield stanza(
        "target-parameters <parameters>", parameters, *values("notify-filter"), *anything(), reads=noted
    )
    yield stanza("notify <notify>", *values("type", "tag"), *anything(), reads=noted)
    yield stanza(
        "notify-filter <filter>", Statement("oid <oid> [{how}]", reads=noted), *anything(), reads=noted
    )


def _password(kind: str) -> Callable[[Parts], tuple[str]]:
    """What a key stands for."""
    return lambda parts: (f"{kind}-password {parts['secret']}",)


def _of_user(state: JunosState, parts: Parts) -> Place:
    return Place(state.notes("login user"), parts["user"])


def _snmp_user(place: Place, parts: Parts) -> list[str]:
    place.enter(parts["line"])
    protected: list[str] = place.owner.snmp_users.setdefault(parts["user"], [])
    return protected
