"""What NX-OS supports, by release and hardware, and who shows it. `fabric.platforms.needs.table` refuses the rest."""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.base import CommitTimer
from fabric.platforms.data_sheet import DataSheet, in_releases, no, some, where, yes
from fabric.platforms.nxos.names import is_cloud_scale, is_since

TIMER = CommitTimer(shortest_s=30, longest_s=3600, after_reboot="before", locks=False)
"""Of `configure replace … commit-timeout` (Cisco Nexus 7000 fundamentals guide 8.x: 30 to 3600 s). Startup is written
when the commit is confirmed. Nothing keeps others out: what runs is compared right before the commit."""
DOCS = "https://www.cisco.com/c/en/us/td/docs/dcn/nx-os/nexus9000"
QOS = f"{DOCS}/105x/configuration/qos"
ROUTING = f"{DOCS}/105x/unicast-routing-configuration"
SDK = "https://developer.cisco.com/docs/cisco-nexus-3000-and-9000-series-nx-api-rest-sdk-user-guide-and-api-reference"
ANSIBLE = "https://github.com/ansible-collections/cisco.nxos, plugins/module_utils/network/nxos/rm_templates"
GENIE = "https://github.com/CiscoTestAutomation/genielibs @ fd7d445bcca8, conf/dlb/nxos/dlb.py"
AZURE = "https://github.com/microsoft/Azure_Local_Physical_Network_Config_Tool @ 423a74214941"
IRONCORE = "https://github.com/ironcore-dev, network operator, docs: Unnumbered BGP Peering, provider cisco-nxos-gnmi"
BATFISH = "https://github.com/batfish/batfish, grammar/cisco_nxos"


BY_POLICY = "dynamic load balancing is documented for Cloud Scale from 10.5(1), elsewhere by policy only"


def has_link_local_peers(release: str | None) -> bool:
    """Whether BGP runs over IPv6 link-local addresses."""
    return is_since(release, 9, 3, 6)


def has_balancing(release: str | None, hardware: SwitchModel) -> bool:
    """Whether paths are chosen by load, other than by policy."""
    return is_cloud_scale(hardware) and is_since(release, 10, 5, 1)


SHEET = DataSheet(
    unnumbered_bgp=where(
        in_releases(has_link_local_peers),
        f"{IRONCORE}; {ROUTING}: interface peering by IPv6 link-local, `use-bia`; from release 9.3(6)",
        because="BGP over link-local addresses came with release 9.3(6), and this is {switch.release}",
        fix="set `addressing: {{family: ipv4}}`, or name a later release",
    ),
    ipv6_fabric=yes(f"{ANSIBLE}: bgp_global, bgp_neighbor_address_family, l3_interfaces; {BATFISH}"),
    vlan_gateways=yes(f"{ANSIBLE}: vlans, l2_interfaces, l3_interfaces; {AZURE}: interface vlan, mtu"),
    tagged_vlans=yes(
        f"{AZURE}; Azure Local, TOR configuration: switchport mode trunk, trunk allowed vlan, edge trunk"
    ),
    lacp_bundles=no("no public source shows PFC and queuing policies on the members of a port-channel"),
    dhcp_relay=yes(f"{AZURE}: service dhcp, ip dhcp relay; {BATFISH}: ipv6 dhcp relay address"),
    routed_dhcp_relay=yes("as dhcp_relay"),
    dhcpv6_relay=yes("as dhcp_relay"),
    slaac=yes(f"{IRONCORE}: advertisements are suppressed until `no ipv6 nd suppress-ra`"),
    dual_tor_lacp=no(
        "vPC ties two switches by a peer link, which the fabric does not have between leaves",
        because="a bond over two switches needs vPC, and vPC a peer link between them, which the fabric does not have",
        fix="use routed host links, or a platform with settable LACP system ids",
    ),
    host_routes_from_arp=no(
        "host mobility (`feature hmm`) makes host routes in VXLAN fabrics only",
        because="host routes come from ARP entries only in a VXLAN fabric",
    ),
    bfd=yes(
        f"{ANSIBLE}: bgp_neighbor bfd; Cisco guide, BFD: `bfd interval`, `no ip redirects` is a prerequisite"
    ),
    bgp_password=yes(f"{ANSIBLE}: bgp_templates, password 0|3|7"),
    ttl_security=yes(f"{ANSIBLE}: bgp_templates, ttl-security hops (tested on 9.3.6)"),
    max_prefixes=yes(
        "Cisco Nexus 9000 unicast guide; Ansible cisco.nxos, bgp_neighbor_address_family: maximum-prefix"
    ),
    flowlet_balancing=where(
        has_balancing,
        f"{GENIE}; {ROUTING}/m-configure-dynamic-load-balancing.html: Cloud Scale from 10.5(1)F",
        because=BY_POLICY,
    ),
    per_packet_balancing=where(
        has_balancing,
        f"{GENIE}; for Silicon One only policy-driven balancing is documented (10.5(3)F)",
        because=BY_POLICY,
    ),
    hash_fields=no(
        f"{SDK}: ip load-sharing knows modes of addresses and ports, not fields",
        because="`ip load-sharing` takes addresses and ports, and no other choice of fields is documented",
        fix="leave `fields` out: addresses, ports and protocol are hashed",
    ),
    hash_seed=yes(f"{SDK}: ip load-sharing address ... universal-id"),
    pfc=yes(f"{QOS}, Priority Flow Control; {AZURE}: pause pfc-cos"),
    pfc_watchdog=yes(f"{QOS}, Priority Flow Control Watchdog: drops what is stuck, polls each 100 ms"),
    max_lossless_priorities=some(3, f"{QOS}, Network QoS: at most three classes are paused"),
    watchdog_actions=some(
        frozenset({"drop"}),
        f"{QOS}, Priority Flow Control Watchdog: what is stuck is dropped; no other action is told",
        because="it drops the packets of a stuck queue and cannot {missing}",
        fix="use `drop`",
    ),
    pause_threshold=some("product-derived", "goes with `pause buffer-size`: see headroom"),
    resume_threshold=some("product-derived", "goes with `pause buffer-size`: see headroom"),
    ecn=yes(f"{AZURE}: random-detect minimum-threshold ... kbytes ... ecn"),
    max_rate=yes(
        f"{QOS}, Queuing and Scheduling: shapers of egress queues, from 200 Mb/s; `shape min N mbps max N "
        "mbps` as in public configurations, beside `priority level 1` too"
    ),
    own_queue=some(
        "apart",
        "`show queuing interface` counts CONTROL QOS GROUP apart from the eight (genieparser, show_queuing)",
    ),
    packet_trimming=no("no public source"),
    headroom=some(
        "product-derived",
        f"{QOS}, Priority Flow Control: buffers are the product's up to 100 m, `pause buffer-size` is "
        "mandatory beyond, and no sizes are published for these ASICs",
    ),
    tacacs=yes(f"{AZURE}: tacacs-server host, aaa group server tacacs+; {BATFISH}: nxos_tacacs_server"),
    gnmi=yes("Cisco Nexus 9000 Programmability guide: feature grpc, grpc port, grpc use-vrf"),
    snmpv3=no(
        "Cisco Nexus 3548 and 5000 guides, SNMP: users of SNMP and CLI are one, privacy is AES-128",
        because="an SNMPv3 user is a login too, with the SNMP secret as its password, and NX-OS encrypts with "
        "AES-128 only",
        fix="leave `snmp` out for this site and use `gnmi`, or set the users on the switch",
    ),
    idle_cages=some(
        "written shut", f"up unless `system default switchport shutdown` was chosen; {ANSIBLE}: interfaces"
    ),
    host_port_guards=yes(
        "Cisco Nexus 9000 Layer 2 guide, STP extensions; Security guide 10.3, Traffic Storm Control"
    ),
    control_plane=some(
        "as shipped",
        "Cisco Nexus 9000 Security guide, CoPP: `strict` since the first boot, none after POAP; "
        "the `copp` lines of a switch are kept",
    ),
    ssh_apart=no(
        "no source shows an SSH server per VRF, and the list of `line vty` matches sources in every VRF"
    ),
    ssh_allow=yes(
        f"{ANSIBLE}: acls; Cisco Nexus 9000 Security guide: line vty, access-class, ipv6 access-class"
    ),
    gnmi_allow=no(
        "no source shows an access list of the gRPC agent, which serves the VRF `management` alone"
    ),
    certificate=yes("https://github.com/ironcore-dev, network operator, Nexus bootstrap: grpc certificate"),
    client_certificates=yes("as certificate: grpc client root certificate"),
    own_certificate=yes(
        "Cisco Nexus 9000 Programmability guide: a certificate for a day until one is imported"
    ),
    external_sessions=yes(f"{ANSIBLE}: route_maps, prefix_lists; {BATFISH}"),
    queueing=yes(f"{QOS}; {AZURE}"),
    vlan_queueing=yes(f"{QOS}: policies of all ports, `system qos`"),
    own_watchdog_action=no("it drops what is stuck, and another action is refused"),
    known_release=yes("every release: features that came later are compared by number"),
    known_hardware=yes("every model of the catalogue that runs NX-OS"),
    management_in_default_vrf=no(
        "Cisco Nexus 9000 fundamentals guide: mgmt0 is always in the VRF `management`",
        because="mgmt0 is always in the VRF `management`",
        fix="leave `vrf: default` out",
    ),
    lldp_off=yes(f"{BATFISH}: feature lldp"),
    syslog_level=yes(f"{ANSIBLE}: logging_global, hosts severity"),
    separate_priorities=yes(
        f"{QOS}: a paused class takes the number of its priority, whatever its traffic class"
    ),
    max_strict_queues=some(
        1,
        f"{QOS}: sources show one strict queue, at `priority level 1`",
        because="sources show one strict queue, at `priority level 1`",
    ),
    strict_below_weighted=yes("the strict queue is 7, whatever the policy calls it"),
    strict_pfc=no(
        "no source shows a paused queue at `priority level 1`",
        because="no source shows a paused queue at `priority level 1`; class {wanted.name} is both",
    ),
    strict_ecn=no(
        "no source shows `random-detect` in the strict queue",
        because="no source shows `random-detect` in the strict queue; class {wanted.name} wants it",
    ),
    users_without_password=yes(f"{ANSIBLE}: user, sshkey; `password 5 !`"),
    verbatim_lines=yes("a configuration is lines"),
    discard_routes=yes(f"{BATFISH}: CiscoNxos_static.g4: ip route, ipv6 route PREFIX Null0 PREFERENCE"),
    drain=yes(f"{BATFISH}: set community, ip community-list standard; RFC 8326"),
)

capabilities = SHEET.capabilities
