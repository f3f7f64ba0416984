"""What EOS's JSON says, in neutral words.

Shapes: NAPALM's recorded answers (napalm-automation/napalm, test/eos/mocked_data); sessions since 4.32: napalm#2166;
timers of BGP: Arista's ANTA, `VerifyBGPTimers`; PFC and ECN: ANTA's recorded answers; FEC: public collectors of EOS
4.26 (`errCorrEncodingStatus`: `reedSolomon`, `fireCode`, `disabled`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from fabric.platforms.device_state import (
    EVERY_PRIORITY,
    BgpSession,
    OpenCandidate,
    PendingCommit,
    PortState,
)
from fabric.platforms.eos.session_answers import (
    BgpDetails,
    BgpSummary,
    Ecn,
    ErrorCorrection,
    Interface,
    Interfaces,
    Peer,
    PeerDetail,
    Pfc,
    PfcCounters,
    Routes,
)

Answer = Mapping[str, Any]

MBPS = 1_000_000
NOT_PAUSED = PfcCounters()
"""Of an interface that does not count PFC frames."""
NO_FEC = ErrorCorrection()
"""Of a switch that refuses the question."""
NO_DETAIL = PeerDetail("")
"""Of a neighbour that only a summary has."""


def pending(sessions: Answer, version: Answer) -> PendingCommit | None:
    """The session whose timer runs: since 4.32 the top of the answer says so, before that the session itself."""
    rows = sessions.get("sessions", {})
    if name := sessions.get("commitTimerSessionName"):
        return _pending(name, rows.get(name, {}), sessions.get("commitTimerExpireTime"), version)
    for name, row in rows.items():
        if "pendingCommitTimer" in row.get("state", ""):
            return _pending(name, row, row.get("commitBy"), version)
    return None


def _pending(name: str, row: Answer, expires: float | None, version: Answer) -> PendingCommit:
    """Both times count from the boot."""
    uptime = version.get("uptime")
    known = expires is not None and expires >= 0 and uptime is not None
    left = max(0.0, float(expires) - float(uptime)) if known else None  # type: ignore[arg-type]
    return PendingCommit(change=name, owner=row.get("commitUser", ""), left_s=left)


def candidates(sessions: Answer) -> Iterator[OpenCandidate]:
    """Sessions that were opened and not closed."""
    for name, row in sessions.get("sessions", {}).items():
        if row.get("state") == "pending":
            users = sorted({typed.get("user", "") for typed in row.get("instances", {}).values()} - {""})
            yield OpenCandidate(change=name, owner=", ".join(users) or row.get("commitUser", ""))


def neighbors(lldp: Answer) -> dict[str, list[dict[str, str]]]:
    """NAPALM's form of `show lldp neighbors`."""
    found: dict[str, list[dict[str, str]]] = {}
    for row in lldp["lldpNeighbors"]:
        neighbor = {"hostname": row["neighborDevice"], "port": row["neighborPort"]}
        found.setdefault(row["port"], []).append(neighbor)
    return found


def bgp_sessions(summary4: BgpSummary, summary6: BgpSummary, *details: BgpDetails) -> dict[str, BgpSession]:
    """Counts of prefixes from the summaries, timers from the details."""
    families = {"ipv4": _peers(summary4), "ipv6": _peers(summary6)}
    timers = {
        peer.peer_address: peer
        for answer in details
        for vrf in answer.vrfs.values()
        for peer in vrf.peer_list
    }
    addresses = dict.fromkeys((*families["ipv4"], *families["ipv6"], *timers))
    return {address: _session(address, families, timers.get(address, NO_DETAIL)) for address in addresses}


def _session(address: str, families: Mapping[str, Mapping[str, Peer]], detail: PeerDetail) -> BgpSession:
    known = {family: peers[address] for family, peers in families.items() if address in peers}
    states = {row.peer_state for row in known.values()} or {detail.state}
    asn = next(filter(None, (*(row.asn for row in known.values()), detail.asn)), None)
    return BgpSession(
        is_up="Established" in states,
        remote_asn=None if asn is None else _asn(str(asn)),
        port=address.partition("%")[2],
        hold_s=None if detail.hold_time is None else float(detail.hold_time),
        received={family: int(row.prefix_received or 0) for family, row in known.items()},
        installed={
            family: int(row.prefix_accepted)
            for family, row in known.items()
            if row.prefix_accepted is not None
        },
    )


def _peers(summary: BgpSummary) -> dict[str, Peer]:
    return {address: peer for vrf in summary.vrfs.values() for address, peer in vrf.peers.items()}


def _asn(text: str) -> int:
    """As `65001`, or in the form of RFC 5396, `1.10`."""
    high, dot, low = text.rpartition(".")
    return int(high) * 65536 + int(low) if dot else int(text)


def port_states(
    interfaces: Interfaces, pfc: Pfc, ecn: Ecn, corrections: ErrorCorrection = NO_FEC
) -> dict[str, PortState]:
    """Every interface of `show interfaces`, with the PFC frames and ECN marks of those that queue, and with its FEC.

    Most lanes of a switch are not ports of their own and say all the same: of these one is made.
    """
    paused, marked = pfc.interface_counters, ecn.intf_queue_counters
    fecs = dict(_fecs(corrections.interface_err_corr_statuses))
    alike: dict[tuple[Interface, PfcCounters, tuple[str | int | None, ...], str | None], PortState] = {}
    states = {}
    for name, row in interfaces.interfaces.items():
        counted = marked.get(name)
        marks = tuple(counted.queue_counters.values()) if counted else ()
        said = row, paused.get(name, NOT_PAUSED), marks, fecs.get(name)
        if (state := alike.get(said)) is None:
            state = alike[said] = _port(*said)
        states[name] = state
    return states


def _fecs(statuses: object) -> Iterator[tuple[str, str]]:
    """By interface, in the words of EOS."""
    for name, row in statuses.items() if isinstance(statuses, dict) else ():
        word = row.get("errCorrEncodingStatus") if isinstance(row, dict) else None
        if isinstance(word, str) and word:
            yield name, word


def _port(
    row: Interface, paused: PfcCounters, marked: tuple[str | int | None, ...], fec: str | None
) -> PortState:
    counters = row.interface_counters
    drops = [count for count in (counters.in_discards, counters.out_discards) if count is not None]
    return PortState(
        is_up=row.line_protocol_status == "up",
        speed_mbps=int(row.bandwidth) // MBPS if row.bandwidth else None,
        fec=fec,
        mtu_bytes=row.mtu,
        received_bytes=counters.in_octets,
        sent_bytes=counters.out_octets,
        errors=counters.total_in_errors,
        discards=sum(drops) if drops else None,
        pause_received={} if paused.rx_frames is None else {EVERY_PRIORITY: paused.rx_frames},
        pause_sent={} if paused.tx_frames is None else {EVERY_PRIORITY: paused.tx_frames},
        marked=_total(marked) if marked else None,
    )


@lru_cache(maxsize=4096)
def _total(counts: tuple[str | int | None, ...]) -> int:
    """Of the queues of a port, those that count: most ports of a switch say the same, one look like the one before."""
    return sum(int(count) for count in map(str, counts) if count.isdecimal())


def route_widths(*answers: Routes) -> dict[str, int]:
    """Next hops of each prefix."""
    return {
        prefix: len(route.vias)
        for answer in answers
        for prefix, route in answer.vrfs.get("default", answer).routes.items()
    }
