"""Counters of ports in the JSON of EOS, and how they correct errors.

Shapes: NAPALM's recorded `show interfaces` (test/eos/mocked_data); Arista's ANTA, `VerifyInterfacesPFCCounters` and
`VerifyInterfacesECNCounters`, which read `interfaceCounters` and `intfQueueCounters`; FEC: public collectors of EOS
4.26.
"""

from __future__ import annotations

from typing import Any

from fabric.platforms.eos.emulator.device import EosSwitch
from fabric.platforms.eos.emulator.view_ports import NO_FEC
from fabric.platforms.ports import SLOWEST_WITH_FEC_MBPS

Answer = dict[str, Any]
FEC_WORDS = {"reed-solomon": "reedSolomon", "fire-code": "fireCode", NO_FEC: "disabled"}
"""As configured, and as told."""
QUEUES = 8
PACKET_BYTES = 1024
MARKED_QUEUE = 3
"""Whose packets are marked here: the emulator follows no traffic class."""


def of_interface(device: EosSwitch, port: str) -> Answer:
    """`interfaceCounters` of `show interfaces`."""
    counted = device.counters.port(port)
    received, sent = int(counted.received_bytes), int(counted.sent_bytes)
    errors = int(counted.errors)
    return {
        "inOctets": received,
        "inUcastPkts": received // PACKET_BYTES,
        "inMulticastPkts": 0,
        "inBroadcastPkts": 0,
        "inTotalPkts": received // PACKET_BYTES,
        "inDiscards": 0,
        "outOctets": sent,
        "outUcastPkts": sent // PACKET_BYTES,
        "outMulticastPkts": 0,
        "outBroadcastPkts": 0,
        "outDiscards": int(counted.discards),
        "linkStatusChanges": 1,
        "totalInErrors": errors,
        "inputErrorsDetail": {
            "runtFrames": 0,
            "giantFrames": 0,
            "fcsErrors": errors,
            "alignmentErrors": 0,
            "symbolErrors": 0,
            "rxPause": 0,
        },
        "totalOutErrors": 0,
        "outputErrorsDetail": {
            "collisions": 0,
            "lateCollisions": 0,
            "deferredTransmissions": 0,
            "txPause": 0,
        },
        "counterRefreshTime": device.now(),
    }


def priority_flow_control(device: EosSwitch) -> Answer:
    """`show priority-flow-control counters`."""
    rows: Answer = {}
    for port in _ethernet(device):
        counted = device.counters.port(port)
        rows[port] = {"rxFrames": int(counted.pause_received), "txFrames": int(counted.pause_sent)}
    return {"interfaceCounters": rows}


def error_correction(device: EosSwitch) -> Answer:
    """`show interfaces error-correction`."""
    rows = {port: {"errCorrEncodingStatus": _fec(device, port)} for port in _ethernet(device)}
    return {"interfaceErrCorrStatuses": rows}


def _fec(device: EosSwitch, port: str) -> str:
    """What is configured; else Reed-Solomon where the speed has any."""
    own, fault = device.view().ports[port], device.counters.fault(port)
    speed = own.speed_mbps or SLOWEST_WITH_FEC_MBPS
    usual = "reed-solomon" if speed >= SLOWEST_WITH_FEC_MBPS else NO_FEC
    return fault.fec or FEC_WORDS[own.fec or usual]


def marked(device: EosSwitch) -> Answer:
    """`show qos interfaces ecn counters queue`: `-` where a queue marks nothing."""
    rows: Answer = {}
    for port in _ethernet(device):
        counts = {str(queue): "-" for queue in range(QUEUES)}
        counts[str(MARKED_QUEUE)] = str(int(device.counters.port(port).marked))
        rows[port] = {"queueCounters": counts}
    return {"intfQueueCounters": rows}


def _ethernet(device: EosSwitch) -> list[str]:
    return [name for name in device.view().ports if name.startswith("Ethernet")]
