"""A speed that the box lacks: the compiler says so beforehand, by the catalogue, and the emulated box refuses it."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from fabric.hardware import load_catalogue
from fabric.hardware.cage_modes import parse_mode
from fabric.platforms.eos.emulator.flaws import flaw
from fabric.platforms.eos.emulator.ports import Reach, lacks, reaches
from fabric.platforms.eos.emulator.store import parse
from fabric.platforms.eos.emulator.tree import EMPTY
from fabric.platforms.eos.names import SPEED_WORDS
from tests.platforms.sites import compiled, site

BOXES = {
    name: model
    for name, model in load_catalogue().switches.items()
    if any(software.name == "eos" for software in model.software)
}
SPEEDS_MBPS = sorted({mbps for mbps, _ in SPEED_WORDS})


def takes(reach: Reach, mbps: int) -> bool:
    """Whether a port can be set to a speed, over any number of lanes."""
    return any(not lacks(reach, word) for (speed, _), word in SPEED_WORDS.items() if speed == mbps)


@pytest.mark.parametrize("name", BOXES)
def test_a_box_takes_every_mode_that_the_catalogue_lists(name: str) -> None:
    for group in BOXES[name].cages:
        whole = Reach(group.lanes, group.lane_mbps, group.max_mbps)
        assert whole in reaches(name).values()
        for mode in map(parse_mode, group.breakouts):
            lanes = group.lanes // mode.ports
            word = SPEED_WORDS.get((mode.speed_mbps, lanes), "")
            for port in range(mode.ports):
                assert not lacks(whole._replace(lanes=group.lanes - port * lanes), word), (mode, word)


@pytest.mark.parametrize("name", BOXES)
@pytest.mark.parametrize("mbps", SPEEDS_MBPS)
def test_a_speed_that_no_port_has_is_an_error_of_the_intent_and_of_the_box(name: str, mbps: int) -> None:
    if any(takes(reach, mbps) for reach in reaches(name).values()):
        return
    gpu = f"{{gpu: {{nics: {{compute: {{speed: {mbps // 1000}G}}}}}}}}"
    with pytest.raises(Invalid) as wrong:
        compiled("eos", site(f"{{hosts: {gpu}}}"), model=name)
    assert "FAB202" in {one.code for one in wrong.value.diagnostics}

    words = [word for (speed, _), word in SPEED_WORDS.items() if speed == mbps]
    for port in list(reaches(name))[:: len(reaches(name)) // 8]:
        for word in words:
            config = parse(f"interface {port}\n   speed {word}\n", ports=frozenset(reaches(name)))
            assert f"speed {word} is not supported" in flaw(EMPTY, config, reaches(name))


def test_some_box_lacks_some_speed() -> None:
    lacking = {
        (name, mbps)
        for name in BOXES
        for mbps in SPEEDS_MBPS
        if not any(takes(reach, mbps) for reach in reaches(name).values())
    }

    assert len(lacking) >= len(BOXES)
