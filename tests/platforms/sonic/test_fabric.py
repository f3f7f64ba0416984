"""A whole fabric of real FRR that runs what frrcfgd makes of our tables. `split-unified` is held to the same beside
the FRR platform: `tests/platforms/frr/test_fabric.py`."""

from __future__ import annotations

import json

import pytest

from fabric.platforms.base import split_parts
from tests.conftest import needed
from tests.platforms.frr import sites
from tests.platforms.frr.lab import Lab, missing
from tests.platforms.frr.test_fabric import (
    lonely,
    part_leaves,
    part_superspines,
    settles,
    unreachable,
    valleys,
)
from tests.platforms.sonic.devices import printed
from tests.platforms.sonic.frrcfgd import frr_conf

MANAGED = (
    sites.EIGHT.replace("    routing: {{bgp: {{password: env:BGP}}}}\n", "")
    .replace("platform: {platform}", "platform: sonic, release: 202511-frrcfgd")
    .replace("{model}", "nvidia-sn5600")
)


@pytest.mark.live
@pytest.mark.parametrize("family", ["ipv4", "unnumbered"])
def test_eight_switches_agree_by_what_frrcfgd_makes_of_their_tables(family):
    what = missing()
    if what:
        needed(what)
    site = sites.Site(MANAGED.format(family=family))
    files = {}
    for name, switch in site.switches.items():
        tables = json.loads(split_parts(printed(switch))["config_db.json"])
        files[name] = site.files[name] | {"frr.conf": frr_conf(tables)}

    with Lab(site.switches, files, site.hosts) as lab:
        assert settles(lab, 4)
        assert [] == unreachable(lab)
        part_leaves(lab)
        part_superspines(lab)
        assert settles(lab, 4)
        assert lonely(lab, 4)
        assert [] == valleys(lab, 4)
