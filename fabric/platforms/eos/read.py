"""Reading EOS: text to neutral facts, and every line that no table knows.

Lines and their order: Arista AVD 6.4, `eos_cli_config_gen`, which follows EOS's own running-config.
"""

from __future__ import annotations

from functools import cache

from fabric.platforms.base import Reading
from fabric.platforms.eos.read_bgp import bgp_rows
from fabric.platforms.eos.read_interfaces import interface_rows
from fabric.platforms.eos.read_policies import policy_rows
from fabric.platforms.eos.read_qos import qos_rows
from fabric.platforms.eos.read_services import service_rows
from fabric.platforms.eos.reading import State
from fabric.platforms.sections import Row, Table, Unread, parse, read_lines

LITERALS = {"banner login": "EOF", "banner motd": "EOF"}
"""Lines after which text stands, and the line that ends it."""


def read(text: str) -> Reading:
    """What a configuration says. Lines that no table knows come back with their numbers."""
    state, unread = State(), Unread()
    read_lines(parse(text, literals=LITERALS), top(), state, unread)
    return Reading(state.facts(), tuple(unread))


@cache
def top() -> Table:
    """Every line that may stand at the left margin."""
    return Table(
        *service_rows(),
        *interface_rows(),
        *policy_rows(),
        *qos_rows(),
        *bgp_rows(),
        Row(r"end"),
    )
