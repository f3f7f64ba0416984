"""What is carried along because it is not ours."""

from __future__ import annotations

import msgspec
import pytest

from fabric.planning.texts import digest
from tests.planning.toy import Site, applied, canonical, planned


def pushed(site: Site, extra: dict[str, str], **changed: object) -> str:
    name = "leaf-0-0-0"
    running = site.texts[name]
    for old, new in extra.items():
        running = running.replace(old, new) if old else running + new
    target = site.edited("ntp 192.0.2.9", "ntp 192.0.2.10", name)
    made, texts = planned(target, {name: running}, last_applied=applied(site.texts), **changed)
    return texts[made.changed[0].candidate] if made.changed else ""


def test_without_foreign_lines_the_artifact_itself_is_pushed(site: Site) -> None:
    text = pushed(site, {})

    assert text == site.texts["leaf-0-0-0"].replace("ntp 192.0.2.9", "ntp 192.0.2.10")


def test_a_foreign_section_is_kept_whole(site: Site) -> None:
    text = pushed(site, {"": "foreign tap\n   mirror p1\n"})

    assert "foreign tap\n   mirror p1\n" in text
    assert "ntp 192.0.2.10" in text


def test_a_foreign_line_inside_a_section_of_ours_is_kept_before_ours(site: Site) -> None:
    end = "   profile roce\ninterface p2"
    text = pushed(site, {end: f"   sampling 5\n{end}"})

    assert "interface p1\n   sampling 5\n   description host-0-0\n" in text


def test_a_changed_value_of_ours_is_not_kept(site: Site) -> None:
    text = pushed(site, {"mtu 9000": "mtu 1500", "description host-0-0": "description by hand at night"})

    assert "mtu 1500" not in text
    assert "by hand" not in text


def test_what_we_wrote_before_and_no_longer_want_goes(site: Site) -> None:
    before = site.with_texts({name: text + "ntp 192.0.2.66\n" for name, text in site.texts.items()})
    made, texts = planned(site, before.texts)

    assert all("192.0.2.66" not in texts[device.candidate] for device in made.changed)
    assert len(made.changed) == 6


def test_full_ownership_removes_foreign_lines(site: Site) -> None:
    assert "foreign" not in pushed(site, {"": "foreign tap\n"}, ownership="full")


def test_a_secret_of_ours_stays_a_reference_beside_kept_lines(site: Site) -> None:
    text = pushed(site, {"": "foreign secret HUNTER3\n"})

    assert "user netops secret <secret:env:NETOPS>\n" in text
    assert "foreign secret <masked>\n" in text


def told(site: Site, extra: dict[str, str], code: str = "FAB613", **changed: object) -> list[str]:
    """What a plan tells by that code, where a leaf runs what is applied and something else in it."""
    name = "leaf-0-0-0"
    running = site.texts[name]
    for old, new in extra.items():
        running = running.replace(old, new, 1)
    made, _ = planned(site, {name: running}, **changed)
    return [finding.rule for finding in made.diagnostics if finding.code == code]


SHUT = {"interface p1\n": "interface p1\n   shutdown\n"}
UNKNOWN_FILTER = {"interface p1\n": "interface p1\n   filter in X\n"}
OTHER_SESSION = {"ntp 192.0.2.9": "ntp 192.0.2.9\nbgp 1\n   neighbor 203.0.113.1 remote-as 65009"}


@pytest.mark.parametrize("extra", [SHUT, UNKNOWN_FILTER], ids=["known", "unknown"])
def test_a_line_of_others_in_a_section_of_ours_is_told_in_every_plan(
    site: Site, extra: dict[str, str]
) -> None:
    changing, never = applied(site.texts), {"last_applied": {}, "adopt": True}
    after = {name: msgspec.structs.replace(known, has_foreign=True) for name, known in changing.items()}
    name, ((old, new),) = "leaf-0-0-0", extra.items()
    running = site.texts[name].replace(old, new, 1)
    after[name] = msgspec.structs.replace(after[name], after=digest(canonical(running)))

    assert len(told(site, extra, last_applied=changing)) == 1  # a line that came by hand
    assert len(told(site, extra, **never)) == 1  # an adoption
    assert len(told(site, extra, last_applied=after)) == 1  # nothing has changed since it was carried along
    assert told(site, extra, ownership="full") == []


def test_a_session_or_a_line_of_others_beside_ours_overrides_nothing(site: Site) -> None:
    assert told(site, OTHER_SESSION) == []
    assert told(site, {"ntp 192.0.2.9": "ntp 192.0.2.9\nforeign tap\n   mirror p1"}) == []


def test_a_plan_without_a_journal_says_once_that_it_takes_all_for_ours(site: Site) -> None:
    assert len(told(site, SHUT, "FAB614", last_applied=None)) == 1
    assert told(site, {"mtu 9000": "mtu 1500"}, "FAB614", last_applied=None) == []
    assert told(site, SHUT, "FAB614") == []
