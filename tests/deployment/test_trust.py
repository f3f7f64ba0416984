"""What devices show is fetched without a login, strangers are bounded, and files are rewritten line by line."""

from __future__ import annotations

import base64
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import repeat
from pathlib import Path
from typing import Any

import msgspec
import paramiko
import pytest

from fabric.deployment.connection import probe_identity
from fabric.deployment.connection.check_trust import Identity, State, identities, record
from fabric.deployment.connection.recorded_trust import (
    CERTIFICATES,
    KNOWN_HOSTS,
    read_recorded,
    record_certificates,
    record_host_keys,
)
from fabric.deployment.connection.secrets import SecretSource
from fabric.deployment.connection.targets import addresses, targets
from fabric.diagnostics import Invalid
from fabric.documents.schema.scalar_types import decode
from fabric.intent.inventory import Inventory
from fabric.platforms import registry
from fabric.platforms import trust as known_files
from fabric.platforms.base import Endpoint, Target, Trust
from fabric.sandbox import Sandbox
from tests.platforms.recorded_devices import knows_nobody, opens
from tests.ports import free_port
from tests.sandbox.test_growth import PRODUCTS, fresh

PIN = f"sha256:{'ab' * 32}"
OTHER_PIN = f"sha256:{'cd' * 32}"
LOGINS = ("request", "login", "login_with_key", "run", "channel")
"""What a device is asked with a login, or for one."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user who knows no hosts."""
    knows_nobody(tmp_path / "home", monkeypatch)
    return tmp_path / "home"


def looked(
    way: Target, endpoints: tuple[Endpoint, ...], folder: Path, timeout_s: float = 15
) -> tuple[Identity, ...]:
    with ThreadPoolExecutor(1) as executor:
        return identities({way.name: way}, lambda _name: endpoints, folder, executor, timeout_s)


@pytest.mark.parametrize("product", PRODUCTS)
def test_nobody_logs_in(product: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoints = registry.platform(product).endpoints
    calls: list[str] = []
    with Sandbox(fresh(product)[:1], port=free_port(), block=91) as sandbox:
        ((name, way),) = sandbox.targets.items()
        device = sandbox.network[name]
        assert [str(one) for one in device.transports] == [one.protocol for one in endpoints]
        for call in LOGINS:
            if hasattr(device, call):
                monkeypatch.setattr(type(device), call, lambda *_a, call=call, **_w: calls.append(call))
        found = looked(msgspec.structs.replace(way, trust=Trust()), endpoints, tmp_path)
        for state in (State.NEW, State.KNOWN):
            assert {one.state for one in found} == {state}
            record(found, tmp_path, new=True, replaced=())
            trust = recorded_trust(way, tmp_path)
            found = looked(msgspec.structs.replace(way, trust=trust), endpoints, tmp_path)

    assert calls == []
    assert "password" not in repr(found)


@pytest.mark.parametrize("name", [name for name in registry.ROWS if registry.platform(name).driver])
def test_the_endpoints_are_those_of_the_driver(name: str) -> None:
    """Its usual ports, and that of the inventory in place of the first."""
    product = registry.platform(name)
    first, *others = (one.port for one in product.endpoints)
    for port, own in ((None, first), (7, 7)):
        way = Target(name="leaf", address="127.0.0.1", port=port, username="", password="")
        options = product.driver_options(way)
        assert sorted(n for key, n in options.items() if key.endswith("port")) == sorted([own, *others])


def recorded_trust(way: Target, folder: Path, proof: dict[str, str] | None = None) -> Trust:
    raw: dict[str, Any] = {"address": f"{way.address}/8", **({"proof": proof} if proof else {})}
    inventory = msgspec.convert({"devices": {way.name: raw}}, Inventory, dec_hook=decode)
    return addresses(inventory, [way.name], folder)[0][way.name].trust


# --- strangers


@contextmanager
def stranger(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """Somebody on a port of loopback who does this with whoever comes."""
    listener = socket.create_server(("127.0.0.1", 0))
    guests: list[socket.socket] = []

    def accept() -> None:
        with suppress(OSError):
            while True:
                guest, _ = listener.accept()
                guests.append(guest)
                with suppress(OSError):
                    serve(guest)

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        for one in (listener, *guests):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        thread.join()


def flooding(first: bytes, more: bytes = b"A" * 65536) -> Callable[[socket.socket], None]:
    def serve(guest: socket.socket) -> None:
        guest.sendall(first)
        for block in repeat(more):
            guest.sendall(block)

    return serve


STRANGERS: dict[str, Callable[[socket.socket], None]] = {
    "never answers": lambda _guest: None,
    "hangs up": lambda guest: guest.shutdown(socket.SHUT_RDWR),
    "sends a line that never ends": flooding(b""),
    "sends lines for ever": flooding(b"", b"hello\r\n" * 1000),
    "sends one huge SSH packet": flooding(b"SSH-2.0-x\r\n\x7f\xff\xff\xff\x04"),
    "sends one huge TLS handshake": flooding(b"\x16\x03\x03\x40\x00\x02\xff\xff\xff"),
    "sends a banner that is no text": lambda guest: guest.sendall(b"\xff\x1b]0;owned\x07\r\n" * 200),
    "talks plain HTTP": lambda guest: guest.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "sends a byte and stays": lambda guest: guest.sendall(b"\x16"),
}


@pytest.mark.parametrize("protocol", ["https", "ssh"])
@pytest.mark.parametrize("kind", STRANGERS)
def test_a_stranger_is_bounded_and_not_repeated(
    kind: str, protocol: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []
    recv = probe_identity.Bounded.recv

    def counted(self: Any, size_bytes: int) -> bytes:
        data = recv(self, size_bytes)
        taken.append(len(data))
        return data

    monkeypatch.setattr(probe_identity.Bounded, "recv", counted)
    with stranger(STRANGERS[kind]) as port:
        way = Target(name="leaf", address="127.0.0.1", port=port, username="", password="")
        (found,) = looked(way, (Endpoint(protocol, 1),), tmp_path, timeout_s=2)

    assert found.state is State.SILENT
    assert found.reason
    assert found.reason.isascii()
    assert found.reason.isprintable()
    assert "owned" not in found.reason
    assert sum(taken) <= probe_identity.MOST_BYTES
    assert record([found], tmp_path, new=True, replaced=["leaf"]) == ()


@pytest.mark.parametrize("protocol", ["https", "ssh"])
def test_nobody_there_is_told(protocol: Any, tmp_path: Path) -> None:
    way = Target(name="leaf", address="127.0.0.1", port=free_port(), username="", password="")
    (found,) = looked(way, (Endpoint(protocol, 1),), tmp_path)

    assert (found.state, found.reason) == (State.SILENT, "Connection refused")


# --- what is known


KEYS = [f"ssh-ed25519 {base64.b64encode(bytes([n]) * 51).decode()}" for n in range(3)]
HOSTS = ("192.0.2.1", "[192.0.2.1]:830", "2001:db8::1", "[2001:db8::1]:830")


OVER_SSH = [name for name in PRODUCTS if registry.platform(name).endpoints[-1].protocol == "ssh"]


@pytest.mark.parametrize("product", OVER_SSH)
@pytest.mark.parametrize("file", [0, 1])
def test_files_of_openssh_are_read_whatever_stands_in_them(product: str, file: int, tmp_path: Path) -> None:
    path = Path(known_files.FILES[file]).expanduser()
    with Sandbox(fresh(product)[:1], port=free_port(), block=94) as sandbox:
        ((_, way),) = sandbox.targets.items()
        way = msgspec.structs.replace(way, trust=Trust(ca_file=str(sandbox.ca_file)))
        endpoints = [one for one in registry.platform(product).endpoints if one.protocol == "ssh"]
        way = msgspec.structs.replace(way, port=way.ports["ssh"])
        line = sandbox.known_hosts.read_text().strip()
        kind, key = line.split()[1:]
        odd = f"garbage\n{line.split()[0]} {kind} not-base64!\n@cert-authority * {kind} {key}\nx y AAAA\n"
        for text, state in (
            (f"{odd}{line}\n", State.KNOWN),
            (odd, State.NEW),
            (f"{line}\n@revoked * {kind} {key}\n", State.REFUSED),
        ):
            path.write_text(text)
            (found,) = looked(way, tuple(endpoints), tmp_path / "site")
            assert (found.state, found.by) == (state, "" if state is State.NEW else known_files.FILES[file])
            if registry.platform(product).endpoints[0].protocol == "ssh":
                assert (opens(way, product) == "") is (state is State.KNOWN)


@pytest.mark.parametrize("host", HOSTS)
def test_other_lines_of_known_hosts_stay_as_they_are(host: str, tmp_path: Path) -> None:
    hashed = paramiko.HostKeys.hash_host(host)
    others = [
        "# written by hand",
        "",
        f"192.0.2.10 {KEYS[0]}",
        f"@cert-authority *.example.org {KEYS[0]}",
        f"{paramiko.HostKeys.hash_host('198.51.100.1')} {KEYS[0]} comment",
        f"192.0.2.1,192.0.2.10 {KEYS[0]} of two" if host != "192.0.2.1" else "192.0.2.100 x y",
        "garbage",
    ]
    ours = [f"{host} {KEYS[0]} old", f"{hashed} {KEYS[1]}"]
    path = tmp_path / "known_hosts"
    path.write_text("\n".join([*others, *ours, f"leaf,{host} {KEYS[0]} two names"]))
    path.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(path)

    record_host_keys(link, {host: KEYS[2]})

    assert path.read_text().splitlines() == [*others, f"leaf {KEYS[0]} two names", f"{host} {KEYS[2]}"]
    assert path.stat().st_mode & 0o777 == 0o600
    assert link.is_symlink()
    assert sorted(one.name for one in tmp_path.iterdir() if one.is_file()) == ["known_hosts", "link"]


def test_certificates_are_written_over_those_of_the_same_device(tmp_path: Path) -> None:
    record_certificates(tmp_path, {"leaf-1": PIN, "leaf-10": PIN})
    with (tmp_path / CERTIFICATES).open("a") as file:
        file.write("# by hand\n")
    record_certificates(tmp_path, {"leaf-1": OTHER_PIN})

    assert read_recorded(tmp_path).certificates == {"leaf-1": OTHER_PIN, "leaf-10": PIN}
    assert "# by hand\n" in (tmp_path / CERTIFICATES).read_text()


def test_a_write_that_fails_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_certificates(tmp_path, {"leaf": PIN})
    before = (tmp_path / CERTIFICATES).read_text()

    def fails(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError, match="No space left"):
        record_certificates(tmp_path, {"leaf": OTHER_PIN})

    assert (tmp_path / CERTIFICATES).read_text() == before
    assert [one.name for one in (tmp_path / "trust").iterdir()] == ["certificates"]


@pytest.mark.parametrize(
    ("proof", "certificate"),
    [
        (None, PIN),
        ({"known_hosts": "keys"}, PIN),
        ({"ca_file": "ca.pem"}, ""),
        ({"server_name": "leaf.example.org"}, ""),
        ({"fingerprint": OTHER_PIN}, ""),
    ],
)
def test_the_inventory_comes_before_what_is_recorded(
    proof: dict[str, str] | None, certificate: str, tmp_path: Path
) -> None:
    way = Target(name="leaf", address="192.0.2.1", port=None, username="", password="")
    record_certificates(tmp_path, {"leaf": PIN})
    record_host_keys(tmp_path / KNOWN_HOSTS, {"192.0.2.1": KEYS[0]})

    trust = recorded_trust(way, tmp_path, proof)

    assert trust.certificate == certificate
    named = (proof or {}).get("known_hosts", KNOWN_HOSTS)
    assert trust.known_hosts == str(tmp_path / named)


def test_no_secret_is_asked_for_and_targets_trust_alike(tmp_path: Path) -> None:
    record_certificates(tmp_path, {"leaf": PIN})
    login = {"username": "ops", "password": "cmd:touch/asked"}
    raw = {
        "credentials": {"ops": login, "key": {"username": "ops", "key_file": "k"}},
        "devices": {"leaf": {"address": "192.0.2.1/24", "credentials": "ops"}, "bare": {}},
    }
    inventory = msgspec.convert(raw, Inventory, dec_hook=decode)

    found, missing = addresses(inventory, ["leaf", "bare"], tmp_path)

    assert (found["leaf"].username, found["leaf"].password) == ("", "")
    assert [(one.code, one.origin.path) for one in missing] == [("FAB703", ("devices", "bare"))]
    raw["devices"]["leaf"]["credentials"] = "key"  # type: ignore[index]
    inventory = msgspec.convert(raw, Inventory, dec_hook=decode)
    logged_in = targets(inventory, ["leaf"], SecretSource(environ={}, folder=tmp_path))
    assert logged_in["leaf"].trust == found["leaf"].trust


def test_every_wrong_line_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / CERTIFICATES
    path.parent.mkdir()
    path.write_text(f"leaf {PIN}\nleaf {PIN}\nspine\n\x00\xff\n", errors="surrogateescape")
    with pytest.raises(Invalid) as refused:
        read_recorded(tmp_path)

    assert [one.code for one in refused.value.diagnostics] == ["FAB705"] * 3
