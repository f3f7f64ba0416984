"""What SONiC will make of its headroom: our port of its script against its authors' numbers, and the files we write."""

from __future__ import annotations

import json

import msgspec
import pytest

from fabric import rendering
from fabric.devices.derive import derive
from fabric.diagnostics import Report
from fabric.hardware import load_catalogue
from fabric.intent.load import load_text
from fabric.platforms import registry
from fabric.platforms.base import split_parts
from fabric.platforms.sonic import headroom
from fabric.platforms.sonic.headroom import GENERATIONS, Derived, LosslessPort, Pattern, derived
from fabric.platforms.sonic.lower import lower
from fabric.topology.expand import expand

NVIDIA = sorted(
    name
    for name, model in load_catalogue().switches.items()
    if model.asic in GENERATIONS and any(software.name == "sonic" for software in model.software)
)
TRADITIONAL = ("arista-7060x6-64pe", "arista-7060x6-64pe-b")

SITE = """site: lossless
units: 2
hosts:
  gpu: {{gpus: 2, per_unit: 2, nics: {{compute: {{count: 2, speed: {speed}}}}}}}
networks:
  compute:
    ip_mtu: {mtu}
    cables: {{host_leaf: {{length: {near}m}}, leaf_spine: {{length: {far}m}}}}
    lossless: policy.yaml
    tiers:
      leaf: {{model: {model}, platform: sonic, release: "{release}"}}
      spine: {{model: {model}, platform: sonic, release: "{release}", count: 2}}
"""
POLICY = """classes:
  roce: {dscp: [24, 26], traffic_class: 3, priority: 3, queue: 3, share: 50, ecn: auto}
  cnp: {dscp: [48], traffic_class: 6, queue: 6, strict: true, max_rate: 5}
  best-effort: {dscp: rest, traffic_class: 0, queue: 0, share: 50}
cnp: cnp
"""


@pytest.mark.parametrize(
    ("asic", "port", "pattern", "expected"),
    [
        ("NVIDIA Spectrum-3", (400_000, 300, 9100, 8), (50, 1024), (272_384, 38_912, 320_512)),
        ("NVIDIA Spectrum-3", (100_000, 40, 9100, 4), (50, 1024), (51_200, 19_456, 70_656)),
        ("NVIDIA Spectrum-4", (800_000, 300, 9100, 8), (50, 1024), (474_112, 38_912, 522_240)),
        ("NVIDIA Spectrum-4", (200_000, 40, 9100, 4), (50, 1024), (65_536, 19_456, 84_992)),
    ],
)
def test_the_script_gives_what_its_author_measured(asic, port, pattern, expected):
    """Comment of 15 July 2024 in sonic-net/sonic-swss#3235."""
    made = derived(GENERATIONS[asic], LosslessPort(*port), Pattern(*pattern), compensated=False)

    assert Derived(*expected) == made


@pytest.mark.parametrize(
    ("pattern", "expected"), [((50, 1024), 119_808), ((100, 1024), 283_648), ((100, 9022), 291_840)]
)
def test_the_script_of_today_gives_what_was_observed(pattern, expected):
    port = LosslessPort(400_000, 40, 9100, 4)

    assert (
        expected
        == derived(GENERATIONS["NVIDIA Spectrum-4"], port, Pattern(*pattern), compensated=True).xoff_bytes
    )


def test_the_script_gives_the_published_table_of_spectrum_4():
    for row in load_catalogue().headroom["ACS-SN5600"]:
        port = LosslessPort(row.speed_mbps, row.cable_m, 9216, 4)
        made = derived(GENERATIONS["NVIDIA Spectrum-4"], port, Pattern(100, 1024), compensated=False)

        assert (row, row.headroom_bytes) == (row, made.xoff_bytes)


@pytest.mark.parametrize("name", sorted(GENERATIONS))
def test_its_constants_are_those_of_the_catalogue(name):
    asic, known = GENERATIONS[name], load_catalogue().asics[name]

    assert (known.cell_bytes, known.pipeline_latency_bytes) == (asic.cell_bytes, asic.pipeline_bytes)


def made(model, release="202511", policy="", **words):
    """The switches of a small site, by name, with what was printed for them and the findings."""
    site = SITE.format(
        model=model, release=release, **({"speed": "400G", "near": 5, "far": 40, "mtu": 9214} | words)
    )
    intent = load_text({"site.yaml": site, "policy.yaml": POLICY + policy})
    devices = derive(intent, expand(intent), registry)
    artifacts = rendering.render(devices)
    return {name: (devices[name], artifacts[name]) for name in ("leaf-0-0", "spine-0")}


def tables(artifact):
    """CONFIG_DB of a printed switch."""
    return json.loads(split_parts(artifact.text)["config_db.json"])


@pytest.mark.parametrize("release", ["202511", "master"])
@pytest.mark.parametrize("model", NVIDIA)
@pytest.mark.parametrize(
    "words", [{}, {"near": 3, "far": 300}, {"mtu": 1500}, {"speed": "200G", "near": 100, "far": 100}], ids=str
)
def test_the_written_pattern_makes_the_switch_derive_the_promised_headroom(model, release, words):
    for switch, artifact in made(model, release, **words).values():
        row = tables(artifact)["LOSSLESS_TRAFFIC_PATTERN"]["AZURE"]
        pattern = Pattern(int(row["small_packet_percentage"]), int(row["mtu"]))
        wanted = headroom.headrooms_needed(switch)

        lengths = tables(artifact)["CABLE_LENGTH"]["AZURE"]
        told = {p.queueing.name: int(lengths[p.name].removesuffix("m")) for p in switch.ports if p.queueing}

        assert wanted
        assert "FAB576" not in {finding.code for finding in artifact.diagnostics}
        for (kind, _), (port, least) in wanted.items():
            asked = msgspec.structs.replace(port, cable_m=told[kind])
            xoff = derived(
                GENERATIONS[switch.hardware.asic], asked, pattern, compensated=release == "master"
            ).xoff_bytes
            assert xoff >= least
            assert told[kind] >= port.cable_m
            assert f"{xoff} bytes there" in artifact.derived[f"{kind} headroom"]


def test_as_little_more_is_given_as_can_be():
    switch, _ = made("nvidia-sn5600", far=5)["spine-0"]
    ((_, least),) = headroom.headrooms_needed(switch).values()
    (_, given), *_ = headroom.of_switch(switch).values()

    assert 0 <= given.xoff_bytes - least <= 3 * 1024, "a metre of cable at three cells a packet"


def test_what_no_cable_makes_up_for_is_told():
    switch, _ = made("nvidia-sn5600")["spine-0"]
    port = next(port for port in switch.ports if port.queueing)
    kind = msgspec.structs.replace(
        port.queueing, headroom=msgspec.structs.replace(port.queueing.headroom, headroom_bytes=50_000_000)
    )
    ports = tuple(msgspec.structs.replace(port, queueing=kind) for port in switch.ports)
    queueing = msgspec.structs.replace(switch.queueing, profiles=(kind,))
    report = Report()

    lower(msgspec.structs.replace(switch, ports=ports, queueing=queueing), report)

    assert "FAB576" in {finding.code for finding in report}


@pytest.mark.parametrize("far", [5, 17, 40, 41])
@pytest.mark.parametrize("model", TRADITIONAL)
def test_a_length_between_two_rows_is_written_as_the_longer_one(model, far):
    """`buffermgrd` makes no lossless priority group for a length that its table does not have."""
    for switch, artifact in made(model, far=far).values():
        lengths = tables(artifact)["CABLE_LENGTH"]["AZURE"]
        rows = load_catalogue().published_rows(switch.hardware)
        known = {f"{int(row.cable_m)}m" for row in rows if row.speed_mbps == 400_000}
        told = {finding.code for finding in artifact.diagnostics}

        assert set(lengths.values()) <= known or "FAB533" in told, (lengths, known, told)


def test_a_table_that_gives_less_than_the_policy_needs_is_told_with_the_fix():
    less, trusting = made("dell-z9332f"), made("dell-z9332f", policy="headroom: vendor-table\n")

    for name in less:
        assert "FAB576" in {finding.code for finding in less[name][1].diagnostics}
        assert "FAB576" not in {finding.code for finding in trusting[name][1].diagnostics}


def test_a_switch_without_lossless_ports_has_the_pattern_of_the_template():
    switch, _ = made("nvidia-sn5600")["spine-0"]
    ports = tuple(msgspec.structs.replace(port, queueing=None) for port in switch.ports)

    assert Pattern(50, 1024) == headroom.pattern_of(msgspec.structs.replace(switch, ports=ports))
