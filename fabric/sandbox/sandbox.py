"""A sandbox: emulated devices behind real sockets on loopback addresses, in a thread of this process."""

from __future__ import annotations

import asyncio
import resource
import ssl
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from fabric.diagnostics import Refused
from fabric.platforms.base import Target
from fabric.platforms.emulation import Emulated, Faults
from fabric.sandbox.emulated_network import Network
from fabric.sandbox.https_server import Listener
from fabric.sandbox.loopback_addresses import allocate

LIFETIME = timedelta(days=30)

T = TypeVar("T")

DEFAULT_PORT = 8443
SPARE_FILES = 256
"""Descriptors for everything but devices and their clients."""


def raise_file_limit(devices: int) -> None:
    """Allow two open files a device: its listener and a client. `Refused` if the system does not."""
    needed = 2 * devices + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        if hard != resource.RLIM_INFINITY and hard < needed:
            message = f"{devices} devices need {needed} open files, this system allows {hard}"
            raise Refused(message, "raise the hard limit (`ulimit -Hn`), or run fewer devices")
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


class Sandbox:
    """Emulated devices, each on its own 127.x.y.z. A context manager: inside, they answer.

    A NAPALM driver of this process that is garbage collected closes itself over the network, in whatever thread
    collects it: in ours, it would wait for itself. Hold drivers until they are closed.

    with Sandbox(devices) as sandbox:
        driver = get_network_driver("eos")(sandbox.targets["leaf1"].address, ...)
    """

    def __init__(self, devices: Iterable[Emulated], *, port: int = DEFAULT_PORT, block: int = 0) -> None:
        self._specs = tuple(devices)
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._serve, name="fabric-sandbox", daemon=True)
        self._listeners: list[Listener] = []
        addresses = allocate(len(self._specs), block=block)
        self.targets = {
            spec.name: Target(
                name=spec.name, address=address, port=port, username=spec.username, password=spec.password
            )
            for spec, address in zip(self._specs, addresses, strict=True)
        }
        """Where each device is reached: what replaces the inventory."""
        self.network = Network(self._specs, self._later)

    def start(self) -> Self:
        """Listen. Returns when every device does. `Refused` if an address is taken."""
        raise_file_limit(len(self._specs))
        self._thread.start()
        try:
            self._call(self._open()).result()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Close every listener and connection."""
        if self._loop.is_running():
            self._call(self._close()).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
        if self._thread.is_alive():
            self._thread.join()
        if not self._loop.is_closed():
            self._loop.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def run(self, call: Callable[[], T]) -> T:
        """Run something in the sandbox's thread, where the devices live."""

        async def runs() -> T:
            return call()

        future: Future[T] = self._call(runs())
        return future.result()

    def set_faults(self, name: str, **faults: Any) -> None:
        """Set faults of a device by their names in `Faults`."""
        device = self.network[name]

        def change() -> None:
            for fault, value in faults.items():
                setattr(device.faults, fault, value)

        self.run(change)

    def clear_faults(self, name: str) -> None:
        """Make a device whole again."""
        self.set_faults(name, **msgspec.structs.asdict(Faults()))

    def drift(self, name: str, *lines: str) -> None:
        """Somebody types configuration lines on a device's console."""
        self.run(lambda: self.network[name].drift(lines))

    def reboot(self, name: str) -> None:
        """Restart a device from its startup configuration."""
        self.run(self.network[name].reboot)

    def running_config(self, name: str) -> str:
        """What a device runs."""
        return self.run(self.network[name].running_config)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def _call(self, coroutine: Any) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def _later(self, delay_s: float, call: Callable[[], None]) -> Callable[[], None]:
        return self._loop.call_later(delay_s, call).cancel

    async def _open(self) -> None:
        tls = server_context()
        for name, target in self.targets.items():
            listener = Listener(self.network[name], target.address, self._port)
            await listener.open(tls)
            self._listeners.append(listener)

    async def _close(self) -> None:
        for listener in self._listeners:
            listener.close()
        self._listeners.clear()
        # One turn of the loop, in which dropped connections say good-bye.
        await asyncio.sleep(0)


def pem() -> bytes:
    """A fresh private key (P-256: the cheapest handshake) and a certificate for it."""
    from cryptography import x509  # slow, and only needed here
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "fabric sandbox")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + LIFETIME)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def server_context() -> ssl.SSLContext:
    """A TLS context for servers. The key touches the disk only for a moment, readable by no other user."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with TemporaryDirectory(prefix="fabric-sandbox-") as folder:
        file = Path(folder) / "sandbox.pem"
        file.touch(mode=0o600)
        file.write_bytes(pem())
        context.load_cert_chain(file)
    return context
