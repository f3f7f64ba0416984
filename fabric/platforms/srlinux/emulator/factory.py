"""What provisioning leaves on a new switch: enough for JSON-RPC to answer."""

from __future__ import annotations

from typing import Any

from fabric.platforms.emulation import Emulated
from fabric.platforms.srlinux.lower_access import BUILT_IN
from fabric.platforms.srlinux.names import ENABLE, MANAGEMENT, MANAGEMENT_INSTANCE

PROFILE = "sandbox"
KEY = "$aes$sandbox"
"""In place of a private key, which the device shows in this form; the sandbox's listener has the real one."""

HASH = "$6$sandbox$of-the-login"


def factory(spec: Emulated) -> dict[str, Any]:
    """Host name, management port, JSON-RPC over HTTPS with its TLS profile."""
    family = "ipv6" if ":" in spec.management else "ipv4"
    addresses = {"admin-state": ENABLE, "address": [{"ip-prefix": spec.management}]}
    inner = {"index": 0, "admin-state": ENABLE, **({family: addresses} if spec.management else {})}
    https = {"admin-state": ENABLE, "tls-profile": PROFILE}
    profile = {"name": PROFILE, "key": KEY, "certificate": "sandbox", "authenticate-client": False}
    return {
        "srl_nokia-system:system": {
            **_users(spec.username),
            "srl_nokia-system-name:name": {"host-name": spec.name},
            "srl_nokia-tls:tls": {"server-profile": [profile]},
            "srl_nokia-json-rpc:json-rpc-server": {
                "admin-state": ENABLE,
                "network-instance": [{"name": MANAGEMENT_INSTANCE, "https": https}],
            },
        },
        "srl_nokia-interfaces:interface": [
            {"name": MANAGEMENT, "admin-state": ENABLE, "subinterface": [inner]}
        ],
        "srl_nokia-network-instance:network-instance": [
            {
                "name": MANAGEMENT_INSTANCE,
                "type": "srl_nokia-network-instance:ip-vrf",
                "admin-state": ENABLE,
                "interface": [{"name": f"{MANAGEMENT}.0"}],
            }
        ],
    }


def _users(name: str) -> dict[str, Any]:
    """An operator beside those that every device has."""
    if name in BUILT_IN:
        return {}
    user = {"username": name, "password": HASH, "superuser": True}
    return {"srl_nokia-aaa:aaa": {"authentication": {"user": [user]}}}
