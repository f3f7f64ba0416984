"""Every line of the script that splits cages and sets up queues: what we call, and nothing else."""

from __future__ import annotations

import re
from functools import partial

from fabric.configuration import TEXT, Effect, Parts, Section, Statement
from fabric.platforms.frr.state import QUEUES, FrrState, Shape

FUNCTION_OF_CAGES = "cage() {"
SUB_PORTS = 8
"""The most that a cage is split into."""
CODE_POINTS = 64
OPEN = r"{open:\x7b}"
"""The brace that opens a function."""
CAGES = re.compile(
    r"local last=.+|(?:el)?if \[ .+ \]; then|fi|\}"
    r"|\[ ! -e .+ devlink port unsplit .+|devlink port split \"\$1\" count \"\$2\""
)
"""Lines of the function that splits a cage."""

ANEW = Effect("buffer", "queues and buffers are set up anew")
USED = Effect("buffer", "queues and buffers of the ports that use it are set up anew")
QUEUED = Effect("buffer", "the port's queues and buffers are set up anew", "port")
SPLIT = Effect("flap", "the ports of the cage are made anew", "port")


def _splits_cages(_state: FrrState, parts: Parts) -> None:
    for line in parts[TEXT].splitlines():
        if line.strip() and not CAGES.fullmatch(line.strip()):
            message = f"{line.strip()!r} is not one of our lines"
            raise ValueError(message)


def _of_cage(parts: Parts) -> tuple[str, ...]:
    """All ports that a cage may be."""
    cage = parts["cage"]
    return (cage, *(f"{cage}s{number}" for number in range(SUB_PORTS)))


def _shape(state: FrrState, parts: Parts) -> Shape:
    return state.shapes.setdefault(parts["profile"], Shape())


def _uses(state: FrrState, parts: Parts) -> None:
    if parts["profile"] not in state.shapes:
        message = f"{parts['profile']} is not a function above it"
        raise ValueError(message)
    state.queued[parts["port"]] = parts["profile"]


def _scheduled(shape: Shape, parts: Parts) -> None:
    shape.strict = int(parts["strict"])
    shape.quanta = tuple(map(int, parts["quanta"].split()))
    shape.priomap = tuple(map(int, parts["priomap"].split()))


def _marked(shape: Shape, parts: Parts) -> None:
    chance_percent = round(float(parts["probability"]) * 100)
    shape.ecn[_queue(parts)] = (int(parts["min"]), int(parts["max"]), chance_percent)


def _limited(shape: Shape, parts: Parts) -> None:
    shape.limits[_queue(parts)] = int(parts["mbps"])


def _queue(parts: Parts) -> int:
    """Bands are counted from 1 and from the top."""
    return QUEUES - int(parts["band"])


def _classed(shape: Shape, parts: Parts) -> None:
    known = {int(point): int(priority) for point, priority in _pairs(parts["priorities"])}
    shape.dscp = dict.fromkeys(range(CODE_POINTS), int(parts["rest"])) | known


def _paused(shape: Shape, parts: Parts) -> None:
    shape.lossless = [int(word) for word, state in _pairs(parts["states"]) if state == "on"]


def _buffered(shape: Shape, parts: Parts) -> None:
    shape.buffers = {int(buffer): int(size) for buffer, size in _pairs(parts["sizes"])}


def _pairs(words: str) -> list[tuple[str, str]]:
    """`3:on 4:on`; what is said of `all` the others is nothing by itself."""
    parted = (word.partition(":") for word in words.split())
    return [(name, value) for name, _, value in parted if name != "all"]


_command = partial(Statement, order_counts=True)
QDISC = 'tc qdisc replace dev "$1"'
BAND = rf"{QDISC} parent 1:<band:\d> handle {{handle}}"
BIND = 'devlink sb tc bind set "$1" tc'
POOL = r"type <way:ingress|egress> pool {pool:\d} th {threshold:\d+}"

FUNCTION = Section(
    _command(r'tc qdisc del dev "$1" root <quietly:2\x3e/dev/null \|\| :>'),
    _command(
        rf"{QDISC} root handle {{handle}} ets bands 8 strict {{strict:\d}} [quanta {{quanta:[\d ]+?}}]"
        r" priomap {priomap:[\d ]+}",
        reads=_scheduled,
    ),
    _command(
        rf"{BAND} red limit {{limit:\d+}} min {{min:\d+}} max {{max:\d+}} avpkt {{avpkt:\d+}}"
        r" probability {probability:[\d.]+} ecn [nodrop]",
        reads=_marked,
    ),
    _command(rf"{BAND} tbf rate {{mbps:\d+}}Mbit burst {{burst}} limit {{limit}}", reads=_limited),
    _command('dcb app flush dev "$1" dscp-prio'),
    _command(
        r'dcb app replace dev "$1" default-prio {rest:\d} dscp-prio {priorities:(?:\d+:\d ?)+}',
        reads=_classed,
    ),
    _command('dcb buffer set dev "$1" prio-buffer {buffers*}'),
    _command(r'dcb buffer set dev "$1" buffer-size {sizes:(?:all:\d+ ?)?(?:\d+:\d+ ?)*}', reads=_buffered),
    _command(r'dcb pfc set dev "$1" prio-pfc {states:(?:all:off ?)?(?:\d:(?:on|off) ?)*}', reads=_paused),
    _command(r'devlink sb port pool set "$1" pool <pool:\d> th {threshold:\d+}'),
    _command(rf"{BIND} <class:\d> {POOL}"),
    _command(rf'for tc in {{classes:[\d ]+}}; do {BIND} "$tc" {POOL}; done'),
    effect=USED,
)
"""tc, dcb and devlink for one port, `$1`."""


def script_lines() -> tuple[Statement, ...]:
    """The script: a function for each profile, and which cage and port gets what."""
    return (
        Statement("#!/bin/bash", effect=ANEW),
        Statement("set -eu", effect=ANEW),
        Statement(f"cage() {OPEN}", reads=_splits_cages, is_free=True, effect=ANEW),
        Statement(r"cage <cage:swp\S+> {count:\d}", effect=SPLIT, ports=_of_cage),
        Statement("udevadm settle", effect=ANEW),
        Statement(
            rf"<profile:[\w.-]+>() {OPEN}",
            reads=_shape,
            below=FUNCTION,
            effect=USED,
            topic="profile {profile}",
        ),
        Statement(r"{profile:[\w.-]+} <port:swp\S+>", reads=_uses, effect=QUEUED, topic="queues {port}"),
    )
