"""Routing modes: BGP, BFD, policies, prefix lists.

Source: the command reference (https://www.arista.com/en/um-eos), and the templates of aristanetworks/avd.
"""

from __future__ import annotations

from fabric.platforms.eos.emulator.grammar import Rule, Toggle

FORMS = ("<*group>", "<*ip>")
"""What a `neighbor` line may name: a peer group, or an address."""


def neighbor(rest: str, *, toggle: Toggle = "", encoded: str = "", which: tuple[str, ...] = FORMS) -> Rule:
    """A row that is printed neighbour by neighbour."""
    return Rule(
        pattern=f"neighbor ({'|'.join(which)}) {rest}", group="neighbor", toggle=toggle, encoded=encoded
    )


SOURCES = ("connected", "static", "attached-host")

NEIGHBOR: tuple[Rule, ...] = (
    neighbor("peer group", which=FORMS[:1]),
    neighbor("peer group <group>", which=FORMS[1:]),
    neighbor("remote-as <asn>"),
    neighbor("next-hop-self"),
    neighbor("next-hop-unchanged"),
    neighbor("shutdown"),
    neighbor("remove-private-as [all]"),
    neighbor("as-path prepend-own disabled"),
    neighbor("as-path remote-as replace out"),
    neighbor("local-as <asn> no-prepend replace-as [fallback]"),
    neighbor("weight <0-65535>"),
    neighbor("passive"),
    neighbor("update-source <interface>"),
    neighbor("bfd"),
    neighbor("bfd interval <50-60000> min-rx <50-60000> multiplier <3-50>"),
    neighbor("description <text>"),
    neighbor("allowas-in [<1-10>]"),
    neighbor("rib-in pre-policy retain [all]"),
    neighbor("ebgp-multihop [<1-255>]"),
    neighbor("ttl maximum-hops <0-254>"),
    neighbor("route-map <name> (*in|*out)"),
    neighbor("timers <0-3600> <0-3600> [hold-time-min <3-7200>]"),
    neighbor("default-originate [route-map <name>] [always]"),
    neighbor("password (7 <base64>|0 <word>|<word>)", encoded="neighbor"),
    neighbor("send-community [standard] [extended] [large]"),
    neighbor("maximum-routes <0-4294967294> [warning-limit (<0-4294967294>|<1-100> percent)] [warning-only]"),
    neighbor("maximum-accepted-routes <0-4294967294> [warning-limit <0-4294967294>]"),
    neighbor("idle-restart-timer <1-4294967294>"),
    *(Rule(pattern=f"neighbor {form}", forgets=True) for form in FORMS),
)

FAMILY: tuple[Rule, ...] = (
    Rule(pattern="bgp additional-paths receive"),
    Rule(pattern="bgp additional-paths send any"),
    Rule(pattern="bgp next-hop address-family ipv6"),
    neighbor("activate", toggle="either"),
    neighbor("route-map <name> (*in|*out)"),
    neighbor("prefix-list <name> (*in|*out)"),
    neighbor("default-originate [route-map <name>] [always]"),
    neighbor("next-hop address-family ipv6 originate"),
    neighbor("additional-paths receive"),
    Rule(pattern="network <*prefix> [route-map <name>]"),
    *(Rule(pattern=f"redistribute {source} [route-map <name>]") for source in SOURCES),
)

BGP: tuple[Rule, ...] = (
    Rule(pattern="router-id <ipv4>"),
    Rule(pattern="update wait-for-convergence"),
    Rule(pattern="update wait-install"),
    Rule(pattern="bgp default ipv4-unicast", toggle="on"),
    Rule(pattern="bgp default ipv6-unicast", toggle="off"),
    Rule(pattern="timers bgp <0-3600> <0-3600> [min-hold-time <0-3600>]", default="timers bgp 60 180"),
    Rule(pattern="distance bgp <1-255> [<1-255> <1-255>]"),
    Rule(pattern="graceful-restart restart-time <1-3600>"),
    Rule(pattern="graceful-restart stalepath-time <1-3600>"),
    Rule(pattern="graceful-restart", toggle="off"),
    Rule(pattern="graceful-restart-helper", toggle="either"),
    Rule(pattern="bgp asn notation (asdot|asplain)", default="bgp asn notation asplain"),
    Rule(pattern="maximum-paths <1-600> [ecmp <1-600>]"),
    Rule(pattern="bgp listen range <*prefix> peer-group <group> (remote-as <asn>|peer-filter <name>)"),
    Rule(pattern="bgp bestpath as-path multipath-relax", toggle="on"),
    Rule(pattern="bgp bestpath d-path"),
    *NEIGHBOR,
    Rule(
        pattern="aggregate-address <*prefix> [as-set] [summary-only] [attribute-map <name>] [match-map <name>]"
        " [advertise-only]"
    ),
    *(Rule(pattern=f"redistribute {source} [include leaked] [route-map <name>]") for source in SOURCES),
    Rule(pattern="network <*prefix> [route-map <name>]"),
    Rule(pattern="neighbor interface <*ethernet> peer-group <group> (remote-as <asn>|peer-filter <name>)"),
    Rule(pattern="shutdown"),
    Rule(pattern="address-family (*ipv4|*ipv6)", enters="bgp-family"),
    Rule(pattern="vrf <*name>", enters="bgp-vrf"),
)

ROUTE_MAP: tuple[Rule, ...] = (
    Rule(pattern="description <text>"),
    Rule(pattern="match as-path <*name>"),
    Rule(pattern="match (*community|*large-community|*extcommunity) <name>+ [exact-match]"),
    Rule(pattern="match interface <interface>"),
    Rule(pattern="match (*ip|*ipv6) *address (*prefix-list|*access-list|*dynamic) <name>"),
    Rule(pattern="match (*ip|*ipv6) *next-hop *prefix-list <name>"),
    Rule(pattern="match local-preference <0-4294967295>"),
    Rule(pattern="match metric <0-4294967295>"),
    Rule(pattern="match source-protocol (bgp|connected|static|ospf|isis)"),
    Rule(pattern="match tag <1-4294967295>"),
    Rule(pattern="sub-route-map <name>"),
    Rule(pattern="continue [<1-65535>]"),
    Rule(pattern="set as-path prepend <prepended>+"),
    Rule(pattern="set as-path match all replacement (auto|none)"),
    Rule(pattern="set community none"),
    Rule(pattern="set community (<community>+|community-list <name>) [(additive|delete)]"),
    Rule(pattern="set large-community <large_community>+ [(additive|delete)]"),
    Rule(pattern="set (*ip|*ipv6) *next-hop (<ip>|unchanged|peer-address)"),
    Rule(pattern="set local-preference <0-4294967295>"),
    Rule(pattern="set metric <0-4294967295>"),
    Rule(pattern="set origin (igp|egp|incomplete)"),
    Rule(pattern="set tag <0-4294967295>"),
    Rule(pattern="set weight <0-65535>"),
)

LENGTHS4 = "[eq <1-32>] [ge <1-32>] [le <1-32>]"
LENGTHS6 = "[eq <1-128>] [ge <1-128>] [le <1-128>]"

MODES: dict[str, tuple[Rule, ...]] = {
    "bgp": BGP,
    "bgp-family": FAMILY,
    "bgp-vrf": (
        Rule(pattern="rd <distinguisher>"),
        Rule(pattern="route-target (*import|*export) (*evpn|*vpn-ipv4|*vpn-ipv6) <*distinguisher>"),
        *BGP,
    ),
    "route-map": ROUTE_MAP,
    "prefix-list": (Rule(pattern=f"seq <*1-4294967295> (permit|deny) <ipv4_prefix> {LENGTHS4}"),),
    "ipv6-prefix-list": (Rule(pattern=f"seq <*1-4294967295> (permit|deny) <ipv6_prefix> {LENGTHS6}"),),
    "peer-filter": (Rule(pattern="<*1-65535> match as-range <asns> result (accept|reject)"),),
    "bfd": (
        Rule(
            pattern="interval <50-60000> min-rx <50-60000> multiplier <3-50> default",
            default="interval 300 min-rx 300 multiplier 3 default",
        ),
        Rule(pattern="multihop interval <50-60000> min-rx <50-60000> multiplier <3-50>"),
        Rule(pattern="slow-timer <2000-60000>"),
        Rule(pattern="shutdown"),
    ),
}
