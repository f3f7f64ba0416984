"""What the laws over all platforms must know of EOS."""

from __future__ import annotations

from tests.platforms.expectations import BYTES, NAMELESS, Section, StaticRoute, SwitchExpectations, by_lines
from tests.platforms.profiles import indented

EXPECTED = SwitchExpectations(
    management_route=StaticRoute(
        place="\\Z", written="ip route vrf MGMT 192.0.2.0/24 {route}\n", routes=("Null0", "203.0.113.1")
    ),
    default_route=StaticRoute(
        place="\\Z", written="ip route 192.0.2.0/24 {route}\n", routes=("Null0", "203.0.113.1")
    ),
    model="arista-7060x6-64pe",
    profiles=indented("qos profile"),
    dropped=r"(?m)^ip(?:v6)? route {} Null0 250$",
    unmarked="set community 64999:1 delete",
    not_said={"class.name": NAMELESS, "queueing.marking_depth_bytes": BYTES},
    not_in_facts=frozenset({"host_addressing.assignment", "host_addressing.dhcp_servers", "services.banner"}),
    counts_idle_minutes=True,
    most={"users.many.ssh_keys": 2},
    overrides={
        "ours": Section(
            programs=[
                "event-handler x\n   trigger on-boot\n   action bash rm -rf /",
                "event-h x\n   act bash true",
                "daemon x\n   exec /mnt/flash/x\n   no shutdown",
                "schedule x interval 60 timeout 5 max-log-files 1 command reload",
                "container x\n   image x",
                "alias show bash rm",
                "alias go bash rm -rf /",
                "alias go\n   10 bash rm",
                "relo",
                "bash rm",
                "code\nfoo\nEOF",
            ],
            harm=[
                "interface {port}\n   shutdown",
                "int {port}\n   shut",
                "interface {port}, {other}\n   mtu 1500",
                "interface {port}\n   channel-group 1 mode active",
                "interface {port}\n   vrf red",
                "router bgp {asn}\n   shutdown",
                "router bgp {asn}\n   neighbor {neighbor} shutdown",
                "interface defaults\n   ethernet\n      shutdown",
                "management ssh\n   shutdown",
                "interface {port}\n   priority-flow-control off",
                "transceiver qsfp default-mode 4x10G",
            ],
            taken=["alias sib show ip bgp", "interface Loopback9\n   description shutdown of ours"],
            theirs="vlan 30\n   name theirs\n",
            refused=[
                ("ntp authenticate", 1),
                ("management telnet\n   no shutdown", 1),
                ("maintenance\n   unit System\n      quiesce", 1),
                ("router bgp {asn}\n   graceful-shutdown", 2),
                ("router bgp {asn}\n   distance bgp 255 255 255", 2),
                ("router bgp {asn}\n   vrf default\n      router-id 192.0.2.1", 2),
                ("router bgp {asn}\n   neighbor {neighbor} route-map X in", 2),
                ("router bgp {asn}\n   neighbor UP local-as 7", 2),
                ("router bfd\n   shutdown", 2),
                ("route-map RM-CONNECTED permit 30", 1),
                ("interface {port}\n   load-interval 5\n   shu", 3),
                ("interface {port}\n   no lldp transmit", 2),
                ("interface {port}\n   ip access-group X in", 2),
                ("interface {port}\ntraffic-loopback source system device mac", 2),
                ("interface Loopback9\n   ip address 10.0.0.0 255.255.255.254", 2),
                ("interface Loopback9\n   hostname evil", 2),
                ("interface Loopback9\n   maintenance", 2),
                ("interface Loopback9\n   router bgp {asn}", 2),
                ("interface Loopback9\n   interface {port}\n   shutdown", 2),
                ("ip route 10.0.0.0/24 Null0", 1),
                ("ip route 0.0.0.0/0 Null0", 1),
                ("ip route 10.255.0.0 255.255.255.0 Null0", 1),
                ("system control-plane\n   ip access-group X in", 1),
                ("no ip routing", 1),
                ("idle-timeout 0", 1),
                ("neighbor {neighbor} shutdown", 1),
                ("monitor session x source Et1/1", 1),
            ],
            harmless=[
                "vrf instance RED",
                "management console\n   idle-timeout 5",
                "interface {port}\n   load-interval 5",
                "router bgp {asn}\n   vrf RED\n      neighbor 192.0.2.77 remote-as 7",
                "interface Loopback9\n   ip address 198.18.0.1/32",
                "ip route 198.18.0.0/16 Null0",
                "ip access-list MINE\n   10 permit ip any host {neighbor}",
                "ip route vrf RED 10.0.0.0/24 Null0",
            ],
            changes=[
                "hostname evil",
                "router bgp 1",
                "int Et1/1\n   shutdown",
                "interface Management1\n   shutdown",
            ],
            new=[
                "vlan 30\n   name ours",
                "interface Loopback9\n   description ours",
                "logging buffered 100000",
            ],
            write=by_lines,
        ),
    },
)
