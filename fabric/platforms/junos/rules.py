"""The statements that the reader knows: a pattern of the whole statement, and what it says."""

from __future__ import annotations

DROPS = r".*-of-(\d+)"
"""A drop profile whose name says the depth of the queue, in bytes."""

_PORT = r"(et-\S+|lo0|re0:mgmt-0)"

PATTERNS: tuple[tuple[str, str], ...] = (
    (r"system host-name (\S+)", "hostname"),
    (r"system management-instance", "instance"),
    (r"system (login user) (\S+ class \S+)", "service"),
    (r"system (login user) (\S+) authentication encrypted-password .*", ""),
    (r"system (login user) (\S+ authentication ssh-\S+ .*)", "service"),
    (r"system (login) ((?:class|message) .*)", "service"),
    (r"system (tacplus-server) (\S+ routing-instance \S+)", "service"),
    (r"system tacplus-server \S+ secret .*", ""),
    (r"system (services) (ssh root-login \S+|netconf ssh|extension-service .*)", "service"),
    (r"system (syslog) (host .*)", "service"),
    (r"system (ntp) (server .*)", "service"),
    (r"system (name-server) (.*)", "service"),
    (r"system (accounting) (.*)", "service"),
    (r"system (authentication-order|domain-name) (.*)", "service"),
    (
        r"snmp v3 usm local-engine user (\S+) authentication-(\S+) authentication-(?:password|key) .*",
        "watcher",
    ),
    (r"snmp v3 usm local-engine user (\S+) privacy-(\S+) privacy-(?:password|key) .*", "watcher"),
    (r"(snmp) (location .*|contact .*|v3 .*|view .*|routing-instance-access)", "service"),
    (r"chassis maximum-ecmp (\d+)", "max_paths"),
    (rf"interfaces {_PORT} description (.*)", "description"),
    (rf"interfaces {_PORT} disable", "disable"),
    (rf"interfaces {_PORT} speed (\S+)", "speed"),
    (rf"interfaces {_PORT} unit 0 family inet6? address (\S+)", "address"),
    (rf"interfaces {_PORT} unit 0 family (inet6?) mtu (\d+)", "family"),
    (rf"interfaces {_PORT} unit 0 family ethernet-switching vlan members V(\d+)", "vlan"),
    (rf"interfaces {_PORT} unit 0 family ethernet-switching interface-mode trunk", "trunk"),
    (r"interfaces (irb unit \d+) family inet6? address (\S+)", "address"),
    (r"interfaces (irb unit \d+) family inet6? mtu (\d+)", "mtu"),
    (r"(vlans) (\S+ (?:vlan-id|l3-interface) \S+)", "service"),
    (r"(forwarding-options) ((?:enhanced-hash-key|dhcp-relay|storm-control-profiles) .*)", "service"),
    (r"(protocols) ((?:layer2-control|bgp graceful-shutdown|bgp graceful-restart) .*)", "service"),
    (r"(chassis) (fpc \d+ traffic-manager buffer-monitor-enable)", "service"),
    (r"(interfaces) (\S+ unit 0 family ethernet-switching storm-control \S+)", "service"),
    (r"(firewall) (family inet6? filter .*)", "service"),
    (r"(interfaces) ((?:lo0|re0:mgmt-0) unit 0 family inet6? filter input \S+)", "service"),
    (r"policy-options as-list (\S+) members (\d+)", "members"),
    (r"policy-options community (\S+) (members .*)", "policy"),
    (r"policy-options policy-statement (\S+) (.*)", "policy"),
    (
        (
            r"class-of-service classifiers dscp \S+ forwarding-class (\S+) loss-priority low code-points "
            r"(?:\[ )?([01]{6}(?: [01]{6})*)(?: \])?"
        ),
        "points",
    ),
    (r"class-of-service drop-profiles (\S+) interpolate fill-level \[ (\d+) (\d+) \]", "fill"),
    (r"class-of-service drop-profiles (\S+) interpolate drop-probability \[ \d+ (\d+) \]", "chance"),
    (
        r"class-of-service forwarding-classes class (\S+) queue-num (\d+)(?: no-loss pfc-priority (\d+))?",
        "queue",
    ),
    (
        (
            r"class-of-service congestion-notification-profile (\S+) pfc-watchdog"
            r"(?: (poll-interval|detection|recovery) (\d+))?"
        ),
        "watchdog",
    ),
    (
        r"class-of-service congestion-notification-profile (\S+) pfc-watchdog (watchdog-action) (\S+)",
        "watchdog",
    ),
    (r"class-of-service interfaces (\S+) scheduler-map (\S+)", "queueing"),
    (r"class-of-service scheduler-maps (\S+) forwarding-class (\S+) scheduler (\S+)", "map"),
    (r"class-of-service schedulers (\S+) transmit-rate percent (\d+)", "rate"),
    (r"class-of-service schedulers (\S+) shaping-rate percent (\d+)", "max_rate"),
    (r"class-of-service schedulers (\S+) priority strict-high", "strict"),
    (
        r"class-of-service schedulers (\S+) drop-profile-map loss-priority any protocol any drop-profile (\S+)",
        "drop",
    ),
    (r"(class-of-service) ((?:shared-buffer|dedicated-buffer|host-outbound-traffic) .*)", "service"),
    (r"class-of-service (congestion-notification-profile) (\S+ (?:input|output) .*)", "service"),
    (r"routing-options router-id (\S+)", "router_id"),
    (r"routing-options autonomous-system (\d+)", "asn"),
    (r"routing-options autonomous-system (\d+) loops (\d+)", "loops"),
    (r"(routing-options) ((?:rib \S+ )?(?:aggregate|static) .*|forwarding-table .*)", "service"),
    (r"(routing-instances) (.*)", "service"),
    (r"protocols bgp group (\S+) neighbor (\S+) peer-as (\d+)", "neighbor"),
    (
        r"protocols bgp group (\S+) (neighbor \S+ (?:local-address|import|export|family|hold-time) .*)",
        "setting",
    ),
    (r"protocols bgp group (\S+) authentication-key .*", "key"),
    (r"protocols bgp group (\S+) dynamic-neighbor \S+ authentication-key .*", "key"),
    (r"protocols bgp group (\S+) dynamic-neighbor \S+ peer-auto-discovery interface (\S+)\.0", "over"),
    (r"protocols bgp group (\S+) peer-as-list (\S+)", "as_list"),
    (r"protocols bgp group (\S+) family inet6? unicast prefix-limit maximum (\d+)", "limit"),
    (
        r"protocols bgp group (\S+) (type external|shutdown|advertise-peer-as|hold-time \d+|family inet6? .*)",
        "setting",
    ),
    (
        r"protocols bgp group (\S+) (import \S+|export \S+|multipath multiple-as|bfd-liveness-detection .*)",
        "setting",
    ),
    (r"protocols (lldp) (.*)", "service"),
    (r"protocols (router-advertisement) (.*)", "service"),
)
"""Pattern and handler; the first word is plain text."""

SILENT: tuple[str, ...] = (
    r"version \S+",
    r"system login user \S+ uid \d+",
    r"system root-authentication encrypted-password .*",
    rf"interfaces (?:{_PORT}|irb) (?:mtu|number-of-sub-ports) \d+",
    r"interfaces \S+ unit 0 family ethernet-switching interface-mode access",
    r"class-of-service schedulers \S+ (?:priority low|explicit-congestion-notification)",
    r"class-of-service interfaces \S+ (?:congestion-notification-profile \S+|unit \S+ classifiers dscp \S+)",
    r"protocols bgp log-updown",
    r"protocols bgp group \S+ neighbor \S+ description .*",
    r"protocols bgp group \S+ dynamic-neighbor \S+ peer-auto-discovery family inet6 ipv6-nd",
    r"interfaces \S+ unit 0",
)
"""Statements that say nothing that we keep, or say again what others say."""
