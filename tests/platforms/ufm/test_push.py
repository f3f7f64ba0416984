"""From the intent to a UFM and back: plan, apply, a tenant that moves, a refusal half-way, rollback."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabric import api
from fabric.deployment import Pace, Result
from fabric.deployment.permissions import needed
from fabric.deployment.workplace import Workplace
from fabric.diagnostics import Invalid, Refused
from fabric.planning import Plan, save
from tests.platforms.ufm.server import Node, Partition
from tests.platforms.ufm.server import Refused as Unwilling

SITE = """site: ufm
units: 2
hosts:
  dgx: {gpus: 2, per_unit: 2, nics: {compute: {count: 2, speed: 200G}}}
networks:
  compute:
    technology: infiniband
    infiniband:
      platform: ufm
      keys: {management_key: "env:FABRIC_MKEY", administration_key: "env:FABRIC_SAKEY"}
    tiers:
      leaf: {model: qm8700, reserved_ports: 2}
      spine: {model: qm8700, count: 2}
attachments:
  ufm-1: {network: compute, kind: subnet_manager, links: 1, speed: 200G, to: {tier: leaf, unit: 0, rails: [0]}}
  ufm-2: {network: compute, kind: subnet_manager, links: 1, speed: 200G, to: {tier: leaf, unit: 1, rails: [0]}}
tenants:
  red: {hosts: [RED], partition: {pkey: "0x1001"}}
  blue: {hosts: [BLUE], partition: {pkey: "0x1002"}}
"""
SWITCHES = ("leaf-0-0", "leaf-0-1", "leaf-1-0", "leaf-1-1", "spine-0", "spine-1")
HOSTS = ("dgx-0-0", "dgx-0-1", "dgx-1-0", "dgx-1-1", "ufm-1", "ufm-2")
FAST = Pace(revert_in_s=60, gate_timeout_s=5, gate_poll_s=0.1)
ALLOWED = ("isolating",)
"""A host whose tenant changes reaches none of those that it reached."""
PASSWORD = "a-secret-word"


def guid(host: int, nic: int, port: int) -> str:
    return f"0x0002c903{host:04x}{nic:02x}{port:02x}"


def inventory(node: Node, pem: Path) -> str:
    switches = "".join(f'  {name}: {{guid: "0x0002c903aa{n:06x}"}}\n' for n, name in enumerate(SWITCHES))
    manager = f'  ufm-1: {{address: 127.0.0.1/8, port: {node.port}, proof: {{ca_file: "{pem}"}}}}\n'
    hosts = "".join(
        f"  {name}: {{hcas: {{compute: ["
        + ", ".join(
            f'{{node_guid: "{guid(n, nic, 0)}", port_guids: ["{guid(n, nic, 1)}"]}}'
            for nic in range(1 + name.startswith("dgx"))
        )
        + "]}}\n"
        for n, name in enumerate(HOSTS)
    )
    login = (
        'credentials:\n  ufm: {username: operator, password: "env:FABRIC_UFM"}\ndefault_credentials: ufm\n'
    )
    return f"{login}devices:\n{switches}{manager}hosts:\n{hosts}"


class Site:
    """A site's folder, and what is done with it."""

    def __init__(self, folder: Path, node: Node, pem: Path) -> None:
        self.folder, self.node = folder, node
        (folder / "inventory.yaml").write_text(inventory(node, pem))
        self.place = Workplace(folder=folder, timeout_s=5)
        self.text = SITE

    def plan(self, red: str, blue: str, **options: bool) -> Plan:
        (self.folder / "site.yaml").write_text(self.text.replace("RED", red).replace("BLUE", blue))
        made, texts = api.plan(api.compile(self.folder), self.place, **options)
        save(made, texts, self.folder / "plan")
        return made

    def apply(self) -> Result:
        return api.apply(self.folder / "plan", api.compile(self.folder), self.place, allow=ALLOWED, pace=FAST)

    def members(self) -> dict[str, frozenset[str]]:
        return {key: frozenset(found) for key, found in self.node.database.members().items()}


@pytest.fixture
def site(tmp_path, node, pem, monkeypatch) -> Site:
    for name, value in {
        "FABRIC_UFM": PASSWORD,
        "FABRIC_MKEY": "0x00000000deadbeef",
        "FABRIC_SAKEY": "0x2",
    }.items():
        monkeypatch.setenv(name, value)
    return Site(tmp_path, node, pem)


def of(host: int) -> frozenset[str]:
    """The ports of a host, as UFM has them."""
    return frozenset(guid(host, nic, 1).removeprefix("0x") for nic in (0, 1))


def test_a_pair_of_servers_is_one_device(site):
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)

    assert ["ufm-1"] == list(api.compile(site.folder).devices)


def test_after_an_apply_the_partitions_are_there_and_the_plan_is_empty(site):
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)

    assert "done" == site.apply().outcome
    assert {"0x1001": of(0), "0x1002": of(2)} == site.members()
    again = site.plan("dgx-0-0", "dgx-1-0")
    (told,) = (finding.rule for finding in again.diagnostics if finding.code == "FAB612")
    assert () == again.changed
    assert "gv.cfg" in told
    assert "pkeys.jsonl" not in told


def test_a_tenants_move_is_planned_in_words_and_never_joins_both(site):
    site.plan("dgx-0-0, dgx-0-1", "dgx-1-0", adopt=True)
    site.apply()
    site.node.database.seen.clear()
    made = site.plan("dgx-0-0", "dgx-1-0, dgx-0-1")
    reasons = {change.reason for device in made.changed for change in device.changes}

    cut = "the P_Keys by which they reach hosts are gone: dgx-0-1 mlx5_0, dgx-0-1 mlx5_1"
    assert {"0x1001: 0 join, 2 leave", "0x1002: 2 join, 0 leave", cut} == reasons
    assert "done" == site.apply().outcome
    assert {"0x1001": of(0), "0x1002": of(1) | of(2)} == site.members()
    assert not any(seen["0x1001"] & seen["0x1002"] for seen in site.node.database.seen)


@pytest.mark.parametrize(
    "name", ["slurm", "", "my part", "1st", 'a "b": c', "#1", "größe", "x" * 200, "\x1b[31m\n"]
)
def test_a_partition_of_somebody_else_is_left_alone(site, name):
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    site.apply()
    site.node.database.partitions["0x77"] = other = Partition(name)
    other.members["0002c90300000001"] = {"membership": "full", "index0": True}

    assert [] == [change for d in site.plan("dgx-0-0", "dgx-1-0").changed for change in d.changes]
    site.plan("dgx-0-1", "dgx-1-0")
    assert "done" == site.apply().outcome
    assert "0x77" in site.members()
    assert of(1) == site.members()["0x1001"]


def test_a_stranger_in_our_partition_is_shown_and_leaves(site):
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    site.apply()
    site.node.database.partitions["0x1001"].members["0002c90300099999"] = {
        "membership": "full",
        "index0": False,
    }
    made = site.plan("dgx-0-0", "dgx-1-0")

    cut = "the P_Keys by which they reach hosts are gone: 0x0002c90300099999"
    assert ["0x1001: 0 join, 1 leave", cut] == [change.reason for d in made.changed for change in d.changes]
    site.apply()
    assert of(0) == site.members()["0x1001"]


def test_a_request_that_is_refused_half_way_leaves_everything_as_it_was(site):
    site.plan("dgx-0-0, dgx-0-1", "dgx-1-0", adopt=True)
    site.apply()
    before = site.members()
    site.plan("dgx-0-0", "dgx-1-0, dgx-0-1")
    refusals = iter([Unwilling(400, "refused on purpose")])

    def fault(method: str, _path: str) -> None:
        if method == "POST":
            for refusal in refusals:
                raise refusal

    site.node.fault = fault

    assert "done" != site.apply().outcome
    assert before == site.members()


def test_what_was_planned_on_something_else_is_not_applied(site):
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    site.node.database.partitions["0x5"] = made = Partition("late")
    made.members["0002c90300000001"] = {"membership": "full", "index0": True}

    with pytest.raises(Refused, match="FAB710"):
        site.apply()

    assert {"0x5"} == set(site.members())


def test_rollback_brings_the_tenants_back(site):
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    site.apply()
    before = site.members()
    site.plan("dgx-0-1", "dgx-1-1")
    site.apply()

    assert before != site.members()
    assert "done" == api.rollback(api.compile(site.folder), site.place, allow=ALLOWED, pace=FAST).outcome
    assert before == site.members()


def test_a_first_apply_is_taken_back_to_a_ufm_without_partitions(site):
    assert {} == site.members()
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    assert "done" == site.apply().outcome
    compiled = api.compile(site.folder)
    planned = api.plan_rollback(compiled, site.place)
    words = tuple(needed(planned.plan.changed))

    assert "done" == api.rollback(compiled, site.place, planned, allow=words, pace=FAST).outcome
    assert {} == site.members()


def test_no_secret_is_written_anywhere(site):
    site.plan("dgx-0-0", "dgx-1-0", adopt=True)
    site.apply()
    written = [path for path in site.folder.rglob("*") if path.is_file()]

    assert len(written) > 3
    for path in written:
        assert not any(word in path.read_bytes() for word in (PASSWORD.encode(), b"deadbeef")), path
    assert not any(PASSWORD in path for _, path in site.node.database.history)


def test_the_cabling_is_enforced_by_the_digest_that_was_verified(site):
    """A wrong digest is refused, and told with the right one; with that the file has every link twice."""

    def compiled(digest: str) -> api.Compiled:
        words = f"platform: ufm\n      enforce_cabling: {digest}"
        text = SITE.replace("RED", "dgx-0-0").replace("BLUE", "dgx-1-0").replace("platform: ufm", words)
        (site.folder / "site.yaml").write_text(text)
        return api.compile(site.folder)

    with pytest.raises(Invalid) as caught:
        assert compiled('"0123456789abcdef"').artifacts["ufm-1"].text
    (refused,) = (found for found in caught.value.diagnostics if found.is_error)
    digest = refused.hint.rpartition("enforce_cabling: ")[2].strip("`")
    made = compiled(f'"{digest}"')
    lines = made.artifacts["ufm-1"].files["subnets/ufm-1/topoconfig.conf"].splitlines()

    assert "FAB587" == refused.code
    assert 2 * len(made.devices["ufm-1"].subnet.links) == len(lines)
