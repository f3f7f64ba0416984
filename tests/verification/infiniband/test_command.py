"""`fabric verify`: from files, live, in every format."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from fabric.cli import main
from fabric.verification.infiniband.check_partitions import leaf_findings, partition_findings
from fabric.verification.infiniband.reading.discovery import parse_ibnetdiscover
from fabric.verification.infiniband.reading.query_tables import parse_pkeys
from tests.infiniband.simulator import Manager, Simulator, need_tools
from tests.infiniband.sites import SUPERPOD, compiled
from tests.verification.infiniband.planting import found, link_of, nic, superpod, swapped, written
from tests.verification.infiniband.records import recorded
from tests.waiting import PATIENCE_S, until

GOLDEN = Path(__file__).parents[2] / "golden"
SITE = SUPERPOD.format(units=1)
INVENTORY = """\
devices: {leaf-0-2: {rack: R12, position: 40}}
hosts: {dgx-0-03: {rack: R07, position: 8}}
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "site.yaml").write_text(SITE)
    (folder / "inventory.yaml").write_text(INVENTORY)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("MKEY", "0x1")
    monkeypatch.setenv("SAKEY", "0x1")
    return folder


@pytest.fixture
def verify(site, capsys):
    def run(*words):
        code = main(["verify", *map(str, words)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def crossed(site):
    """Outputs of a fabric in which two NICs of a host are on each other's rail."""
    subnet = superpod()
    planted = swapped(subnet, link_of(subnet, "dgx-0-03", 2), link_of(subnet, "dgx-0-03", 5))
    outputs = site / "outputs"
    outputs.mkdir()
    (outputs / "topology.txt").write_text(written(found(planted)))
    return outputs


def test_what_is_written_is_read(crossed):
    seen = parse_ibnetdiscover((crossed / "topology.txt").read_text())

    assert (len(seen.nodes), len(seen.links), len(seen.lids)) == (12 + 250, 2 * 506, 12 + 250)
    assert seen.lids[nic(superpod(), "dgx-0-03", 2).node_guid, 1] == nic(superpod(), "dgx-0-03", 2).lid


def test_a_finding_names_host_leaf_port_and_rack_and_fails(verify, crossed):
    code, out, err = verify("--from", crossed, "-v")

    assert code == 1
    assert (
        "FAB832 wrong-rail: NIC 2 of dgx-0-03 has landed on rail 5's leaf, it is rail 2's; "
        "NIC 5 of dgx-0-03 has landed on rail 2's leaf, it is rail 5's: "
        "dgx-0-03 mlx5_2 (rack R07 at 8) reaches leaf-0-5 2/2 (port 4) and should reach "
        "leaf-0-2 2/2 (port 4, rack R12 at 40); "
    ) in out
    assert "    id: wrong-rail:dgx-0-03.mlx5_2+dgx-0-03.mlx5_5\n" in out
    assert "cabling: 12 of 12 switches, 250 of 250 HCA ports, 504 of 506 cables as planned\n" in out
    assert "routes: not looked at: no forwarding tables (`dump_fts`, `dump_lfts`)\n" in out
    assert err.startswith("1 finding in compute")


def test_json_has_ids_codes_and_what_was_not_looked_at(verify, crossed):
    code, out, _err = verify("--from", crossed, "--format", "json")

    said = json.loads(out)
    assert code == 1
    assert [(one["id"], one["code"]) for one in said["findings"]] == [
        ("wrong-rail:dgx-0-03.mlx5_2+dgx-0-03.mlx5_5", "FAB832")
    ]
    assert [one["section"] for one in said["not_seen"]] == ["managers", "partitions", "routes"]
    assert said["routes"] is None


def test_junit_has_a_suite_a_section_and_a_case_a_finding(verify, crossed):
    code, out, _err = verify("--from", crossed, "--format", "junit")

    suites = dict(re.findall(r'<testsuite name="(\w+)" (.*?)>', out))
    assert code == 1
    assert list(suites) == ["managers", "cabling", "partitions", "lanes", "routes"]
    assert suites["cabling"] == 'tests="1" failures="1" errors="0" skipped="0"'
    assert suites["routes"] == 'tests="1" failures="0" errors="0" skipped="1"'
    assert (
        'classname="cabling" name="wrong-rail:dgx-0-03.mlx5_2+dgx-0-03.mlx5_5"><failure message="NIC 2' in out
    )


def test_junit_of_a_clean_fabric_has_a_case_that_passes(verify, crossed):
    (crossed / "topology.txt").write_text(written(found(superpod())))

    code, out, _err = verify("--from", crossed, "--format", "junit")

    assert code == 0
    assert re.findall(r'<testcase classname="cabling" name="([^"]*)"><system-out>12 of 12', out) == [
        "as planned"
    ]
    assert '<testsuite name="cabling" tests="1" failures="0"' in out


def test_a_file_in_which_nothing_is_known_is_named(verify, crossed):
    (crossed / "notes").write_text("nothing\n")

    assert "nothing that is known is in notes" in verify("--from", crossed)[2]


def test_two_topologies_in_a_folder_are_refused(verify, crossed):
    (crossed / "other.txt").write_text(recorded("ibnetdiscover.txt"))

    code, _out, err = verify("--from", crossed)

    assert code == 1
    assert "other.txt and topology.txt are both outputs of ibnetdiscover" in err


def test_a_folder_without_outputs_is_refused(verify, site):
    (site / "nothing").mkdir()
    (site / "nothing" / "README").write_text("no output\n")

    code, _out, err = verify("--from", "nothing")

    assert code == 1
    assert "in nothing is not the output of a known tool" in err


def test_outputs_of_a_subnet_are_no_answers_of_switches(verify, site):
    assert main(["init", "lab-8", str(site.parent / "lab")]) == 0

    code, _out, err = verify("-C", site.parent / "lab", "--from", site)

    assert code == 1
    assert "holds no answers of this network's switches" in err


def test_a_tool_that_is_missing_is_named(verify, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")

    code, _out, err = verify()

    assert code == 1
    assert "ibnetdiscover is not installed: install infiniband-diags" in err


TWO_TENANTS = (GOLDEN / "infiniband-two-tenants" / "site.yaml").read_text()


@pytest.fixture
def running(site, tmp_path, monkeypatch):
    """Starts a subnet of two tenants, with what the tools need in the environment."""
    need_tools()
    (site / "inventory.yaml").unlink()

    @contextmanager
    def start(intent):
        (site / "site.yaml").write_text(intent)
        made = compiled(intent)
        manager, text = made["sm-1"]
        # One after the other: two that start together may wait for each other for ever (OpenSM 3.3.23).
        with ExitStack() as stack:
            simulator = stack.enter_context(Simulator(manager.subnet, tmp_path / "ib"))
            master = stack.enter_context(Manager(simulator, manager, text))
            master.wait()
            stack.enter_context(Manager(simulator, *made["sm-2"])).stands_by()
            for name, value in {
                **simulator.environment(),
                "FABRIC_MKEY": "0x1",
                "FABRIC_SAKEY": "0x1",
            }.items():
                monkeypatch.setenv(name, value)
            yield master, text

    return start


@pytest.mark.live
def test_a_running_subnet_is_as_planned_and_all_of_it_is_looked_at(verify, running):
    with running(TWO_TENANTS):
        code, out, _err = verify("--simulate")

    assert code == 0, out
    assert "partitions: P_Keys of 19 of 19 HCA ports\n" in out
    assert (
        "lanes: SL2VL tables of 19 of 19 HCA ports and of all but 0 ports of switches, weights of 19 of 19"
        in out
    )
    assert "routes: 342 of 342 pairs arrive over 1 to 3 links" in out
    assert "not looked at" not in out


@pytest.mark.live
def test_a_tenant_too_many_and_open_partitions_are_seen_in_a_running_subnet(verify, running):
    one_class = re.sub(r" +storage: .*\n", "", TWO_TENANTS).replace(", service_level: storage", "")
    with running(one_class) as (manager, text):
        guid = f"{nic(manager.manager.subnet, 'dgx-0-1', 1).port_guid:#018x}"
        manager.write(text.replace("red=0x1001, ipoib", f"other=0x1abc: {guid}=full;\nred=0x1001, ipoib"))
        manager.reload()
        wrong = awaited(verify, ["pkey-extra:0x1abc"])
        (manager.folder / "partitions.conf").write_text("red=0x1001 : 0xnonsense;\n")
        manager.reload()
        awaited(verify, ["fail-open"])

    assert wrong[0]["subjects"] == ["dgx-0-1 mlx5_1"]


@pytest.mark.live
def test_leaf_ports_of_a_running_subnet_enforce_what_their_adapters_have(running):
    with running(TWO_TENANTS) as (manager, _text):
        subnet, tool = manager.manager.subnet, manager.simulator.tool
        leaves = {switch.guid: switch.lid for switch in subnet.switches}
        asked = [(end.lid, end.port) for end in subnet.ends]
        asked += [(leaves[link.upper], link.upper_port) for link in subnet.links if link.lower not in leaves]
        texts = (
            f"# pkeys lid {lid} port {port}\n{tool('smpquery', 'pkeys', str(lid), str(port))}"
            for lid, port in asked
        )
        have = parse_pkeys("".join(texts))

    assert len(have) == 2 * 19
    assert leaf_findings(subnet, have) == partition_findings(subnet, have) == ()


def awaited(verify, wanted):
    """The findings, once they are those: a sweep that had begun before the manager read its files may end first."""
    found = []

    def there():
        found[:] = json.loads(verify("--simulate", "--format", "json")[1])["findings"]
        return [one["id"] for one in found] == wanted

    until(there, PATIENCE_S, f"{wanted} found")
    return found
