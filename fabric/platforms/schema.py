"""How a product's published schema is asked about its texts: the words between a platform and `fabric.verification`.

The platform knows which files of a vendor's release belong together and what its text is in the terms of the
models; the engine that loads and validates knows no product.

    text ─instances→ trees in the models' words ─engine→ complaints
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

Tree = dict[str, Any]
"""Instance data in the shape of JSON-IETF (RFC 7951): a name starts with `MODULE:` where the module changes."""

Kind = Literal["root", "container", "list", "leaf", "leaf-list", "empty", "other"]

_SECRET = re.compile(r"<secret:[^>]*>")


class SchemaNode(Protocol):
    """One node of loaded models."""

    @property
    def name(self) -> str:
        """As the models call it."""

    @property
    def module(self) -> str:
        """The module that defines it."""

    @property
    def kind(self) -> Kind:
        """What may stand in it; `empty` is a leaf without a value, `root` holds the top nodes of all modules."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the key leaves of a list."""

    @property
    def below(self) -> Mapping[str, SchemaNode]:
        """The nodes in it by name, through choices; configuration only."""


class Complaint(msgspec.Struct, frozen=True, order=True):
    """One thing that a schema has against a text."""

    path: str
    """Where, as the schema says it: `/sonic-port:sonic-port/PORT/PORT_LIST[name='Ethernet0']/mtu`."""
    message: str


MAX_COMPLAINTS = 20
"""Of one device: whoever has more has one reason for them."""
MORE = Complaint("", f"there is more: the first {MAX_COMPLAINTS} complaints are told")


class Instance(msgspec.Struct, frozen=True):
    """A text, or a part of it, in the terms of one set of models."""

    models: str
    """Name of the `ModelSet`; for OpenAPI the path whose PATCH takes it."""
    tree: Tree
    encoding: Literal["json", "xml"] = "json"
    """XML where the text does not tell numbers from words."""
    complaints: tuple[Complaint, ...] = ()
    """What the models have no place for, found while the tree was made."""


class YangModule(msgspec.Struct, frozen=True):
    """One module to load."""

    name: str
    features: tuple[str, ...] = ()
    """Those that are on."""


class ModelSet(msgspec.Struct, frozen=True, kw_only=True):
    """YANG files that are loaded together."""

    name: str
    files: tuple[Path, ...]
    """All that an import may ask for."""
    load: tuple[YangModule, ...]
    """In this order; imports follow by themselves."""
    amend: Callable[[str, str], str] | None = None
    """(file name, text) to the text that libyang understands; None: all are used as they are."""


class SchemaCheck(msgspec.Struct, frozen=True, kw_only=True):
    """What a platform knows of its vendor's schema."""

    language: Literal["yang", "openapi"]
    models: str
    """What to look for, in people's words: `nokia/srlinux-yang-models`."""
    find: Callable[[Sequence[Path]], tuple[ModelSet, ...]] = lambda _files: ()
    """The sets among YANG files; empty: none of this product are there. `Refused` if it cannot tell which."""
    instances: Callable[[str, Mapping[str, SchemaNode]], tuple[Instance, ...]]
    """(text, roots by name of the set) to what is validated. A bad text gives complaints, never an exception."""


def without_secrets(text: str, stand_in: str) -> str:
    """The text with every secret's placeholder replaced by something of the right form."""
    return _SECRET.sub(lambda _found: stand_in, text)


def labelled(node: SchemaNode, above: SchemaNode) -> str:
    """The name of a node in a `Tree`."""
    return node.name if node.module == above.module else f"{node.module}:{node.name}"


__all__ = [
    "MAX_COMPLAINTS",
    "MORE",
    "Complaint",
    "Instance",
    "ModelSet",
    "SchemaCheck",
    "SchemaNode",
    "Tree",
    "YangModule",
    "labelled",
    "without_secrets",
]
