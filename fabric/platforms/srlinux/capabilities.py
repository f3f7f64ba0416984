"""What SR Linux can say, by hardware. `lower` refuses the rest.

XGS (7220 IXR-D and -H, Broadcom Trident and Tomahawk) and DNX (7250 IXR, Jericho) have different QoS trees. Only that
of XGS is written; no published configuration of DNX queues was at hand.
"""

from __future__ import annotations

import re

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities

MODELS = "nokia/srlinux-yang-models v25.3.1"

SOURCES = {
    "unnumbered_bgp": f"{MODELS}: bgp dynamic-neighbors interface, router-advertisement; srl-labs/learn-srlinux",
    "ipv6_fabric": f"{MODELS}: subinterface ipv6, ipv6-unicast",
    "vlan_gateways": "mac-vrf and irb are in the models; not written yet",
    "dhcp_relay": "dhcp-relay is in the models; not written yet",
    "slaac": "router-advertisement prefixes are in the models; not written yet",
    "dual_tor_lacp": "lag with evpn multihoming is Nokia's way; independent leaves are not shown",
    "bfd": f"{MODELS}: srl_nokia-bfd, failure-detection enable-bfd",
    "bgp_password": f"{MODELS}: bgp group authentication password",
    "flowlet_balancing": "no leaf in the models",
    "hash_fields": "not written: no published example of load-balancing for these models",
    "pfc": "documentation.nokia.com 25-10: PFC on 7220 IXR-H4, H5, D4, D5 and on 7250 IXR",
    "pfc_watchdog": f"{MODELS}: pfc-mapping-profile received-pfc-pause-frames deadlock",
    "ecn": f"{MODELS}: queue-management-profile wred-slope enable-ecn",
    "headroom": f"{MODELS}: pfc-queue maximum-pfc-reserved-share-bytes, pfc-buffer-reservation",
    "pause_threshold": f"{MODELS}: buffer-allocation-profile pfc-queue maximum-burst-size (XGS)",
    "resume_threshold": "XGS has no leaf for it",
    "commit_timer": "commit confirmed timeout N (documentation.nokia.com)",
    "snmpv3": "not written yet",
    "tacacs": "not written yet",
    "gnmi": "needs a TLS server profile, which no intent holds",
}


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What SR Linux can say on this hardware."""
    pauses = has_pfc(hardware)
    return Capabilities(
        release=release,
        unnumbered_bgp=True,
        ipv6_fabric=True,
        bfd=True,
        bgp_password=True,
        pfc=pauses,
        max_lossless_priorities=8 if pauses else 0,
        pfc_watchdog=pauses,
        watchdog_actions=frozenset({"forward"}) if pauses else frozenset(),
        ecn=is_xgs(hardware),
        headroom="written" if pauses else "refused",
        pause_threshold="written" if pauses else "refused",
        resume_threshold="product-derived" if pauses else "refused",
        commit_timer=True,
        sources=SOURCES,
    )


def is_xgs(hardware: SwitchModel) -> bool:
    """Whether queues are those of XGS. The catalogue may say; else the model's name does."""
    for software in hardware.software:
        if software.name == "srlinux" and software.queue_model:
            return software.queue_model == "xgs"
    return "7220 IXR" in hardware.model


def has_pfc(hardware: SwitchModel) -> bool:
    """Whether the manual names the model for PFC, and we can write its queues."""
    return is_xgs(hardware) and re.search(r"IXR-(?:H4|H5|D4|D5)", hardware.model) is not None
