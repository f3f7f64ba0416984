"""Lines of an override say what they say, and nothing of what stands around them."""

from __future__ import annotations

import pytest

from fabric import api
from fabric.diagnostics import Invalid
from fabric.platforms.overrides.lines import paths
from tests.platforms.everywhere import BY_LINES, MODELS, product

SITE = """\
site: lab
hosts: {{gpu: {{per_unit: 2, nics: {{compute: {{count: 2, speed: 400G}}}}}}}}
networks:
  compute:
    tiers:
      leaf: {{model: {model}, platform: {platform}}}
      spine: {{model: {model}, platform: {platform}, count: 1}}
overrides:
  - role: leaf
    extra:
      ours: |-
{lines}
"""
PLATFORMS = [part.partition("/")[0] for part in BY_LINES if not product(part.partition("/")[0]).parts]
"""Products that are configured by one file of lines."""
WRONG = (
    "banner motd #",
    "banner login\nhello",
    "end",
    "exit",
    "configure terminal",
    "reload",
    "  shutdown",
    "  no ip",
)
RIGHT = ("ip domain lookup", "interface Loopback9\n   description ours", "logging buffered 100000")


def compiled(tmp_path, platform, text):
    lines = "\n".join(f"        {line}" for line in text.splitlines())
    if text[0].isspace():  # YAML keeps an indentation only if it is told where the text begins
        lines = lines.replace("        ", "", 1).rjust(len(lines))
    site = SITE.format(model=MODELS[platform], platform=platform, lines=lines)
    if text[0].isspace():
        site = site.replace("ours: |-", "ours: |2-")
    (tmp_path / "site.yaml").write_text(site)
    made = api.compile(tmp_path)
    return [made.artifacts[name].text for name in made.devices]


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("text", WRONG)
def test_a_line_that_reaches_beyond_itself_is_refused(tmp_path, platform, text):
    with pytest.raises(Invalid) as refused:
        compiled(tmp_path, platform, text)

    [finding] = [found for found in refused.value.diagnostics if found.is_error]

    assert finding.hint
    assert repr(text.splitlines()[0].strip()) in finding.rule


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("text", RIGHT)
def test_a_whole_section_is_taken_as_it_is(tmp_path, platform, text):
    assert any(text.splitlines()[0] in printed for printed in compiled(tmp_path, platform, text))


def test_indentation_tells_what_a_line_stands_in_and_comments_are_counted():
    text = "! x\na\n   b\n      c\n\n   ! y\n   d\ne\n"

    assert [
        (2, ("a",)),
        (3, ("a", "b")),
        (4, ("a", "b", "c")),
        (7, ("a", "d")),
        (8, ("e",)),
    ] == list(paths(text))
