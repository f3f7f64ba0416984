"""What the laws over all platforms must know of NX-OS."""

from __future__ import annotations

from tests.platforms.expectations import BYTES, INSIDE, Section, StaticRoute, SwitchExpectations, by_lines
from tests.platforms.profiles import indented

EXPECTED = SwitchExpectations(
    builds_sessions_anew_for_limits=True,
    management_route=StaticRoute(
        place="(?m)^vrf context management\\n",
        written="vrf context management\n  ip route 192.0.2.0/24 {route}\n",
        routes=("null0", "203.0.113.1"),
    ),
    model="cisco-n9364e-sg2",
    own_files={"checkpoint": "the form that `rollback` takes", "notes": "what NX-OS settles itself"},
    profiles=indented("policy-map type queuing"),
    dropped=r"(?m)^ip(?:v6)? route {} Null0 250$",
    unmarked="set comm-list FROM-ABOVE delete",
    sends_own_asn=False,
    names=r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}",
    not_said={
        "class.traffic_class": INSIDE,
        "class.queue": "that of the priority, which FAB511 tells",
        "queueing.watchdog": "its own timers, which FAB516 tells",
        "queueing.marking_depth_bytes": BYTES,
    },
    not_in_facts=frozenset({"services.banner"}),
    timers=[("interval", "2s", "999ms")],
    counts_idle_minutes=True,
    most={"users.many.ssh_keys": 1, "management.dns": 6},
    overrides={
        "ours": Section(
            programs=[
                "event manager applet x\n  event syslog pattern x\n  action 1 cli reload",
                "event man applet x",
                "scheduler job name x\n  reload",
                "feature scheduler",
                "cli alias name show reload",
                "vlan 30 ; reload",
                "run bash rm",
                "guests run rm",
                "boot poap enable",
            ],
            harm=[
                "interface {port}\n  shutdown",
                "interface {port}, {other}\n  mtu 1500",
                "interface {port}\n  channel-group 1 mode active",
                "interface {port}\n  vrf member red",
                "router bgp {asn}\n  shutdown",
                "router bgp {asn}\n  neighbor {neighbor}\n    shutdown",
                "system default switchport shutdown",
                "system jumbomtu 1500",
                "router bgp {asn}\n  neighbor {neighbor} remote-as 7",
                "interface mgmt0\n  shut",
            ],
            taken=["feature lacp", "interface loopback9\n  shutdown"],
            theirs="vlan 30\n  name theirs\n",
            refused=[
                ("system mode maintenance", 1),
                ("shutdown", 1),
                ("neighbor {neighbor}\n  shutdown", 1),
                ("router bgp {asn}\n  isolate", 2),
                ("router bgp {asn}\n  address-family ipv4 unicast\n    table-map x filter", 3),
                ("router bgp {asn}\n  neighbor {neighbor}\n    local-as 7", 3),
                ("interface loopback9\n  ip address 10.0.0.0 255.255.255.254", 2),
                ("ip route 10.0.0.0 255.255.255.0 null0", 1),
                ("interface {port}\n  ip access-group X in", 2),
                ("interface {port}\n  shu", 2),
                ("control-plane\n  service-policy input X", 1),
                ("vrf context management\n  ip route 192.0.2.0/24 null0", 2),
                ("feature telnet", 1),
                ("no feature ssh", 1),
                ("no feat nxapi", 1),
                ("no ip ssh", 1),
            ],
            harmless=[
                "vrf context RED\n  rd 1:1",
                "interface {port}\n  load-interval counter 1 30",
                "feature lacp",
                "feature pim",
            ],
            changes=["hostname evil", "router bgp 1", "interface mgmt0\n  shutdown"],
            new=["feature ospf", "interface loopback9\n  description ours"],
            write=by_lines,
        ),
    },
)
