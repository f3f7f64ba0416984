"""What provisioning leaves on a new switch: enough for the REST API to answer."""

from __future__ import annotations

from typing import Any

from fabric.platforms.cumulus.names import MANAGEMENT_VRF
from fabric.platforms.cumulus.releases import NEW_DIALECT, at_least
from fabric.platforms.emulation import Emulated

HASH = "$6$sandbox$of-the-login"
ADMIN = "system-admin"


def factory(spec: Emulated) -> dict[str, Any]:
    """Host name, eth0, the REST API and an administrator."""
    is_new = at_least(spec.release, NEW_DIALECT)
    addresses: dict[str, Any] = {"address": {spec.management: {}}} if spec.management else {}
    eth0: dict[str, Any] = {"type": "eth"}
    if is_new:
        family = "ipv6" if ":" in spec.management else "ipv4"
        eth0 |= {"vrf": MANAGEMENT_VRF, **({family: addresses} if addresses else {})}
    else:
        eth0["ip"] = {**addresses, "vrf": MANAGEMENT_VRF}
    return {
        "system": {
            "aaa": {
                "class": {"nvapply": {"action": "allow", "command-path": {"/": {"permission": "all"}}}},
                "role": {ADMIN: {"class": {"nvapply": {}}}},
                "user": {spec.username: {"hashed-password": HASH, "role": ADMIN}},
            },
            "api": {"state": "enabled"},
            "hostname": spec.name,
        },
        "interface": {"eth0": eth0},
    }
