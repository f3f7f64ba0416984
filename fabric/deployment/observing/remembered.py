"""What was found out about long texts, by their digests: a step that meets the same text again does not read it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from hashlib import sha256
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

MOST = 4096
"""So many answers are kept, the latest ones: those of a wave and of the devices before it."""


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """A function of texts that gives the same answer to the same ones. Answers are kept, texts are not."""
    answers: dict[tuple[Hashable, ...], R] = {}

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        key = tuple(map(_key, (*arguments, *named.values())))
        try:
            return answers[key]
        except KeyError:
            answer = function(*arguments, **named)
        if len(answers) >= MOST:
            answers.clear()  # the devices that are asked now were seldom asked long ago
        answers[key] = answer
        return answer

    return call


def _key(argument: object) -> Hashable:
    return sha256(argument.encode()).digest() if isinstance(argument, str) else argument
