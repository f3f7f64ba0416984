"""What the laws over all platforms must know of FRR on Linux."""

from __future__ import annotations

import re

from tests.platforms.expectations import BYTES, NAMELESS, Section, StaticRoute, SwitchExpectations, by_lines
from tests.platforms.profiles import Found


def printed_profiles(text: str) -> Found:
    for match in re.finditer(r"^(\S+)\(\) \{\n(  tc qdisc (?:.*\n)+?)\}$", text, re.MULTILINE):
        yield ("function", match[1]), match[2]


OF_THE_SYSTEM = tuple(
    f"services.{field}" for field in ("management", "ntp", "syslog", "users", "ssh", "lldp", "banner")
)
SYSTEM = "the system's, not FRR's, which FAB574 tells"


EXPECTED = SwitchExpectations(
    management_route=StaticRoute(
        place="(?m)^router bgp",
        written="ip route 192.0.2.0/24 {route} vrf MGMT\nrouter bgp",
        routes=("Null0", "203.0.113.1"),
    ),
    default_route=StaticRoute(
        place="(?m)^router bgp",
        written="ip route 192.0.2.0/24 {route}\nrouter bgp",
        routes=("Null0", "203.0.113.1"),
    ),
    model="nvidia-sn5600",
    own_files={
        "spectrum": "what the driver of the ASIC can do",
        "agent": "what the driver runs on the switch",
        "lab": "how a lab of any site has its switches",
    },
    profiles=printed_profiles,
    dropped=r"(?m)^ip(?:v6)? route {} blackhole 250$",
    unmarked="set comm-list FROM-ABOVE delete",
    obeys_graceful_shutdown=True,
    is_told_idle_timeout=False,
    not_said={
        **dict.fromkeys(OF_THE_SYSTEM, SYSTEM),
        "class.name": NAMELESS,
        "queueing.marking_depth_bytes": BYTES,
    },
    overrides={
        "ours": Section(
            programs=["show version", "sh ver", "conf t", "write file"],
            harm=[
                "interface {port}\n shutdown",
                "interface {port}\n shut",
                "interface lo\n shutdown",
                "router bgp {asn}\n bgp shutdown",
                "router bgp {asn}\n neighbor {neighbor} shutdown",
            ],
            taken=["interface dummy0\n shutdown", "router bgp 65000 vrf red\n bgp router-id 192.0.2.1"],
            theirs="bgp as-path access-list MINE seq 5 permit ^65000\n",
            refused=[
                ("bgp graceful-shutdown", 1),
                ("router bgp {asn}\n distance bgp 255 255 255", 2),
                ("router bgp {asn}\n address-family ipv4 unicast\n  table-map X", 3),
                ("ip protocol bgp route-map X", 1),
                ("no ip forwarding", 1),
                ("bfd\n profile FABRIC\n  shutdown", 3),
                ("ip route 10.0.0.0/24 blackhole", 1),
            ],
            harmless=[
                "debug bgp updates",
                "bfd\n profile x\n  transmit-interval 300",
                "ip route 198.18.0.0/16 blackhole",
            ],
            changes=["hostname evil", "router bgp 1"],
            new=["ip nht resolve-via-default"],
            of_the_product=("frr", "log"),
            write=by_lines,
        ),
        "interfaces": Section(
            programs=[
                "auto dummy0\niface dummy0\n    up rm -rf /",
                "auto dummy0\niface dummy0\n    pre-up rm -rf /",
                "source /tmp/x",
                "source-directory /tmp",
                "auto dummy0\niface dummy0\n    alias ${__import__('os').system('x')}",
                "% import os",
                "<% import os %>",
                "mapping eth9\n    script /tmp/x",
            ],
            harm=[
                "auto {port}\niface {port}\n    link-down yes",
                "    link-down yes",
                "iface lo\n    address 192.0.2.1/32",
                "auto bond0\niface bond0\n    bond-slaves {port}",
                "auto br1\niface br1\n    bridge-ports glob swp1-4",
                "auto br1\niface br1\n    bridge-ports \\\n    {port}",
                "iface swp[1-4]\n    mtu 1500",
            ],
            taken=["auto dummy0\niface dummy0\n    link-type dummy\n    vrf mgmt"],
            refused=[("auto dummy0\niface dummy0\n    address {neighbor}/32", 3)],
            harmless=["auto dummy0\niface dummy0\n    address 198.18.0.1/32"],
        ),
        "sysctl": Section(
            programs=[
                "kernel.core_pattern = |/tmp/x",
                "kernel/modprobe=/tmp/x",
                "-kernel.modprobe = /tmp/x",
                "fs.binfmt_misc.register = :x:M::x::/tmp/x:",
            ],
            harm=[
                "net.ipv4.ip_forward = 0",
                "net.ipv4.ip_forward=0",
                "net/ipv4/ip_forward=0",
                "-net.ipv4.ip_forward=0",
                "net.ipv6.conf.*.forwarding=0",
                "net.ipv4.conf.{port}.forwarding = 0",
                "net.ipv6.conf.all.disable_ipv6 = 1",
            ],
            taken=["net.ipv4.tcp_ecn = 1", "net.core.rmem_max=212992", "vm.swappiness = 10"],
            refused=[
                ("net.ipv4.tcp_ecn = 1\nnet.ipv4.ip_default_ttl = 1", 2),
                ("net.ipv4.neigh.default.gc_thresh3 = 1", 1),
                ("net.ipv4.conf.all.arp_ignore = 8", 1),
            ],
            harmless=["net.core.somaxconn = 1024"],
        ),
        "qos": Section(
            programs=[
                "rm -rf /",
                "udevadm settle",
                "tc qdisc del dev swp1 root",
                "ethtool -s eth9 speed 100",
            ],
            harm=["tc qdisc del dev {port} root"],
        ),
    },
)
