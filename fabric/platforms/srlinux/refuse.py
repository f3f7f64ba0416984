"""What a switch needs and SR Linux, by its capabilities, does not support: each an error with its fix."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.devices.model import Switch
from fabric.diagnostics import Origin, Report
from fabric.intent.model import Hashing
from fabric.platforms.attached import unattached
from fabric.platforms.base import Capabilities
from fabric.platforms.management import unmanaged
from fabric.platforms.srlinux import codes
from fabric.platforms.srlinux.capabilities import OLDEST_RELEASE, capabilities, is_too_old, is_xgs
from fabric.platforms.trimming import untrimmed
from fabric.platforms.unguarded import unguarded

Missing = Iterator[tuple[Origin, str, str]]
"""Place, feature and fix of what is needed and cannot be said."""


def refuse(switch: Switch, report: Report) -> None:
    """Refuse each thing that the switch needs and SR Linux cannot say."""
    if is_too_old(switch.release):
        rule = f"Nokia SR Linux {switch.release}: its trees are others than those of {_oldest()}, which are written"
        place = switch.origin.child("release")
        hint = f"upgrade the switch to {_oldest()} or newer, and write that release"
        report.add(
            codes.UNSUPPORTED.at(place, rule, value=switch.release, hint=hint, subjects=(switch.name,))
        )
        return
    can = capabilities(switch.release, switch.hardware)
    for origin, feature, hint in (
        *_routing(switch, can),
        *_instances(switch),
        *_hosts(switch, can),
        *_queues(switch, can),
        *untrimmed(switch, can),
        *unguarded(switch, can),
        *unmanaged(switch, can),
        *unattached(switch, can),
        *_times(switch),
    ):
        rule = f"Nokia SR Linux on {switch.hardware.model}: {feature}"
        report.add(codes.UNSUPPORTED.at(origin, rule, hint=hint, subjects=(switch.name,)))


def _oldest() -> str:
    return ".".join(map(str, OLDEST_RELEASE))


def _routing(switch: Switch, can: Capabilities) -> Missing:
    place = Origin(("networks", switch.network, "routing"))
    routing = switch.routing
    able = {"ecmp": True, "flowlet": can.flowlet_balancing, "per_packet": can.per_packet_balancing}
    if not able.get(routing.load_balancing):
        yield (
            place.child("load_balancing"),
            f"no {routing.load_balancing} load balancing: its models have it from 26.3 on, for 7220 IXR-H",
            "use `load_balancing: ecmp`, or name a `release` of 26.3 or newer",
        )
    unknown = sorted(set(routing.hashing.fields) - can.hash_fields)
    chosen = set(routing.hashing.fields) != set(Hashing().fields)
    if unknown and chosen:
        yield (
            place.child("hashing", "fields"),
            f"no hashing by {', '.join(unknown)} (srl_nokia-load-balancing, hash-options)",
            f"choose of {', '.join(sorted(can.hash_fields))}" if can.hash_fields else "leave `fields` out",
        )
    if routing.hash_seed is not None and not can.hash_seed:
        yield place.child("hashing", "seed"), "no hash seed can be chosen", "use `seed: product`"


def _instances(switch: Switch) -> Missing:
    if switch.management.vrf == "default":
        yield (
            Origin(("services", "management", "vrf")),
            "mgmt0 and its servers live in the network instance mgmt, not in the default one",
            "name a VRF, or leave `vrf` out; SR Linux calls its own mgmt",
        )
    for lines in switch.extra:
        yield (
            lines.origin,
            "a tree has no place for verbatim lines: two values of one leaf cannot stand side by side",
            "leave the override out, or say it in the intent",
        )


UNQUEUED = (
    "no queueing on ports of a VLAN: PFC maps the classes of untagged routed ports only (srl_nokia-qos, "
    "`unicast-mapping`), and no public source shows DSCP classes on bridged ones"
)


def _hosts(switch: Switch, can: Capabilities) -> Missing:
    place = Origin(("networks", switch.network, "addressing", "host_links"))
    hosts = any(not gateway.attachment for gateway in switch.gateways)
    if switch.has_bonds or any(gateway.arp_hosts for gateway in switch.gateways):
        yield (
            place.child("mode"),
            "no bonds over two independent leaves: its multihoming is EVPN",
            "use `mode: routed`: each NIC port has an address of its own",
        )
    elif hosts and not can.vlan_gateways:
        yield (
            place.child("mode"),
            "no VLAN gateways: no public source shows mac-vrf and irb on this model",
            "use `mode: routed`, or a 7220 IXR-D4 or D5",
        )
    elif hosts and switch.queueing is not None:
        yield place.child("mode"), UNQUEUED, "use `mode: routed`"
    for one in switch.gateways if can.vlan_gateways and switch.queueing is not None else ():
        if one.attachment:
            origin = Origin(("attachments", one.attachment, "vlan"))
            yield origin, UNQUEUED, "remove `vlan` and what belongs to it: routed links have queues"


def _queues(switch: Switch, can: Capabilities) -> Missing:
    if switch.queueing is None:
        return
    place = Origin(("classes",), f"policy:{switch.queueing.policy}")
    if not is_xgs(switch.hardware):
        yield (
            place,
            (
                "no queueing for DNX: it pauses in percent of a reserve of at most 262144 bytes a PFC queue "
                "(srl_nokia-qos, `qos-pfc-dnx`), and no public source shows how headroom is sized against it"
            ),
            "use a 7220 IXR model, or no policy",
        )
    elif not can.pfc and any(kind.priorities for kind in switch.queueing.profiles):
        yield (
            place,
            "no PFC: Nokia's manual names 7220 IXR-H4, H5, D4 and D5 for it",
            "make every class lossy, or use 7220 IXR-H4, H5, D4 or D5",
        )


def _times(switch: Switch) -> Missing:
    if int(switch.services.ssh.idle_timeout_ms) % 1000:
        yield (
            Origin(("services", "ssh", "idle_timeout")),
            "the idle timeout counts whole seconds",
            "write whole seconds",
        )
