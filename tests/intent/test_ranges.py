"""Values that break devices or sessions are refused where they stand, and the bound itself is taken."""

from __future__ import annotations

import pytest
import yaml

from fabric.documents import InvalidDocument
from fabric.intent.load import load_text

SITE = """\
site: lab
units: 2
hosts: {gpu: {per_unit: 4, nics: {compute: {count: 8, speed: 400G}}}}
networks:
  compute:
    tiers: {leaf: {model: arista-7060x6-64pe, reserved_ports: 1}, spine: {model: arista-7060x6-64pe}}
attachments:
  border: {network: compute, kind: router, links: 1, speed: 400G, bgp: {asn: 64999, prefixes: [0.0.0.0/0]}}
services: {management: {gateway: 192.0.2.1}}
"""
INVENTORY = {"devices": {"leaf-0-0": {"address": "192.0.2.10/24"}}}

BGP, BFD = "networks.compute.routing.bgp", "networks.compute.routing.bfd"
BOUNDS = [
    (f"{BGP}.hold", ("3s", "65535s", "9s"), ("2999ms", "65536s", "0s", "9500ms", "1100min")),
    (f"{BGP}.keepalive", ("1s", "3s"), ("999ms", "0ms", "1500ms", "21846s")),
    (f"{BFD}.interval", ("50ms", "60s"), ("1ms", "49ms", "600s", "0ms")),
    ("networks.compute.cables.host_leaf.length", ("1m", "7m"), ("8m", "100m")),
    ("attachments.border.bgp.asn", (64999, 65534, 4294967294, 1), (23456, 65535)),
    ("overrides", ([{"device": "leaf-0-0", "asn": 64999}],), ([{"device": "leaf-0-0", "asn": 65535}],)),
    *(
        (f"services.{service}", (["192.0.2.5"], ["2001:db8::5"]), (["224.0.0.1"], ["127.0.0.1"], ["0.0.0.0"], ["::1"]))  # noqa: S104
        for service in ("ntp.servers", "syslog.servers", "management.dns")
    ),
    ("networks.compute.addressing.host_pool", ("10.0.0.0/16",), ("224.0.0.0/8", "127.0.0.0/8", "240.0.0.0/8")),
    ("networks.compute.addressing.fabric_pool6", ("fd00:7::/48",), ("ff00::/16",)),
    (
        "inventory.devices.leaf-0-0.address",
        ("192.0.2.10/24", "192.0.2.254/24"),
        ("192.0.2.0/24", "192.0.2.255/24", "192.0.2.1/24", "198.51.100.7/24", "224.0.0.9/24", "127.0.0.1/8"),
    ),
]  # fmt: skip
CASES = [(path, value, True) for path, right, _ in BOUNDS for value in right] + [
    (path, value, False) for path, _, wrong in BOUNDS for value in wrong
]


def site_with(path, value):
    """The files of a site with one value set."""
    document, inventory = yaml.safe_load(SITE), yaml.safe_load(yaml.safe_dump(INVENTORY))
    document["networks"]["compute"]["cables"] = {"host_leaf": {"length": "3m", "kind": "dac"}}
    document["networks"]["compute"]["routing"] = {
        "bgp": {"hold": "9s" if "keepalive" not in path else "65535s"}
    }
    if path.endswith(".hold"):
        document["networks"]["compute"]["routing"]["bgp"]["keepalive"] = "1s"
    node = inventory if path.startswith("inventory.") else document
    *steps, last = path.removeprefix("inventory.").split(".")
    for step in steps:
        node = node.setdefault(step, {})
    node[last] = value
    return {"site.yaml": yaml.safe_dump(document), "inventory.yaml": yaml.safe_dump(inventory)}


@pytest.mark.parametrize(("path", "value", "is_right"), CASES)
def test_a_value_is_taken_up_to_its_bounds_and_not_beyond(path, value, is_right):
    try:
        load_text(site_with(path, value))
        found = []
    except InvalidDocument as error:
        found = [d for d in error.diagnostics if d.is_error]

    assert is_right == (found == []), [d.rule for d in found]
    assert is_right or "FAB130" in {d.code for d in found}


HASHES = {
    "password_hash": ("$6$abcdefgh$" + "a" * 86, "$6$rounds=5000$abcdefgh$" + "a" * 86),
    "password_hash_sha256": ("$5$abcdefgh$" + "a" * 43,),
}


@pytest.mark.parametrize("key", HASHES)
def test_a_hash_is_taken_whole_or_not_at_all(key):
    def found(hashed):
        document = yaml.safe_load(SITE)
        document["services"]["users"] = {"ann": {"role": "admin", key: hashed}}
        try:
            load_text({"site.yaml": yaml.safe_dump(document)})
        except InvalidDocument as error:
            return {finding.code for finding in error.diagnostics}
        return set()

    for right in HASHES[key]:
        assert found(right) == set()
        for wrong in (
            right[:-1],
            right + "a",
            right.replace("abcdefgh", ""),
            right.replace("$a", "$:"),
            f"{right}\n",
        ):
            assert found(wrong) == {"FAB027"}, wrong


@pytest.mark.parametrize("interval_ms", [50, 300, 899, 900, 3000, 60_000])
@pytest.mark.parametrize("multiplier", [3, 10, 50])
@pytest.mark.parametrize("hold", [3, 9, 180, 65_535])
def test_bfd_that_is_slower_than_bgp_is_named_and_the_interval_of_the_hint_is_not(
    interval_ms, multiplier, hold
):
    def told(interval):
        document = yaml.safe_load(SITE)
        document["networks"]["compute"]["routing"] = {
            "bfd": {"interval": interval, "multiplier": multiplier},
            "bgp": {"hold": f"{hold}s", "keepalive": "1s"},
        }
        found = load_text({"site.yaml": yaml.safe_dump(document)}).diagnostics
        return [one.hint for one in found if one.code == "FAB497"]

    slow = interval_ms * multiplier >= 1000 * hold
    hints = told(f"{interval_ms}ms")

    assert len(hints) == slow
    for hint in hints:
        assert not told(hint.split()[1])


def with_fibre(speed, length_m):
    """The files of a site whose switches are joined by multi-mode fibre of a length."""
    document = yaml.safe_load(SITE)
    document["hosts"]["gpu"]["nics"]["compute"]["speed"] = speed
    document["networks"]["compute"]["cables"] = {"leaf_spine": {"length": f"{length_m}m", "kind": "mmf"}}
    return {"site.yaml": yaml.safe_dump(document)}


@pytest.mark.parametrize(("speed", "longest_m"), [("25G", 550), ("100G", 150), ("400G", 150)])
def test_multi_mode_fibre_is_as_short_as_its_speed_wants(speed, longest_m):
    load_text(with_fibre(speed, longest_m))
    with pytest.raises(InvalidDocument, match="multi-mode"):
        load_text(with_fibre(speed, longest_m + 1))
