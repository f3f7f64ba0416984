"""What NX-OS supports, by release and hardware, and who shows it. `fabric.platforms.needs.table` refuses the rest."""

from __future__ import annotations

import msgspec

from fabric.hardware import SwitchModel
from fabric.platforms.base import Capabilities, Reason
from fabric.platforms.nxos.names import is_cloud_scale, is_since

DOCS = "https://www.cisco.com/c/en/us/td/docs/dcn/nx-os/nexus9000"
QOS = f"{DOCS}/105x/configuration/qos"
ROUTING = f"{DOCS}/105x/unicast-routing-configuration"
SDK = "https://developer.cisco.com/docs/cisco-nexus-3000-and-9000-series-nx-api-rest-sdk-user-guide-and-api-reference"
ANSIBLE = "https://github.com/ansible-collections/cisco.nxos, plugins/module_utils/network/nxos/rm_templates"
GENIE = "https://github.com/CiscoTestAutomation/genielibs @ fd7d445bcca8, conf/dlb/nxos/dlb.py"
AZURE = "https://github.com/microsoft/Azure_Local_Physical_Network_Config_Tool @ 423a74214941"
IRONCORE = "https://github.com/ironcore-dev, network operator, docs: Unnumbered BGP Peering, provider cisco-nxos-gnmi"
BATFISH = "https://github.com/batfish/batfish, grammar/cisco_nxos"

SOURCES = {
    "unnumbered_bgp": f"{IRONCORE}; {ROUTING}: interface peering by IPv6 link-local, `use-bia`; from release 9.3(6)",
    "ipv6_fabric": f"{ANSIBLE}: bgp_global, bgp_neighbor_address_family, l3_interfaces; {BATFISH}",
    "vlan_gateways": f"{ANSIBLE}: vlans, l2_interfaces, l3_interfaces; {AZURE}: interface vlan, mtu",
    "tagged_vlans": f"{AZURE}; Azure Local, TOR configuration: switchport mode trunk, trunk allowed vlan, edge trunk",
    "lacp_bundles": "no public source shows PFC and queuing policies on the members of a port-channel",
    "dhcp_relay": f"{AZURE}: service dhcp, ip dhcp relay; {BATFISH}: ipv6 dhcp relay address",
    "slaac": f"{IRONCORE}: advertisements are suppressed until `no ipv6 nd suppress-ra`",
    "dual_tor_lacp": "vPC ties two switches by a peer link, which the fabric does not have between leaves",
    "host_routes_from_arp": "host mobility (`feature hmm`) makes host routes in VXLAN fabrics only",
    "bfd": f"{ANSIBLE}: bgp_neighbor bfd; Cisco guide, BFD: `bfd interval`, `no ip redirects` is a prerequisite",
    "bgp_password": f"{ANSIBLE}: bgp_templates, password 0|3|7",
    "ttl_security": f"{ANSIBLE}: bgp_templates, ttl-security hops (tested on 9.3.6)",
    "max_prefixes": "Cisco Nexus 9000 unicast guide; Ansible cisco.nxos, bgp_neighbor_address_family: maximum-prefix",
    "flowlet_balancing": f"{GENIE}; {ROUTING}/m-configure-dynamic-load-balancing.html: Cloud Scale from 10.5(1)F",
    "per_packet_balancing": f"{GENIE}; for Silicon One only policy-driven balancing is documented (10.5(3)F)",
    "hash_fields": f"{SDK}: ip load-sharing knows modes of addresses and ports, not fields",
    "hash_seed": f"{SDK}: ip load-sharing address ... universal-id",
    "pfc": f"{QOS}, Priority Flow Control; {AZURE}: pause pfc-cos",
    "pfc_watchdog": f"{QOS}, Priority Flow Control Watchdog: drops what is stuck, polls each 100 ms",
    "max_lossless_priorities": f"{QOS}, Network QoS: at most three classes are paused",
    "watchdog_actions": f"{QOS}, Priority Flow Control Watchdog: what is stuck is dropped; no other action is told",
    "pause_threshold": "goes with `pause buffer-size`: see headroom",
    "resume_threshold": "goes with `pause buffer-size`: see headroom",
    "ecn": f"{AZURE}: random-detect minimum-threshold ... kbytes ... ecn",
    "max_rate": f"{QOS}, Queuing and Scheduling: shapers of egress queues, from 200 Mb/s; `shape min N mbps max N "
    "mbps` as in public configurations, beside `priority level 1` too",
    "own_queue": "`show queuing interface` counts CONTROL QOS GROUP apart from the eight (genieparser, show_queuing)",
    "packet_trimming": "no public source",
    "headroom": f"{QOS}, Priority Flow Control: buffers are the product's up to 100 m, `pause buffer-size` is "
    "mandatory beyond, and no sizes are published for these ASICs",
    "tacacs": f"{AZURE}: tacacs-server host, aaa group server tacacs+; {BATFISH}: nxos_tacacs_server",
    "gnmi": "Cisco Nexus 9000 Programmability guide: feature grpc, grpc port, grpc use-vrf",
    "snmpv3": "Cisco Nexus 3548 and 5000 guides, SNMP: users of SNMP and CLI are one, privacy is AES-128",
    "idle_cages": f"up unless `system default switchport shutdown` was chosen; {ANSIBLE}: interfaces",
    "host_port_guards": "Cisco Nexus 9000 Layer 2 guide, STP extensions; Security guide 10.3, Traffic Storm Control",
    "control_plane": "Cisco Nexus 9000 Security guide, CoPP: `strict` since the first boot, none after POAP; "
    "the `copp` lines of a switch are kept",
    "ssh_apart": "no source shows an SSH server per VRF, and the list of `line vty` matches sources in every VRF",
    "ssh_allow": f"{ANSIBLE}: acls; Cisco Nexus 9000 Security guide: line vty, access-class, ipv6 access-class",
    "gnmi_allow": "no source shows an access list of the gRPC agent, which serves the VRF `management` alone",
    "certificate": "https://github.com/ironcore-dev, network operator, Nexus bootstrap: grpc certificate",
    "client_certificates": "as certificate: grpc client root certificate",
    "own_certificate": "Cisco Nexus 9000 Programmability guide: a certificate for a day until one is imported",
    "external_sessions": f"{ANSIBLE}: route_maps, prefix_lists; {BATFISH}",
    "queueing": f"{QOS}; {AZURE}",
    "vlan_queueing": f"{QOS}: policies of all ports, `system qos`",
    "own_watchdog_action": "it drops what is stuck, and another action is refused",
    "known_release": "every release: features that came later are compared by number",
    "known_hardware": "every model of the catalogue that runs NX-OS",
    "management_in_default_vrf": "Cisco Nexus 9000 fundamentals guide: mgmt0 is always in the VRF `management`",
    "lldp_off": f"{BATFISH}: feature lldp",
    "syslog_level": f"{ANSIBLE}: logging_global, hosts severity",
    "separate_priorities": f"{QOS}: a paused class takes the number of its priority, whatever its traffic class",
    "max_strict_queues": f"{QOS}: sources show one strict queue, at `priority level 1`",
    "strict_below_weighted": "the strict queue is 7, whatever the policy calls it",
    "strict_pfc": "no source shows a paused queue at `priority level 1`",
    "strict_ecn": "no source shows `random-detect` in the strict queue",
    "users_without_password": f"{ANSIBLE}: user, sshkey; `password 5 !`",
    "verbatim_lines": "a configuration is lines",
    "discard_routes": f"{BATFISH}: CiscoNxos_static.g4: ip route, ipv6 route PREFIX Null0 PREFERENCE",
    "drain": f"{BATFISH}: set community, ip community-list standard; RFC 8326",
}

BY_POLICY = Reason(
    "dynamic load balancing is documented for Cloud Scale from 10.5(1), elsewhere by policy only"
)
REASONS = {
    "max_strict_queues": Reason("sources show one strict queue, at `priority level 1`"),
    "strict_pfc": Reason("no source shows a paused queue at `priority level 1`; class {wanted.name} is both"),
    "strict_ecn": Reason("no source shows `random-detect` in the strict queue; class {wanted.name} wants it"),
    "unnumbered_bgp": Reason(
        "BGP over link-local addresses came with release 9.3(6), and this is {switch.release}",
        "set `addressing: {{family: ipv4}}`, or name a later release",
    ),
    "flowlet_balancing": BY_POLICY,
    "per_packet_balancing": BY_POLICY,
    "hash_fields": Reason(
        "`ip load-sharing` takes addresses and ports, and no other choice of fields is documented",
        "leave `fields` out: addresses, ports and protocol are hashed",
    ),
    "dual_tor_lacp": Reason(
        "a bond over two switches needs vPC, and vPC a peer link between them, which the fabric does not have",
        "use routed host links, or a platform with settable LACP system ids",
    ),
    "host_routes_from_arp": Reason("host routes come from ARP entries only in a VXLAN fabric"),
    "watchdog_actions": Reason("it drops the packets of a stuck queue and cannot {missing}", "use `drop`"),
    "snmpv3": Reason(
        "an SNMPv3 user is a login too, with the SNMP secret as its password, and NX-OS encrypts with AES-128 only",
        "leave `snmp` out for this site and use `gnmi`, or set the users on the switch",
    ),
    "management_in_default_vrf": Reason(
        "mgmt0 is always in the VRF `management`", "leave `vrf: default` out"
    ),
}
ALWAYS = Capabilities(
    known_release=True,
    known_hardware=True,
    ipv6_fabric=True,
    vlan_gateways=True,
    tagged_vlans=True,
    dhcp_relay=True,
    routed_dhcp_relay=True,
    dhcpv6_relay=True,
    slaac=True,
    external_sessions=True,
    bfd=True,
    bgp_password=True,
    ttl_security=True,
    max_prefixes=True,
    hash_seed=True,
    queueing=True,
    vlan_queueing=True,
    pfc=True,
    max_lossless_priorities=3,
    pfc_watchdog=True,
    watchdog_actions=frozenset({"drop"}),
    max_rate=True,
    own_queue="apart",
    ecn=True,
    headroom="product-derived",
    pause_threshold="product-derived",
    resume_threshold="product-derived",
    tacacs=True,
    gnmi=True,
    ssh_allow=True,
    certificate=True,
    client_certificates=True,
    own_certificate=True,
    host_port_guards=True,
    control_plane="as shipped",
    idle_cages="written shut",
    discard_routes=True,
    drain=True,
    lldp_off=True,
    syslog_level=True,
    verbatim_lines=True,
    separate_priorities=True,
    max_strict_queues=1,
    strict_below_weighted=True,
    users_without_password=True,
    reasons=REASONS,
    sources=SOURCES,
)
"""What no release and no hardware that is known lacks."""


def capabilities(release: str | None, hardware: SwitchModel) -> Capabilities:
    """What NX-OS supports in this release, on this hardware. Without a release: in the newest one."""
    balancing = is_cloud_scale(hardware) and is_since(release, 10, 5, 1)
    return msgspec.structs.replace(
        ALWAYS,
        release=release,
        unnumbered_bgp=is_since(release, 9, 3, 6),
        flowlet_balancing=balancing,
        per_packet_balancing=balancing,
    )
