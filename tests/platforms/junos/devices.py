"""Switches of the cases that Junos Evolved supports, compiled from intents."""

from __future__ import annotations

from functools import cache

from fabric.devices.model import Switch
from tests.platforms import cases
from tests.platforms.cases import Case, addressing, case, of
from tests.platforms.sites import LEAF, SPINE, Words, network, override, services

PASSWORD = network("routing: {bgp: {password: 'env:BGP'}}")
ONE_LIST = services("ssh: {allow: [198.51.100.0/24]}")
"""Who may use SSH may use gNMI: one filter holds both."""
OVERRIDE = override(f"[{{device: {LEAF}, extra: {{rstp: 'protocols {{ rstp {{ disable; }} }}'}}}}]")

REFUSED = {"all services", "dual ToR", "guarded", "notifying watchdog"}
"""Of the cases of all products; `test_refusals.py` says why."""
INTENTS: dict[str, Case] = {name: one for name, one in cases.CASES.items() if name not in REFUSED} | {
    "all services": case(cases.SERVICES, ONE_LIST),
    "gateways": case(
        addressing("host_family: dual, host_links: {mode: vlan}"), services("management: {vrf: default}")
    ),
    "override": case(OVERRIDE),
    "per packet": case(network("routing: {load_balancing: per_packet, nics_reorder: true}")),
    "protected": case(addressing("family: unnumbered, host_family: dual"), PASSWORD),
    "same numbers": case(addressing("asn: {policy: shared-spine}"), device=SPINE),
}


def changed(name: str, *words: Words, model: str | None = None) -> Switch:
    """The switch of a case, with what else is changed."""
    one = INTENTS[name]
    return of("junos", Case(one.words, one.device, model or one.model), *words)


@cache
def device_of(name: str) -> Switch:
    """The switch of a case."""
    return changed(name)
