"""Which leaves name an entry of a list: the `key` of each list of Nokia's models.

Source: nokia/srlinux-yang-models v25.3.1, all lists of the configuration; `dynamic-load-balancing prefix`: v26.3.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from fabric.configuration.syntaxes.keyed_lines import Name
from fabric.configuration.syntaxes.quoting import said
from fabric.platforms.srlinux.names import bare

LISTS = """
acceptance-criteria-template=ac-template-name acl-filter=name,type address=ip-prefix|ipv4-address|ipv6-address
advertise=route-type afi-safi=afi-safi-name allowed-mac-address=mac area=area-id area-range=ip-prefix-mask
assignment=index association=association-id association-meps=mep-id avg-flr-event=direction bgp-instance=id
bin=bin-number bin-group=bin-group-name bin-type=bin-metric buffer=buffer-name channel=index
chli-event=direction classifier=type client-connection=prefix collector=collector-id control=slot
delay-event=direction destination=index|name diversity=association-name domain=domain-id dot1p=value
drop-probability=drop-probability dscp=value entry=id|sequence-id event=event-type evi=start
exclude-from-avg=direction exclude-mac=destination-mac exclude-protocols=protocol fabric=slot
facility=facility-name file=file-name filter=filter-name flexible-algorithm-definition=flex-algo-id
forwarding-class=fc|name frame-size-template=fs-template-name group=group|group-name|prefix|name
group-range=start,end|group-prefix|ip-prefix hli-event=direction hop=index host=mac input=id
instance=instance-index|instance-number|name
interface=ethernet-interface|interface-id|interface-name|subinterface|name interface-pool=index
ip-prefix=ip-prefix ipv4-static-host=ipv4-address,mac-address ipv4-subnet=ipv4-prefix
ipv6-static-host=ipv6-address,mac-address ipv6-subnet=ipv6-prefix key=index level=level-number license=id
linecard=slot local-prefix-sid=prefix-sid-index loss-events-template=loss-events-template-name
low-vlan-id=range-low-vlan-id mac=address management-address=subinterface map=forwarding-class match=prefix
mda=slot measurement-interval=mi-duration measurement-template=template-name mep=mep-id mid-pool=index
mid-pool-member=index ndk-label-block=application-name neighbor=ipv4-address|ipv6-address|peer-address
next-hop=l3-next-hop nexthop=index optical-channel=index path=explicit-path-name
peer=lsr-id,label-space-id|address|ip-address pfc-queue=pfc-queue-name pipeline=index
policer=policer-id|sequence-id|name policy=association-name|policy-id|policy-name|protection-policy-name|name
populate=route-type port=port-number port-ds-cfg-ip-list=port-index port-ds-interface-list=port-index
prefix=ip-prefix,mask-length-range|ip-prefix|ipv4-prefix|ipv6-prefix primary-evi-range=start-evi
profile=profile|name queue=queue-name|name receiver=gnss-id remote-server=host rendezvous-point=address
resilient-hash-prefix=ip-prefix role=rolename|name root-pool=index route=prefix
rule=path-reference|sequence-id scheduler=sequence|sequence-id scheduling-class=index
segment-list=segment-list-index server=address service-stream=stream-id service-test=test-name
session=session-name source=ip-prefix|source source-mac=source-mac static-entry=top-label,preference
static-fec=fec-prefix static-route=destination subinterface=id|index|name subscriber=subscriber-name
subsystem=subsystem-name summary-address=ip-prefix table=address-family
table-connection=source-protocol,destination-protocol,address-family target=id|remote-address
termination-subnet=ip-prefix track-interface=interface traffic-class=value type=type
unavailability-event=direction undetermined-availability-event=direction
undetermined-unavailability-event=direction user=username vlan-list=vlan-id vrrp-group=virtual-router-id
vxlan-interface=index|name wred-slope=traffic-type,drop-probability,enable-ecn|wred-profile
"""
"""The keys of each list that is not, or not everywhere, named by `name`; of several of one name those with more keys
first."""
DEFAULT = (("name",),)
KEYS = {
    name: tuple(tuple(key.split(",")) for key in keys.split("|"))
    for name, _, keys in (entry.partition("=") for entry in LISTS.split())
}


def entry_name(name: str, entry: Mapping[str, Any]) -> Name | None:
    """The keys of an entry of the list `name`, in words; None if it has not all of them."""
    for keys in KEYS.get(name, DEFAULT):
        first = entry.get(keys[0])
        if not isinstance(first, (str, int)):
            continue
        values = (first,) if len(keys) == 1 else tuple(entry.get(key) for key in keys)
        if all(isinstance(value, (str, int)) for value in values[1:]):
            return _named(keys, *values)
    return None


@lru_cache(maxsize=16384, typed=True)
def _named(keys: tuple[str, ...], *values: str | int) -> Name:
    """Most entries are of ports and queues, and the same on all switches."""
    return Name(" ".join(bare(said(value)) for value in values), keys)
