"""BGP's `show` commands: the JSON of EOS, as NAPALM's driver parses it.

Shapes: NAPALM's recorded answers (napalm-automation/napalm, test/eos/mocked_data/test_get_bgp_neighbors); `holdTime`:
Arista's ANTA, `VerifyBGPTimers`; routes: its tests of `VerifyRoutingTableEntry`.
"""

from __future__ import annotations

from typing import Any

from fabric.platforms.eos.emulator.device import BgpState, EosSwitch

Answer = dict[str, Any]


def summary4(device: EosSwitch) -> Answer:
    """`show ip bgp summary vrf all`."""
    return _summary(device, 4)


def summary6(device: EosSwitch) -> Answer:
    """`show ipv6 bgp summary vrf all`."""
    return _summary(device, 6)


def neighbors4(device: EosSwitch) -> Answer:
    """`show ip bgp neighbors vrf all`: neighbours with IPv4 addresses."""
    return _neighbors(device, 4)


def neighbors6(device: EosSwitch) -> Answer:
    """`show ipv6 bgp peers vrf all`: neighbours with IPv6 addresses, link-local ones too."""
    return _neighbors(device, 6)


def default_only(answer: Answer) -> Answer:
    """The default VRF of an answer."""
    return {"vrfs": {name: value for name, value in answer["vrfs"].items() if name == "default"}}


def routes4(device: EosSwitch) -> Answer:
    """`show ip route bgp`."""
    return _routes(device, 4)


def routes6(device: EosSwitch) -> Answer:
    """`show ipv6 route bgp`."""
    return _routes(device, 6)


def _routes(device: EosSwitch, family: int) -> Answer:
    rows = {
        prefix: {
            "hardwareProgrammed": True,
            "routeType": "eBGP",
            "routeLeaked": False,
            "kernelProgrammed": True,
            "routeAction": "forward",
            "directlyConnected": False,
            "preference": 200,
            "metric": 0,
            "vias": [{"nexthopAddr": address, "interface": port} for address, port in ways],
        }
        for prefix, ways in device.learned(family).items()
    }
    table = {
        "routingDisabled": False,
        "allRoutesProgrammedHardware": True,
        "allRoutesProgrammedKernel": True,
        "defaultRouteState": "notSet",
        "routes": rows,
    }
    return {"vrfs": {"default": table}}


def _summary(device: EosSwitch, family: int) -> Answer:
    vrfs: Answer = {}
    for instance, states in device.bgp():
        vrfs[instance.vrf] = {
            "vrf": instance.vrf,
            "routerId": instance.router_id,
            "asn": str(instance.asn),
            "peers": {s.address: _summarized(device, s, family) for s in states if family in s.peer.families},
        }
    return {"vrfs": vrfs}


def _summarized(device: EosSwitch, state: BgpState, family: int) -> Answer:
    return {
        "description": state.peer.description,
        "version": 4,
        "asn": str(state.remote_asn),
        "msgReceived": 0,
        "msgSent": 0,
        "inMsgQueue": 0,
        "outMsgQueue": 0,
        "prefixReceived": state.received[family == 6],
        "prefixAccepted": state.accepted[family == 6],
        "upDownTime": state.since_s or device.booted_at,
        "underMaintenance": False,
        "peerState": state.word,
    }


def _neighbors(device: EosSwitch, version: int) -> Answer:
    return {
        "vrfs": {
            instance.vrf: {
                "peerList": [_neighbor(device, instance.asn, s) for s in states if s.version == version]
            }
            for instance, states in device.bgp()
        }
    }


def _neighbor(device: EosSwitch, local_asn: int, state: BgpState) -> Answer:
    peer: Answer = {
        "peerAddress": state.address,
        "localAsn": str(local_asn),
        "asn": str(state.remote_asn),
        "linkType": "external",
        "routerId": state.router_id,
        "vrf": state.peer.vrf,
        "state": state.word,
        "description": state.peer.description,
        "holdTime": int(state.hold_s),
        "prefixesReceived": state.received[0],
        "prefixesSent": state.sent[0],
        "v6PrefixesReceived": state.received[1],
        "v6PrefixesSent": state.sent[1],
    }
    if state.word == "Established":
        peer["establishedTime"] = int(device.uptime_s() + device.booted_at - state.since_s)
    elif state.word == "Idle":
        peer["idleReason"] = "Administratively shut down" if state.peer.shutdown else "Waiting for peer"
    return peer
