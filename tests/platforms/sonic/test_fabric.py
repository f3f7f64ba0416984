"""Whole fabrics of real FRR that run what frrcfgd and bgpcfgd make of our tables.

`split-unified` is held to the same beside the FRR platform: `tests/platforms/frr/test_fabric.py`.
"""

from __future__ import annotations

import json

import pytest

from fabric.platforms.base import split_parts
from tests.platforms.frr import sites
from tests.platforms.frr.lab import Lab, needed_lab
from tests.platforms.frr.test_fabric import (
    established,
    lonely,
    part_leaves,
    part_superspines,
    settles,
    unreachable,
    valleys,
)
from tests.platforms.sites import printed
from tests.platforms.sonic import bgpcfgd, frrcfgd

pytestmark = pytest.mark.live
BARE = sites.EIGHT.replace("    routing: {{bgp: {{password: env:BGP}}}}\n", "").replace(
    "{model}", "nvidia-sn5600"
)
FRRCFGD = BARE.replace("platform: {platform}", "platform: sonic, release: 202511-frrcfgd")
BGPCFGD = (
    BARE.replace("platform: {platform}", "platform: sonic, release: 202511-bgpcfgd")
    .replace(
        "addressing: {{family: {family}}}",
        "addressing: {{family: {family}, asn: {{policy: shared-spine}}, host_links: {{mode: vlan}}}}",
    )
    .replace("    tiers:\n", "    routing: {{bfd: none}}\n    tiers:\n")
)


@pytest.fixture(autouse=True)
def frr():
    """Skips without FRR, root and iproute2."""
    needed_lab()


def made_by(daemon, site):
    """The files of a site, frr.conf as the daemon makes it."""
    files = {}
    for name, switch in site.switches.items():
        tables = json.loads(split_parts(printed(switch))["config_db.json"])
        files[name] = site.files[name] | {"frr.conf": daemon.frr_conf(tables)}
    return files


@pytest.mark.parametrize("family", ["ipv4", "unnumbered"])
def test_eight_switches_agree_by_what_frrcfgd_makes_of_their_tables(family):
    site = sites.Site(FRRCFGD.format(family=family))
    with Lab(site.switches, made_by(frrcfgd, site), site.hosts) as lab:
        assert settles(lab, 4)
        assert [] == unreachable(lab)
        part_leaves(lab)
        part_superspines(lab)
        assert settles(lab, 4)
        assert lonely(lab, 4)
        assert [] == valleys(lab, 4)


def test_with_one_as_number_above_bgpcfgd_has_no_valleys_either():
    """What `modes` relies on where it lets bgpcfgd pass."""
    site = sites.Site(BGPCFGD.format(family="ipv4"))
    leaves = {name: str(site.switches[name].loopbacks[0]) for name in site.of_role("leaf")}
    with Lab(site.switches, made_by(bgpcfgd, site)) as lab:
        assert lab.wait(lambda: established(lab))
        for leaf in leaves:
            others = {loopback for name, loopback in leaves.items() if name != leaf}
            assert lab.wait(lambda leaf=leaf, others=others: others <= lab.routes(leaf, 4).keys())
        assert [] == valleys(lab, 4)
        part_leaves(lab)
        part_superspines(lab)
        assert lab.wait(lambda: established(lab))
        assert [] == valleys(lab, 4)
