"""Switches of the cases that NX-OS supports, compiled from intents."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from fabric.configuration import Line
from fabric.devices.model import Switch
from fabric.platforms.nxos.dialect import SYNTAX
from tests.platforms import cases
from tests.platforms.cases import Case, case, of
from tests.platforms.sites import KEY, network, services

CLOUD_SCALE = "cisco-n9332d-gx2b"
SLOW = network("tiers: {leaf: {up: {speed: 400G}}}")
"""Cages of the Cloud Scale model have 400G."""
SERVICES = services(f"""
management: {{dns: [192.0.2.53, 192.0.2.5], domain: dc1.example.net}}
ntp: {{servers: [192.0.2.30, 192.0.2.4, 192.0.2.20]}}
syslog: {{servers: [192.0.2.9, 192.0.2.10], level: warnings}}
tacacs: {{servers: [192.0.2.70, 192.0.2.71], secret: "env:TACACS"}}
users:
  netops: {{role: admin, ssh_keys: ["{KEY}"]}}
  viewer: {{password_secret: "env:VIEWER_HASH", ssh_keys: ["{KEY}"]}}
ssh: {{idle_timeout: 10min, allow: [198.51.100.0/24, 10.9.0.0/16]}}
gnmi: {{port: 50051}}
certificate: {{name: fabric}}
banner: "Authorised access only.\\n\\nEverything is logged."
""")


def balanced(mode: str) -> Case:
    """What Cloud Scale does by flow, with no policy that it would bypass."""
    return case(
        SLOW,
        cases.WITHOUT_POLICY,
        network(f"routing: {{load_balancing: {mode}, nics_reorder: true, hashing: {{seed: per_tier}}}}"),
        model=CLOUD_SCALE,
    )


REFUSED = {"dual ToR", "all services", "default vrf", "flowlets", "notifying watchdog"}
"""Of the cases of all products; `test_refusals.py` says why."""
INTENTS: dict[str, Case] = {
    **{name: one for name, one in cases.CASES.items() if name not in REFUSED},
    "tacacs": case(cases.TACACS, device=cases.SPINE),
    "per packet": balanced("per_packet"),
    "services": case(SERVICES),
}


@cache
def device(name: str) -> Switch:
    """The switch of a case."""
    return of("nxos", INTENTS[name])


CASES: dict[str, Callable[[], Switch]] = {name: (lambda name=name: device(name)) for name in INTENTS}


def lines_of(text: str) -> list[Line]:
    """The lines at the left margin of a text, with those below them."""
    return [line for piece in SYNTAX.pieces(text).values() for line in SYNTAX.lines(piece)]
