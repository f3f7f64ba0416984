"""Counters of ports in the JSON of EOS.

Shapes: NAPALM's recorded `show interfaces` (test/eos/mocked_data); Arista's ANTA, `VerifyInterfacesPFCCounters` and
`VerifyInterfacesECNCounters`, which read `interfaceCounters` and `intfQueueCounters`.
"""

from __future__ import annotations

from typing import Any

from fabric.platforms.eos.emulator.device import EosSwitch

Answer = dict[str, Any]
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
