"""The answers of EOS that are large: only what is read of them, so that the rest is passed over and not made.

Values are taken as they come: what a switch does not tell is None.
"""

from __future__ import annotations

from typing import Any

import msgspec


class _Answer(msgspec.Struct, rename="camel", frozen=True):
    """A part of an answer."""


class Counters(_Answer, frozen=True):
    """Of one interface, since it was cleared."""

    in_octets: Any = None
    out_octets: Any = None
    in_discards: Any = None
    out_discards: Any = None
    total_in_errors: Any = None


class Interface(_Answer, frozen=True):
    """One of `show interfaces`."""

    line_protocol_status: Any = None
    bandwidth: Any = None
    mtu: Any = None
    interface_counters: Counters = Counters()


class Interfaces(_Answer, frozen=True):
    """`show interfaces`."""

    interfaces: dict[str, Interface] = {}


class PfcCounters(_Answer, frozen=True):
    """Of one interface."""

    rx_frames: Any = None
    tx_frames: Any = None


class Pfc(_Answer, frozen=True):
    """`show priority-flow-control counters`."""

    interface_counters: dict[str, PfcCounters] = {}


class ErrorCorrection(_Answer, frozen=True):
    """`show interfaces error-correction`, in any shape: of one that is not known nothing is read."""

    interface_err_corr_statuses: Any = None


class Queues(_Answer, frozen=True):
    """The marks of one interface, by queue: a count, or a dash where the queue marks nothing."""

    queue_counters: dict[str, str | int | None] = {}


class Ecn(_Answer, frozen=True):
    """`show qos interfaces ecn counters queue`."""

    intf_queue_counters: dict[str, Queues] = {}


class Peer(_Answer, frozen=True):
    """A neighbour in a summary. What a family does not count is None."""

    peer_state: Any = None
    asn: Any = None
    prefix_received: Any = None
    prefix_accepted: Any = None


class PeersOfVrf(_Answer, frozen=True):
    """By address."""

    peers: dict[str, Peer] = {}


class BgpSummary(_Answer, frozen=True):
    """`show ip bgp summary vrf all`, `show ipv6 bgp summary vrf all`."""

    vrfs: dict[str, PeersOfVrf] = {}


class PeerDetail(_Answer, frozen=True):
    """A neighbour with its timers. The whole of one has well over a hundred fields."""

    peer_address: str
    state: Any = None
    asn: Any = None
    hold_time: Any = None


class DetailsOfVrf(_Answer, frozen=True):
    """Its neighbours."""

    peer_list: list[PeerDetail] = []


class BgpDetails(_Answer, frozen=True):
    """`show ip bgp neighbors vrf all`, `show ipv6 bgp peers vrf all`."""

    vrfs: dict[str, DetailsOfVrf] = {}


class Via(_Answer, frozen=True):
    """A next hop."""


class Route(_Answer, frozen=True):
    """One prefix."""

    vias: list[Via] = []


class Vrf(_Answer, frozen=True):
    """Its routes by prefix."""

    routes: dict[str, Route] = {}


class Routes(_Answer, frozen=True):
    """`show ip route bgp`, `show ipv6 route bgp`: of the VRFs, or of the default one where none is named."""

    vrfs: dict[str, Vrf] = {}
    routes: dict[str, Route] = {}
