"""How numbers of routing are computed: paths, prefixes, AS numbers, addresses, seeds, communities."""

from __future__ import annotations

from fabric.devices import bgp_limits
from fabric.provenance.derivations.case import Case, Deriver
from fabric.provenance.model import Derivation, Input


def max_paths(case: Case) -> Derivation | None:
    """The ECMP width, where it is not written."""
    if case.network.routing.max_paths != "auto" or case.device.widened_by is not None:
        return None
    sizes = case.compiled.topology.networks[case.names["network"]].sizes
    return Derivation(
        what="ECMP width",
        value=str(case.value),
        formula="the most equal paths at full capacity, rounded up to a power of two",
        inputs=(
            Input("uplinks of a leaf", str(sizes.leaf_uplinks)),
            Input("uplinks of a spine", str(sizes.spine_uplinks)),
            Input("links of a leaf and a spine", str(sizes.links_per_leaf_spine)),
        ),
    )


def max_prefixes(case: Case) -> Derivation | None:
    """The limit of prefixes of a session between switches."""
    context = next((c for c in case.compiled.devices.contexts if c.name == case.names["network"]), None)
    if context is None or case.network.routing.bgp.max_prefixes != "auto" or case.value is None:
        return None
    expected = bgp_limits.expected_prefixes(context)
    formula = (
        f"{bgp_limits.PREFIX_MARGIN} x expected prefixes, rounded up to a power of two, "
        f"at least {bgp_limits.LEAST_PREFIXES}"
    )
    inputs = (Input("expected at full capacity", str(expected)),)
    return Derivation(
        what="limit of prefixes",
        value=str(case.value),
        formula=formula,
        inputs=inputs,
        source="RFC 7454, 6.5",
    )


def as_number(case: Case) -> Derivation | None:
    """The AS number of the switch itself."""
    return _as_number(case, case.device.role, case.value)


def peer_as_number(case: Case) -> Derivation | None:
    """The AS number of a neighbour."""
    topology = case.compiled.topology.networks[case.names["network"]]
    if case.names["peer"] not in topology.names:
        return None
    node = list(topology.names).index(case.names["peer"])
    role = next((role.name.lower() for role in topology.role_start if node in topology.role_start[role]), "")
    return _as_number(case, role, case.value)


def _as_number(case: Case, role: str, number: int) -> Derivation | None:
    first = case.compiled.topology.networks[case.names["network"]].sizes.asn_bases.get(role)
    if first is None or number < first:
        return None
    policy = case.network.addressing.asn.policy
    return Derivation(
        what="AS number",
        value=str(number),
        formula=f"the first one of this tier + {number - first}; policy `{policy}`",
        inputs=(Input(f"first of {role}", str(first)),),
        source="RFC 6996, RFC 7938",
    )


def place_in_pool(what: str, key: str) -> Deriver:
    """How an address is taken from its pool."""

    def derive(case: Case) -> Derivation | None:
        first = case.value[0] if isinstance(case.value, tuple) and case.value else case.value
        version = getattr(first, "version", 4)
        name = key.format_map(case.names) if "{" in key else key
        pool = getattr(
            case.network.addressing, name if version == 4 or name.endswith("6") else f"{name}6", None
        )
        if not first or pool is None:
            return None
        offset = int(getattr(first, "value", 0)) - int(pool.network_address)
        if not 0 <= offset < pool.num_addresses:
            return None
        return Derivation(
            what=what,
            value=str(first),
            formula=f"address {offset:,} of the pool, by unit, rail, plane and position at full capacity",
            inputs=(Input("pool", str(pool)),),
        )

    return derive


def host_block(case: Case) -> Derivation | None:
    """The block of a leaf's hosts."""
    if not case.value:
        return None
    pool = case.network.addressing.host_pool
    text = ", ".join(str(getattr(prefix, "prefix", prefix)) for prefix in case.value)
    formula = (
        "the leaf's own block of the pool, by capacity"
        if case.place[-1] == "aggregates"
        else "prefixes of its ports"
    )
    return Derivation(
        what="prefixes of hosts", value=text, formula=formula, inputs=(Input("pool", str(pool)),)
    )


def hash_seed(case: Case) -> Derivation | None:
    """The seed of the hash."""
    seed = case.network.routing.hashing.seed
    words = {
        "per_tier": "the number of the tier",
        "per_device": "4 x number of the switch + number of the tier",
    }
    return Derivation(what="seed", value=str(case.value), formula=words[seed]) if seed in words else None


def constant(formula: str, source: str) -> Deriver:
    """A value that is the same on every device."""
    return lambda case: Derivation(
        what="community", value=":".join(map(str, case.value)), formula=formula, source=source
    )
