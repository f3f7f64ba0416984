"""The whole page judged by axe-core, in light and in dark, at a desk and on a phone, where it scrolls one way."""

from __future__ import annotations

import pytest

from fabric.exports.network_view import views
from fabric.intent.load import load_text
from fabric.reporting.page import Facts, Finding, PageTable, Verified, page
from fabric.reporting.page.facts import VerifyFinding, VerifySeen
from fabric.topology.expand import expand
from tests.programs import needed_files
from tests.reporting.browser import browser, evaluated

pytestmark = pytest.mark.live
PACKAGE = "axe_playwright_python"
"""Has axe-core in it; its Python part is not used."""
SITE = """
site: judged
units: 2
hosts: {gpu: {per_unit: 2, gpus: 2, nics: {compute: {count: 2, speed: 400G}}}}
networks:
  compute:
    planes: {count: 1}
    tiers:
      leaf: {model: arista-7060x6-64pe}
      spine: {model: arista-7060x6-64pe, count: 2}
    lossless: roce-lossless
"""
WIDTHS = {"desk": 1400, "phone": 390}
STATES = {
    "as it opens": "",
    "a device, unfolded": "location.hash = '#leaf-0-0';"
    "document.querySelectorAll('details').forEach((each) => { each.open = true; });",
}


def axe() -> str:
    """The text of axe-core."""
    return (needed_files(PACKAGE) / "axe.min.js").read_text("utf-8")


def facts() -> Facts:
    """Something in every section whose form differs from the others'."""
    intent = load_text({"site.yaml": SITE})
    fault = VerifyFinding("missing:1", "missing", "cabling", "FAB832", "cable 7 is missing", "Plug it.")
    table = PageTable(
        title="Failures",
        headings=("FAILURE", "HOSTS"),
        rows=(("leaf", "2"),),
        meanings=("What fails.", "Hosts."),
    )
    return Facts(
        views=views(intent, expand(intent)),
        findings=(
            Finding(
                code="FAB1401", severity="warning", place="site.yaml:7:5", message="one leaf", hint="Two."
            ),
        ),
        tables={"lint": (), "failures": (table,), "devices": (table,)},
        verified=Verified("judged", "compute", (fault,), (VerifySeen("cabling", "7 of 8 cables"),)),
    )


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """The page in one browser, and a way to judge it as it is: the page itself has no axe-core."""
    folder = tmp_path_factory.mktemp("judged")
    (folder / "report.html").write_text(page(facts()))
    script = axe()
    with browser(folder / "profile") as driver:

        def judge(theme: str, width: int, state: str) -> list[str]:
            media = [{"name": "prefers-color-scheme", "value": theme}]
            screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
            driver.get("about:blank")
            driver.get(f"file://{folder}/report.html")
            evaluated(driver, state)
            evaluated(driver, script)
            return evaluated(driver, f"axe.run({{resultTypes: ['violations']}}).then({TOLD})") + evaluated(
                driver, WIDER
            )

        yield judge


TOLD = """(found) => found.violations.filter((each) => ['serious', 'critical'].includes(each.impact))
  .flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.html.slice(0, 120)}`))"""
WIDER = "((root) => root.scrollWidth > innerWidth ? [`${root.scrollWidth} px wide`] : [])(document.documentElement)"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_nothing_serious_is_found(opened, theme, width, state):
    assert [] == opened(theme, width, state)


def test_what_is_wrong_would_be_found(opened):
    state = "document.documentElement.lang = ''; document.querySelector('h1').style.width = '2000px'"

    found = opened("light", WIDTHS["phone"], state)

    assert any(each.startswith("html-has-lang") for each in found)
    assert any(each.endswith("px wide") for each in found)
