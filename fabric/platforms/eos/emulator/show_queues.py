"""`show qos interfaces` as text: shape as in `session_queues`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from fabric.platforms.eos.emulator.device import EosSwitch
from fabric.platforms.eos.emulator.store import text
from fabric.platforms.eos.read import read
from fabric.platforms.facts import ClassFacts, Facts

KEPT = 64
QUEUES = range(7, -1, -1)
HEAD = """
   Port shaping rate: disabled
   Burst-size: disabled

  Tx    Bandwidth         Shape Rate               Burst-Size          Priority   ECN/WRED
 Queue  (percent)          (units)                  (units)
 ------------------------------------------------------------------------------------------
"""
EVEN_PERCENT = 12


@lru_cache(maxsize=KEPT)
def _facts(config: str) -> Facts:
    return read(config).facts


def interfaces(device: EosSwitch) -> str:
    """Every port of the front panel."""
    facts = _facts(text(device.store.running))
    return "\n".join(
        _port(device, name, facts) for name in device.view().ports if name.startswith("Ethernet")
    )


def _port(device: EosSwitch, port: str, facts: Facts) -> str:
    bound = facts.interfaces[port].queueing if port in facts.interfaces else None
    queues, fault = facts.profiles.get(bound or "", {}), device.counters.fault(port)
    trust = "DSCP" if queues and not fault.ignores_dscp else "COS"
    rows = "\n".join(_rows(queues, is_even=fault.without_scheduler))
    return f"{port}:\n   Trust Mode: {trust}\n   Default COS: 0\n   Default DSCP: 0\n{HEAD}{rows}\n"


def _rows(queues: Mapping[int, ClassFacts], *, is_even: bool) -> Iterator[str]:
    """Each queue: what it has, and behind the slash what it is configured for."""
    for number in QUEUES:
        facts = queues.get(number, ClassFacts(strict=True))
        percent = "-" if facts.strict or facts.share_percent is None else str(facts.share_percent)
        priority = "SP" if facts.strict else "RR"
        has = (str(EVEN_PERCENT), "RR") if is_even else (percent, priority)
        yield (
            f"   {number}    {has[0]:>3} / {percent:<3}     - / -          ( - )           -  /  -           "
            f"{has[1]} / {priority}       D"
        )
