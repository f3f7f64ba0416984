"""`fabric import netbox` takes what the inventory allows, from the right site, and repeats no token."""

from __future__ import annotations

import json

import pytest
import yaml

from fabric.cli import main
from tests.exports.sites import ethernet
from tests.integrations.netbox_server import TOKEN_1, TOKEN_2, Server, device

NAMES = ["leaf-0-0", "leaf-0-1", "leaf-0-2", "leaf-0-3", "leaf-1-0", "spine-0", "spine-1", "gpu-0-0"]


@pytest.fixture
def site(tmp_path, monkeypatch):
    (tmp_path / "site.yaml").write_text(ethernet())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NETBOX_TOKEN", TOKEN_2)
    return tmp_path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("netbox")


@pytest.fixture
def server(folder):
    own = Server(folder)
    own.devices = [device(i, name) for i, name in enumerate(NAMES, 1)]
    own.devices += [device(50, "pdu-7"), device(51, "leaf-0-0", site="other")]
    return own


def imported(server, capsys, *more):
    """Exit code, what is printed and what is complained of."""
    with server.running() as url:
        code = main(["import", "netbox", "--url", url, "--ca-file", str(server.authority.file), *more])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_rows_of_every_page_become_an_inventory_that_the_site_takes(site, server, capsys):
    code, _, err = imported(server, capsys, "-o", "inventory.yaml")
    found = yaml.safe_load((site / "inventory.yaml").read_text())

    assert code == 1  # not all hosts are there
    assert "not in NetBox" in err
    assert {"serial": "S1", "rack": "R1", "position": 1, "address": "192.0.2.1/24"} == found["devices"][
        "leaf-0-0"
    ]
    assert {"serial": "S8", "rack": "R1", "position": 8} == found["hosts"]["gpu-0-0"]
    assert set(NAMES) == {*found["devices"], *found["hosts"]}
    assert 0 == main(["validate"])
    assert len(server.asked) == 3


@pytest.mark.parametrize(("token", "header"), [(TOKEN_2, "Bearer"), (TOKEN_1, "Token")])
def test_a_token_of_either_version_is_sent_as_netbox_wants_it(
    site, server, capsys, monkeypatch, token, header
):
    monkeypatch.setenv("NETBOX_TOKEN", token)
    imported(server, capsys)

    assert {f"{header} {token}"} == {sent for _, sent in server.asked}


def test_a_token_is_a_reference_and_never_an_argument(site, server, capsys):
    code, _, err = imported(server, capsys, "--token", TOKEN_1)

    assert (code, server.asked) == (1, [])
    assert "never the token" in err


@pytest.mark.parametrize("name", ["env:NO_SUCH_VARIABLE", "file:missing"])
def test_a_token_that_is_not_there_is_an_error_before_anything_is_asked(site, server, capsys, name):
    code, _, err = imported(server, capsys, "--token", name)

    assert (code, server.asked) == (1, [])
    assert name.partition(":")[2] in err


def unknown(server):
    server.tokens = set()


def not_allowed(server):
    server.viewers = set()


def busy(server):
    server.status = 503


def redirecting(server):
    server.status = 302


def cut(server):
    server.answer = lambda body: body[: len(body) // 2]


def no_page(server):
    server.answer = lambda body: b"[" * (len(body) // 2) + b"]" * (len(body) - len(body) // 2)


def short(server):
    server.answer = lambda body: body.replace(b'"count": 9', b'"count": 8') if b'"S4"' in body else body


def ignoring(server):
    server.honest = False


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        (unknown, "FAB950", "HTTP 401: the token is missing or unknown"),
        (not_allowed, "FAB950", "HTTP 403: the token is not valid, or may not view devices"),
        (busy, "FAB950", "HTTP 503: it cannot answer now"),
        (redirecting, "FAB950", "HTTP 302: it points elsewhere"),
        (cut, "FAB951", "the answer is cut off after"),
        (no_page, "FAB951", "the answer is not"),
        (short, "FAB951", "it changes while we read"),
        (ignoring, "FAB951", "the filter is ignored"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_is_not_a_whole_answer_writes_nothing(site, server, capsys, fault, code, words):
    fault(server)
    exit_code, out, err = imported(server, capsys, "-o", "inventory.yaml")

    assert exit_code == 1
    assert code in err
    assert words in " ".join(err.split())
    assert not (site / "inventory.yaml").exists()
    assert TOKEN_2 not in out + err
    assert "\x1b[31m" not in err


def test_a_site_that_is_not_there_is_told(site, server, capsys):
    _, _, err = imported(server, capsys, "--netbox-site", "nowhere")

    assert "HTTP 400: the filter is refused: is there such a site?" in " ".join(err.split())


def test_a_wrong_path_is_told(site, server, capsys):
    with server.running() as url:
        code = main(["import", "netbox", "--url", f"{url}/netbox", "--ca-file", str(server.authority.file)])

    assert code == 1
    assert "HTTP 404: there is no NetBox at this address" in " ".join(capsys.readouterr().err.split())


def test_a_certificate_that_nobody_signed_gets_no_token(site, server, capsys):
    with server.running() as url:
        code = main(["import", "netbox", "--url", url])

    assert (code, server.asked) == (1, [])
    assert "its certificate is not trusted" in " ".join(capsys.readouterr().err.split())


def test_plain_http_gets_no_token(site, server, capsys):
    assert 1 == main(["import", "netbox", "--url", "http://127.0.0.1:1"])
    assert "https://" in capsys.readouterr().err


HOSTILE = "R1\n  evil: {address: 10.0.0.1/8}\x1b[2J"


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"serial": HOSTILE}, "serial"),
        ({"rack": {"name": HOSTILE}}, "rack"),
        ({"position": 40.5}, "position"),
        ({"primary_ip": {"address": "not an address"}}, "address"),
        ({"platform": {"slug": "ios"}}, "platform"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_value_that_the_inventory_does_not_allow_is_left_out(site, server, capsys, more, key):
    server.devices[0] = device(1, "leaf-0-0", **more)
    _, out, err = imported(server, capsys)
    found = yaml.safe_load(out)["devices"]

    assert key not in found["leaf-0-0"]
    assert "evil" not in found
    assert "FAB952" in err
    assert f"leaf-0-0: {key}" in " ".join(err.split())
    assert "\x1b" not in out + err


def test_a_name_that_comes_again_is_told(site, server, capsys):
    server.devices.append(device(60, "leaf-0-0"))
    _, out, err = imported(server, capsys)

    assert "S1" == yaml.safe_load(out)["devices"]["leaf-0-0"]["serial"]
    assert "names two devices" in " ".join(err.split())


EXPORT = """\ufeffName,Status,Site,Rack,Position (U),Serial number,Platform,IP Address
leaf-0-0,Active,test,"R 1, left",12,S1,Arista EOS,192.0.2.1/24
spine-0,Active,elsewhere,R2,13,S2,Arista EOS,192.0.2.2/24
gpu-0-0,Active,test,R3,,S3,,
"""


def test_an_export_of_the_table_is_read_too(site, capsys):
    (site / "devices.csv").write_text(EXPORT)
    main(["import", "netbox", "--from", "devices.csv"])
    printed = capsys.readouterr()
    found = yaml.safe_load(printed.out)

    assert "FAB952" not in printed.err
    assert {
        "devices": {
            "leaf-0-0": {"serial": "S1", "rack": "R 1, left", "position": 12, "address": "192.0.2.1/24"}
        },
        "hosts": {"gpu-0-0": {"serial": "S3", "rack": "R3"}},
    } == found


def test_our_own_export_is_read_back(site, capsys):
    inventory = "devices: {leaf-0-0: {rack: R1, position: 3, serial: ABC}}\n"
    (site / "inventory.yaml").write_text(inventory)
    assert 0 == main(["export", "netbox", "-o", "out"])
    capsys.readouterr()
    assert 0 == main(["import", "netbox", "--from", "out/netbox/07-devices.csv"])

    assert yaml.safe_load(inventory) == yaml.safe_load(capsys.readouterr().out)


@pytest.mark.parametrize("text", ["", "Serial\nS1\n", 'Name\n"leaf'])
def test_a_table_that_is_none_is_an_error(site, capsys, text):
    (site / "devices.csv").write_text(text)
    code = main(["import", "netbox", "--from", "devices.csv"])

    assert code == 1
    if "leaf" not in text:
        assert "FAB951" in capsys.readouterr().err


@pytest.mark.parametrize("words", [(), ("--url", "https://x.example", "--from", "site.yaml")])
def test_there_is_one_place_to_read(site, capsys, words):
    assert 1 == main(["import", "netbox", *words])
    assert "give either" in capsys.readouterr().err


def test_no_inventory_is_overwritten(site, server, capsys):
    (site / "inventory.yaml").write_text("{}\n")
    code, _, err = imported(server, capsys, "-o", "inventory.yaml")

    assert (code, server.asked) == (1, [])
    assert "inventory.yaml exists" in err


def test_a_program_reads_the_rows_as_json(site, server, capsys):
    _, out, _ = imported(server, capsys, "--format", "json")
    found = json.loads(out)

    assert "S1" == found["devices"]["leaf-0-0"]["serial"]
    assert 1 == found["others"]
    assert "gpu-0-1" in found["missing"]
