"""What the laws over all platforms must know of Dell Enterprise SONiC."""

from __future__ import annotations

from tests.platforms.expectations import BYTES, NAMELESS, Section, StaticRoute, SwitchExpectations
from tests.platforms.profiles import indented

EXPECTED = SwitchExpectations(
    management_route=StaticRoute(
        place="\\Z", written="ip route vrf mgmt 192.0.2.0/24 {route}\n", routes=("blackhole", "203.0.113.1")
    ),
    default_route=StaticRoute(
        place="\\Z", written="ip route 192.0.2.0/24 {route}\n", routes=("blackhole", "203.0.113.1")
    ),
    model="dell-z9864f",
    own_files={"notes": "what the product settles itself"},
    profiles=indented("qos scheduler-policy", "qos wred-policy"),
    dropped=r"(?m)^ip(?:v6)? route {} blackhole 250$",
    unmarked="set comm-list FROM-ABOVE delete",
    is_told_idle_timeout=False,
    not_said={
        "class.name": NAMELESS,
        "services.ssh": "no source tells the unit of its idle timeout, which FAB508 tells",
        "queueing.marking_depth_bytes": BYTES,
    },
    overrides={
        "ours": Section(
            programs=["reboot", "image install http://192.0.2.1/x.bin"], harm=["interface {port}\n shutdown"]
        ),
    },
)
