"""What Dell Enterprise SONiC supports, and who shows it."""

from __future__ import annotations

from fabric.hardware import SwitchModel
from fabric.platforms.data_sheet import DataSheet, in_releases, no, on_models, some, where, yes
from fabric.platforms.dellsonic.names import is_known

ANSIBLE = "https://github.com/ansible-collections/dellemc.enterprise_sonic 4.1, plugins/modules"
GUIDE = "SONiC management framework, Industry Standard CLI reference guide"
HEDGEHOG = "https://github.com/githedgehog/fabric @ 78827debafab, pkg/agent/dozer/bcm/README.plan.md"
SPYTEST = "https://github.com/sonic-net/sonic-mgmt, spytest/apis/qos"
DESIGN = "SONiC design, RDMA over Converged Ethernet (ROCEv2) support, rev 0.5"


def runs_it(hardware: SwitchModel) -> bool:
    """Whether the catalogue lists the model for it."""
    return any(software.name == "dellsonic" for software in hardware.software)


SHEET = DataSheet(
    unnumbered_bgp=yes(
        f"{HEDGEHOG}: neighbor interface, ipv6 enable; {ANSIBLE}/sonic_bgp_neighbors: extended-nexthop"
    ),
    ipv6_fabric=yes(f"{ANSIBLE}: sonic_l3_interfaces, sonic_bgp_neighbors_af, sonic_prefix_lists"),
    external_sessions=yes(f"{ANSIBLE}: sonic_bgp_neighbors, sonic_route_maps"),
    vlan_gateways=no("shown by the reference guide; not written here yet"),
    lacp_bundles=no("no public source shows PFC and schedulers on the members of a port channel"),
    dual_tor_lacp=no("MCLAG ties two switches by a peer link, which the fabric does not have between leaves"),
    dhcp_relay=no("shown by the reference guide for VLANs; not written here yet"),
    slaac=no("no public source shows what is advertised by default"),
    bfd=yes(f"{HEDGEHOG}: bfd profile; {GUIDE}: transmit-interval, receive-interval, detect-multiplier"),
    bgp_password=yes(f"{GUIDE}: peer-group, password; printed as base64 with `encrypted` ({ANSIBLE})"),
    ttl_security=yes(f"{ANSIBLE}/sonic_bgp_neighbors: ttl-security hops"),
    max_prefixes=yes(f"{GUIDE}: peer-group, address-family, maximum-prefix"),
    discard_routes=yes(f"{ANSIBLE}/sonic_static_routes: ip route PREFIX blackhole METRIC"),
    drain=yes(
        f"{ANSIBLE}/sonic_route_maps: match community, set community additive, set local-preference; RFC 8326"
    ),
    flowlet_balancing=no(
        "`ars object` is shown; how it is attached to routes stands in one secondary text alone",
        because="how `ars` objects are attached to routes is shown by no vendor's page",
    ),
    per_packet_balancing=no(
        "as flowlet_balancing",
        because="how `ars` objects are attached to routes is shown by no vendor's page",
    ),
    hash_fields=no(
        f"{ANSIBLE}/sonic_ecmp_load_share has fields; its defaults are not told, so none can be left out"
    ),
    hash_seed=yes(f"{ANSIBLE}/sonic_ecmp_load_share: ip load-share hash seed, 0 to 16777215"),
    queueing=yes(f"{GUIDE}: qos map, qos scheduler-policy, qos wred-policy; {ANSIBLE}/sonic_qos_interfaces"),
    pfc=yes(f"{ANSIBLE}/sonic_qos_interfaces: priority-flow-control priority"),
    separate_priorities=yes(
        f"{GUIDE}: qos map dscp-tc, tc-queue, tc-pg: the priority group of any class can be chosen"
    ),
    max_lossless_priorities=some(2, f"{ANSIBLE}/sonic_qos_interfaces: at most two"),
    headroom=some(
        "product-derived",
        f"{DESIGN}: by speed and `cable-length`, from {ANSIBLE}/sonic_qos_buffer: a pool for all ports",
    ),
    pause_threshold=some("product-derived", f"{DESIGN}: the profiles of `buffer init lossless`"),
    resume_threshold=some("product-derived", f"{DESIGN}: the profiles of `buffer init lossless`"),
    pfc_watchdog=yes(f"{ANSIBLE}/sonic_qos_interfaces, sonic_qos_pfc"),
    watchdog_actions=some(
        frozenset({"drop", "forward", "notify"}), f"{ANSIBLE}/sonic_qos_interfaces: drop, forward, alert"
    ),
    ecn=yes(
        f"{ANSIBLE}/sonic_qos_wred: 1000 to 12480000 bytes; {GUIDE}: green minimum-threshold, in units of 1000"
    ),
    max_strict_queues=some(8, f"{SPYTEST}/qos_shaper.py: the type of each queue"),
    strict_below_weighted=yes(f"{SPYTEST}/qos_shaper.py: the type of each queue"),
    strict_pfc=no("no public source shows a strict queue that is paused"),
    strict_ecn=no("no public source shows a strict queue with a curve"),
    max_rate=yes(
        f"{SPYTEST}/qos_shaper.py: queue N, pir in kb/s; {ANSIBLE}/sonic_qos_scheduler: up to 400 Gb/s"
    ),
    snmpv3=no(
        f"{GUIDE}: keys must be localized, 40 and 32 digits, which a secret is not",
        because="keys of SNMPv3 users must be given localized, and a secret is a passphrase",
    ),
    tacacs=no(
        f"{GUIDE}: tacacs-server host; how commands are accounted is shown by no source",
        because="no source shows how the commands of users are accounted",
    ),
    gnmi=no(
        "the command line of its port, VRF and certificate is shown by no source",
        because="no source shows the command line of gNMI's port, VRF and certificate",
    ),
    ssh_apart=no(
        f"{GUIDE}: `ssh-server vrf` adds a VRF; no source shows that the default one can be left out"
    ),
    idle_cages=some("written shut", f"{ANSIBLE}/sonic_interfaces: shutdown"),
    control_plane=some("as shipped", "as shipped: no public source tells its rates"),
    management_in_default_vrf=yes(f"{GUIDE}: `ip vrf mgmt` may be left out"),
    lldp_off=no(f"{GUIDE}: per port, `no lldp enable`; not written here yet"),
    syslog_level=no(f"{ANSIBLE}/sonic_logging has a severity; its command line is shown by no source"),
    known_release=where(
        in_releases(is_known),
        f"{ANSIBLE}: for releases from 4.4 on",
        because="sources show releases from 4.4 on",
        fix="write `4.4.0` or later, or leave `release` out",
    ),
    known_hardware=where(
        on_models(runs_it),
        "models that the catalogue lists for it",
        because="no source shows it on {switch.hardware.model}",
        fix="use a model that `docs/hardware.md` lists for it, or another platform",
    ),
    own_queue=no("no public source tells the queue of the switch's own packets"),
    host_port_guards=no("switched ports to hosts are not written here yet"),
    tagged_vlans=no("as vlan_gateways"),
    ssh_allow=no("no public source shows a list of who may use the SSH server"),
    users_without_password=no(f"{GUIDE}: username, password: every user has one"),
    verbatim_lines=no("which lines act beside ours is not researched yet"),
)

capabilities = SHEET.capabilities
