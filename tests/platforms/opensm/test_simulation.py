"""What a simulated subnet is told differs from what the real one is told in a fixed list of lines."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from fabric.platforms.base import split_parts
from fabric.platforms.opensm.simulation import simulated
from fabric.platforms.opensm.simulation_run import simulation, sizes
from tests.platforms.sites import merged
from tests.platforms.subnet_strategies import managers
from tests.platforms.subnets import FTREE, TENANTED, compiled, guids, known, manager, printed

FOLDER = Path("/run/here")
REAL = merged(TENANTED, FTREE, known())
"""Ports have the GUIDs of their adapters, as on ConnectX."""


def pairs(made) -> list[tuple[str, str, str]]:
    """File, line of the product, line of the simulation, wherever they differ; "" where one has none."""
    text = printed(made)
    real, played = split_parts(text), simulated(text, made.subnet, FOLDER)
    assert list(real) == list(played)
    found = []
    for name, body in real.items():
        one = [line for line in body.splitlines() if not line.startswith("m_key")]
        two = played[name].splitlines()
        found += [(name, line, "") for line in body.splitlines() if line.startswith("m_key")]
        found += [(name, "", line) for line in two[len(one) :]]
        found += [(name, a, b) for a, b in zip(one, two, strict=False) if a != b]
    return found


def test_exactly_these_lines_differ():
    made = manager("opensm", REAL)
    ports = guids(made.subnet)
    (ours, theirs), (port, played) = (
        (f"{ports[name]:#018x}", f"{ports[name] + 1:#018x}") for name in ("nas", "sm-1")
    )
    found = pairs(made)
    by_file = {name: [(a, b) for file, a, b in found if file == name] for name, _, _ in found}

    assert by_file["opensm.conf"] == [
        ("m_key <secret:env:MKEY>", ""),
        ("m_key_protection_level 2", ""),
        ("", "log_file /run/here/opensm.log"),
        ("", "accum_log_file FALSE"),
        ("", "force_log_flush TRUE"),
        ("", "dump_files_dir /run/here"),
        (f"guid {port}", f"guid {played}"),
        ("sa_key <secret:env:SAKEY>", "sa_key 0x0000000000000001"),
        *(
            (f"{option} /etc/opensm/{name}", f"{option} /run/here/{name}")
            for option, name in (
                ("partition_config_file", "partitions.conf"),
                ("root_guid_file", "root-guids"),
                ("io_guid_file", "io-guids"),
                ("node_name_map_name", "node-name-map"),
                ("qos_policy_file", "qos-policy.conf"),
                ("prefix_routes_file", "prefix-routes.conf"),
            )
        ),
    ]
    assert by_file["io-guids"] == [(ours, theirs)]
    assert by_file["qos-policy.conf"] == [(f"        port-guid: {ours}", f"        port-guid: {theirs}")]
    assert [line for _, line in by_file["partitions.conf"] if "rate" in line] == [
        "Default=0x7fff, ipoib, rate=17, mtu=4, sl=0 :",
        "red=0x1001, ipoib, rate=17, mtu=4, sl=0 :",
        "blue=0x1002, ipoib, rate=17, mtu=4, sl=0 :",
        "files=0x2001, ipoib, rate=17, mtu=4, sl=3 :",
    ]
    assert set(by_file) == {"opensm.conf", "io-guids", "partitions.conf", "qos-policy.conf", "guid2lid"}


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(managers("opensm"))
def test_no_other_line_differs_whatever_the_intent(made):
    ports = {f"{e.port_guid:#018x}": f"{e.node_guid + 1:#018x}" for e in made.subnet.ends}
    for name, product, played in pairs(made):
        if not product or not played:
            assert name == "opensm.conf"
            continue
        real = re.sub("|".join(ports), lambda found: ports[found[0]], product)
        if name == "opensm.conf":
            real = re.sub("<secret:.*>", "0x0000000000000001", real.replace("/etc/opensm", "/run/here"))
        if name == "partitions.conf":
            real = re.sub("rate=(18|21),", "rate=17,", real.replace("mtu=5", "mtu=4"))

        assert real == played


def test_ports_that_are_numbered_as_the_simulator_does_stay():
    made = manager("opensm", known(port=1))

    assert {name for name, _, _ in pairs(made)} == {"opensm.conf", "partitions.conf"}


def test_a_folder_runs_every_manager_the_master_first():
    both = list(compiled("opensm", REAL).values())
    subnet = both[0].subnet
    files = simulation([(one, printed(one)) for one in both], FOLDER)
    first, second = (guids(subnet)[name] for name in ("sm-1", "sm-2"))

    assert files["sm-2/opensm.conf"].startswith(f"guid {second + 1:#018x}\n")
    assert "sm_priority 13" in files["sm-2/opensm.conf"]
    run = files["run"]
    assert run.index(f"manage sm-1 H-{first:016x}") < run.index(f"manage sm-2 H-{second:016x}")
    assert run.index("sm-1/opensm.log\" 'SUBNET UP'") < run.index("sm-2/opensm.log\" 'Entering'")
    assert f"ibsim -s {sizes(subnet)}" in run
    assert "4 switches, 11 HCA ports, 19 cables" in files["README.md"]
    assert not [
        word
        for word in ("@socket@", "@sizes@", "@managers@", "@names@", "@size@")
        if word in "".join(files.values())
    ]
