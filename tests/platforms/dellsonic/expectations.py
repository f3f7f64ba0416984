"""What the laws over all platforms must know of Dell Enterprise SONiC."""

from __future__ import annotations

from tests.platforms.expectations import BYTES, NAMELESS, Section, SwitchExpectations
from tests.platforms.profiles import indented

EXPECTED = SwitchExpectations(
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
