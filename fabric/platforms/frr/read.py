"""Reading the files of FRR on Linux: text to neutral facts, and every line that is not known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from fabric.platforms.base import PART, Reading
from fabric.platforms.frr.read_frr import frr_table
from fabric.platforms.frr.reading import QUEUES, Port, Profile, State
from fabric.platforms.sections import Row, Table, Unread, parse, read_lines

KEYS = "alias|mtu|link-speed|link-down|vrf|bridge-access|bridge-vids|bridge-allow-untagged|vlan-id"
SAYS_NOTHING = (
    "gateway|link-autoneg|link-fec|link-duplex|vrf-table|vlan-raw-device|"
    "bridge-ports|bridge-vlan-aware|bridge-stp"
)
SCRIPT_KNOWN = re.compile(
    r"set -eu|\}|fi|udevadm settle|cage swp\S+ \d|cage\(\) \{|local last=.+|(?:el)?if \[ .+ \]; then"
    r"|\[ ! -e .+ devlink port unsplit .+|devlink port split \"\$1\" count \"\$2\""
    r"|tc qdisc del dev \"\$1\" root 2>/dev/null \|\| :"
    r"|dcb app flush dev \"\$1\" dscp-prio"
    r"|dcb buffer set dev \"\$1\" prio-buffer .+"
    r"|devlink sb port pool set \"\$1\" pool \d th \d+"
    r"|(?:for tc in [\d ]+; do )?devlink sb tc bind set \"\$1\" tc \S+ type (?:in|e)gress pool \d th \d+(?:; done)?"
)
HEAD = re.compile(r"([\w.-]+)\(\) \{")
CALL = re.compile(r"([\w.-]+) (swp\S+)")
ETS = re.compile(r"tc qdisc .* ets bands 8 strict (\d)(?: quanta ([\d ]+?))? priomap ([\d ]+)")
RED = re.compile(
    r"tc qdisc .* parent 1:(\d) .* min (\d+) max (\d+) avpkt \d+ probability (\S+) ecn(?: nodrop)?"
)
TBF = re.compile(r"tc qdisc .* parent 1:(\d) .* tbf rate (\d+)Mbit burst \S+ limit \S+")
APP = re.compile(r'dcb app replace dev "\$1" default-prio (\d) dscp-prio ([\d: ]+)')
PFC = re.compile(r'dcb pfc set dev "\$1" prio-pfc (.+)')
SYSCTL = re.compile(r"(net\.\S+) ?= ?(\S+)")
CODE_POINTS = 64
BUFFER = re.compile(r'dcb buffer set dev "\$1" buffer-size (.+)')


def read(text: str) -> Reading:
    """What the files say. Unread lines come with their numbers in the joined text."""
    state, unread = State(), Unread()
    for name, start, body in _parts(text):
        part = Unread()
        READERS.get(name, _nothing)(state, body, part)
        unread.extend((number + start, line) for number, line in part)
    return Reading(state.facts(), tuple(unread))


def _parts(text: str) -> Iterator[tuple[str, int, str]]:
    """Name, number of the line before, and text of each file; without any such line all is `frr.conf`."""
    name, start, body = "frr.conf", 0, list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(PART):
            yield name, start, "\n".join(body)
            name, start, body = line.removeprefix(PART).strip(), number, []
        else:
            body.append(line)
    yield name, start, "\n".join(body)


def _frr(state: State, body: str, unread: Unread) -> None:
    read_lines(parse(body), _tables()[0], state, unread)


def _interfaces(state: State, body: str, unread: Unread) -> None:
    read_lines(parse(body, comment="#"), _tables()[1], state, unread)


def _plain(known: str) -> Callable[[State, str, Unread], None]:
    pattern = re.compile(rf"\s*(?:#.*)?|{known}")

    def read_plain(_state: State, body: str, unread: Unread) -> None:
        lines = enumerate(body.splitlines(), start=1)
        unread.extend((number, line) for number, line in lines if not pattern.fullmatch(line))

    return read_plain


def _sysctls(state: State, body: str, unread: Unread) -> None:
    for number, line in enumerate(body.splitlines(), start=1):
        if (match := SYSCTL.fullmatch(line.strip())) is not None:
            state.service("sysctl", f"{match[1]} = {match[2]}")
        elif line.strip() and not line.strip().startswith(("#", ";")):
            unread.append((number, line))


def _script(state: State, body: str, unread: Unread) -> None:
    profile = Profile()
    for number, raw in enumerate(body.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#") or SCRIPT_KNOWN.fullmatch(line):
            continue
        if (match := HEAD.fullmatch(line)) is not None:
            profile = state.profiles.setdefault(match[1], Profile())
        elif (match := CALL.fullmatch(line)) is not None and match[1] in state.profiles:
            state.queued[match[2]] = match[1]
        elif not _profile_line(profile, line):
            unread.append((number, line))


def _profile_line(profile: Profile, line: str) -> bool:
    """Take a line of a function; whether it was known."""
    if (match := ETS.fullmatch(line)) is not None:
        profile.strict = int(match[1])
        profile.quanta = tuple(map(int, (match[2] or "").split()))
        profile.priomap = tuple(map(int, match[3].split()))
    elif (match := RED.fullmatch(line)) is not None:
        profile.ecn[QUEUES - int(match[1])] = (int(match[2]), int(match[3]), round(float(match[4]) * 100))
    elif (match := TBF.fullmatch(line)) is not None:
        profile.limits[QUEUES - int(match[1])] = int(match[2])
    elif (match := APP.fullmatch(line)) is not None:
        pairs = (pair.split(":") for pair in match[2].split())
        rest = int(match[1])
        profile.dscp = dict.fromkeys(range(CODE_POINTS), rest) | {int(p): int(n) for p, n in pairs}
    elif (match := PFC.fullmatch(line)) is not None:
        profile.lossless = [int(word[0]) for word in match[1].split() if word.endswith(":on")]
    elif (match := BUFFER.fullmatch(line)) is not None:
        pairs = (pair.split(":") for pair in match[1].split() if not pair.startswith("all:"))
        profile.buffers = {int(buffer): int(size) for buffer, size in pairs}
    else:
        return False
    return True


def _nothing(_state: State, body: str, unread: Unread) -> None:
    unread.extend((number, line) for number, line in enumerate(body.splitlines(), start=1) if line.strip())


@cache
def _tables() -> tuple[Table, Table]:
    below = Table(
        Row(r"address (\S+)", lambda port, match: port.addresses.append(match[1])),
        *(Row(rf"{key} (.+)", _value) for key in KEYS.split("|")),
        *(Row(rf"{key} .+") for key in SAYS_NOTHING.split("|")),
    )
    return frr_table(), Table(Row(r"auto \S+"), Row(r"iface (\S+)(?: inet loopback)?", _iface, below))


def _iface(state: State, match: re.Match[str]) -> Port:
    return state.ports.setdefault(match[1], Port())


def _value(port: Port, match: re.Match[str]) -> None:
    port.values[match[0].partition(" ")[0]] = match[1]


READERS: dict[str, Callable[[State, str, Unread], None]] = {
    "frr.conf": _frr,
    "vtysh.conf": _plain("service integrated-vtysh-config"),
    "interfaces": _interfaces,
    "qos.sh": _script,
    "daemons": _plain(r"\w+=(?:\w+|\"[^\"]*\")"),
    "sysctl.conf": _sysctls,
    "qos.service": _plain(r"\[\w+\]|\w+=.+"),
    "ports.rules": _plain(r"SUBSYSTEM==\"net\", .+"),
}
