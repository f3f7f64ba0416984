"""What the readers of SONiC's two files gather before it becomes facts.

Rows of CONFIG_DB call each other by name, so most are kept as they are until all are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import msgspec

from fabric.platforms.base import Facts, InterfaceFacts, NeighborFacts
from fabric.platforms.routing.vtysh_lines import RoutingState
from fabric.platforms.sonic.rows import Row, Tables, number
from fabric.platforms.sonic.state_policies import discards, numbered_lists, router_lines, services
from fabric.platforms.sonic.state_qos import maps, queues_by_port, watchdog

NOTED = (
    "BREAKOUT_CFG",
    "BUFFER_PG",
    "BUFFER_POOL",
    "BUFFER_PORT_EGRESS_PROFILE_LIST",
    "BUFFER_PORT_INGRESS_PROFILE_LIST",
    "BUFFER_PROFILE",
    "BUFFER_QUEUE",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
    "DEVICE_NEIGHBOR_METADATA",
    "FEATURE",
    "FLEX_COUNTER_TABLE",
    "LOSSLESS_TRAFFIC_PATTERN",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "SWITCH_TRIMMING",
    "TC_TO_PRIORITY_GROUP_MAP",
)
"""Tables noted as they are: the neutral facts have no other word for them."""
DEVICE = ("type", "hwsku", "platform", "buffer_model", "synchronous_mode", "default_pfcwd_status")


PROFILE_TIMERS = "timers bgp 3 9"
BFD_TIMERS = ("detect-multiplier 3", "receive-interval 300", "transmit-interval 300")
"""FRR's own, which it does not show."""


def _timers(lines: list[str]) -> list[str]:
    """Timers of a profile of BFD, FRR's own where nothing is said."""
    said = {line.split()[0]: line for line in lines}
    return [said.get(line.split()[0], line) for line in BFD_TIMERS]


def note(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """A table as one normal text; a list is its texts with blanks between them."""
    plain = {
        key: {name: " ".join(value) if isinstance(value, list) else value for name, value in row.items()}
        for key, row in rows.items()
    }
    return msgspec.json.encode(plain, order="sorted").decode()


class NotedRow(msgspec.Struct):
    """A row that is noted with its fields."""

    into: list[str]
    words: str
    """With the names of its fields in braces."""
    row: Row


class SonicState(RoutingState):
    """Both files, as far as they were read."""

    own: dict[str, list[str]] = msgspec.field(default_factory=lambda: defaultdict(list))
    """What a neighbour without a group has of its own."""
    tables: Tables = msgspec.field(default_factory=lambda: defaultdict(dict))
    noted: list[NotedRow] = msgspec.field(default_factory=list)

    def row(self, table: str, key: str) -> Row:
        """The row of that key, made when first met."""
        return self.tables[table].setdefault(key, {})

    def note_row(self, into: list[str], words: str, row: Row) -> Row:
        """Note a row once its fields are read, if it has all that its words name."""
        self.noted.append(NotedRow(into, words, row))
        return row

    def facts(self) -> Facts:
        """In neutral words."""
        self._note_rows()
        local = self.tables["DEVICE_METADATA"].get("localhost", {})
        main = self.tables["BGP_GLOBALS"].get("default", {})
        profiles, used = queues_by_port(self.tables)
        asn = number(main.get("local_asn")) or number(local.get("bgp_asn"))
        return msgspec.structs.replace(
            super().facts(),
            hostname=local.get("hostname", ""),
            asn=asn if self.asn is None else self.asn,
            router_id=self.router_id or main.get("router_id") or local.get("bgp_router_id") or None,
            interfaces={name: self._interface(name, used.get(name)) for name in self.ports},
            neighbors=self._neighbors(),
            dscp_to_traffic_class=maps(self.tables, "DSCP_TO_TC_MAP"),
            traffic_class_to_queue=maps(self.tables, "TC_TO_QUEUE_MAP"),
            profiles=profiles,
            watchdog=watchdog(self.tables),
            services=self._services(local),
        )

    def _note_rows(self) -> None:
        for noted in self.noted:
            try:
                noted.into.append(noted.words.format_map(noted.row))
            except KeyError:  # a field that it would be noted for is not there
                continue

    def _interface(self, name: str, queueing: str | None) -> InterfaceFacts:
        return msgspec.structs.replace(
            self.ports[name].facts(), queueing=queueing if name in self.tables["PORT"] else None
        )

    def _neighbors(self) -> dict[str, NeighborFacts]:
        """A group says what is told and taken; without one it is SONiC's own policy, the same for all."""
        return {
            name: msgspec.structs.replace(
                self._neighbor(peer), policy=peer.group or "; ".join(self.own.get(name, ()))
            )
            for name, peer in self.peers.items()
            if peer.remote_asn is not None
        }

    def _policies(self) -> dict[str, str]:
        """Of `router bgp` too; its lines and those of a group are sorted, for order says nothing there."""
        peers = {f"group {name}": "; ".join(sorted(peer.settings)) for name, peer in self.peers.items()}
        policies = {
            **{name: [lines[0], *_timers(lines[1:])] for name, lines in self.bfd.items()},
            "bgp": sorted((*(line for _, line in self._router()), *router_lines(self.tables))),
            "static routes": sorted([*self.static_routes, *discards(self.tables)]),
            **numbered_lists(self.tables),
        }
        joined = {name: "; ".join(lines) for name, lines in policies.items()}
        return {name: text for name, text in (super()._policies() | peers | joined).items() if text}

    def _router(self) -> list[tuple[str, str]]:
        """With the timers of the profile `datacenter`, which FRR does not show."""
        is_timed = self.asn is None or any(line.startswith("timers bgp ") for _, line in self.router)
        return self.router if is_timed else [*self.router, ("", PROFILE_TIMERS)]

    def _services(self, local: Row) -> dict[str, str]:
        for text in (f"{name} {local[name]}" for name in DEVICE if name in local):
            self.service("device", text)
        for section, text in services(self.tables):
            self.service(section, text)
        noted = {name: note(self.tables[name]) for name in NOTED if self.tables[name]}
        return noted | {name: "\n".join(sorted(lines)) for name, lines in self.services.items() if lines}
