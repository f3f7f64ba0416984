"""From a switch to the files of FRR on Linux. What they do not support becomes a finding."""

from __future__ import annotations

from fabric.devices.model import Switch
from fabric.diagnostics import Report
from fabric.platforms.frr.lower_bgp import lower_bgp, lower_defaults
from fabric.platforms.frr.lower_extra import lower_extra
from fabric.platforms.frr.lower_interfaces import lower_bridge, lower_cages, lower_offers, lower_ports
from fabric.platforms.frr.lower_qos import alike, lower_profiles, lower_queued
from fabric.platforms.frr.lower_system import lower_sysctls
from fabric.platforms.frr.model import FrrConfig
from fabric.platforms.frr.refusals import refuse
from fabric.platforms.frr.spectrum import ingress_threshold


def lower(switch: Switch, report: Report) -> FrrConfig:
    """Everything that the switch will run. Findings go to `report`; with an error among them, print nothing."""
    refuse(switch, report)
    switch = alike(switch)
    return FrrConfig(
        bgp=lower_bgp(switch),
        written=lower_defaults(switch.routing),
        loopbacks=switch.loopbacks,
        ports=lower_ports(switch),
        bridge=lower_bridge(switch),
        gateways=switch.gateways,
        offers=lower_offers(switch),
        management=switch.management,
        sysctls=lower_sysctls(switch),
        cages=lower_cages(switch),
        profiles=lower_profiles(switch, report),
        queued=lower_queued(switch),
        extra=lower_extra(switch, report),
    )


def derived(switch: Switch) -> dict[str, str]:
    """Lossless quantities that the driver computes itself."""
    quantities: dict[str, str] = {}
    for kind in switch.queueing.profiles if switch.queueing else ():
        if kind.priorities:
            threshold = ingress_threshold(len(switch.ports) * len(kind.priorities))
            share = f"alpha 1/{2 ** (10 - threshold)}" if threshold < 10 else "alpha 1"
            word = (
                f"two frames of the priority's buffer, once its share of the pool ({share}) is used, by mlxsw"
            )
            quantities |= {f"{kind.name} pause threshold": word, f"{kind.name} resume threshold": "the same"}
    return quantities
