"""Kernel settings: forwarding, and by what equal-cost paths are chosen.

Source: Linux, Documentation/networking/ip-sysctl.rst (fib_multipath_hash_policy, fib_multipath_hash_fields from 5.13,
fib_multipath_hash_seed from 6.11, keep_addr_on_down) and vrf.rst (tcp_l3mdev_accept).
"""

from __future__ import annotations

from fabric.devices.model import Switch

HASH_BITS = {"src_ip": 0x01, "dst_ip": 0x02, "protocol": 0x04, "src_port": 0x10, "dst_port": 0x20}
"""Bits of `fib_multipath_hash_fields` by the intent's names."""
ALWAYS = (
    ("net.ipv4.ip_forward", "1"),
    ("net.ipv6.conf.all.forwarding", "1"),
    ("net.ipv6.conf.all.keep_addr_on_down", "1"),
    ("net.ipv6.conf.default.keep_addr_on_down", "1"),
    # Else the ASIC gives every routed packet a priority by its old TOS bits, and RoCE leaves its lossless class
    # (Linux, tools/testing/selftests/drivers/net/mlxsw/qos_dscp_router.sh).
    ("net.ipv4.ip_forward_update_priority", "0"),
)
FAMILIES = ("ipv4", "ipv6")
FIVE_TUPLE, CUSTOM = "1", "3"


def lower_sysctls(switch: Switch) -> tuple[tuple[str, str], ...]:
    """`/etc/sysctl.d/`: keys and values in order."""
    lines = [*ALWAYS, *_hashing(switch)]
    if switch.management.vrf != "default":
        # The SSH server listens in the default VRF: without these it would not answer in that of eth0.
        lines += [("net.ipv4.tcp_l3mdev_accept", "1"), ("net.ipv4.udp_l3mdev_accept", "1")]
    return tuple(lines)


def _hashing(switch: Switch) -> list[tuple[str, str]]:
    fields = sum({HASH_BITS.get(field, 0) for field in switch.routing.hashing.fields})
    if fields == sum(HASH_BITS.values()):
        lines = [(f"net.{family}.fib_multipath_hash_policy", FIVE_TUPLE) for family in FAMILIES]
    else:
        lines = [(f"net.{family}.fib_multipath_hash_fields", f"{fields:#06x}") for family in FAMILIES]
        lines += [(f"net.{family}.fib_multipath_hash_policy", CUSTOM) for family in FAMILIES]
    if switch.routing.hash_seed is not None:
        lines.append(("net.ipv4.fib_multipath_hash_seed", str(switch.routing.hash_seed)))
    return lines
