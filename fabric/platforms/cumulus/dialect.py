"""How NVUE writes its configuration, in both of its dialects: up to 5.14, and from 5.15 on.

Keys: CumulusNetworks/docs, `nvue-reference/Set-and-Unset-Commands/`, and the manuals of 5.9 to 5.17.
"""

from __future__ import annotations

from fabric.configuration import Dialect, Keyed, Section, Statement
from fabric.platforms.cumulus.documents import STEP, dump, load, word
from fabric.platforms.cumulus.lines_bgp import process_lines, router_lines
from fabric.platforms.cumulus.lines_interfaces import interface_lines
from fabric.platforms.cumulus.lines_policies import policy_lines, static_lines
from fabric.platforms.cumulus.lines_qos import qos_lines
from fabric.platforms.cumulus.lines_services import service_lines
from fabric.platforms.cumulus.names import MANAGEMENT_VRF
from fabric.platforms.cumulus.rows import container
from fabric.platforms.cumulus.secrets import mask
from fabric.platforms.cumulus.state import begin

BGP = ("vrf", "default", "router", "bgp")
VRFS = container(
    "vrf",
    container("default", container("router", *static_lines(), *process_lines())),
    Statement(
        MANAGEMENT_VRF,
        is_unread=True,
        below=Section(Statement("<key*>", is_unread=True, access="always")),
        access="removed",
    ),
    reads=begin,
)
DIALECT = Dialect(
    syntax=Keyed(
        load=load,
        dump=dump,
        step=STEP,
        frame=(1, 0),
        label=word,
        deep=frozenset((*(BGP[:depth] for depth in range(2, len(BGP) + 1)), (*BGP, "neighbor"))),
    ),
    top=Section(
        *service_lines(),
        *interface_lines(),
        *qos_lines(),
        container("router", *router_lines(), *policy_lines(), reads=begin),
        VRFS,
    ),
    mask=mask,
)


def dialect() -> Dialect:
    """NVUE's."""
    return DIALECT
