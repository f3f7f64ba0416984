"""`fabric simulate`: an answer on any site, for people and for machines."""

from __future__ import annotations

import json

import pytest

from fabric.cli.commands import simulate
from fabric.simulation import collectives, parallelism
from fabric.simulation.hashing import HashModel
from fabric.tables.collectives import gain
from tests.simulation.test_forwarding import dumped
from tests.topology.builders import REFERENCE


def test_without_options_it_tells_what_an_allreduce_of_all_gpus_gets(fabric):
    ran = fabric("simulate")

    assert ran.code == 0
    assert "allreduce (ring) of 1GiB by 16 GPUs on 4 hosts" in ran.out
    assert "bus bandwidth at most" in ran.out
    assert "not a promise" in ran.out
    assert "Load of links" in ran.out


@pytest.mark.parametrize("operation", simulate.OPERATIONS)
def test_json_has_the_numbers_of_every_operation(fabric, operation):
    document = json.loads(fabric("simulate", operation, "--format", "json").out)
    answer = document["answer"]

    assert operation == answer["operation"]
    assert 0 < answer["bus_bandwidth_gbytes_per_s"] <= answer["bus_bandwidth_of_nics_gbytes_per_s"] + 0.001
    assert {"host", "leaf"} == {row["links_from"] for row in document["tiers"]}


def test_the_names_that_the_command_knows_are_those_of_the_package():
    assert collectives.OPERATIONS == simulate.OPERATIONS
    assert set(collectives.ALGORITHMS) == set(simulate.ALGORITHMS)
    assert tuple(HashModel) == simulate.HASHES


def test_hosts_of_a_file_are_the_job(fabric, site):
    (site / "job.txt").write_text("gpu-0-[0-1]\n")
    ran = fabric("simulate", "--hosts", "job.txt", "--format", "json")

    assert 2 == json.loads(ran.out)["answer"]["hosts"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--size", "1GX"), "is not a size"),
        (("--gpus", "3"), "FAB860"),
        (("--network", "storage"), "no network 'storage'"),
        (("alltoall", "--algorithm", "tree"), "no alltoall by tree"),
    ],
)
def test_what_cannot_be_asked_is_told(fabric, arguments, text):
    ran = fabric("simulate", *arguments)

    assert ran.code == 1
    assert text in " ".join(ran.err.split())


def test_a_list_with_a_wrong_name_tells_the_right_one(fabric, site):
    (site / "job.txt").write_text("gpu-0-0\ngpu-0-9\n")
    ran = fabric("simulate", "--hosts", "job.txt")

    assert ran.code == 1
    assert "FAB861" in ran.err
    assert "job.txt:2" in ran.err


@pytest.mark.parametrize("content", [b"", b"gpu-0-[0-1\n", b"gpu-0-0\n"])
@pytest.mark.parametrize("option", ["--hosts", "--with"])
def test_a_list_that_is_no_job_is_refused_at_the_list_itself(fabric, site, content, option):
    (site / "job.txt").write_bytes(content)
    ran = fabric("simulate", option, "job.txt")

    assert ran.code == 1
    assert "job.txt:1:1: FAB86" in ran.err
    assert "site.yaml" not in ran.err


def test_a_byte_order_mark_is_not_part_of_a_name(fabric, site):
    (site / "job.txt").write_bytes(b"\xef\xbb\xbfgpu-0-0\ngpu-0-1\n")
    ran = fabric("simulate", "--hosts", "job.txt", "--format", "json")

    assert 2 == json.loads(ran.out)["answer"]["hosts"]


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("gpu-0-[0-1]", "gpu-0-[0-1]", ["gpu-0-0", "gpu-0-1"]),
        ("gpu-0-[0-1]", "gpu-0-[1-2]", ["gpu-0-1"]),
        ("gpu-0-[0-1]", "gpu-0-[2-3]", []),
        (None, "gpu-0-[2-3]", ["gpu-0-2", "gpu-0-3"]),
    ],
)
def test_jobs_that_share_hosts_are_told_so(fabric, site, one, other, both):
    (site / "other.txt").write_text(other)
    words = ("--with", "other.txt")
    if one is not None:
        (site / "one.txt").write_text(one)
        words = (*words, "--hosts", "one.txt")
    ran = fabric("simulate", *words, "--format", "json")

    assert both == json.loads(ran.out)["hosts_of_both"]
    assert bool(both) == ("in both jobs" in ran.err)
    assert ("`--hosts`" in ran.err) == (one is None)


def test_variants_are_a_table_with_the_best_first(fabric):
    document = json.loads(fabric("simulate", "--placement", "random", "--variants", "--format", "json").out)
    rows = document["variants"]

    assert rows[0]["bus_bandwidth_gbytes_per_s"] >= rows[-1]["bus_bandwidth_gbytes_per_s"]
    changes = {row["change"] for row in rows}
    assert {"as asked", "1 QP", "16 QPs", "packets sprayed"} <= changes
    assert any(change.startswith("one more spine") for change in changes)


@pytest.mark.parametrize(
    ("percent", "shown"), [(-0.04, "+0.0"), (0.0, "+0.0"), (0.04, "+0.0"), (-0.06, "-0.1"), (3, "+3.0")]
)
def test_no_gain_is_never_shown_as_a_loss(percent, shown):
    assert shown == gain(percent)


def test_two_jobs_are_told_what_they_take_of_each_other(fabric, site):
    (site / "even.txt").write_text("gpu-0-0\ngpu-1-0\n")
    (site / "odd.txt").write_text("gpu-0-1\ngpu-1-1\n")
    (site / "site.yaml").write_text(
        (site / "site.yaml").read_text().replace("site: lab", "site: lab\nunits: 2")
    )
    words = ("simulate", "--hosts", "even.txt", "--with", "odd.txt")
    document = json.loads(fabric(*words, "--format", "json").out)

    assert ["even.txt", "odd.txt"] == [row["job"] for row in document["jobs"]]
    assert all(
        row["slowest_flow_together_mbps"] <= row["slowest_flow_alone_mbps"] for row in document["jobs"]
    )
    assert "beside the other" in fabric(*words).out


def test_training_has_a_row_for_each_dimension_and_the_links_with_all_of_them(fabric):
    document = json.loads(fabric("simulate", "training", "--format", "json").out)
    rows = {row["dimension"]: row for row in document["dimensions"]}

    assert {"tp", "ep", "dp", "pp"} == set(rows)
    assert rows["tp"]["bus_bandwidth_gbytes_per_s"] is None
    assert rows["dp"]["bus_bandwidth_gbytes_per_s"] > 0
    assert document["training"]["least_time_us"] >= rows["dp"]["least_time_us"]
    assert {"host", "leaf"} == {row["links_from"] for row in document["tiers"]}


def test_degrees_that_are_given_mean_training_of_so_many_gpus(fabric):
    words = ("simulate", "--tp", "4", "--pp", "1", "--dp", "2", "--dp-size", "1GB")
    document = json.loads(fabric(*words, "--format", "json").out)

    assert (2, 4, 1, 2) == tuple(document["training"][key] for key in ("hosts", "tp", "pp", "dp"))
    assert {"dp": 10**9} == {
        row["dimension"]: row["size_bytes"] for row in document["dimensions"] if row["dimension"] == "dp"
    }
    assert "a bound, not a promise" in fabric(*words).out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("allreduce", "--tp", "2"), "--tp is of a training job, not of allreduce"),
        (("training", "--variants"), "--variants is of one collective"),
        (("--tp", "3"), "FAB866"),
        (("--dp-size", "much"), "is not a size"),
    ],
)
def test_degrees_that_cannot_be_are_told(fabric, arguments, text):
    ran = fabric("simulate", *arguments)

    assert ran.code == 1
    assert text in " ".join(ran.err.split())


def test_the_ways_of_data_parallelism_are_those_of_the_package():
    assert parallelism.DP_OPERATIONS == simulate.DP_OPERATIONS


def test_incasts_are_judged_by_the_sites_own_policy(fabric):
    rows = json.loads(fabric("simulate", "alltoall", "--format", "json").out)["incasts"]
    (last,) = [row for row in rows if row["links_from"] == "host"]

    assert 3 == last["senders"]
    assert last["first"] in ("ECN", "PFC")
    assert last["kmin_bytes"] < last["answered_bytes"]
    assert last["headroom_bytes"] > 0
    ring = json.loads(fabric("simulate", "--format", "json").out)["incasts"]
    assert {"none"} == {row["first"] for row in ring if row["links_from"] == "host"}


MODEL = """id: plain-16
vendor: Nobody
model: sixteen ports
technology: {technology}
asic: Nothing
bandwidth: 6400G
source: invented
cages:
  - {{cages: 1-8, form: OSFP, lanes: 8, lane_speed: 100G, max_speed: 800G, breakouts: [2x400G], source: invented}}
"""


@pytest.mark.parametrize("technology", ["ethernet", "infiniband"])
def test_models_without_a_product_are_simulated_as_far_as_links_go(fabric, site, technology):
    (site / "hardware").mkdir()
    (site / "hardware/plain-16.yaml").write_text(MODEL.format(technology=technology))
    (site / "site.yaml").write_text(PLAIN.format(technology=technology))
    for words in ((), ("alltoall",), ("training",), ("--variants",)):
        ran = fabric("simulate", *words, "--format", "json")
        assert (0, True) == (ran.code, bool(json.loads(ran.out))), ran.err
    alltoall = fabric("simulate", "alltoall", "--format", "json")

    assert {None} == {row["first"] for row in json.loads(alltoall.out)["incasts"]}
    assert "no queue is told" in alltoall.err
    assert fabric("impact", "--format", "json").code == 0


PLAIN = """site: plain
units: 2
hosts: {{gpu: {{gpus: 2, per_unit: 4, nics: {{compute: {{count: 2, speed: 400G}}}}}}}}
networks:
  compute: {{technology: {technology}, tiers: {{leaf: {{model: plain-16}}, spine: {{model: plain-16}}}}}}
"""


def test_tables_are_taken_of_infiniband_only(fabric, site):
    (site / "dump.txt").write_text("x\n")
    ran = fabric("simulate", "--lft", "dump.txt")

    assert ran.code == 1
    assert "is not an InfiniBand subnet" in ran.err


def test_the_files_that_flows_are_placed_by_are_named(fabric, tmp_path):
    (tmp_path / "lfts.txt").write_text(dumped("superpod-h100-1su").text)
    words = ("simulate", "-C", str(REFERENCE / "superpod-h100-1su"), "--lft", str(tmp_path / "lfts.txt"))
    answer = json.loads(fabric(*words, "--format", "json").out)["answer"]

    assert [str(tmp_path / "lfts.txt")] == answer["forwarding_tables"]
    assert "destination" == answer["hash"]
    assert "paths by the forwarding tables of" in fabric(*words).out


def test_tables_and_a_hash_are_not_both_taken(fabric, site):
    (site / "dump.txt").write_text("x\n")
    ran = fabric("simulate", "--lft", "dump.txt", "--hash", "mixer")

    assert ran.code == 1
    assert "not by --hash mixer" in ran.err
