"""The page in a browser: search, levels by keyboard, deep links, names for who cannot see it, and silence."""

from __future__ import annotations

import json

import pytest

from fabric.exports.network_view import views
from fabric.intent.load import load_text
from fabric.reporting.page import Facts, page
from fabric.topology.expand import expand
from tests.programs import needed_module
from tests.reporting.browser import browser
from tests.waiting import until

pytestmark = pytest.mark.live
SITE = """
site: drawn
units: 4
hosts: {gpu: {per_unit: 4, gpus: 4, nics: {compute: {count: 4, speed: 400G}}}}
networks:
  compute:
    pods: {units: 2}
    tiers:
      leaf: {model: arista-7060x6-64pe}
      spine: {model: arista-7060x6-64pe}
      superspine: {model: arista-7060x6-64pe}
    lossless: roce-lossless
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """The page in one browser for all tests of this file."""
    folder = tmp_path_factory.mktemp("page")
    intent = load_text({"site.yaml": SITE})
    (folder / "report.html").write_text(page(Facts(views=views(intent, expand(intent)))))
    with browser(folder / "profile") as driver:
        driver.fabric_page = f"file://{folder}/report.html"
        driver.get(driver.fabric_page)
        yield driver


@pytest.fixture
def shown(opened):
    """The page as it is when it is opened."""
    opened.get("about:blank")
    opened.get(opened.fabric_page)
    return opened


def keys():
    return needed_module("selenium.webdriver.common.keys").Keys


def find(driver, selector):
    return driver.find_element("css selector", selector)


def crumbs(driver):
    """Where the drawing is, from the whole on."""
    current = driver.find_elements(
        "css selector", ".crumbs button[aria-current], .crumbs button:has(~ [aria-current])"
    )
    return [button.text for button in current]


def focused(driver):
    return driver.switch_to.active_element


def press(driver, *words):
    for word in words:
        focused(driver).send_keys(word)


def test_search_opens_a_device_with_its_ports(shown):
    box = find(shown, "#find")
    box.send_keys("leaf-1-2")
    assert "leaf-1-2" in find(shown, "#found").text

    box.send_keys(keys().ENTER)

    until(lambda: find(shown, ".device").is_displayed(), 60, "the device")
    assert find(shown, ".device h4").text == "leaf-1-2"
    assert "gpu-1-0" in find(shown, ".device table").text
    assert crumbs(shown) == ["whole network"]
    assert shown.current_url.endswith("#leaf-1-2")


def test_levels_open_and_close_by_keyboard(shown):
    box = find(shown, '.stage .box[tabindex="0"]')
    shown.execute_script("arguments[0].focus()", box)
    press(shown, keys().ARROW_DOWN)
    first = focused(shown).get_attribute("aria-label")
    press(shown, keys().ARROW_DOWN)
    assert focused(shown).get_attribute("aria-label") != first

    select = find(shown, ".crumbs select")
    select.send_keys("pod 1")
    select.send_keys(keys().TAB)
    press(shown, keys().ENTER)
    until(lambda: crumbs(shown) == ["whole network", "pod 1"], 60, "the pod")
    shown.execute_script("document.querySelector('.stage .box[tabindex=\"0\"]').focus()")
    press(shown, keys().ENTER)
    until(lambda: find(shown, ".device").is_displayed(), 60, "the switch")
    press(shown, keys().ESCAPE)
    until(lambda: not find(shown, ".device").is_displayed(), 60, "the drawing alone")
    press(shown, keys().ESCAPE)
    until(lambda: crumbs(shown) == ["whole network"], 60, "the whole network")


def test_an_address_with_a_device_opens_it(shown):
    shown.get("about:blank")
    shown.get(f"{shown.fabric_page}#gpu-3-1")

    until(lambda: find(shown, ".device").is_displayed(), 60, "the host")
    assert find(shown, ".device h4").text == "gpu-3-1"
    assert crumbs(shown) == ["whole network", "pod 1", "unit 3"]


def test_a_line_says_what_it_is(shown):
    line = find(shown, ".stage path.link")
    shown.execute_script("arguments[0].focus()", line)

    told = find(shown, ".tell").text
    assert "link" in told
    assert "400G" in told
    assert " m" in told


def test_all_lines_of_every_level_know_their_links(shown):
    """What the script counts behind a line is what the drawing says of it."""
    script = """
      const wrong = [], $ = (selector) => document.querySelector(selector);
      const parts = [...document.querySelectorAll('.crumbs option')].map((option) => option.value);
      for (const part of ['hall', ...parts]) {
        if (part !== 'hall') { $('.crumbs select').value = part; $('.crumbs button:last-child').click(); }
        for (const line of document.querySelectorAll('.stage path.link')) {
          line.dispatchEvent(new Event('focusin', {bubbles: true}));
          const told = $('.tell').textContent;
          if (!told.includes('Cables: ')) wrong.push(told);
        }
        $('.crumbs button').click();
      }
      return parts.length ? wrong : ['no parts'];
    """

    assert [] == shown.execute_script(script)


def test_everything_that_takes_the_focus_has_a_name(shown):
    tree = shown.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = {
        "button",
        "link",
        "textbox",
        "searchbox",
        "combobox",
        "checkbox",
        "region",
        "navigation",
        "figure",
    }
    named = [node for node in tree if not node["ignored"] and node["role"]["value"] in roles]

    assert len(named) > 20
    assert [] == [node for node in named if not node.get("name", {}).get("value", "").strip()]


def test_no_error_is_told_and_nobody_is_asked(shown):
    shown.get_log("performance")
    shown.get("about:blank")
    shown.get(f"{shown.fabric_page}#leaf-0-0")
    until(lambda: find(shown, ".device").is_displayed(), 60, "the device")
    told = shown.get_log("browser")
    asked = [
        message["params"]["request"]["url"]
        for entry in shown.get_log("performance")
        if (message := json.loads(entry["message"])["message"])["method"] == "Network.requestWillBeSent"
    ]

    assert told == []
    assert asked
    assert {url.partition("#")[0] for url in asked} <= {shown.fabric_page, "about:blank"}


def test_a_script_that_is_not_ours_would_be_stopped_and_told(shown):
    shown.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.got = 1'; document.body.append(s)"
    )

    assert shown.execute_script("return window.got") is None
    assert any("Content Security Policy" in entry["message"] for entry in shown.get_log("browser"))
