"""Leaf AS numbers used again in every pod, in real FRR: FRR's own file, and the part of SONiC's that FRR reads."""

from __future__ import annotations

import re

import pytest

from tests.platforms.everywhere import MODELS
from tests.platforms.frr import sites
from tests.platforms.frr.lab import Lab, needed_lab

pytestmark = pytest.mark.live
FOUR = """
site: frr-lab
units: 2
hosts:
  gpu: {{per_unit: 1, gpus: 1, nics: {{compute: {{count: 1, speed: 400G}}}}}}
networks:
  compute:
    rails: {{leaves: 1}}
    pods: {{units: 1}}
    addressing: {{asn: {{leaf_numbers: per_pod}}}}
    tiers:
      leaf: {{model: {model}, platform: {platform}}}
      spine: {{model: {model}, platform: {platform}, count: 1}}
      superspine: {{model: {model}, platform: {platform}, count: 1, groups: 1}}
    lossless: null
services: {{lldp: false}}
"""
"""Two pods of a leaf and a spine below a superspine: both leaves have one AS number."""
PRODUCTS = ("frr", "sonic")


def learned(product, change=lambda text: text):
    """Whether each of the two leaves has a route to the other's loopback in the end."""
    site = sites.Site(FOUR.format(platform=product, model=MODELS[product]))
    one, other = site.of_role("leaf")
    target = str(site.switches[other].loopbacks[0])
    assert site.switches[one].routing.asn == site.switches[other].routing.asn
    files = {name: of | {"frr.conf": change(of["frr.conf"])} for name, of in site.files.items()}
    with Lab(site.switches, files) as lab:
        up = [
            lab.wait(lambda name=name: set(lab.sessions(name).values()) == {"Established"}) for name in files
        ]
        assert all(up)
        return lab.wait(lambda: target in lab.routes(one, 4), limit_s=10)


@pytest.mark.parametrize("product", PRODUCTS)
def test_leaves_with_one_number_reach_each_other(product):
    needed_lab()

    assert learned(product)


def test_without_the_rule_they_do_not():
    needed_lab()

    assert not learned("sonic", lambda text: re.sub(r"(?m)^ +neighbor \S+ allowas-in.*\n", "", text))
