"""Single switches in real FRR: what it accepts, what it shows, what a reload changes, and what keeps strangers out."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fabric.devices.model import LinkRole
from fabric.platforms.base import PART, split_parts
from fabric.platforms.frr.dialect import DIALECT
from tests.configuration.dialects import said
from tests.platforms.frr import sites
from tests.platforms.frr.devices import CASES
from tests.platforms.frr.lab import Lab, needed_lab
from tests.platforms.frr.printing import printed
from tests.programs import ANY, run

NOISE = re.compile(r"The route-map |.*(?:/var/tmp/frr|[Cc]rashlog|crash log)")
"""Not about the file: what folders of ended processes make bgpd say, and vtysh of empty route-maps."""


@pytest.fixture
def frr():
    """Skips without FRR, root and iproute2."""
    needed_lab()


def frr_conf(text):
    return split_parts(text)["frr.conf"]


def complaints(command, text):
    """What a daemon says of a file: the exit code does not tell. It reads the file as its own user."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder) / "frr.conf"
        file.write_text(text)
        done = run(command, "-C", "-f", file, exits=ANY)
    said = (done.stdout + done.stderr).splitlines()
    return [line for line in said if line.strip() and not NOISE.match(line)]


def routing_part(text):
    """What bgpd alone knows."""
    text = re.sub(r"(?ms)^(?:bfd|interface \S+)$.*?^exit$\n", "", text)
    return re.sub(r"(?m)^( neighbor \S+ bfd.*|service .*|ip(v6)? route .*)\n", "", text)


@pytest.mark.live
@pytest.mark.parametrize("case", sorted(CASES))
def test_frr_takes_every_line(case, frr):
    text = frr_conf(printed(CASES[case]()))

    assert [] == complaints("vtysh", text)
    assert [] == complaints("bgpd", routing_part(text))


@pytest.mark.live
@pytest.mark.parametrize(
    ("right", "wrong"), [(" bgp router-id", " bgp rooter-id"), (" prefix-list PL-", " prefix-lust PL-")]
)
def test_frr_complains_of_a_planted_mistake(right, wrong, frr):
    text = frr_conf(printed(CASES["leaf"]()))

    assert wrong not in text
    assert complaints("vtysh", text.replace(right, wrong))
    assert complaints("bgpd", routing_part(text).replace(right, wrong))


@pytest.mark.live
@pytest.mark.parametrize("secret", ["two words", "a\n exit"])
def test_frr_complains_of_a_secret_that_is_not_one_word(secret, frr):
    text = sites.eight("ipv4").files["spine-0-0"]["frr.conf"]

    assert [] == complaints("vtysh", text)
    assert complaints("vtysh", text.replace(sites.SECRET, secret))


@pytest.mark.live
def test_a_reload_of_what_runs_changes_nothing(frr):
    devices = {f"case-{i}": make() for i, (_, make) in enumerate(sorted(CASES.items()))}
    files = {name: sites.files_of(device) for name, device in devices.items()}
    with Lab(devices, files) as lab:
        found = {name: reload(lab, name, "--test") for name in devices}
        shown = {name: pieces(lab.vtysh(name, "show running-config")) for name in devices}

    assert dict.fromkeys(devices, ([], [])) == found
    assert {name: pieces(texts["frr.conf"]) for name, texts in files.items()} == shown


def pieces(text):
    """What a configuration says, in whatever order."""
    plain = DIALECT.plain(f"{PART}frr.conf\n{text}")
    return set(said(DIALECT.tree(DIALECT.pieces(plain).values()).values()))


@pytest.mark.live
def test_a_changed_intent_reloads_only_the_lines_that_differ(frr):
    site = sites.eight("unnumbered")
    name = site.of_role("leaf")[0]
    before = site.switches[name]
    bgp = "bgp: {password: env:BGP, keepalive: 2s, hold: 6s}"
    changed = sites.eight("unnumbered", routing=f"{{{bgp}, bfd: {{multiplier: 5}}, max_paths: 8}}")
    with Lab(site.switches, site.files) as lab:
        assert lab.wait(lambda: set(lab.sessions(name).values()) == {"Established"})
        lab.boxes[name].write("etc/frr/frr.conf", changed.files[name]["frr.conf"])
        gone, come = reload(lab, name, "--test")
        reload(lab, name, "--reload")
        nothing = reload(lab, name, "--test")
        up = lab.sessions(name)

    bgp, family = f"router bgp {before.routing.asn}", " address-family ipv4 unicast"
    assert [bgp, family, "  no maximum-paths 16"] == gone
    assert [
        *(bgp, " timers bgp 2 6"),
        *(bgp, family, "  maximum-paths 8"),
        *("bfd", " profile FABRIC", "  detect-multiplier 5"),
    ] == come
    assert ([], []) == nothing
    assert {"Established"} == set(up.values())


@pytest.mark.live
def test_a_neighbour_with_another_password_stays_out(frr):
    site = sites.eight("ipv4")
    pair = (site.of_role("leaf")[0], site.of_role("spine")[0], site.of_role("spine")[1])
    switches = {name: site.switches[name] for name in pair}
    wrong = site.files[pair[2]]["frr.conf"].replace(sites.SECRET, "a-guess")
    files = {name: site.files[name] for name in pair[:2]} | {
        pair[2]: site.files[pair[2]] | {"frr.conf": wrong}
    }
    peers = {
        spine: {str(one.address) for one in switches[pair[0]].routing.neighbors if one.peer == spine}
        for spine in pair[1:]
    }

    assert wrong != site.files[pair[2]]["frr.conf"]
    with Lab(switches, files) as lab:
        assert lab.wait(lambda: states(lab, pair[0], peers[pair[1]]) == {"Established"})
        assert "tos:0xc0" in lab.boxes[pair[0]].run("ss", "-tn", "--tos")  # CS6: the class of notifications
        assert not lab.wait(lambda: "Established" in states(lab, pair[0], peers[pair[2]]), limit_s=3)


def states(lab, name, peers):
    """States of some sessions."""
    return {state for peer, state in lab.sessions(name).items() if peer in peers}


@pytest.mark.live
def test_a_host_makes_its_address_from_what_the_leaf_advertises(frr):
    device = CASES["slaac"]()
    port = next(one for one in device.ports if one.role is LinkRole.HOST)
    [inside] = [one.network for one in port.addresses if one.version == 6]
    prefix = str(inside).partition("::/64")[0]
    files = {device.name: sites.files_of(device)}
    with Lab({device.name: device}, files, untold=[port.peer]) as lab:
        host = lab.boxes[port.peer]

        assert lab.wait(lambda: f"{prefix}:" in host.run("ip", "-6", "-o", "addr", "show", "dev", "nic0"))
        assert lab.wait(lambda: "default via fe80:" in host.run("ip", "-6", "route"))


def reload(lab, name, how):
    """Lines that `frr-reload.py` would delete and add, or did; those of the log left out."""
    said = lab.boxes[name].run("frr-reload.py", how, "--stdout", "/etc/frr/frr.conf")
    assert "Traceback" not in said, said
    found, into = {"Delete": [], "Add": []}, None
    for line in said.splitlines():
        if line.startswith("Lines To "):
            into = found[line.split()[2]]
        elif re.match(r"\d{4}-\d\d-\d\d ", line):
            into = None if how == "--reload" else into
        elif into is not None and line.strip("=- "):
            into.append(line)
    return found["Delete"], found["Add"]
