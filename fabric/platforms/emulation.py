"""What the sandbox and an emulated device know of each other, in neutral words.

The sandbox brings bytes and wires; the device brings its product's protocol and its own configuration. Two
devices of different products meet in `LinkEnd` and `SessionEnd`: whether a link or a BGP session is up is
computed from the two ends, never asked of a product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Annotated, Literal, Protocol, get_args, runtime_checkable

import msgspec

from fabric.diagnostics import FabricError
from fabric.platforms.emulated_ends import HOST, LinkEnd, SessionEnd, link_fault, session_fault
from fabric.platforms.routing.emulated_routes import Routes, Routing

Death = Literal["", "before", "after"]
Transport = Literal["https", "ssh"]
Step = Literal["login", "load", "compare", "commit", "confirm", "rollback", "read"]
"""What a driver does with a device, as seen from the device."""
DIE_IN = rf"\A(?:(?:{'|'.join(get_args(Step))}):(?:before|after))?\Z"
WrongCertificate = Literal["", "other_name", "self_signed"]


class Wire(msgspec.Struct, frozen=True):
    """A cable of the sandbox: our port, the device and port at its other end."""

    port: str
    peer: str
    peer_port: str


class Emulated(msgspec.Struct, frozen=True, kw_only=True):
    """A device of the sandbox before it is switched on."""

    name: str
    platform: str
    hardware: str = ""
    """Model of the hardware catalogue."""
    release: str | None = None
    config: str = ""
    """What it boots with. Empty: what the product's zero-touch provisioning would leave, enough to be reached
    (host name, management port, its API, a user)."""
    serial: str = ""
    """Empty: one made from the name."""
    management: str = ""
    """Address of its management port with prefix length, as the site's inventory has it. The sandbox answers on
    a loopback address instead; a configuration that loses this one has locked us out."""
    management_vrf: str = "default"
    management_port: str = ""
    """As the product calls it; empty: its usual one."""
    wires: tuple[Wire, ...] = ()
    username: str
    password: str
    """In plain: the sandbox's AAA server knows it too."""
    public_key: str = ""
    """OpenSSH public key of that user (`ssh-ed25519 AAAA...`); empty: none."""
    ports: Mapping[Transport, int] = msgspec.field(default_factory=dict)
    """TCP ports that are not the sandbox's own choice."""

    def __repr__(self) -> str:
        return f"Emulated({self.name}, {self.platform}, {self.username}, ***)"


class PortFault(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a port on purpose. Counters move by so much in each second with carrier."""

    down: bool = False
    """Its cable is cut."""
    speed_mbps: int | None = None
    """It tells this speed; None: the one it is configured for."""
    fec: str | None = None
    mtu_bytes: int | None = None
    """It carries no more, whatever is configured; as the product counts."""
    stuck_bytes_per_s: float = 0.0
    """Traffic in each direction that no drain moves elsewhere."""
    errors_per_s: float = 0.0
    discards_per_s: float = 0.0
    marked_per_s: float = 0.0
    """Packets marked with ECN."""
    pause_received_per_s: float = 0.0
    pause_sent_per_s: float = 0.0
    """PFC frames, of the lossless priorities together."""
    without_pfc: bool = False
    """Nothing of PFC has reached the hardware, whatever is configured."""
    without_watchdog: bool = False
    """Nothing of the PFC watchdog has."""
    watchdog_detect_ms: int | None = None
    """The watchdog waits so long, whatever is configured."""
    without_ecn: bool = False
    """No queue marks."""
    ecn_kmin_bytes: int | None = None
    """The hardware marks from here on, whatever is configured."""
    ignores_dscp: bool = False
    """It has lost its classes by code point."""
    misplaces_dscp: bool = False
    """Its code points are one traffic class too high."""
    without_scheduler: bool = False
    """It has lost its scheduler: all queues have equal shares."""


class Faults(msgspec.Struct, kw_only=True):
    """What is wrong with a device on purpose. Each stays until it is cleared; some say that they strike once."""

    latency_ms: int = 0
    """Added to every answer."""
    refuse: bool = False
    """Nobody listens."""
    hang: bool = False
    """Requests are taken and never answered."""
    deny_login: bool = False
    fail_commit: bool = False
    """A commit answers with an error and changes nothing."""
    die_in_commit: Death = ""
    """Once: the connection drops in a commit, `before` or `after` it took effect."""
    die_in: Annotated[str, msgspec.Meta(pattern=DIE_IN)] = ""
    """Once: the connection drops in a step of a driver, before or after it took effect: `load:after`."""
    reboot_in_commit: bool = False
    """Once: the device restarts in a commit, which it had carried out."""
    reboot_s: float = 0.0
    """How long a restart takes: nobody answers meanwhile."""
    clock_jump_s: float = 0.0
    """The device's clock is so far ahead of ours, or behind; its timers count on."""
    cut_answer_after: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """Once: the connection drops behind so many bytes of an answer."""
    wrong_certificate: WrongCertificate = ""
    """Somebody else answers over TLS: the sandbox's authority signed another address, or nobody signed."""
    wrong_host_key: bool = False
    """Somebody else answers over SSH."""
    disk_full: bool = False
    """Nothing can be written to a file."""
    ports: Mapping[str, PortFault] = msgspec.field(default_factory=dict)
    """By port; `*` is every port that has none of its own."""


class HttpRequest(msgspec.Struct, frozen=True):
    """A request over HTTPS."""

    method: str
    path: str
    authorization: str
    """Value of the header; empty if absent."""
    body: bytes


class HttpReply(msgspec.Struct, frozen=True):
    """Its answer."""

    status: int
    body: bytes
    media_type: str = "application/json"


class SshReply(msgspec.Struct, frozen=True):
    """What a command says that was run over SSH without a terminal."""

    status: int
    output: bytes = b""
    errors: bytes = b""


class Channel(Protocol):
    """A shell, a subsystem or a program over SSH: bytes in, bytes out, exactly as they are on the wire."""

    ended: bool
    """The device hangs up, behind what it has just answered."""

    def feed(self, data: bytes) -> bytes:
        """What the device sends for these bytes. The first call has none: its greeting, prompt or hello.

        Echo and line ends are the device's business. `ConnectionDies` if a fault says so.
        """

    def hang_up(self) -> None:
        """The client is gone, with or without a good-bye: locks of the session are free again."""


class LineRefused(FabricError):
    """A device refuses a configuration line. The text is the product's own complaint."""


class ConnectionDies(Exception):  # it is no error of ours: the emulated device dies
    """Raised by an emulator in place of an answer: the sandbox drops the connection."""


class Surroundings(Protocol):
    """What an emulated device may ask of the sandbox."""

    def now(self) -> float:
        """Seconds since the epoch."""

    def later(self, delay_s: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call something after a delay. The answer cancels it."""

    def peer(self, name: str) -> Emulator | None:
        """Another device of the sandbox."""

    def wires(self, name: str) -> Mapping[str, Wire]:
        """The cables of a device by its port, as they are now."""

    def restarts(self, name: str) -> None:
        """A device restarts: its connections drop, and nobody answers there for `Faults.reboot_s`."""

    def is_up(self, name: str) -> bool:
        """Whether a device runs, or restarts just now."""

    def routes(self) -> Routes:
        """BGP's routes of the whole sandbox, as things are now."""

    def changed(self, name: str) -> None:
        """A device runs another configuration than before: its neighbours look at it."""


class Emulator(Protocol):
    """One emulated device of the sandbox, whatever its protocol."""

    name: str
    transports: tuple[Transport, ...]
    """Which listeners it needs; the first has the sandbox's usual port."""
    faults: Faults

    def listens(self, transport: Transport) -> bool:
        """Whether its configuration still lets us in over this protocol."""

    def running_config(self) -> str:
        """The running configuration as the product prints it."""

    def drift(self, lines: tuple[str, ...]) -> None:
        """Somebody types these configuration lines on the console."""

    def reboot(self) -> None:
        """Start again from the startup configuration."""

    def link_end(self, port: str) -> LinkEnd | None:
        """Our end of the link at `port`; None if the port is not configured."""

    def session_end(self, port: str, address: str) -> SessionEnd | None:
        """Our end of the BGP session with `address`, or with whoever is at `port` if it is unnumbered."""

    def look(self, port: str = "") -> None:
        """What is at the other end of `port`, or of any, has changed: see what that does to our neighbours."""


@runtime_checkable
class HasRoutes(Protocol):
    """A device whose policies are evaluated. What others announce is known by number only (`SessionEnd.prefixes`)."""

    def routing(self) -> Routing:
        """What we bring into BGP, and our sessions that are up, in the default VRF."""


class HttpsEmulator(Emulator, Protocol):
    """A device with `https` among its transports."""

    def request(self, request: HttpRequest) -> HttpReply:
        """Answer one request. `ConnectionDies` if a fault says so."""


class SshEmulator(Emulator, Protocol):
    """A device with `ssh` among its transports."""

    files: MutableMapping[str, bytes]
    """What SCP and SFTP see, by path as the client writes it: `/var/tmp/x`, `bootflash:x`. No folders."""

    def login(self, username: str, password: str) -> bool:
        """Whether a password lets in."""

    def login_with_key(self, username: str, key: str) -> bool:
        """Whether an OpenSSH public key (kind and base64, as in `Emulated.public_key`) lets in. The client has it."""

    def reads_input(self, command: str) -> bool:
        """Whether a command waits for the end of its input: most clients never end that of others."""

    def run(self, command: str, given: bytes) -> SshReply:
        """Run a command without a terminal, on its input. `ConnectionDies` if a fault says so."""

    def channel(self, kind: str) -> Channel | None:
        """Open a `shell`, the subsystem of that name, or a command that reads requests; None if there is none."""


@contextmanager
def strikes(device: Emulator, step: Step) -> Iterator[None]:
    """Around what a device does in one step of a driver: faults that belong to the step strike here.

    `ConnectionDies` before or behind the body, if a fault says so. A step that the device refuses spends no fault that
    strikes after it.
    """
    moment = _moment(device.faults, step)
    if moment == "before":
        _spend(device.faults, step)
        raise ConnectionDies
    yield
    if moment == "after":
        _spend(device.faults, step)
    if step == "commit" and device.faults.reboot_in_commit:
        device.faults.reboot_in_commit = False
        device.reboot()
        raise ConnectionDies
    if moment == "after":
        raise ConnectionDies


def _moment(faults: Faults, step: Step) -> str:
    """When a device dies in a step; empty: it does not."""
    if step == "commit" and faults.die_in_commit:
        return faults.die_in_commit
    name, _, moment = faults.die_in.partition(":")
    return moment if name == step else ""


def _spend(faults: Faults, step: Step) -> None:
    if step == "commit" and faults.die_in_commit:
        faults.die_in_commit = ""
    else:
        faults.die_in = ""


__all__ = [
    "HOST",
    "Channel",
    "ConnectionDies",
    "Death",
    "Emulated",
    "Emulator",
    "Faults",
    "HasRoutes",
    "HttpReply",
    "HttpRequest",
    "HttpsEmulator",
    "LineRefused",
    "LinkEnd",
    "PortFault",
    "SessionEnd",
    "SshEmulator",
    "SshReply",
    "Step",
    "Surroundings",
    "Transport",
    "Wire",
    "WrongCertificate",
    "link_fault",
    "session_fault",
    "strikes",
]
