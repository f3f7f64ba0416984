"""Nautobot itself imports a site, file after file in the order of their numbers, and holds all of it afterwards."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fabric.exports import rows
from fabric.exports.inventories.nautobot import NO_OBJECT
from fabric.exports.network_view import views
from tests.exports.large import LARGE
from tests.exports.sites import csv_rows, links_of, of_reference, reference
from tests.programs import ROOT, needed, run, start
from tests.waiting import PATIENCE_S, until

pytestmark = LARGE
PYTHON = ROOT / ".venv" / "nautobot" / "bin" / "python"
"""The environment that `make test-large` makes from `requirements/nautobot.txt`."""
OWN = Path(__file__).parent / "nautobot"
SITE = "lab-8"
LONGEST_S = 3600


@contextmanager
def redis(folder: Path):
    """A server behind a socket, which keeps nothing."""
    socket = folder / "redis.sock"
    server = start("redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder)
    try:
        until(socket.exists, PATIENCE_S, "Redis listens")
        yield socket
    finally:
        server.terminate()
        server.wait(PATIENCE_S)


@pytest.fixture
def imported(postgres, tmp_path):
    """What a new Nautobot says and holds after the import of some files."""
    if not PYTHON.exists():
        needed("Nautobot", "`make test-large` installs requirements/nautobot.txt")
    address = urlsplit(postgres)

    def take(files: dict[str, str]) -> dict:
        folder = tmp_path / "exported"
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        with redis(tmp_path) as socket:
            settings = {
                "NAUTOBOT_CONFIG": str(OWN / "nautobot_config.py"),
                "NAUTOBOT_ROOT": str(tmp_path),
                "NAUTOBOT_DB_HOST": address.hostname,
                "NAUTOBOT_DB_PORT": str(address.port),
                "NAUTOBOT_DB_USER": address.username,
                "NAUTOBOT_DB_PASSWORD": "",
                "NAUTOBOT_DB_NAME": address.path[1:],
                "NAUTOBOT_SECRET_KEY": "of-a-test-" * 6,
                "NAUTOBOT_ALLOWED_HOSTS": "*",
                "FABRIC_REDIS_SOCKET": str(socket),
            }
            done = run(
                PYTHON, OWN / "load_site.py", folder, env={**os.environ, **settings}, limit_s=LONGEST_S
            )
        return json.loads(done.stdout.splitlines()[-1])

    return take


def test_every_file_is_imported_and_everything_is_there(imported):
    files = of_reference(SITE, "nautobot")
    said = imported(files)
    found = said["held"]
    given = [row for row in rows.address_rows(views(*reference(SITE))) if row.device]

    assert {} == said["faults"]
    assert sorted(row["name"] for row in csv_rows(files["08-devices.csv"])) == found["devices"]
    ports = csv_rows(files["09-interfaces.csv"])
    assert sorted([row["device__name"], row["name"]] for row in ports) == found["interfaces"]
    assert sorted(sorted(map(list, link)) for link in links_of(SITE)) == found["cables"]
    assert len(csv_rows(files["13-prefixes.csv"])) == found["prefixes"]
    assert sorted(row.host for row in given) == sorted(host for *_, host in found["addresses"])
    assert 0 == found["orphans"]


def test_a_row_that_refers_to_nothing_is_refused(imported):
    files = {
        path: text
        for path, text in of_reference(SITE, "nautobot").items()
        if path[:2] <= "08" and path[0] == "0"
    }
    said = imported({**files, "08-devices.csv": files["08-devices.csv"].replace(NO_OBJECT, "none")})

    assert ["08-devices.csv"] == list(said["faults"])
    assert any("Related object not found" in fault for fault in said["faults"]["08-devices.csv"])
    assert [] == said["held"]["devices"]
