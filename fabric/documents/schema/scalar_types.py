"""The smallest pieces of the language: names, texts, references, and how each is spelled in the schema.

Every pattern ends in `END`, so that no value can carry a line of its own into a configuration.
"""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Callable
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
    ip_address,
    ip_interface,
    ip_network,
)
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from fabric.documents.schema import string_patterns
from fabric.units import END, QUANTITIES

Name = Annotated[
    str,
    Meta(
        pattern=rf"^[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])?{END}",
        description="A DNS label: lower-case letters, digits and hyphens, first a letter.",
    ),
]
Text = Annotated[
    str,
    Meta(
        pattern=rf"^[ -~]{{0,240}}{END}",
        description="One line of printable ASCII.",
    ),
]
NameTemplate = Annotated[
    str,
    Meta(
        pattern=rf"^(?:[a-z0-9-]|\{{(?:site|network|pod|unit|rail|plane|index|group)\}}){{1,120}}{END}",
        description="A host name with places for numbers; each is padded to the width the capacity needs.",
        examples=["leaf-{unit}-{rail}"],
    ),
]
KEPT_NAME = "[A-Za-z0-9_][A-Za-z0-9_.@-]{0,39}"
"""A step of the name of a secret that others keep: no option of a program, and no path out of a folder."""
SecretRef = Annotated[
    str,
    Meta(
        pattern=rf"^(?:env:[A-Za-z_][A-Za-z0-9_]{{0,127}}|file:[A-Za-z0-9_./~-]{{1,255}}"
        rf"|(?:cmd|keyring):{KEPT_NAME}(?:/{KEPT_NAME}){{0,5}}){END}",
        description="Where a secret is to be found at the moment of the push: an environment variable, a file, the "
        "name that the program in FABRIC_SECRET_COMMAND is asked for, or an entry of the keyring's service `fabric`. A "
        "secret itself is never written here.",
        extra_json_schema={"writeOnly": True},
        examples=["env:BGP_PASSWORD", "file:/run/secrets/bgp", "cmd:bgp/leaves", "keyring:bgp"],
    ),
]
PasswordHash = Annotated[
    str,
    Meta(
        pattern=rf"^\$6\$(?:rounds=[1-9][0-9]{{3,8}}\$)?[A-Za-z0-9./]{{1,16}}\$[A-Za-z0-9./]{{86}}{END}",
        description="A SHA-512 crypt hash, as `mkpasswd -m sha-512` prints it.",
        examples=["$6$rounds=5000$…"],
        extra_json_schema={"writeOnly": True},
    ),
]
PasswordHashSha256 = Annotated[
    str,
    Meta(
        pattern=rf"^\$5\$(?:rounds=[1-9][0-9]{{3,8}}\$)?[A-Za-z0-9./]{{1,16}}\$[A-Za-z0-9./]{{43}}{END}",
        description="A SHA-256 crypt hash, as `mkpasswd -m sha-256` prints it.",
        examples=["$5$rounds=5000$…"],
        extra_json_schema={"writeOnly": True},
    ),
]
Guid = Annotated[
    str,
    Meta(
        pattern=rf"^0x[0-9a-f]{{16}}{END}",
        description="A GUID: 64 bits in lower-case hexadecimal.",
        examples=["0x0002c903000a1b2c"],
    ),
]
Ratio = Annotated[
    str,
    Meta(
        pattern=rf"^[0-9]{{1,6}}(?:\.[0-9]{{1,6}})?:[1-9][0-9]{{0,5}}{END}",
        description="Downlink to uplink bandwidth.",
        examples=["1:1", "15:1", "16:15"],
    ),
]
CageList = Annotated[
    str,
    Meta(
        pattern=rf"^[0-9]{{1,4}}(?:/[0-9]{{1,3}})?(?:-[0-9]{{1,4}})?(?:,[0-9]{{1,4}}(?:/[0-9]{{1,3}})?(?:-[0-9]{{1,4}})?){{0,255}}{END}",
        description="Front-panel cages in the order in which they are used; `slot/cage` on a chassis.",
        examples=["1-32", "0,1,32,33", "3/1-36,4/1-36"],
    ),
]
Release = Annotated[
    str,
    Meta(
        pattern=rf"^[A-Za-z0-9][A-Za-z0-9._()-]{{0,39}}{END}",
        description="A software release as the vendor writes it.",
        examples=["4.32.1F", "10.5(3)F"],
    ),
]
PortName = Annotated[
    str,
    Meta(
        pattern=rf"^[A-Za-z0-9][A-Za-z0-9/:._-]{{0,39}}{END}",
        description="A port as the product calls it.",
        examples=["Ethernet1/1"],
    ),
]
FilePath = Annotated[
    str,
    Meta(
        pattern=rf"^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_.][A-Za-z0-9_.-]*){{0,20}}{END}",
        description="A file, relative to the one that names it, in the site's folder.",
        examples=["racks/row1.yaml"],
    ),
]
Serial = Annotated[
    str,
    Meta(
        pattern=rf"^[A-Za-z0-9][A-Za-z0-9._-]{{0,63}}{END}",
        description="A serial number: letters, digits, dots, hyphens.",
        examples=["JPE21340123"],
    ),
]
Mac = Annotated[
    str,
    Meta(
        pattern=rf"^[0-9a-f]{{2}}(?::[0-9a-f]{{2}}){{5}}{END}",
        description="A MAC address in lower case, with colons.",
        examples=["b8:3f:d2:00:00:01"],
    ),
]
Login = Annotated[
    str,
    Meta(
        pattern=rf"^[A-Za-z0-9_][A-Za-z0-9_.@-]{{0,63}}{END}",
        description="A login name: letters, digits, `_`, `.`, `@`, hyphens.",
        examples=["netops"],
    ),
]
Asn = Annotated[int, Meta(ge=1, le=4_294_967_294, description="An AS number, two or four bytes.")]
Auto = Literal["auto"]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
CountOrZero = Annotated[int, Meta(ge=0, le=1_000_000)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Dscp = Annotated[int, Meta(ge=0, le=63, description="A differentiated-services code point.")]
Three = Annotated[int, Meta(ge=0, le=7)]
"""A number of three bits: traffic class, priority, queue."""

if TYPE_CHECKING:
    Address = IPv4Address | IPv6Address
    Interface = IPv4Interface | IPv6Interface
    Prefix = IPv4Network | IPv6Network
else:
    # msgspec allows one custom type in a union: these stand for both versions at once.
    class Address(ABC):  # noqa: B024  # others register with it
        """An IPv4 or IPv6 address."""

    class Interface(ABC):  # noqa: B024  # likewise
        """An address with the length of its prefix."""

    class Prefix(ABC):  # noqa: B024  # likewise
        """An IPv4 or IPv6 prefix."""

    for kind, members in (
        (Address, (IPv4Address, IPv6Address)),
        (Interface, (IPv4Interface, IPv6Interface)),
        (Prefix, (IPv4Network, IPv6Network)),
    ):
        for member in members:
            kind.register(member)

SPELLINGS: dict[Any, str] = {
    Address: string_patterns.whole(string_patterns.ADDRESS4, string_patterns.ADDRESS6),
    Interface: string_patterns.whole(string_patterns.INTERFACE4, string_patterns.INTERFACE6),
    Prefix: string_patterns.whole(string_patterns.NETWORK4, string_patterns.NETWORK6),
    IPv4Address: string_patterns.whole(string_patterns.ADDRESS4),
    IPv6Address: string_patterns.whole(string_patterns.ADDRESS6),
    IPv4Interface: string_patterns.whole(string_patterns.INTERFACE4),
    IPv6Interface: string_patterns.whole(string_patterns.INTERFACE6),
    IPv4Network: string_patterns.whole(string_patterns.NETWORK4),
    IPv6Network: string_patterns.whole(string_patterns.NETWORK6),
}
"""The pattern of each address type. Stricter than `ipaddress`, which takes integers, netmasks, leading zeros of
lengths, and any text after a `%`."""

MAKERS: dict[Any, Callable[[Any], object]] = {
    Address: ip_address,
    Interface: ip_interface,
    Prefix: ip_network,
    **{
        kind: kind
        for kind in (IPv4Address, IPv6Address, IPv4Interface, IPv6Interface, IPv4Network, IPv6Network)
    },
}

FORMATS: dict[Any, tuple[str, str]] = {
    Address: ("fabric-address", "192.0.2.1"),
    Interface: ("fabric-interface", "192.0.2.1/24"),
    Prefix: ("fabric-prefix", "10.0.0.0/16"),
    IPv4Address: ("fabric-ipv4", "192.0.2.1"),
    IPv6Address: ("fabric-ipv6", "2001:db8::1"),
    IPv4Network: ("fabric-ipv4-prefix", "10.0.0.0/16"),
    IPv6Network: ("fabric-ipv6-prefix", "fd00::/48"),
    IPv4Interface: ("fabric-ipv4-interface", "192.0.2.1/24"),
    IPv6Interface: ("fabric-ipv6-interface", "2001:db8::1/64"),
}
"""Address types of `ipaddress`, the schema format that checks their spelling, and an example."""


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every piece of the intent."""


def decode(kind: type, value: Any) -> Any:
    """Msgspec's hook for the types it does not know. `ValueError` on a wrong spelling."""
    if kind in QUANTITIES:
        if not isinstance(value, str):
            message = f"{value!r} has no unit ({kind.suffixes()}): write it like {kind.example}"
            raise ValueError(message)
        return kind.parse(value)
    if kind in MAKERS:
        return _address(kind, value)
    message = f"unsupported type {kind}"
    raise NotImplementedError(message)


def _address(kind: type, value: Any) -> object:
    """Read an address. `ValueError` with the reason that `ipaddress` gives, where it has one."""
    message = f"{value!r} is not written like {FORMATS[kind][1]}"
    if not isinstance(value, str):
        raise ValueError(message)  # noqa: TRY004  # what msgspec turns into a finding
    try:
        read = MAKERS[kind](value)
    except ValueError as error:
        reason = str(error)
        raise ValueError(f"{value!r}: {reason[:1].lower()}{reason[1:]}") from None
    if not re.match(SPELLINGS[kind], value):
        raise ValueError(message)
    return read


def encode(value: Any) -> Any:
    """The written form of what `decode` reads, for `msgspec.to_builtins`."""
    return str(value)
