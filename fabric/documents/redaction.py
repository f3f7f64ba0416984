"""What must not be shown of a finding, because it may be a secret.

A secret in a file is found by its key, as people write it and mistype it: too many findings are shortened rather
than one too few. What is shown of them are the fixed words of their code, never what stood in the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fabric.diagnostics import Path
from fabric.documents.schema.describe import quoted

WORDS = r"pas+w|pas+phrase|secret|secert|token|community|auth_|privacy_|hash|md5"
SECRET_KEY = re.compile(WORDS, re.IGNORECASE)
"""In the key of a value."""
SECRET_WORD = re.compile(rf"{WORDS}|key|private|credential", re.IGNORECASE)
"""In a line. `key` is wide: hiding a line with a public key does no harm."""
MASK = "'***'"
SHORTEST = 3
"""Letters of a part of a secret that would tell something."""
NAMING = frozenset({"password", "passwd", "passphrase"})
"""Words that look like a secret's name, and are not."""
NAMES = "users"
"""A mapping by names that people choose: none of its keys tells that a secret follows."""
ENABLE = "enable"
"""A key of the inventory's logins: the second password of some products."""
REFERENCES = "secrets"
"""The document of an origin whose path is a reference (`file:secrets/leaf`): it names a secret, and holds none."""
KEY = re.compile(r"""(?<![\w.-])([\w.-]+)["']?\s*:(?=\s|$)""")
"""A key of a mapping, anywhere in a line. It is looked for at the beginnings of words alone: a word of many letters is
read once, not once from each of them."""


def is_name(path: Path) -> bool:
    """Whether the last key of a place is a name that a user chose."""
    return path[-2:-1] == (NAMES,)


def is_secret_path(path: Path) -> bool:
    """Whether a place in a document is one for secrets, by the last of its keys."""
    keys = [step for step in path if isinstance(step, str)]
    return bool(keys) and (keys[-1] == ENABLE or SECRET_KEY.search(keys[-1]) is not None)


def is_secret_line(text: str) -> bool:
    """Whether a line names a secret: as a key, or as a word of a configuration line."""
    return SECRET_WORD.search(text) is not None or any(key == ENABLE for key in KEY.findall(text))


def masked(value: str, texts: Sequence[str]) -> tuple[str, ...] | None:
    """Texts with a value that may hold a secret masked in them; None if a part of it is still there."""
    for form in (quoted(value), repr(value), value):
        texts = [text.replace(form, MASK) for text in texts]
    words = {word.casefold() for word in re.split(r"[^A-Za-z0-9]+", value) if len(word) >= SHORTEST}
    words -= {word for word in words if SECRET_WORD.fullmatch(word) or word in NAMING}
    return None if any(word in text.casefold() for word in words for text in texts) else tuple(texts)


def around(lines: Sequence[str], number: int) -> Sequence[str]:
    """Line `number` (from 1), and before it the line that it is indented under, if there is one."""
    text = lines[number - 1]
    depth = len(text) - len(text.lstrip())
    for above in reversed(lines[: number - 1]):
        if above.strip() and len(above) - len(above.lstrip()) < depth:
            return above, text
    return (text,)
