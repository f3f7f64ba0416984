"""A first apply of subnet managers: its rollback is refused before a host is touched, with what to do instead.

Without the files that it was given, a manager would open the subnet to everybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabric import api
from fabric.deployment.permissions import needed
from fabric.diagnostics import Refused
from tests.infiniband.hosts import FAST, MKEY, SAKEY, Managed, managed
from tests.infiniband.sites import SMALL

pytestmark = pytest.mark.live

PAIR = SMALL.format(units=2)
ALONE = "".join(line for line in PAIR.splitlines(keepends=True) if "sm-2:" not in line)
BEFORE = {
    "nothing": ("", "FAB723", "had no files before"),
    "no partition": ("sm_priority 3\n", "FAB736", "there is no partition"),
}
"""What opensm.conf says before the first apply, and why nobody goes back to it."""


@pytest.fixture(params=[ALONE, PAIR], ids=["alone", "pair"])
def site(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Managed]:
    monkeypatch.setenv("MKEY", MKEY)
    monkeypatch.setenv("SAKEY", SAKEY)
    with managed(tmp_path, request.param) as made:
        yield made


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("before", BEFORE)
def test_a_rollback_to_what_opensm_must_not_run_with_is_refused_and_touches_nothing(
    site: Managed, before: str
) -> None:
    text, code, reason = BEFORE[before]
    for name in site.targets if text else ():
        site.host(name, "etc/opensm.conf").write_text(text)
    made = site.plan()
    applied = api.apply(
        site.folder / "plan", site.compiled, site.place(), pace=FAST, allow=tuple(needed(made.changed))
    )
    assert applied.outcome == "done"
    files, logs = ({name: read(name) for name in site.targets} for read in (site.partitions, site.log))

    for roll_back in (api.plan_rollback, api.rollback):
        with pytest.raises(Refused, match=code) as refused:
            roll_back(site.compiled, site.place())
        assert reason in str(refused.value)
    assert files == {name: site.partitions(name) for name in site.targets}
    assert logs == {name: site.log(name) for name in site.targets}
    assert site.plan().changed == ()
