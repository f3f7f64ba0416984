"""`show class-of-service interface` as Cisco's genieparser has recorded it, in the elements of its names."""

from __future__ import annotations

from lxml import etree

from fabric.platforms.device_state import PortQueues
from fabric.platforms.junos.session_queues import port_queues

HEAD = """<interface-name>xe-0/1/7</interface-name><interface-index>184</interface-index>
<interface-queues-supported>8</interface-queues-supported><interface-queues-in-use>4</interface-queues-in-use>
<scheduler-map-name>&lt;default&gt;</scheduler-map-name><scheduler-map-index>2</scheduler-map-index>
<interface-congestion-notification-map>Disabled</interface-congestion-notification-map>"""
USUAL = """<i-logical-map><i-logical-name>xe-0/1/7.0</i-logical-name><i-logical-index>430</i-logical-index><cos-objects>
<cos-object-type>Classifier</cos-object-type><cos-object-name>dscp-ipv6-compatibility</cos-object-name>
<cos-object-subtype>dscp-ipv6</cos-object-subtype><cos-object-index>9</cos-object-index>
<cos-object-type>Classifier</cos-object-type><cos-object-name>ipprec-compatibility</cos-object-name>
<cos-object-subtype>ip</cos-object-subtype><cos-object-index>13</cos-object-index>
</cos-objects></i-logical-map>"""


def queues_of(row: str) -> PortQueues:
    reply = etree.fromstring(
        f"<r><cos-interface-information><interface-map>{row}</interface-map></cos-interface-information></r>"
    )
    return port_queues(reply)["xe-0/1/7"]


def test_a_port_that_nobody_has_configured_pauses_nothing_and_has_the_products_own_classes_and_shares():
    assert PortQueues(has_pfc=False, trusts_dscp=False, is_scheduled=False) == queues_of(HEAD + USUAL)


def test_a_classifier_of_ours_is_one_that_counts():
    ours = USUAL.replace("dscp-ipv6-compatibility", "FABRIC").replace(">dscp-ipv6<", ">dscp<")

    assert queues_of(HEAD + ours).trusts_dscp


def test_what_is_not_said_is_not_known():
    assert PortQueues() == queues_of("<interface-name>xe-0/1/7</interface-name>")
