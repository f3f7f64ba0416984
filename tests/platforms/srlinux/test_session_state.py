"""What the driver makes of the shapes of Nokia's models (v25.3.1): numbers as text, modules before names, gaps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.platforms.device_state import BgpSession, PortState
from fabric.platforms.srlinux.session_commits import own_checkpoints, pending
from fabric.platforms.srlinux.session_state import (
    bgp_sessions,
    lldp_neighbors,
    plain,
    port_states,
    route_widths,
)


def neighbor(**more):
    return {
        "peer-address": "10.0.0.1",
        "peer-as": 65001,
        "session-state": "established",
        "timers": {"hold-time": 90, "negotiated-hold-time": 9},
        "afi-safi": [
            {
                "afi-safi-name": "srl_nokia-common:ipv4-unicast",
                "received-routes": 12,
                "active-routes": 3,
                "rejected-routes": 2,
            },
            {"afi-safi-name": "srl_nokia-common:evpn", "received-routes": 5},
        ],
        **more,
    }


def instances(*neighbors, name="default"):
    return plain(
        {
            "srl_nokia-network-instance:network-instance": [
                {"name": name, "protocols": {"srl_nokia-bgp:bgp": {"neighbor": list(neighbors)}}}
            ]
        }
    )


def test_accepted_are_those_that_no_policy_rejected_and_not_the_best_ones():
    expected = BgpSession(
        is_up=True, remote_asn=65001, hold_s=9.0, received={"ipv4": 12}, installed={"ipv4": 10}
    )

    assert {"10.0.0.1": expected} == bgp_sessions(instances(neighbor()), {})


def test_the_hold_time_of_a_session_that_is_down_is_not_known():
    (session,) = bgp_sessions(instances(neighbor(**{"session-state": "active"})), {}).values()

    assert (False, None) == (session.is_up, session.hold_s)


def test_an_unnumbered_neighbour_is_told_with_its_port():
    address = "fe80::1%ethernet-1/33.0"
    (key,) = bgp_sessions(instances(neighbor(**{"peer-address": address})), {})
    (session,) = bgp_sessions(instances(neighbor(**{"peer-address": address})), {}).values()

    assert ("fe80::1%ethernet-1/33", "ethernet-1/33") == (key, session.port)


@pytest.mark.parametrize(
    ("word", "is_up"), [("UP", True), ("DOWN", False), ("ADMIN_DOWN", False), ("INIT", False)]
)
def test_bfd_is_that_of_its_own_session(word, is_up):
    bfd = {"network-instance": [{"peer": [{"remote-address": "10.0.0.1", "session-state": word}]}]}
    (session,) = bgp_sessions(instances(neighbor()), bfd).values()

    assert is_up == session.bfd_is_up


def test_sessions_of_the_management_network_are_none_of_the_fabrics():
    assert {} == bgp_sessions(instances(neighbor(), name="mgmt"), {})


def test_a_port_with_everything():
    interface = {
        "name": "ethernet-1/5",
        "oper-state": "up",
        "mtu": 9232,
        "ethernet": {
            "port-speed": "400G",
            "forward-error-correction": {"operational-host-if-fec": "cl119-rs544"},
        },
        "statistics": {
            "in-octets": "18446744073709551615",
            "out-octets": "7",
            "in-error-packets": "1",
            "in-discarded-packets": "2",
            "out-discarded-packets": "3",
        },
    }
    qos = {
        "interface-id": "ethernet-1/5",
        "pfc": {"statistics": {"pfc-priority": [
            {"index": 3, "pfc-pause-frames-received": "4", "pfc-pause-frames-generated": "5"}
        ]}},
        "output": {"queues": {"queue": [
            {"queue-statistics": {"aggregate-statistics": {"ecn-marked-packets": "6"}}},
            {"queue-statistics": {"aggregate-statistics": {"ecn-marked-packets": "1"}}},
            {"queue-statistics": {"aggregate-statistics": {}}},
        ]}},
    }  # fmt: skip
    expected = PortState(
        is_up=True,
        speed_mbps=400_000,
        fec="cl119-rs544",
        mtu_bytes=9232,
        received_bytes=2**64 - 1,
        sent_bytes=7,
        errors=1,
        discards=5,
        pause_received={3: 4},
        pause_sent={3: 5},
        marked=7,
    )

    others = [{"name": "mgmt0", "oper-state": "up"}, {"name": "system0", "oper-state": "up"}]
    assert {"ethernet-1/5": expected} == port_states(
        {"interface": [interface, *others]}, {"interface": [qos]}
    )


def test_what_a_port_does_not_tell_is_not_known():
    bare = port_states({"interface": [{"name": "ethernet-1/5", "oper-state": "down"}]}, {})

    assert {"ethernet-1/5": PortState(is_up=False)} == bare


def test_a_routes_width_is_that_of_its_group_of_next_hops():
    def route(prefix, kind, group, *, active):
        return {"ipv4-prefix": prefix, "route-type": kind, "active": active, "next-hop-group": group}

    table = {
        "ipv4-unicast": {
            "route": [
                route("10.9.0.0/16", "srl_nokia-common:bgp", "5", active=True),
                route("10.8.0.0/16", "srl_nokia-common:bgp", "5", active=False),
                route("10.7.0.0/31", "srl_nokia-common:local", "6", active=True),
            ]
        },
        "ipv6-unicast": {
            "route": [
                {"ipv6-prefix": "fd00::/64", "route-type": "bgp", "active": True, "next-hop-group": "6"}
            ]
        },
        "next-hop-group": [
            {"index": "5", "next-hop": [{"id": 0}, {"id": 1}, {"id": 2}]},
            {"index": "6", "next-hop": [{"id": 0}]},
        ],
    }

    assert {"10.9.0.0/16": 3, "fd00::/64": 1} == route_widths(
        {"network-instance": [{"name": "default", "route-table": table}]}
    )


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *(
                        "network-instance",
                        "name",
                        "protocols",
                        "bgp",
                        "neighbor",
                        "peer-address",
                        "afi-safi",
                        "peer",
                    ),
                    *(
                        "interface",
                        "statistics",
                        "ethernet",
                        "pfc",
                        "pfc-priority",
                        "output",
                        "queues",
                        "queue",
                    ),
                    *(
                        "route-table",
                        "ipv4-unicast",
                        "route",
                        "next-hop-group",
                        "timers",
                        "id",
                        "status",
                        "started",
                    ),
                    *(
                        "comment",
                        "created",
                        "username",
                        "index",
                        "active",
                        "received-routes",
                        "afi-safi-name",
                    ),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@given(ANY, ANY)
def test_whatever_a_device_answers_is_read_without_a_crash(first, second):
    bgp_sessions(first, second)
    port_states(first, second)
    route_widths(first)
    lldp_neighbors(first)
    entries = first if isinstance(first, list) else [first]
    listed = [entry for entry in entries if isinstance(entry, dict)]
    own_checkpoints(listed)
    pending(listed, listed, None)
