"""The emulated device with Juniper's own models as judge: what they refuse, it refuses over NETCONF."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from napalm.base.exceptions import ReplaceConfigException

from fabric.platforms.junos import PLATFORM
from fabric.platforms.junos.emulator import judge
from tests.platforms.junos.emulated import NEW_SERVER, Lab, lab
from tests.platforms.junos.test_models import MISTAKES, MODELS
from tests.yang import need_libyang, said

pytestmark = pytest.mark.live
SHOWN = ("unknown statement", "hold time", "fill level")
"""One of a statement, one of a value of Evolved, one of a value of QFX."""


def by_models(text: str) -> tuple[judge.Fault, ...]:
    """What Juniper's models say against a candidate."""
    return tuple(judge.Fault(found.message, found.path) for found in said(PLATFORM, text, MODELS))


@pytest.fixture(name="box", scope="module")
def _box() -> Iterator[Lab]:
    need_libyang()
    with lab() as made:  # what the devices boot with is not judged again
        judge.loaded.cache_clear()
        judge.JUDGES.append(by_models)
        yield made
        judge.JUDGES.remove(by_models)
        judge.loaded.cache_clear()


def test_what_we_print_is_loaded_and_committed(box: Lab) -> None:
    driver = box.driver(timeout_s=120)
    driver.load_replace_candidate(config=box.new)
    driver.commit_config(revert_in=60)
    driver.rollback()

    assert NEW_SERVER not in box.running()


@pytest.mark.parametrize("name", SHOWN)
def test_what_the_models_refuse_is_refused_and_leaves_nothing(box: Lab, name: str) -> None:
    right, wrong = MISTAKES[name]
    assert right in box.new
    driver = box.driver(timeout_s=120)

    with pytest.raises(ReplaceConfigException):
        driver.load_replace_candidate(config=box.new.replace(right, wrong, 1))
    assert box.device.database.holder is None
    assert not box.device.database.is_dirty
