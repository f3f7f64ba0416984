"""What Junos says that ports do to packets: what class of service has bound to each of them.

Sources of the call and its elements: Juniper's own Perl client (`get_cos_interface_map_information`, which returns
`cos-interface-information`, for `show class-of-service interface`); its answer in Cisco's genieparser, recorded from
two devices (`interface-congestion-notification-map` `Disabled`, `scheduler-map-name` `<default>`, classifiers by
default with names in `-compatibility`). Which priorities pause, what marks and the shares, no public source shows as
XML.
"""

from __future__ import annotations

from lxml import etree

from fabric.platforms.device_state import PortQueues
from fabric.platforms.junos.session_rpc import text_of

CALL = "get-cos-interface-map-information"
SHOW = "`show class-of-service interface`"
REPORTS = {"has_pfc": SHOW, "trusts_dscp": SHOW, "is_scheduled": SHOW}
"""What ports tell of their queues, and where."""
OF_THE_PRODUCT = ("-compatibility", "-default")
"""Ends of the names of classifiers that nobody has configured."""


def port_queues(reply: etree._Element) -> dict[str, PortQueues]:
    """Every physical interface."""
    return {text_of(row, "interface-name"): _port(row) for row in reply.iter("interface-map")}


def _port(row: etree._Element) -> PortQueues:
    pauses, scheduler = (
        text_of(row, name) for name in ("interface-congestion-notification-map", "scheduler-map-name")
    )
    objects = list(row.iter("cos-objects"))
    return PortQueues(
        has_pfc=pauses.lower() != "disabled" if pauses else None,
        trusts_dscp=any(map(_classes, objects)) if objects else None,
        is_scheduled=scheduler != "<default>" if scheduler else None,
    )


def _classes(objects: etree._Element) -> bool:
    """Whether one of the objects that are bound is a classifier by DSCP of somebody's own."""
    sorts, names, kinds = (
        [(each.text or "").strip() for each in objects.iter(f"cos-object-{column}")]
        for column in ("type", "name", "subtype")
    )
    return any(
        sort == "Classifier" and kind == "dscp" and not name.endswith(OF_THE_PRODUCT)
        for sort, name, kind in zip(sorts, names, kinds, strict=False)
    )
