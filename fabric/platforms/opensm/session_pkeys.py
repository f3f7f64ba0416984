"""Whether the ports of the subnet hold the P_Keys that OpenSM's files ask for."""

from __future__ import annotations

import time
from collections.abc import Callable

from napalm.base.exceptions import CommandErrorException, CommitError

from fabric.platforms.opensm.model import OpensmConfig
from fabric.platforms.opensm.session_asking import ASK
from fabric.platforms.opensm.session_host import Host, Places
from fabric.platforms.opensm.session_tables import differences, seen

TABLES_S = 60
"""So long the P_Key tables may take to follow; 0.2 s was seen on an idle machine."""


def await_tables(host: Host, places: Places, config: OpensmConfig, look: Callable[[], object]) -> None:
    """Wait until every port of the subnet holds the P_Keys that the files ask for. `CommitError` if it does not.

    `look` raises `CommitError` once the host has taken the files back.
    """
    end = time.monotonic() + TABLES_S
    while True:
        look()
        wrong = wrong_ports(host, places, config)
        if not wrong:
            return
        if time.monotonic() > end:
            more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
            message = f"{wrong[0]}{more}"
            raise CommitError(message)
        time.sleep(0.2)


def wrong_ports(host: Host, places: Places, config: OpensmConfig) -> list[str]:
    """Ports with other P_Keys than the files ask for. An answer without our own port is none."""
    tool = f"{places.tools}/saquery" if places.tools else "saquery"
    try:
        text = host.run(ASK, places.folder, tool, seconds=90).decode(errors="replace")
    except CommandErrorException as error:
        return [f"saquery: {error}"]
    tables, own = seen(text), {option.value for option in config.options if option.name == "guid"}
    if not any(int(lid.first, 16) in tables for lid in config.lids if lid.guid in own):
        return ["saquery does not tell the P_Key tables"]
    return list(differences(config, tables))
