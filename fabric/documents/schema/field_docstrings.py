"""The docstrings below the fields of a class: the descriptions of each key in the schema and the reference."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from itertools import pairwise
from textwrap import dedent


@cache
def field_docs(cls: type) -> dict[str, str]:
    """Field name to the text below it, those of base classes included."""
    docs: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("fabric."):
            docs |= _own_docs(base)
    return docs


def _own_docs(cls: type) -> dict[str, str]:
    tree = ast.parse(dedent(inspect.getsource(cls)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    docs = {}
    for field, below in pairwise(body):
        if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            docs[field.target.id] = plain(ast.literal_eval(below.value))
    return docs


def class_doc(cls: type) -> str:
    """What a class is, as one paragraph."""
    return plain(inspect.getdoc(cls) or "")


def plain(text: str) -> str:
    """A docstring on one line."""
    return " ".join(text.split())
