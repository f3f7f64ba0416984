"""What is carried along because it is not ours."""

from __future__ import annotations

from tests.planning.toy import Site, applied, planned


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
