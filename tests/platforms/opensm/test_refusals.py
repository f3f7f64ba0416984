"""What OpenSM cannot hold or do is told with its place and a way out, before a file is written."""

from __future__ import annotations

import pytest

from tests.platforms.sites import Words, merged, read
from tests.platforms.subnets import (
    DRAGONFLY,
    FTREE,
    PLUS,
    SINGLE,
    TENANTED,
    TORUS,
    findings,
    hosts,
    infiniband,
    manager,
    switches,
    tenants,
    units,
)

IN_INFINIBAND = "networks.compute.infiniband"
INVENTED = """{{id: {0}, vendor: Nobody, model: {0}, technology: infiniband, asic: invented, bandwidth: {3},
cages: [{{cages: 1-32, form: OSFP, lanes: 2, lane_speed: {1}, max_speed: {2}, breakouts: [2x{1}], source: invented}}],
software: [{{name: opensm, source: invented}}], source: invented}}"""


def invented(speed: int) -> Words:
    """Switches of a speed that no switch of the catalogue has under OpenSM."""
    name = f"switch-{speed}"
    model = read(INVENTED.format(name, f"{speed}G", f"{2 * speed}G", f"{64 * speed}G"))
    return {f"hardware/{name}.yaml": model, **merged(hosts(f"{speed}G"), switches(name))}


def refused(*changes: Words) -> list[tuple[str, str, str, str | None]]:
    """Code, place, rule and hint of everything that OpenSM cannot do."""
    return [(d.code, str(d.origin), d.rule, d.hint) for d in findings(manager("opensm", *changes))]


def engine(name: str) -> Words:
    return infiniband(f"{{engine: {name}}}")


@pytest.mark.parametrize("changes", [(), (TENANTED,)], ids=["plain", "tenants"])
def test_a_subnet_that_opensm_can_manage_is_not_refused(changes):
    assert refused(*changes) == []


@pytest.mark.parametrize(
    ("word", "value"),
    [("adaptive_routing", "true"), ("sharp", "true"), ("enforce_cabling", "0123456789abcdef")],
)
def test_what_only_ufm_has_is_refused_and_goes_to_ufm(word, value):
    said = infiniband(f"{{{word}: '{value}'}}" if word == "enforce_cabling" else f"{{{word}: {value}}}")
    [(code, at, _rule, hint)] = refused(said)

    assert (code, at) == ("FAB503", f"{IN_INFINIBAND}.{word}")
    assert "UFM" in hint
    assert manager("ufm", said).subnet
    assert refused(said, infiniband(f"{{{word}: null}}")) == []


def test_xdr_is_refused_because_nobody_says_how_its_ports_look():
    [(code, _at, rule, hint)] = refused(invented(800))

    assert (code, "inner ports" in rule, "NDR" in hint) == ("FAB504", True, True)


@pytest.mark.parametrize("name", ["dor", "lash", "torus-2qos"])
def test_an_engine_that_no_tree_has_does_not_fit_a_single_switch_either(name):
    [(code, at, rule, hint)] = refused(SINGLE, engine(name))

    assert (code, at, name in rule, "auto" in hint) == ("FAB502", f"{IN_INFINIBAND}.engine", True, True)
    assert refused(SINGLE, engine("auto")) == []


def test_routes_from_a_file_are_nothing_that_we_make():
    [(code, at, _rule, hint)] = refused(engine("file"))

    assert (code, at, "auto" in hint) == ("FAB502", f"{IN_INFINIBAND}.engine", True)


FIT = {
    "tree": ((), ("auto", "ftree", "updn", "dnup", "minhop", "sssp", "nue", "dfsssp")),
    "one switch": ((SINGLE,), ("auto", "minhop", "sssp", "nue", "dfsssp")),
    "dragonfly+": ((PLUS,), ("auto", "updn", "dnup", "minhop", "sssp", "nue", "dfsssp")),
    "torus": ((TORUS,), ("auto", "torus-2qos", "lash", "nue")),
    "dragonfly": ((DRAGONFLY,), ("auto", "lash", "nue", "dfsssp")),
}


@pytest.mark.parametrize(
    ("shape", "name"), [(shape, name) for shape, (_, names) in FIT.items() for name in names]
)
def test_every_engine_that_was_seen_to_work_on_a_layout_is_let_through(shape, name):
    assert refused(*FIT[shape][0], engine(name)) == []


@pytest.mark.parametrize("name", ["ftree", "updn", "dnup"])
def test_an_engine_that_starts_at_roots_needs_some(name):
    [(code, _at, rule, hint)] = refused(SINGLE, engine(name))

    assert (code, "roots" in rule, "`minhop`" in hint) == ("FAB502", True, True)


def test_ftree_has_one_lid_for_each_port():
    """`ftree: cannot build lid matrices`, says OpenSM 3.3.23 with an LMC of 2; all other engines come up."""
    several = infiniband("{lmc: 2}")
    [(code, _at, rule, hint)] = refused(FTREE, several)

    assert (code, "LMC of 2 gives 4" in rule, "updn" in hint) == ("FAB502", True, True)
    assert refused(several, engine("updn")) == refused(several, engine("auto")) == refused(FTREE) == []


def test_ftree_needs_two_leaves():
    """`Failed to find leaf switches - topology is not fat-tree`, says OpenSM 3.3.23 of a single one."""
    [(code, _at, rule, hint)] = refused(units(1), FTREE)

    assert (code, "on one leaf" in rule, "minhop" in hint) == ("FAB502", True, True)
    assert refused(units(1), engine("minhop")) == refused(units(1), engine("auto")) == []


def test_the_rate_of_the_slowest_port_must_have_a_number():
    [(code, at, rule, hint)] = refused(invented(150))

    assert (code, at, "150 Gb/s" in rule) == ("FAB501", IN_INFINIBAND, True)
    assert hint.startswith("let the NICs have one of ")
    assert hint.endswith(", 400, 600 Gb/s")


def test_the_rate_of_a_partition_must_have_a_number():
    slow = {at: hint for _, at, _, hint in refused(invented(150), TENANTED)}
    written = tenants("red: {partition: {rate_limit_gbps: 120}}")
    less = [at for _, at, _, _ in refused(invented(150), TENANTED, written)]
    place = "tenants.red.partition.rate_limit_gbps"

    assert slow[place].endswith("112, 120")
    assert sorted(less) == sorted(slow.keys() - {place})


@pytest.mark.parametrize(("name", "fits"), [("x" * 31, True), ("x" * 32, False), ("default", False)])
def test_a_partition_is_called_by_31_characters(name, fits):
    found = refused(TENANTED, tenants(f'{name}: {{hosts: [h-0-3], partition: {{pkey: "0x1"}}}}'))

    assert [(code, at) for code, at, *_ in found] == (
        [] if fits else [("FAB500", f"tenants.{name}.partition")]
    )


def test_a_default_class_on_another_level_is_no_mistake():
    said = "{service_levels: {default: {service_level: 2, virtual_lane: 1}}}"

    assert refused(infiniband(said)) == []
