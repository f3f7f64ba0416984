"""What `fabric lint` says of credit loops before the first cable, against tables of the real OpenSM and `ibdmchk`."""

from __future__ import annotations

import pytest

from fabric import api
from fabric.diagnostics import Invalid
from tests.infiniband.simulator import DUMPS, Manager, Simulator, need_tools
from tests.infiniband.sites import SMALL_HARDWARE, compiled, routed_by
from tests.infiniband.test_layouts import checker
from tests.infiniband.test_layouts import site as layout
from tests.infiniband.verdicts import verdict

pytestmark = pytest.mark.live

TREE = """site: loops
units: 2
hosts: {{gpu: {{gpus: 2, per_unit: 4, nics: {{compute: {{count: 2, speed: 400G}}}}}}}}
networks:
  compute:
    technology: infiniband
    infiniband: {{engine: {engine}, keys: {{management_key: "env:MKEY", administration_key: "env:SAKEY"}}}}
    tiers:
      leaf: {{model: small-16, reserved_ports: 2, up: {{ports: 4}}, max_oversubscription: "3:2"}}
      spine: {{model: small-16, count: {spines}, reserved_ports: 2}}
attachments:
  sm-1: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{tier: leaf, unit: 0, rails: [0]}}}}
  sm-2: {{network: compute, kind: subnet_manager, links: 1, speed: 400G, to: {{tier: leaf, unit: 1, rails: [0]}}}}
{storage}
"""
STORAGE = "  nas: {{network: compute, kind: storage, links: {links}, speed: 400G, to: {{tier: spine}}}}"


def tree(engine: str, spines: int = 2, links: int = 0) -> str:
    storage = STORAGE.format(links=links) if links else ""
    return TREE.format(engine=engine, spines=spines, storage=storage)


TREES = {
    "a tree": (tree("minhop"), False, False),
    "storage on four spines": (tree("minhop", 4, 4), True, True),
    "storage twice on each spine": (tree("minhop", 2, 4), True, True),
    "storage once on each spine": (tree("minhop", 2, 2), True, False),
    "nobody on spines": (tree("updn"), False, False),
}
"""An intent, whether lint warns, and whether credits really wait in a circle: they may, where it warns."""
RINGS = {
    "a ring": "{kind: torus, dimensions: [6]}",
    "a torus": "{kind: torus, dimensions: [4, 4]}",
}


def routed(text, hardware, engine, folder):
    """Whether the real tables have a loop: by our audit, and by ibdmchk."""
    manager, files = compiled(text, hardware)["sm-1"]
    mine = routed_by(files, engine)
    with (
        Simulator(manager.subnet, folder) as simulator,
        Manager(simulator, manager, mine, DUMPS) as running,
    ):
        running.wait()
        found = verdict(manager.subnet, simulator, keys=False)
        return bool(found.routes.loops), "no credit loops found" not in checker(running)


@pytest.mark.parametrize("case", TREES)
def test_where_lint_is_silent_real_tables_have_no_credit_loop(case, tmp_path):
    need_tools()
    text, warns, loops = TREES[case]
    (tmp_path / "site.yaml").write_text(text)
    for name, model in SMALL_HARDWARE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(model)
    engine = "updn" if "updn" in text else "minhop"
    real = routed(text, SMALL_HARDWARE, engine, tmp_path / "run")

    assert warns == bool(api.lint(tmp_path, ["FAB1202"]).found)
    assert (loops, loops) == real
    assert warns or not loops


@pytest.mark.parametrize("ring", RINGS)
def test_minhop_is_refused_where_its_real_tables_have_a_credit_loop(ring, tmp_path):
    """Nothing but the engine is wrong: with another one the same site compiles, and its lanes part the circles."""
    need_tools()
    switches = {"a ring": 6, "a torus": 16}[ring]
    with pytest.raises(Invalid, match="minhop makes loops of credits") as refused:
        compiled(layout(RINGS[ring], switches, engine="minhop"))

    assert ["FAB434"] == [found.code for found in refused.value.diagnostics if found.is_error]
    assert (True, True) == routed(layout(RINGS[ring], switches), {}, "minhop", tmp_path)
