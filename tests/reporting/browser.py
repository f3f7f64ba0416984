"""Chromium without a window and without the network, for tests that look at a page as people do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.programs import needed_module, needed_programs, path_of

OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--window-size=1280,900",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


@contextmanager
def browser(profile: Path, *more: str) -> Iterator[Any]:
    """A browser with a profile of its own, and more options; it is ended with the test."""
    needed_programs("chromedriver", "chromium")
    webdriver = needed_module("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = str(path_of("chromium"))
    for option in (*OPTIONS, *more, f"--user-data-dir={profile}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(str(path_of("chromedriver")))
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield driver
    finally:
        driver.quit()


def evaluated(driver: Any, expression: str) -> Any:
    """What an expression gives, with the rights of the browser's own tools."""
    given = {"expression": expression, "awaitPromise": True, "returnByValue": True}
    answer = driver.execute_cdp_cmd("Runtime.evaluate", given)
    assert "exceptionDetails" not in answer, answer["exceptionDetails"]
    return answer["result"].get("value")
