"""How SR Linux writes its configuration: JSON-IETF (RFC 7951) of Nokia's models.

Source of all lines: nokia/srlinux-yang-models v25.3.1; dynamic load balancing: v26.3.1.
"""

from __future__ import annotations

from fabric.configuration import Dialect, Keyed, Section
from fabric.platforms.srlinux.documents import load, mask
from fabric.platforms.srlinux.lines_bgp import bfd_lines
from fabric.platforms.srlinux.lines_instances import instance_lines
from fabric.platforms.srlinux.lines_interfaces import interface_lines
from fabric.platforms.srlinux.lines_policies import policy_lines
from fabric.platforms.srlinux.lines_qos import qos_lines
from fabric.platforms.srlinux.lines_services import service_lines
from fabric.platforms.srlinux.lists import entry_name
from fabric.platforms.srlinux.names import bare

DIALECT = Dialect(
    syntax=Keyed(load=load, names=entry_name, label=bare, deep=frozenset({("qos", "interfaces")})),
    top=Section(
        *service_lines(),
        *interface_lines(),
        *policy_lines(),
        *bfd_lines(),
        *qos_lines(),
        *instance_lines(),
    ),
    mask=mask,
)


def dialect() -> Dialect:
    """SR Linux's."""
    return DIALECT
