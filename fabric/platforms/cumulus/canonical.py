"""The form of an NVUE file in which two are compared: a `set` block for each object, keys in natural order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabric.platforms.base import Block
from fabric.platforms.cumulus.names import natural
from fabric.platforms.cumulus.tree import Tree, grow, leaves, printed, scalar

MASK = "<masked>"
OURS = re.compile(r"<secret:[^>]+>|<masked>")
"""What stands for a secret already."""
SECRETS = frozenset({"hashed-password", "password", "secret", "key-passphrase"})
"""Keys whose value is a secret. NVUE shows them as `*`."""
SECRET_STEPS = frozenset(
    {
        "auth-md5",
        "auth-sha",
        "community-password",
        "encrypt-aes",
        "encrypt-des",
        "readonly-community",
        "readonly-community-v6",
    }
)
"""Keys whose own keys, or value, are secrets (nvue-reference SNMP-Server.md: `auth-sha <auth-id>`)."""

DEPTHS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("router", "policy"), 4),
    (("qos", "pfc"), 3),
    (("qos", "congestion-control"), 3),
    (("qos", "egress-scheduler"), 3),
    (("qos", "egress-shaper"), 3),
    (("vrf", "*", "router", "bgp", "neighbor"), 6),
    (("vrf", "*", "router", "bgp", "peer-group"), 6),
    (("vrf", "*", "router", "bgp"), 5),
    (("vrf",), 5),
    (("bridge",), 1),
    ((), 2),
)
"""How many steps of a path name an object, by where it stands; the first that fits."""


def canonical(text: str) -> str:
    """One `set` block for each object. A text that is no NVUE file stays as it is."""
    found = leaves(text)
    if any(not leaf.path for leaf in found):
        return text
    return "".join(_block(path, tree) for path, tree in _objects(_masked(grow(found)), ()))


def blocks(text: str) -> tuple[Block, ...]:
    """The `set` blocks of a canonical text, by the path of their object."""
    parts = re.split(r"(?m)^(?=- )", text)
    return tuple(Block(_key(part), part) for part in parts if part.strip())


def _key(part: str) -> str:
    """The path of the object: the steps before the tree forks, as deep as its kind says."""
    found = leaves(part)
    if not found or not found[0].path:
        return part.split("\n", 1)[0]
    path = found[0].path
    return " ".join(path[: _depth(path)])


def _depth(path: tuple[str, ...]) -> int:
    for start, depth in DEPTHS:
        if len(path) >= len(start) and all(a in (b, "*") for a, b in zip(start, path, strict=False)):
            return depth
    return 2


def _objects(tree: Tree, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Tree]]:
    """Each object with its path, in order. What one step names and other objects stand below is gathered."""
    found: dict[tuple[str, ...], list[tuple[tuple[str, ...], Tree | str]]] = {}

    def gather(here: Tree, path: tuple[str, ...]) -> None:
        for key, value in here.items():
            full = (*path, key)
            if len(full) >= _depth(full) or not isinstance(value, dict) or not value:
                found.setdefault(full[: _depth(full)], []).append((full, value))
            else:
                gather(value, full)

    gather(tree, above)
    for path in sorted(found, key=lambda path: [natural(step) for step in path]):
        parts = found[path]
        made: Tree = {}
        for full, value in parts:
            here = made
            for step in full[len(path) : -1]:
                here = here.setdefault(step, {})  # type: ignore[assignment]  # only trees are above a leaf
            if len(full) == len(path):
                made = value if isinstance(value, dict) else {"": value}
            else:
                here[full[-1]] = value
        yield path, made


def _block(path: tuple[str, ...], tree: Tree) -> str:
    lines = ["- set:"]
    *above, last = path
    lines += [f"{'  ' * (depth + 2)}{scalar(step)}:" for depth, step in enumerate(above)]
    indent = "  " * (len(above) + 2)
    if set(tree) == {""}:
        lines.append(f"{indent}{scalar(last)}: {scalar(str(tree['']))}")
    elif tree:
        lines += [f"{indent}{scalar(last)}:", *printed(tree, len(above) + 3)]
    else:
        lines.append(f"{indent}{scalar(last)}: {{}}")
    return "\n".join(lines) + "\n"


def _masked(tree: Tree, *, are_secrets: bool = False) -> Tree:
    """The tree with every secret value masked, and every key that is a secret."""
    found: Tree = {}
    for key, value in tree.items():
        shown = _hidden(key) if are_secrets else key
        if isinstance(value, dict):
            found[shown] = _masked(value, are_secrets=key in SECRET_STEPS)
        else:
            found[shown] = _hidden(value) if key in SECRETS | SECRET_STEPS else value
    return found


def _hidden(value: str) -> str:
    return value if OURS.fullmatch(value) else MASK
