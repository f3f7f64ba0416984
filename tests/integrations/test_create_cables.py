"""The program beside the export creates the cables that NetBox's form cannot, once."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.exports.sites import of_reference
from tests.integrations.netbox_server import TOKEN_2, Server
from tests.programs import run

NAME = "superpod-b300-spectrumx"


@pytest.fixture
def exported(tmp_path):
    files = of_reference(NAME, "netbox")
    cables = json.loads(files["09-cables.json"])[:3]
    (tmp_path / "09-cables.json").write_text(json.dumps(cables))
    (tmp_path / "create_cables.py").write_text(files["create_cables.py"])
    return tmp_path, cables


def test_cables_are_created_once(exported, tmp_path_factory):
    folder, cables = exported
    server = Server(tmp_path_factory.mktemp("netbox"))
    ends = [(side, end) for c in cables for side in ("a_terminations", "b_terminations") for end in c[side]]
    server.interfaces = [
        {"id": i, "device": end["device"], "name": end["name"], "cable": None}
        for i, (_, end) in enumerate(ends)
    ]

    with server.running() as url:
        environment = {
            **os.environ,
            "NETBOX_URL": url,
            "NETBOX_TOKEN": TOKEN_2,
            "SSL_CERT_FILE": str(server.authority.file),
        }
        words = (sys.executable, folder / "create_cables.py", folder / "09-cables.json")
        first = run(*words, env=environment)
        again = run(*words, env=environment)

    assert "3 cables: 3 created, 0 plugged already\n" == first.stdout
    assert "3 cables: 0 created, 3 plugged already\n" == again.stdout
    names = {record["id"]: (record["device"], record["name"]) for record in server.interfaces}
    for wanted, made in zip(cables, server.cables, strict=True):
        for side in ("a_terminations", "b_terminations"):
            assert [(e["device"], e["name"]) for e in wanted[side]] == [
                names[e["object_id"]] for e in made[side]
            ]


def test_the_token_is_not_sent_without_tls(exported):
    folder, _ = exported
    environment = {**os.environ, "NETBOX_URL": "http://127.0.0.1:1", "NETBOX_TOKEN": TOKEN_2}
    done = run(
        sys.executable, folder / "create_cables.py", Path(folder / "09-cables.json"), env=environment, exits=1
    )

    assert "is not https" in done.stderr
