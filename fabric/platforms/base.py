"""What a platform is: the protocol between the neutral stages and one product.

A platform is one frozen record of functions, found through `fabric.platforms.registry`. It sees one
device at a time, a `Switch` or a `SubnetManager`. Everything with I/O is behind two protocols
(`Driver`, `Emulator`), implemented in the platform's `session.py` and `emulator.py` and imported only when used.

    Device ─lower→ model ─template→ text ─read→ Facts        law: read(print(lower(d))) == facts of d
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from fabric.configuration import Dialect
from fabric.configuration.impacts import Impact, rank
from fabric.devices.model import Device
from fabric.diagnostics import Diagnostic, Report
from fabric.hardware import PortSlot, SwitchModel
from fabric.platforms.capabilities import Behaviour, Capabilities, Provenance, Reason
from fabric.platforms.data_sheet import DataSheet
from fabric.platforms.driver import CommitTimer, Driver, is_half_by_lines
from fabric.platforms.emulation import Emulator, Wire
from fabric.platforms.expected_facts import FactsHooks, expected_facts
from fabric.platforms.facts import ClassFacts, Facts, InterfaceFacts, NeighborFacts, Reading
from fabric.platforms.functions import Home, home, late
from fabric.platforms.lab_box import LabBox
from fabric.platforms.other_tools import UNNAMED, OtherTools
from fabric.platforms.overrides.rules import OverrideRules
from fabric.platforms.schema import SchemaCheck
from fabric.platforms.texts import (
    PART,
    SECRET,
    Part,
    ValueOf,
    escaped,
    filled,
    filled_in_quotes,
    split_parts,
)
from fabric.platforms.trust import Endpoint, Trust


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Where a device is reached. The password is in memory only."""

    name: str
    address: str
    port: int | None
    username: str
    password: str
    """Empty: none."""
    timeout_s: int = 60
    ports: Mapping[str, int] = msgspec.field(default_factory=dict)
    """TCP ports of a product that is reached over several protocols, by protocol (`https`, `ssh`); one that is missing
    has its usual port."""
    key_file: str = ""
    """SSH private key; empty: none."""
    enable: str = ""
    """Enable secret, where the product has one; empty: none."""
    trust: Trust = Trust()
    host: Mapping[str, str] = msgspec.field(default_factory=dict)
    """What the inventory says of a host's way to run the product, by the names of `ManagerHost`."""
    references: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Where `password` and `enable` came from, by these names, as `env:NAME`: another machine may look there too."""

    def __repr__(self) -> str:
        return f"Target({self.name}, {self.address}:{self.port}, {self.username}, ***)"


class ReleaseForm(NamedTuple):
    """How a product writes its releases."""

    pattern: str
    """Of the whole text."""
    example: str


LoginWay = Literal["password", "key_file", "agent", "enable"]
SSH_LOGINS: tuple[LoginWay, ...] = ("password", "key_file", "agent")
"""Of a product that is reached over SSH alone."""
NOTHING_TO_ASK = DataSheet().capabilities
"""Of a subnet manager: no flag is about one."""
ANY_RELEASE = ReleaseForm(r".+", "1.0")
BY_THE_SECOND = CommitTimer()


DeviceT = TypeVar("DeviceT", bound=Device)
"""What a product configures: a `Switch`, or the `SubnetManager` of an InfiniBand subnet."""
ModelT = TypeVar("ModelT")
"""The shape of a product's own configuration, which its templates print."""


@dataclass(frozen=True, kw_only=True)
class Platform(Generic[DeviceT, ModelT]):
    """One product. `fabric/platforms/<name>/__init__.py` makes it, and one word of the registry names it."""

    package: str = ""
    """Where its functions are found by the names of their modules: `__name__`. Empty: the record has them all."""
    name: str = ""
    """Empty: the last word of the package."""
    title: str
    """As people call it: `Arista EOS`."""
    technology: Literal["ethernet", "infiniband"] = "ethernet"
    release_form: ReleaseForm = ANY_RELEASE
    """What a `release` of the intent must look like: another text would be taken for the newest one."""
    capabilities: Callable[[str | None, SwitchModel], Capabilities] = home(
        "capabilities", "capabilities", now=True, otherwise=NOTHING_TO_ASK
    )
    port_name: Callable[[PortSlot, SwitchModel], str] = home("names", "port_name", now=True)
    management_port: Callable[[SwitchModel], str] = home("names", "management_port", now=True)
    announced_port: Callable[[PortSlot, SwitchModel], str] = field(default=lambda _slot, _model: "")
    """What LLDP calls a port; empty: its name."""
    lower: Callable[[DeviceT, Report], ModelT] = home("lower", "lower")
    """A device to the product's own shape. Called by `needs.table.lowered`, which refuses first what the capabilities
    lack; numbers that are out of range, and what else only this product minds, become diagnostics here."""
    template: str = ""
    """Index template, below `templates/`; empty: `NAME/switch.j2`."""
    templates: Path | None = None
    """Folder of the templates of a platform that another distribution brings; None: the shipped ones."""
    path: str
    """Artifact path with `{name}`: `configs/{name}.cfg`."""
    media_type: str = "text/plain"
    parts: tuple[Part, ...] = ()
    """The files of a product that has several; its text then holds each behind a `PART` line. Empty: one file."""
    read: Callable[[str], Reading] = home("read", "read")
    dialect: Callable[[], Dialect] = home("dialect", "dialect")
    """How its configuration is written: for comparing, merging, and judging what a change does."""
    port_facts: Callable[[DeviceT], Facts] = home(
        "facts", "port_facts", otherwise=partial(expected_facts, FactsHooks())
    )
    """What each port of a switch will do to packets, after the product's rounding; default: what is asked of it."""
    flaw: Callable[[str], str] = field(default=lambda _text: "")
    """Why a text is damaged or cut off; empty: it is whole, or the syntax does not tell."""
    override_rules: Callable[[str], OverrideRules | None] = home(
        "override_rules", "override_rules", otherwise=lambda _section: None
    )
    """What lines of an override may say, by the name of their block; None: the product has checks of its own."""
    derived: Callable[[DeviceT], Mapping[str, str]] = field(default=lambda _switch: {})
    """Lossless quantities that the product computes itself, with a word on how; shown in the plan."""
    headroom: Callable[[DeviceT], Mapping[str, int]] = field(default=lambda _switch: {})
    """Bytes of headroom that the product will set itself, by kind of port; without those that no source tells."""
    fill: Callable[[str, ValueOf], str] = filled
    """Puts secrets into a text, escaped as the product's syntax wants, at the moment of the push."""
    whole: bool = False
    """What it runs is ours or nobody's: lines that others have written are never carried along, the plan shows them
    go. For products whose configuration is a handful of files made for one purpose."""
    shows_secrets: bool = False
    """It prints secrets as they were pushed: another value there is a change. Where a product encodes them anew each
    time, such a difference says nothing."""
    driver: str = ""
    """NAPALM driver: a short name that `napalm.get_network_driver` knows, or `package.module:Class`. Empty: it compiles
    and plans offline, as no push of it has been proved."""
    endpoints: tuple[Endpoint, ...] = ()
    """Where the driver connects to, the one with the inventory's port first: `fabric trust` looks there."""
    undriven: Reason | None = None
    """Why there is no driver, where that is a decision: no public source shows a safe way to change it."""
    logins: tuple[LoginWay, ...] = ("password",)
    """What one can log in with over the driver's protocol, by the names of `Credentials`."""
    driver_options: Callable[[Target], dict[str, Any]] = home(
        "session", "driver_options", otherwise=lambda _target: {}
    )
    timer: CommitTimer = BY_THE_SECOND
    """How it keeps a commit that waits for its confirmation."""
    reverts: bool = True
    """Takes an unconfirmed commit back when asked by any later connection, and by itself when its timer runs out.
    Where a product cannot, what it ran before the commit is written again."""
    is_half_commit: Callable[[str, str, str], bool] = home(
        "half_commits", "is_half_commit", otherwise=is_half_by_lines
    )
    """(what it ran before, what was pushed, what it runs now) to whether a commit that stopped half way may have left
    that, asked of products that take nothing back (`reverts`)."""
    emulator: str = ""
    """`package.module:function` of `(Emulated, Surroundings)` that makes an `Emulator`; empty: the sandbox cannot
    play it."""
    simulated_host: Callable[..., dict[str, str]] | None = None
    """(folder, subnet, environment) to a folder that looks like the host of a subnet manager to the driver, with the
    real product on a simulated subnet; returns what the inventory would say of it (`ManagerHost`)."""
    proof: Callable[[DeviceT, ModelT, str], tuple[Diagnostic, ...]] = field(
        default=lambda _device, _model, _text: ()
    )
    """(device, model, printed text) to errors of ours in that text; with one, nothing is written. For products that
    take a file that they do not understand for something worse than an error."""
    plans_lids: bool = True
    """A subnet manager that can be told which LIDs to give."""
    shares_database: bool = False
    """Several managers of a subnet have one database, replicated by the product: they are one device."""
    simulation: Callable[[Sequence[tuple[DeviceT, str]], Path], dict[str, str]] | None = None
    """(devices of one network with their texts, folder) to the files by which the product runs there on a simulated
    network, by path below the folder; beside them stands the network, `fabric.net`. None: it cannot be simulated."""
    lab_box: Callable[[], LabBox] | None = home("lab", "lab_box", otherwise=None)
    """How it runs as real software in a box of a lab; None: it does not."""
    other_tools: OtherTools = UNNAMED
    """What inventories, labs and analysers that are not ours call it."""
    schema_check: Callable[[], SchemaCheck] | None = home("schema", "check", otherwise=None)
    """What is known of the vendor's published schema (`fabric check`); None: there is none."""

    def __post_init__(self) -> None:
        """Find what the record does not give."""
        name = self.name or self.package.rpartition(".")[2]
        self._set("name", name)
        self._set("template", self.template or f"{name}/switch.j2")
        for known in fields(self):
            value = getattr(self, known.name)
            if isinstance(value, Home):
                self._set(known.name, value.of(self.package))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)  # the record is frozen once it is made

    @property
    def is_emulated(self) -> bool:
        """Whether a sandbox has devices of it."""
        return bool(self.emulator) or self.simulated_host is not None

    def paths(self, name: str) -> tuple[str, ...]:
        """Where the files of a device are: its only one, or every part that it may have."""
        return tuple(path.format(name=name) for path in [part.path for part in self.parts] or [self.path])

    def files(self, name: str, text: str) -> dict[str, str]:
        """The files of a device by path: its text, or the parts of it."""
        if not self.parts:
            return {self.path.format(name=name): text}
        texts = split_parts(text)
        return {part.path.format(name=name): texts[part.name] for part in self.parts if part.name in texts}

    def joined(self, name: str, read: Callable[[str], str | None]) -> str | None:
        """The text that `files` was made from; None if `read` knows none of its paths."""
        if not self.parts:
            return read(self.path.format(name=name))
        texts = [(part.name, read(part.path.format(name=name))) for part in self.parts]
        # A file of a device may lack the last line end: the next part would not begin with a line of its own.
        ended = ((part, text if not text or text.endswith("\n") else f"{text}\n") for part, text in texts)
        known = [f"{PART}{part}\n{text}" for part, text in ended if text is not None]
        return "".join(known) if known else None


AnyPlatform: TypeAlias = Platform[Any, Any]
"""What the neutral stages have: they pass a device and its model on, and look into neither model."""


class Artifact(msgspec.Struct, frozen=True, kw_only=True):
    """Stage 4: one file."""

    name: str
    """The device, or `NETWORK/KIND` for what belongs to no device."""
    path: str
    media_type: str
    text: str
    """With secrets as placeholders `<secret:env:NAME>`."""
    files: Mapping[str, str] = msgspec.field(default_factory=dict)
    """What is written where: the text at `path`, or its parts."""
    digest: str
    """SHA-256 of the text, hexadecimal. Comparing with a device takes the plain form (`Dialect.plain`)."""
    diagnostics: tuple[Diagnostic, ...] = ()
    derived: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Lossless quantities that the product derives itself, for the plan to show."""


__all__ = [
    "PART",
    "SECRET",
    "SSH_LOGINS",
    "AnyPlatform",
    "Artifact",
    "Behaviour",
    "Capabilities",
    "ClassFacts",
    "CommitTimer",
    "Driver",
    "Emulator",
    "Endpoint",
    "Facts",
    "Impact",
    "InterfaceFacts",
    "NeighborFacts",
    "Part",
    "Platform",
    "Provenance",
    "Reading",
    "Reason",
    "Target",
    "Trust",
    "ValueOf",
    "Wire",
    "escaped",
    "filled",
    "filled_in_quotes",
    "late",
    "rank",
    "split_parts",
]
