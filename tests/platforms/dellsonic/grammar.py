"""Forms of lines that published sources show, with the ranges that they tell: what may be printed.

Sources
    REF  SONiC management framework, Industry Standard CLI reference guide (generated from the product's own grammar)
    ANS  Ansible collection dellemc.enterprise_sonic 4.1: excerpts of `show running-configuration` per module
    HHG  githedgehog/fabric @ 78827deb, pkg/agent/dozer/bcm/README.plan.md
    SPY  sonic-net/sonic-mgmt, spytest/apis/qos: commands sent to `sonic-cli`
    XML  the public grammar of the management framework (klish views), 3.x
"""

from __future__ import annotations

import re

from fabric.configuration import Line
from fabric.platforms.dellsonic.dialect import DIALECT

N = r"[A-Za-z0-9_.-]{1,63}"
OBJECT = r"[A-Za-z0-9_-]{1,32}"
V4, V6 = r"\d+\.\d+\.\d+\.\d+", r"[0-9a-f]*:[0-9a-f:.]*"
ADDRESS = rf"(?:{V4}|{V6})"
ETHERNET = r"Eth1/\d+(?:/[1-8])?"
SPAN = r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*"
VRF = r"(?: vrf mgmt)?"
Forms = tuple[tuple[str, str, "Forms"], ...]
"""Pattern, source, forms of the lines below."""


def upto(least: int, most: int) -> str:
    """A number in a range: the name of a group that is looked at when the pattern fits."""
    return rf"(?P<n{least}_{most}>\d+)"


GREEN = rf"green minimum-threshold {upto(1, 12480)} maximum-threshold (?P<m1_12480>\d+)"
QOS: Forms = (
    (r"buffer init lossless", "ANS SPY", ()),
    (rf"buffer pool ingress_lossless_pool shared-headroom-size {upto(1, 10**9)}", "ANS SPY", ()),
    (
        rf"qos wred-policy {OBJECT}",
        "REF",
        (
            (
                f"{GREEN} drop-probability {upto(0, 100)}",
                "REF XML",
                (),
            ),
            (r"ecn all", "REF ANS", ()),
        ),
    ),
    (
        rf"qos scheduler-policy {OBJECT}",
        "REF SPY",
        (
            (
                r"queue [0-7]",
                "REF SPY",
                (
                    (r"type (?:dwrr|strict)", "SPY", ()),
                    (rf"weight {upto(1, 100)}", "SPY ANS", ()),
                    (rf"pir {upto(1, 400_000_000)}", "SPY REF", ()),
                ),
            ),
        ),
    ),
    (rf"qos map dscp-tc {OBJECT}", "REF", ((rf"dscp {SPAN} traffic-class [0-7]", "XML", ()),)),
    (rf"qos map tc-queue {OBJECT}", "REF", ((rf"traffic-class {SPAN} queue [0-7]", "XML", ()),)),
    (rf"qos map tc-pg {OBJECT}", "REF", ((rf"traffic-class {SPAN} priority-group [0-7]", "XML", ()),)),
    (rf"qos map pfc-priority-queue {OBJECT}", "REF", ((r"pfc-priority [34] queue [34]", "REF", ()),)),
    (rf"priority-flow-control watchdog polling-interval {upto(100, 3000)}", "REF XML", ()),
)
SYSTEM: Forms = (
    (rf"hostname {N}", "HHG", ()),
    (r"interface-naming standard", "ANS XML", ()),
    (r"ip vrf mgmt", "ANS XML", ()),
    (rf"username {N} password (?:\$6\$\S+|<secret:\S+>) role (?:admin|operator)", "REF XML", ()),
    (r"interface breakout port 1/\d+ mode [1248]x\d+G", "XML ANS", ()),
    (rf"ip name-server {ADDRESS}{VRF}", "SPY", ()),
    (r"ip name-server source-interface Management 0", "SPY", ()),
    (rf"ntp server {ADDRESS} minpoll 6 maxpoll 10(?: prefer true)?", "XML HHG", ()),
    (r"ntp source-interface Management 0|ntp vrf mgmt", "REF", ()),
    (rf"logging server {ADDRESS}{VRF}", "REF", ()),
    (rf"ip load-share hash seed {upto(0, 16_777_215)}", "ANS", ()),
    (rf"ip route {V4}/\d+ blackhole {upto(1, 255)}|ipv6 route {V6}/\d+ blackhole (?P<m1_255>\d+)", "ANS", ()),
)
POLICIES: Forms = (
    (rf"ip prefix-list {N} seq \d+ permit {V4}/\d+(?: ge \d+)?(?: le \d+)?", "ANS", ()),
    (rf"ipv6 prefix-list {N} seq \d+ permit {V6}/\d+(?: ge \d+)?(?: le \d+)?", "ANS", ()),
    (rf"bgp community-list standard {N} permit {upto(0, 65535)}:(?P<m0_65535>\d+)", "HHG XML", ()),
    (
        rf"route-map {N} (?:permit|deny) {upto(1, 65535)}",
        "ANS",
        (
            (rf"match ip(?:v6)? address prefix-list {N}", "ANS", ()),
            (rf"match community {N}", "ANS", ()),
            (r"set community \d+:\d+ additive", "ANS", ()),
            (rf"set comm-list {N} delete", "ANS", ()),
            (r"set local-preference \d+", "ANS", ()),
        ),
    ),
)
ADDRESSES: Forms = (
    (rf"ip address {V4}/\d+(?: gwaddr {V4})?", "ANS HHG", ()),
    (rf"ipv6 address {V6}/\d+(?: gwaddr {V6})?", "ANS HHG", ()),
)
WATCHDOG = "priority-flow-control watchdog"
PORT: Forms = (
    (r"description \S+", "ANS", ()),
    (rf"mtu {upto(1312, 9216)}", "ANS XML", ()),
    (r"speed (?:10|25|50|100|200|400|800)000", "ANS", ()),
    (r"(?:no )?shutdown", "ANS", ()),
    *ADDRESSES,
    (r"ipv6 enable", "ANS HHG", ()),
    (r"cable-length (?:5|40|300)m", "ANS", ()),
    (rf"queue [0-7] wred-policy {OBJECT}", "ANS", ()),
    (rf"scheduler-policy {OBJECT}", "ANS", ()),
    (rf"qos-map (?:dscp-tc|tc-queue|tc-pg|pfc-priority-queue) {OBJECT}", "ANS", ()),
    (r"priority-flow-control priority [34]", "ANS", ()),
    (rf"{WATCHDOG} action (?:drop|forward|alert)", "ANS", ()),
    (rf"{WATCHDOG} on detect-time {upto(100, 5000)}", "ANS", ()),
    (rf"{WATCHDOG} restore-time {upto(100, 60_000)}", "ANS", ()),
)
PEER_FAMILY: Forms = (
    (r"activate", "ANS", ()),
    (rf"allowas-in {upto(1, 10)}", "ANS", ()),
    (rf"route-map {N} (?:in|out)", "ANS", ()),
    (r"send-community both", "ANS", ()),
    (rf"maximum-prefix {upto(1, 2**32 - 1)}", "REF", ()),
)
FAMILY: Forms = (
    (rf"redistribute connected route-map {N}", "XML", ()),
    (rf"aggregate-address {ADDRESS}/\d+ summary-only", "XML", ()),
    (rf"maximum-paths {upto(1, 256)}", "XML", ()),
)
GROUP: Forms = (
    (r"shutdown", "XML", ()),
    (rf"bfd profile {N}", "HHG ANS", ()),
    (r"capability extended-nexthop", "ANS", ()),
    (r"password <secret:\S+>", "REF", ()),
    (r"ttl-security hops 1", "ANS", ()),
    (r"address-family ipv[46] unicast", "ANS", PEER_FAMILY),
)
NEIGHBOR: Forms = (
    (rf"description {N}", "ANS", ()),
    (rf"peer-group {N}", "ANS", ()),
    (rf"remote-as {upto(1, 2**32 - 1)}", "ANS", ()),
)
BGP: Forms = (
    (
        rf"router bgp {upto(1, 2**32 - 1)}",
        "XML",
        (
            (rf"router-id {V4}", "XML", ()),
            (r"log-neighbor-changes", "REF", ()),
            (r"timers \d+ \d+", "REF", ()),
            (r"bestpath as-path multipath-relax", "XML", ()),
            (r"address-family ipv[46] unicast", "XML", FAMILY),
            (rf"peer-group {N}", "REF", GROUP),
            (rf"neighbor (?:{ADDRESS}|interface {ETHERNET})", "ANS", NEIGHBOR),
        ),
    ),
    (
        r"bfd",
        "HHG",
        (
            (
                rf"profile {N}",
                "HHG",
                (
                    (rf"detect-multiplier {upto(2, 255)}", "XML", ()),
                    (rf"(?:receive|transmit)-interval {upto(10, 60_000)}", "REF XML", ()),
                ),
            ),
        ),
    ),
)
TOP: Forms = (
    *SYSTEM,
    *QOS,
    *POLICIES,
    *BGP,
    (rf"interface {ETHERNET}", "ANS", PORT),
    (r"interface (?:Loopback|Management) 0", "HHG", ADDRESSES),
)


def fits(pattern: str, line: str) -> bool:
    """Whether a line is of a form, and its numbers are within the bounds that the form names."""
    match = re.fullmatch(pattern, line)
    if match is None:
        return False
    bounds = ((name[1:].split("_"), value) for name, value in match.groupdict().items() if value)
    return all(int(least) <= int(value) <= int(most) for (least, most), value in bounds)


def refused(among: list[Line], forms: Forms) -> list[str]:
    found: list[str] = []
    for line in among:
        below = next((below for pattern, _, below in forms if fits(pattern, line.text)), None)
        found += [line.text] if below is None else refused(line.below, below)
    return found


def grammar(text: str) -> list[str]:
    """Lines that no source shows."""
    pieces = DIALECT.pieces(text).values()
    return refused([line for piece in pieces for line in DIALECT.lines(piece)], TOP)
