"""Compiled sites in real FRR: what it accepts, what it shows, and what its routes are when cables fail."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fabric import api
from fabric.devices.model import LinkRole
from fabric.platforms.base import split_parts
from fabric.platforms.frr import PLATFORM
from tests.conftest import needed
from tests.platforms.frr.devices import CASES
from tests.platforms.frr.lab import DAEMONS, Lab, missing
from tests.platforms.frr.printing import printed

SITE = """
site: frr-lab
units: 2
hosts:
  gpu: {{per_unit: 2, gpus: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}
networks:
  compute:
    rails: {{leaves: 2}}
    addressing: {{family: {family}}}
    tiers:
      leaf: {{model: nvidia-sn5600, platform: frr}}
      spine: {{model: nvidia-sn5600, platform: frr, count: 4}}
    lossless: null
services: {{lldp: false}}
"""
FAMILIES = ("ipv4", "ipv6", "unnumbered")


@cache
def site(family):
    """The eight switches, and their `frr.conf`."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "site.yaml").write_text(SITE.format(family=family))
        compiled = api.compile(Path(folder))
        switches = {name: compiled.devices[name] for name in compiled.devices}
        return switches, {name: frr_conf(printed(one)) for name, one in switches.items()}


def frr_conf(text):
    return split_parts(text)["frr.conf"]


@pytest.fixture
def frr():
    """Skips without FRR, root and iproute2."""
    what = missing()
    if what:
        needed(what)


def complaints(command, text):
    """What a daemon says of a file: the exit code does not tell. It reads the file as its own user."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder) / "frr.conf"
        file.write_text(text)
        return said_of(command, file)


def said_of(command, file):
    done = subprocess.run(
        [*command, "-C", "-f", file], capture_output=True, text=True, check=False, timeout=30
    )
    said = (done.stdout + done.stderr).splitlines()
    return [line for line in said if line.strip() and not line.startswith("The route-map ")]


@pytest.mark.live
@pytest.mark.parametrize("case", sorted(CASES))
def test_frr_takes_every_line(case, frr):
    text = frr_conf(printed(CASES[case]()))

    assert [] == complaints(["vtysh"], text)
    assert [] == complaints([DAEMONS / "bgpd"], routing_part(text))


@pytest.mark.live
def test_frr_complains_of_a_planted_mistake(frr):
    text = frr_conf(printed(CASES["leaf"]())).replace(" bgp router-id", " bgp rooter-id")

    assert complaints(["vtysh"], text)


def routing_part(text):
    """What bgpd alone knows."""
    text = re.sub(r"(?ms)^bfd$.*?^exit$\n", "", text)
    return re.sub(r"(?m)^( neighbor \S+ bfd.*|service .*)\n", "", text)


@pytest.mark.live
@pytest.mark.parametrize("family", FAMILIES)
def test_eight_switches_agree_and_no_valley_ever_appears(family, frr):
    switches, configs = site(family)
    leaves = [name for name, one in switches.items() if one.role == "leaf"]
    spines = [name for name, one in switches.items() if one.role == "spine"]
    version = 6 if family == "ipv6" else 4

    assert 8 == len(switches)
    with Lab(switches, configs) as lab:
        assert lab.wait(lambda: all(established(lab, name, one) for name, one in switches.items()))
        assert lab.wait(lambda: all(complete(lab, name, switches, version, len(spines)) for name in leaves))
        assert shown(lab, leaves[0]) == PLATFORM.canonical(configs[leaves[0]])
        part(lab, leaves, switches)
        gone = told(switches[leaves[1]], version)
        assert lab.wait(lambda: not gone & set(lab.routes(leaves[0], version)))
        assert valley(lab, leaves, gone, version) == []


@pytest.mark.live
def test_without_the_denial_a_valley_would_appear(frr):
    switches, configs = site("ipv4")
    open_ = {
        name: re.sub(r"(?m)^route-map RM-TO-ABOVE deny 10\n(?: .*\n)*exit\n", "", text)
        for name, text in configs.items()
    }
    leaves = [name for name, one in switches.items() if one.role == "leaf"]
    gone = told(switches[leaves[1]], 4)

    assert open_ != configs
    with Lab(switches, open_) as lab:
        assert lab.wait(lambda: all(complete(lab, name, switches, 4, 4) for name in leaves))
        part(lab, leaves, switches)
        assert lab.wait(lambda: bool(valley(lab, leaves, gone, 4)))
        assert gone <= set(lab.routes(leaves[0], 4))


def established(lab, name, switch):
    states = lab.sessions(name)
    return {
        (one.port if one.address is None else str(one.address)) for one in switch.routing.neighbors
    } == set(states) and set(states.values()) == {"Established"}


def told(switch, version):
    """Prefixes that a leaf tells for its hosts."""
    return {str(prefix) for prefix in switch.routing.aggregates if prefix.version == version} or {
        str(address.network)
        for port in switch.ports
        if port.role is LinkRole.HOST
        for address in port.addresses
        if address.version == version
    }


def complete(lab, name, switches, version, width):
    """Whether a leaf has every other leaf's prefixes in its kernel, over every spine."""
    routes = lab.routes(name, version)
    others = [one for other, one in switches.items() if one.role == "leaf" and other != name]
    return all(routes.get(prefix) == width for one in others for prefix in told(one, version))


def shown(lab, name):
    """The running configuration in canonical form, without what the machine adds."""
    return PLATFORM.canonical(lab.vtysh(name, "show running-config"))


def part(lab, leaves, switches):
    """Take cables out until the first two leaves share no spine: one keeps even spines, the other odd ones."""
    for parity, leaf in enumerate(leaves[:2]):
        up = [port for port in switches[leaf].ports if port.role is LinkRole.UP]
        spines = sorted({port.peer for port in up})
        for port in up:
            if spines.index(port.peer) % 2 == parity:
                lab.fail(leaf, port.name)


def valley(lab, leaves, gone, version):
    """Spines that reach the second leaf's prefixes through a leaf: a route down, up and down again."""
    found = []
    for name in lab.switches:
        if lab.switches[name].role != "spine":
            continue
        connected = Counter(port.peer for port in lab.switches[name].ports)
        routes = lab.routes(name, version)
        alive = set(lab.sessions(name).items())
        known = {peer for peer, state in alive if state == "Established"}
        far = leaves[1] in connected and not any(
            one.peer == leaves[1] and (one.port if one.address is None else str(one.address)) in known
            for one in lab.switches[name].routing.neighbors
        )
        found += [(name, prefix) for prefix in gone & set(routes) if far]
    return found


@pytest.mark.parametrize("case", ["leaf", "spine", "lossy"])
def test_the_script_is_a_script(case, tmp_path):
    if shutil.which("shellcheck") is None:
        needed("shellcheck")
    file = tmp_path / "qos.sh"
    file.write_text(split_parts(printed(CASES[case]()))["qos.sh"])
    done = subprocess.run(["shellcheck", file], capture_output=True, text=True, check=False)

    assert "" == done.stdout
