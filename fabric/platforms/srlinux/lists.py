"""Which leaves name an entry of a list: the `key` of each list of Nokia's models.

Source: nokia/srlinux-yang-models v25.3.1, all lists of the configuration; `dynamic-load-balancing prefix`: v26.3.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabric.configuration.keyed import Name, said
from fabric.platforms.srlinux.names import bare

LISTS = """
source-protocol destination-protocol address-family: table-connection
traffic-type drop-probability enable-ecn: wred-slope
ip-prefix mask-length-range: prefix
ipv4-address mac-address: ipv4-static-host
ipv6-address mac-address: ipv6-static-host
lsr-id label-space-id: peer
name type: acl-filter
start end: group-range
top-label preference: static-entry
ac-template-name: acceptance-criteria-template
address: mac peer rendezvous-point server
address-family: table
afi-safi-name: afi-safi
application-name: ndk-label-block
area-id: area
association-id: association
association-name: diversity policy
bin-group-name: bin-group
bin-metric: bin-type
bin-number: bin
buffer-name: buffer
collector-id: collector
destination: static-route
destination-mac: exclude-mac
direction: avg-flr-event chli-event delay-event exclude-from-avg hli-event unavailability-event
direction: undetermined-availability-event undetermined-unavailability-event
domain-id: domain
drop-probability: drop-probability
ethernet-interface: interface
event-type: event
explicit-path-name: path
facility-name: facility
fc: forwarding-class
fec-prefix: static-fec
file-name: file
filter-name: filter
flex-algo-id: flexible-algorithm-definition
forwarding-class: map
fs-template-name: frame-size-template
gnss-id: receiver
group: group
group-name: group
group-prefix: group-range
host: remote-server
id: bgp-instance entry input license subinterface target
index: assignment channel destination hop interface-pool key mid-pool mid-pool-member nexthop
index: optical-channel pipeline root-pool scheduling-class subinterface vxlan-interface
instance-index: instance
instance-number: instance
interface: track-interface
interface-id: interface
interface-name: interface
ip-address: peer
ip-prefix: address group-range ip-prefix prefix resilient-hash-prefix source summary-address termination-subnet
ip-prefix-mask: area-range
ipv4-address: address neighbor
ipv4-prefix: ipv4-subnet prefix
ipv6-address: address neighbor
ipv6-prefix: ipv6-subnet prefix
l3-next-hop: next-hop
level-number: level
loss-events-template-name: loss-events-template
mac: allowed-mac-address host
mep-id: association-meps mep
mi-duration: measurement-interval
path-reference: rule
peer-address: neighbor
pfc-queue-name: pfc-queue
policer-id: policer
policy-id: policy
policy-name: policy
port-index: port-ds-cfg-ip-list port-ds-interface-list
port-number: port
prefix: client-connection group match route
prefix-sid-index: local-prefix-sid
profile: profile
protection-policy-name: policy
protocol: exclude-protocols
queue-name: queue
range-low-vlan-id: low-vlan-id
remote-address: target
rolename: role
route-type: advertise populate
segment-list-index: segment-list
sequence: scheduler
sequence-id: entry policer rule scheduler
session-name: session
slot: control fabric linecard mda
source: source
source-mac: source-mac
start: evi
start-evi: primary-evi-range
stream-id: service-stream
subinterface: interface management-address
subscriber-name: subscriber
subsystem-name: subsystem
template-name: measurement-template
test-name: service-test
type: classifier type
username: user
value: dot1p dscp traffic-class
virtual-router-id: vrrp-group
vlan-id: vlan-list
wred-profile: wred-slope
name: destination forwarding-class group instance interface policer policy profile queue role subinterface
name: vxlan-interface
"""
"""Keys, and the lists that have these; every other list is named by `name`. Of lists of one name at several places
those with more keys stand first."""
DEFAULT = (("name",),)


def _keys() -> dict[str, tuple[tuple[str, ...], ...]]:
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for row in LISTS.strip().splitlines():
        keys, _, lists = row.partition(": ")
        for one in lists.split():
            found[one] = (*found.get(one, ()), tuple(keys.split()))
    return found


KEYS = _keys()


def entry_name(name: str, entry: Mapping[str, Any]) -> Name | None:
    """The keys of an entry of the list `name`, in words; None if it has not all of them."""
    for keys in KEYS.get(name, DEFAULT):
        first = entry.get(keys[0])
        if not isinstance(first, (str, int)):
            continue
        if len(keys) == 1:  # most lists
            return Name(bare(said(first)), keys)
        values = [entry.get(key) for key in keys]
        if all(isinstance(value, (str, int)) for value in values):
            return Name(" ".join(bare(said(value)) for value in values), keys)
    return None
