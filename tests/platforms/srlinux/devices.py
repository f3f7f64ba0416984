"""Switches of the cases that SR Linux can say, compiled from intents."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from fabric.devices.model import Switch
from tests.platforms import cases
from tests.platforms.cases import SERVICES, Case, case, of
from tests.platforms.sites import HASH, HASH256, Words, network, own_model, services

RELEASE, LATER = "25.3.1", "26.3.1"
"""That of the models at hand, and the first whose published models choose paths by load."""
TOMAHAWK, TRIDENT = "nokia-ixr-h5-64d", "Nokia 7220 IXR-D5"
REFUSED = {"dual ToR", "all services", "default vrf", "guarded"}
"""Of the cases of all products: bonds, certificates of clients, mgmt0 in the default VRF, GTSM."""
IN_VLANS = {"vlan gateway", "static gateway"}
"""Said of Trident only, and without queues."""
OWN_HASHES = f"{{role: admin, password_hash: {HASH}, password_hash_sha256: {HASH256}}}"
"""In both forms: sites with other products beside have these users too."""
OWN_USERS = services(f"users: {{admin: {OWN_HASHES}, linuxadmin: {OWN_HASHES}}}")


def renamed(model: str) -> Words:
    """The site's own model: the 64 cages under the name of another of Nokia's switches."""
    return own_model(TOMAHAWK, model=model)


def on_trident(one: Case) -> Case:
    """The same, without queues, on a switch with gateways of VLANs."""
    return Case((*one.words, cases.WITHOUT_POLICY, renamed(TRIDENT)), one.device, "mine")


def released(release: str) -> Words:
    """That release on leaves and spines."""
    return network(f'tiers: {{leaf: {{release: "{release}"}}, spine: {{release: "{release}"}}}}')


INTENTS: dict[str, Case] = {
    **{name: one for name, one in cases.CASES.items() if name not in REFUSED | IN_VLANS | {"flowlets"}},
    **{name: on_trident(cases.CASES[name]) for name in IN_VLANS},
    "all services": case(SERVICES, OWN_USERS, services("certificate: {client_ca: null}")),
    "hashed": case(network("routing: {hashing: {fields: [src_ip, dst_ip, src_port], seed: per_tier}}")),
    "released": case(released(RELEASE)),
}


def asked(*words: Words, base: str = "leaf") -> Switch:
    """The switch of a case, with what is changed."""
    return of("srlinux", INTENTS[base], *words)


@cache
def device(name: str) -> Switch:
    """The switch of a case."""
    return asked(base=name)


CASES: dict[str, Callable[[], Switch]] = {name: (lambda name=name: device(name)) for name in INTENTS}


def balanced(mode: str, release: str) -> Switch:
    """Both families, their paths chosen by load."""
    words = network(f"routing: {{load_balancing: {mode}, nics_reorder: true}}")
    return asked(released(release), words, base="dual stack")


DYNAMIC: dict[str, Callable[[], Switch]] = {
    mode: (lambda mode=mode: balanced(mode, LATER)) for mode in ("flowlet", "per_packet")
}
"""Cases for a release whose models are not at hand."""
