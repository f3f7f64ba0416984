"""libyang: models loaded once, instance data validated, every complaint collected.

libyang stops at its first complaint. What it names is taken out of a copy of the data and the rest is asked about
again, so that an operator reads all mistakes at once. What follows from an earlier complaint is not repeated: a
reference to an entry that was taken out, or a leaf missing where one was.
"""

from __future__ import annotations

import copy
import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from fabric.diagnostics import Refused, ToolMissing
from fabric.platforms.schema import MAX_COMPLAINTS, MORE, Complaint, Instance, Kind, YangModule
from fabric.verification.instance_trees import Step, steps, take_out, to_xml

_WHERE = re.compile(r'ata location "(.*?)"(?:, line number \d+)?\.?$', re.DOTALL)
_UNKNOWN = re.compile(r'^Node "([^"]+)" not found')
_VALUE = re.compile(r'value "((?:[^"\\]|\\.)*)"|^Unsatisfied pattern - "([^"]*)"')
_REFERENCE = re.compile(r"^Invalid (?:leafref|instance-identifier) ")
_MISSING = re.compile(r"^(?:Mandatory|List instance is missing|Missing|Too few)", re.IGNORECASE)


class Node:
    """A node of loaded models, as `fabric.platforms.schema.SchemaNode`."""

    def __init__(self, node: Any) -> None:
        self._node = node
        self.name: str = node.name()
        self.module: str = node.module().name()

    @cached_property
    def kind(self) -> Kind:
        """Which kind of node it is, as the converter needs it."""
        kinds: dict[str, Kind] = {"container": "container", "list": "list", "leaf-list": "leaf-list"}
        word = self._node.keyword()
        if word == "leaf":
            return "empty" if self._node.type().basename() == "empty" else "leaf"
        return kinds.get(word, "other")

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Names of the key leaves of a list."""
        return tuple(key.name() for key in self._node.keys()) if self.kind == "list" else ()  # noqa: SIM118

    @cached_property
    def below(self) -> Mapping[str, Node]:
        """The nodes in it by name, through choices."""
        if self.kind not in ("container", "list"):
            return {}
        return {child.name(): Node(child) for child in self._node.children()}


class Root:
    """The top of all modules."""

    name, module = "", ""
    kind: Kind = "root"
    keys: tuple[str, ...] = ()

    def __init__(self, below: Mapping[str, Node]) -> None:
        self.below = below


class Models:
    """Modules that are loaded together, once. `Refused` if libyang does not take them."""

    def __init__(self, folder: Path, modules: tuple[YangModule, ...]) -> None:
        libyang = imported()
        self._context = libyang.Context(str(folder), explicit_compile=True)
        with _messages() as messages:
            try:
                loaded_modules = [self._load(folder, module) for module in modules]
                self._context.compile_schema()
            except libyang.LibyangError as error:
                message = f"libyang rejects the models: {messages[0][0] if messages else error}"
                raise Refused(message, "are all the files that they import in the same folder?") from None
        self._spaces = {module.name(): _space(module) for module in loaded_modules}
        below: dict[str, Node] = {}
        for module in loaded_modules:  # not before all are loaded: an augmenting module moves nodes
            for top in module.children():
                below.setdefault(top.name(), Node(top))
        self.root = Root(below)

    def _load(self, folder: Path, module: YangModule) -> Any:
        file = next(
            (f for f in sorted(folder.glob("*.yang")) if f.stem.partition("@")[0] == module.name), None
        )
        if file is None:
            message = f"there is no module {module.name} in {folder}"
            raise Refused(message, "name the folder of one complete release of the vendor's models")
        with file.open(encoding="utf-8") as source:
            return self._context.parse_module_file(source, "yang", list(module.features))

    def complaints(self, instance: Instance) -> tuple[Complaint, ...]:
        """Everything that the models say against it, those of the converter first."""
        messages = list(dict.fromkeys(instance.complaints))
        tree, gone = copy.deepcopy(instance.tree), set[str]()
        while (rejected := self._first(tree, instance.encoding)) is not None:
            if len(messages) >= MAX_COMPLAINTS:
                return (*messages[:MAX_COMPLAINTS], MORE)
            path, value = _named(rejected)
            if not _follows(rejected.message, value, gone) and rejected not in messages:
                messages.append(rejected)
            taken = take_out(tree, self.root, path, value)
            if taken is None:
                break
            gone |= taken
        return tuple(messages)

    def _first(self, tree: dict[str, Any], encoding: str) -> Complaint | None:
        """What libyang stops at."""
        text = json.dumps(tree) if encoding == "json" else to_xml(tree, self._spaces)
        libyang = imported()
        with _messages() as messages:
            try:
                data = self._context.parse_data_mem(text, encoding, no_state=True, strict=True)
            except libyang.LibyangError as error:
                return _complaint(*messages[0]) if messages else Complaint("", str(error))
        if data is not None:
            data.free()
        return None


def _follows(message: str, value: str | None, gone: set[str]) -> bool:
    """Whether a complaint may come from what was taken out: what it refers to, or misses, was there before."""
    return (value in gone and bool(_REFERENCE.match(message))) or bool(gone and _MISSING.match(message))


def imported() -> Any:
    """The package `libyang`. `ToolMissing` explains how to install it."""
    try:
        import libyang
    except ImportError:
        message = (
            "checking against YANG models needs libyang: pipx install '.[yang]' in a checkout "
            "(it is compiled: on Debian and Ubuntu first apt-get install gcc python3-dev libyang2-dev)"
        )
        raise ToolMissing(message) from None
    return libyang


class _Listener(logging.Handler):
    """Keeps libyang's messages, with the data path that its exception leaves out."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Message and place."""
        words = record.args if isinstance(record.args, tuple) else ()
        self.messages.append((str(words[0]) if words else record.getMessage(), str((*words, "", "")[1])))


@contextmanager
def _messages() -> Iterator[list[tuple[str, str]]]:
    """The messages of libyang inside the block, and nowhere else."""
    libyang, listener, logger = imported(), _Listener(), logging.getLogger("libyang")
    before = logger.propagate
    logger.addHandler(listener)
    logger.propagate = False
    libyang.configure_logging(True, logging.ERROR)  # noqa: FBT003  # its signature
    try:
        yield listener.messages
    finally:
        libyang.configure_logging(False, logging.ERROR)  # noqa: FBT003
        logger.removeHandler(listener)
        logger.propagate = before


def _space(module: Any) -> str:
    """The name space of a module."""
    from libyang.util import c2str

    return str(c2str(module.cdata.ns))


def _complaint(message: str, where: str) -> Complaint:
    match = _WHERE.search(where)
    return Complaint(match[1] if match else "", message)


def _named(rejected: Complaint) -> tuple[tuple[Step, ...], str | None]:
    """The path of what a complaint is about, and the value that it quotes."""
    path = steps(rejected.path)
    unknown = _UNKNOWN.match(rejected.message)
    if unknown:
        return (*path, Step(unknown[1], {})), None
    quoted = _VALUE.search(rejected.message)
    return path, next((text for text in quoted.groups() if text is not None), None) if quoted else None
