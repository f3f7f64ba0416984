"""Names are folded as Slurm writes them, and read back to the same names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.exports.slurm import folded
from tests.exports.hostlists import expanded
from tests.exports.slurmctld import Slurmctld, need_slurm

LABELS = st.from_regex(r"[a-z](?:[a-z0-9-]{0,12}[a-z0-9])?", fullmatch=True)
NUMBERED = st.builds(
    lambda stem, width, number: f"{stem}{number:0{width}d}",
    st.sampled_from(["dgx-", "dgx-0-", "gpu", "a1b", "rack7-"]),
    st.integers(1, 4),
    st.integers(0, 40),
)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([f"dgx-{i:03d}" for i in range(128)], "dgx-[000-127]"),
        (["a-1", "a-2", "a-4"], "a-[1-2,4]"),
        (["a-4", "a-1", "a-2"], "a-[1-2,4]"),
        (["a-01", "a-1"], "a-01,a-1"),
        (["gpu8", "gpu9", "gpu10", "gpu11"], "gpu[8-9],gpu[10-11]"),
        (["sm", "dgx-0", "sm-1"], "sm,dgx-0,sm-1"),
        (["a-1", "a-1"], "a-1"),
        (["x1y", "x2y"], "x1y,x2y"),
        (["n12345678901", "n12345678902"], "n12[345678901-345678902]"),
        ([], ""),
    ],
)
def test_a_fold_is_as_slurm_writes_it(names, text):
    assert text == folded(names)


@given(st.lists(st.one_of(LABELS, NUMBERED), max_size=60))
def test_every_fold_can_be_read_back(names):
    again = expanded(folded(names))

    assert set(names) == set(again)
    assert len(again) == len(set(again))


@given(st.lists(NUMBERED, max_size=30), st.randoms())
def test_the_order_of_numbers_does_not_matter(names, random):
    stems = sorted(names)
    shuffled = sorted(names)
    random.shuffle(shuffled)

    assert set(expanded(folded(stems))) == set(expanded(folded(shuffled)))


@pytest.mark.live
def test_slurm_reads_every_fold_back_to_the_same_names(tmp_path):
    need_slurm()
    names = [f"dgx-{unit}-{i:02d}" for unit in range(3) for i in range(40) if (unit + i) % 7]
    names += ["gpu8", "gpu9", "gpu10", "lone", "a1b7", "n12345678901", "n12345678902"]
    slurm = Slurmctld(tmp_path, ["lone"], "")  # scontrol needs a configuration, no controller

    assert set(names) == set(slurm.expanded(folded(names)))
