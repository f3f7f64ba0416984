"""What guards the sessions between switches: who has it, what changing it does, and what a plan says of that."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from fabric import planning, rendering
from fabric.deployment import observe_folder
from fabric.devices.model import LinkRole, Relation
from fabric.diagnostics import Invalid
from fabric.planning import PlanOptions
from fabric.planning.model import Impact
from tests.platforms.everywhere import FEATURES, MODELS, capabilities, devices, texts

GUARDED = [name for name in sorted(MODELS) if capabilities(name).ttl_security]
KINDS = [("two tiers", "GTSM"), ("unnumbered", "GTSM on unnumbered sessions")]
OPTIONS = PlanOptions(
    site="shared",
    program="0",
    intent="x",
    created=datetime(2026, 1, 2, tzinfo=UTC),
    mode="offline",
    adopt=True,
)


def moved(name, before, after, folder):
    """The plan from one feature to another, against backups of the first."""
    for switch, text in texts(devices(name, before)):
        (folder / f"{switch.name}.txt").write_text(text)
    artifacts = rendering.render(devices(name, after))
    seen = observe_folder(folder, artifacts, artifacts.record, artifacts.__getitem__)
    return planning.plan(artifacts, seen, switches=artifacts.devices, options=OPTIONS)[0]


def links(name):
    """Every link between two switches."""
    return {
        tuple(sorted((f"{switch.name} {port.name}", f"{port.peer} {port.peer_port}")))
        for switch in devices(name, "two tiers").values()
        for port in switch.ports
        if port.role in (LinkRole.UP, LinkRole.DOWN) and port.peer
    }


def coupled(made):
    """The links whose ends must change together."""
    return {tuple(sorted(one.ends)) for one in made.couplings}


@pytest.mark.parametrize("name", sorted(MODELS))
@pytest.mark.parametrize("feature", ["GTSM", "GTSM on unnumbered sessions"])
def test_both_ends_have_gtsm_or_the_intent_is_refused(name, feature):
    if FEATURES[feature].able(capabilities(name)):
        found = [one for switch, _ in texts(devices(name, feature)) for one in switch.routing.neighbors]
        assert {True} == {one.ttl_security for one in found}
    else:
        with pytest.raises(Invalid, match=r"GTSM|ttl_security|unnumbered"):
            list(texts(devices(name, feature)))


@pytest.mark.parametrize("name", GUARDED)
@pytest.mark.parametrize("back", [False, True], ids=["on", "off"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[0])
def test_gtsm_is_switched_on_both_ends_of_a_link_at_once(name, kind, back, tmp_path):
    """One end alone ends the session: both change in one wave, and whom that cuts off is said."""
    made = moved(name, *(kind[::-1] if back else kind), tmp_path)

    assert made.changed
    assert all(device.impact.rank >= Impact.FLAP.rank for device in made.changed)
    assert links(name) == coupled(made)
    assert {"GTSM"} == {one.what for one in made.couplings}
    assert [] == [finding for finding in made.diagnostics if finding.is_error]
    assert [] != [wave for wave in made.waves if wave.together]
    assert made.held or Impact.ISOLATING in {wave.impact for wave in made.waves if wave.together}


@pytest.mark.parametrize("name", sorted(MODELS))
def test_another_limit_of_prefixes_couples_no_links(name, tmp_path):
    made = moved(name, "two tiers", "a limit of prefixes", tmp_path)

    assert len(devices(name, "two tiers")) == len(made.changed)
    assert set() == coupled(made)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_session_between_switches_has_a_limit_far_above_what_there_is(name):
    for switch in devices(name, "two tiers").values():
        for one in switch.routing.neighbors:
            assert one.relation is not Relation.EXTERNAL
            assert one.max_prefixes == 128
