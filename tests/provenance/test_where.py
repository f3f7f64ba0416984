"""What a value of the intent makes: the devices and lines that another value would change."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Refused
from fabric.provenance import derived_value, where
from tests.provenance.sites import lab


def test_a_cable_makes_the_marking_curves_of_all_switches():
    (made,) = where(lab(), "site.yaml:27:28")

    assert (made.value.value, made.other, made.device_count) == ("20m", "21m", 8)
    assert any("random-detect ecn" in line.text for group in made.groups for line in group.lines)


def test_equal_lines_are_shown_once_for_all_devices():
    (made,) = where(lab(), "networks.compute.ip_mtu")
    (group,) = made.groups
    (line,) = group.lines

    assert made.value.kind == "default"
    assert sorted(set(group.roles)) == ["leaf", "spine"]
    assert (len(group.devices), line.text, line.above) == (8, "mtu 9000", ("interface Ethernet1/1",))


def test_each_value_of_a_line_is_told_by_itself():
    made = where(lab(), "site.yaml:27")

    assert [each.value.key.rpartition(".")[2] for each in made] == ["length", "kind"]
    assert made[1].line_count == 0  # the kind of a cable is no line of a switch


def test_a_value_that_only_reaches_some_devices_names_them():
    (made,) = where(lab(), "inventory:devices.spine-1-0.address")

    assert [group.devices for group in made.groups] == [("spine-1-0",)]


def test_what_the_lock_holds_is_compared_without_it():
    (made,) = where(lab(), "networks.compute.tiers.leaf.reserved_ports")

    assert (made.is_unlocked, made.device_count) == (True, 4)


def test_a_value_without_another_one_is_told_by_the_fields_that_stem_from_it():
    (made,) = where(lab(), "policy:roce-lossless:classes.roce.share")

    assert (made.other, made.device_count) == (None, 8)
    assert "make 101, not 100" in made.refusal
    assert {line.text for group in made.groups for line in group.lines} == {"bandwidth percent 50"}


def test_no_secret_is_shown():
    (made,) = where(lab(), "services.users.netops.password_hash")

    assert (made.value.value, made.other) == ("***", "***")
    assert "r9pWaz" not in str(made)


@pytest.mark.parametrize(
    ("place", "code", "hint"),
    [
        ("site.yaml:1", "FAB922", "the nearest line with a value is"),
        ("site.yaml:10", "FAB922", "site.yaml:9"),
        ("sit.yaml:8", "FAB923", "site.yaml"),
        ("networks.compute.ip_mtuu", "FAB922", "did you mean"),
        ("services", "FAB922", "name one of them"),
    ],
)
def test_a_place_without_a_value_is_refused(place, code, hint):
    with pytest.raises(Refused) as refusal:
        where(lab(), place)

    assert str(refusal.value).startswith(code)
    assert hint in refusal.value.hint


@pytest.mark.parametrize(
    ("place", "values"),
    [
        ("policy:roce-lossless:classes.roce.ecn", {"474,000 B at 400G 20m", "1,896,000 B at 400G 3m"}),
        ("policy:roce-lossless:headroom", {"612,140 B at 400G 20m"}),
        ("policy:roce-lossless:round_trip_us", {"9,465 ns"}),
        ("policy:roce-lossless:watchdog.poll", {"100 ms"}),
        ("networks.compute.routing.max_paths", {"8"}),
        ("networks.compute.routing.bgp.max_prefixes", {"256"}),
        ("networks.compute.rails.count", {"2"}),
        ("networks.compute.tiers.leaf.platform", {"eos (Arista EOS)"}),
        ("networks.compute.addressing.asn.spine", {"4200001000"}),
        ("networks.compute.addressing.host_pool", {"10.0.0.0/10"}),
        ("services.ssh.idle_timeout", {"30min"}),
        ("networks.compute.lossless", set()),
    ],
)
def test_a_key_that_is_auto_or_not_written_comes_out_as(place, values):
    assert values <= {each.value for each in derived_value(lab(), place)}
