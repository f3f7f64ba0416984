"""What a UFM has: its partitions, read over REST in two lists that belong together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fabric.platforms.ufm.model import Member, Pkey
from fabric.platforms.ufm.rest import Rest, UfmError

HEX = re.compile(r"(?:0[xX])?([0-9a-fA-F]{1,16})")
PKEYS_PATH = "/resources/pkeys"
PREDEFINED = 0x7FFF
"""The management key: everybody's, and not to be written."""


def partitions(rest: Rest) -> dict[str, Pkey]:
    """Every partition but the predefined one, by P_Key.

    Members and limits are asked for apart: releases answer only one of the two when both are asked for in the list.
    """
    guids = _list(rest.get(f"{PKEYS_PATH}?guids_data=true"))
    limits = _list(rest.get(f"{PKEYS_PATH}?qos_conf=true"))
    ours = {key: body for key, body in guids.items() if _number_of(key) != PREDEFINED}
    pkeys = (_pkey(key, body, limits.get(key, {})) for key, body in ours.items())
    return {partition.pkey: partition for partition in pkeys}


def _number_of(key: str) -> int:
    match = HEX.fullmatch(key)
    number = int(match[1], 16) if match else 0
    if not 0 < number <= PREDEFINED:
        raise UfmError(f"{key[:20]!r} is not the number of a partition")
    return number


def _list(answer: Any) -> dict[str, Mapping[str, Any]]:
    if not isinstance(answer, dict) or not all(isinstance(body, dict) for body in answer.values()):
        raise UfmError("the list of partitions is not by P_Key")
    return answer


def _pkey(key: str, body: Mapping[str, Any], limits: Mapping[str, Any]) -> Pkey:
    qos = limits.get("qos_conf", body.get("qos_conf"))
    members = body.get("guids", [])
    if not isinstance(qos, dict) or not isinstance(members, list):
        raise UfmError(f"partition {key[:20]!r} is told in a way that nobody can read")
    try:
        return Pkey(
            pkey=f"{_number_of(key):#x}",
            partition_name=str(body.get("partition", "")),
            ip_over_ib=bool(body["ip_over_ib"]),
            mtu_limit=int(qos["mtu_limit"]),
            service_level=int(qos["service_level"]),
            rate_limit=_number(qos["rate_limit"]),
            members=tuple(sorted(map(_member, members), key=lambda member: member.guid)),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UfmError(f"partition {key} says no {error}") from None


def _number(value: Any) -> float:
    number = float(value)
    return int(number) if number.is_integer() else number


def _member(member: Any) -> Member:
    guid = HEX.fullmatch(str(member["guid"]))
    membership = member["membership"]
    if guid is None or membership not in ("full", "limited"):
        raise ValueError("member")
    return Member(f"{int(guid[1], 16):016x}", membership, bool(member.get("index0", False)))


class Node:
    """The UFM that answered: its release, and whether it is the one to write to."""

    def __init__(self, rest: Rest, address: str) -> None:
        self.release = _text(rest.get("/app/ufm_version"), "ufm_release_version")
        config = rest.get("/app/ufm_config")
        settings = config if isinstance(config, dict) else {}
        self.ha_mode = str(settings.get("ha_mode", "Disabled"))
        standby = settings.get("ha_standby_node") or []
        names = [standby] if isinstance(standby, str) else [str(name) for name in standby]
        if self.ha_mode != "Disabled" and address in names:
            raise UfmError(f"{address} is the standby: write to the address that the cluster shares")


def _text(answer: Any, key: str) -> str:
    if not isinstance(answer, dict) or not isinstance(answer.get(key), str):
        raise UfmError(f"the answer has no {key}: is this a UFM?")
    return str(answer[key])
