"""Lines as published: what each form of the grammar was seen in. Placeholders of the publishers are kept.

AZL  https://github.com/microsoft/Azure_Local_Physical_Network_Config_Tool (`published/azure-local-tor.cfg`)
NAP  https://github.com/napalm-automation/napalm (`published/checkpoint.cfg`)
BAT  https://github.com/batfish/batfish, test configurations of `cisco_nxos`
CIS  `roce_enable.py` v0.30, Paresh Gupta, Cisco
GEN  https://github.com/CiscoTestAutomation/genielibs @ 3a76c6a3b2bf, conf/dlb/nxos/tests/test_dlb.py
INT  Cisco Nexus 9000 Series NX-OS Interfaces Configuration Guide 10.6(x), "Port Profiles"
"""

from __future__ import annotations

from pathlib import Path

from tests.configuration.dialects import said, tree

PUBLISHED = Path(__file__).parent / "published"
LINES: dict[str, str] = {
    "BAT": """
        hostname nxos_ntp
        feature bgp
        feature tacacs+
        tacacs-server host 192.0.2.2 key 7 xxxxxxxx
        aaa group server tacacs+ aaa_server_group1
        server 192.0.2.1
        use-vrf management
        aaa authentication login default group aaa_server_group1 local
        ntp server 192.0.2.3 use-vrf management key 12345 minpoll 10 maxpoll 10
        ntp server 192.0.2.4 prefer
        ntp source-interface mgmt0
        logging server 192.0.2.1 5 use-vrf default facility kern
        line vty
        exec-timeout 15
        access-class VTY_ACL in
        ip access-list VTY_ACL
        10 permit ip 10.0.0.0/8 any
        ip name-server 10.0.0.1 10.0.0.2
        service dhcp
        username xxxxxxx password 5 xxxxxxx role network-admin
        username xxxxxxxx role network-operator
        no switchport
        ipv6 dhcp relay address dead:beef::1
        router bgp 1
        address-family ipv4 unicast
        redistribute direct route-map DIR_MAP
        aggregate-address 3.1.0.0/16 summary-only
        template peer SPINE
        allowas-in 1
        send-community
        route-map match_metric out
        neighbor 1.1.1.1
        inherit peer SPINE
        remote-as 12121
        route-map match_metric permit 10
        set community 1:1
        ip prefix-list pl_test seq 3 permit 10.0.3.0/24
        ip prefix-list pl_range permit 10.10.0.0/16 ge 20 le 24
        ip prefix-list pl_range permit 10.10.0.0/16 eq 24
        ip community-list standard cl_seq seq 10 permit 10:10
    """,
    "CIS": """
        priority-flow-control watch-dog-interval on
        policy-map type network-qos qos_network
        class type network-qos c-8q-nq3
        mtu 9216
        pause pfc-cos 3
        class type network-qos c-8q-nq-default
        class-map type qos match-any CNP
        match dscp 48
        class-map type qos match-any ROCEv2
        match dscp 24-31
        policy-map type qos QOS_CLASSIFICATION
        class ROCEv2
        set qos-group 3
        class class-default
        set qos-group 0
        policy-map type queuing QOS_EGRESS_PORT
        class type queuing c-out-8q-q6
        bandwidth remaining percent 0
        class type queuing c-out-8q-q7
        priority level 1
        random-detect minimum-threshold 950 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
        priority-flow-control mode on
        service-policy type qos input QOS_CLASSIFICATION
        system qos
        service-policy type network-qos qos_network
    """,
    "GEN": """
        hardware profile dlb
        dlb-interface Ethernet1/1,Ethernet1/2
        mode policy-driven per-packet
    """,
    "CIU": """
        neighbor Ethernet1/1
        remote-as 65001
        address-family ipv4 unicast
        address-family ipv6 unicast
        ipv6 address use-link-local-only
        ip forward
    """,
    "IRN": """
        no switchport
        ipv6 address use-link-local-only
        ip forward
        no ipv6 nd suppress-ra
        neighbor Ethernet1/1
    """,
    "PUB": """
        shape min 0 mbps max 100 mbps
        feature grpc
        grpc port 50051
        grpc use-vrf management
        username netx password 5 !  role network-operator
        username netx password 5 $5$Yw0w8GI3$Rh2oBoUrsAgV4  role network-admin
        username vagrant sshkey ssh-rsa AAAAB3NzaC1yc2EAAAABIwAAAQEA6NF8 vagrant
        ipv6 link-local use-bia
        neighbor Ethernet1/15
        inherit peer ebgp-peer-template-node
    """,
    "INT": "interface breakout module 1 port 1 map 400g-2x",
}


def lines(source: str) -> list[str]:
    """Every line of a source, without indentation."""
    files = {"AZL": "azure-local-tor.cfg", "NAP": "checkpoint.cfg"}
    if source in files:
        text = (PUBLISHED / files[source]).read_text()
        return [path[-1] for path in said(tree("nxos", text).values())]
    return [line.strip() for line in LINES[source].splitlines() if line.strip()]


NOT_SEEN: dict[str, str] = {
    "ip load-sharing address source-destination port source-destination universal-id 1": "seen without the seed (AZL); "
    "the seed with other modes in the NX-API REST reference, Configuring ECMP Load Balancing",
    "ttl-security hops 1": "parsed and written by Ansible's cisco.nxos: bgp_templates, bgp_global",
    "mode per-packet": "seen as `mode policy-driven per-packet`; Unicast Routing guide 10.5, Dynamic Load Balancing",
    "tacacs-server host 192.0.2.1 key 0 <secret:env:K>": "seen with `key 7`; 0 says that it is in clear",
    "aaa group server tacacs+ TACACS": "seen with another name (BAT)",
    "source-interface mgmt0": "seen with an interface to be filled in (AZL)",
    "aaa authentication login default group TACACS": "seen with another name (AZL, BAT)",
    "aaa accounting default group TACACS": "seen with another name (AZL, BAT)",
    "ntp server 192.0.2.1 use-vrf management": "seen with more words behind (BAT)",
    "logging server 192.0.2.1 5 use-vrf management": "seen with more words behind (BAT)",
    "spanning-tree bpduguard enable": "Layer 2 Switching guide, STP extensions; public templates of the 93108",
    "storm-control broadcast level 1": "CiscoDevNet/NX-SDK, storm.py, README; Security guide, Traffic Storm Control",
    "ipv6 dhcp relay": "seen for IPv4 (AZL); Security guide, DHCPv6 relay",
    "bfd interval 300 min_rx 300 multiplier 3": "Interfaces guide, BFD; parsed by Ansible's cisco.nxos",
    "10 permit tcp 192.0.2.0/24 any eq 22": "seen for all of IP (BAT); parsed by cisco.nxos: acls",
    "ipv6 access-list SSH-ALLOW-V6": "parsed by cisco.nxos: acls",
    "10 deny ipv6 any any": "parsed by cisco.nxos: acls",
    "ip domain-name example.net": "parsed by cisco.nxos: vrf_global",
    "ipv6 route ::/0 2001:db8::1": "parsed by cisco.nxos: static_routes",
    "ip route 10.0.0.0/10 Null0 250": "a rule of Batfish's grammar: CiscoNxos_static.g4",
    "ipv6 route fd00::/32 Null0 250": "a rule of Batfish's grammar: CiscoNxos_static.g4",
    "ipv6 prefix-list P seq 10 permit fd00::/32 le 127": "seen for IPv4 (BAT); parsed by cisco.nxos: prefix_lists",
    "match ip address prefix-list P": "parsed by cisco.nxos: route_maps",
    "match community C": "parsed by cisco.nxos: route_maps",
    "set community 64999:1 additive": "seen without `additive` (BAT); parsed by cisco.nxos: route_maps",
    "set local-preference 0": "parsed by cisco.nxos: route_maps",
    "set comm-list C delete": "a rule of Batfish's grammar: cisco_nxos, rms_comm_list",
    "maximum-prefix 100": "parsed by cisco.nxos: bgp_neighbor_address_family",
    "grpc certificate fabric": "ironcore-dev network operator, bootstrap of a Nexus: `grpc certificate device`",
    "timers 3 9": "parsed by cisco.nxos: bgp_templates",
    "bfd": "parsed by cisco.nxos: bgp_templates",
    "password 0 <secret:env:BGP>": "parsed by cisco.nxos: bgp_templates",
    "disable-peer-as-check": "parsed by cisco.nxos: bgp_neighbor_address_family",
    "ipv6 address fd00::1/64": "parsed by cisco.nxos: l3_interfaces",
    "ip dhcp relay address 10.9.9.9": "seen for IPv6 (BAT); Security guide, DHCP relay",
}
"""Lines of ours in whose form no published line was seen word by word, and what stands for each. Not verified on a
switch, as all lines are."""
