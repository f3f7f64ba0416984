"""What was found out about a text is known when it is met again, and the text itself is not kept."""

from __future__ import annotations

from typing import Any

import pytest

from fabric.deployment.observing import remembered as module
from fabric.deployment.observing.remembered import remembered


class Counted:
    """A function of texts, and how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, *texts: Any) -> str:
        self.asked += 1
        if "unreadable" in texts:
            message = "unreadable"
            raise ValueError(message)
        return f"{len(texts)} texts"


def wrapped(counted: Counted) -> Any:
    def ask(*texts: Any) -> str:
        return counted(*texts)

    return remembered(ask)


def test_the_same_texts_are_read_once_and_others_are_not_taken_for_them() -> None:
    counted = Counted()
    ask = wrapped(counted)
    for texts in (("a", "b"), ("b", "a"), ("a", "b", True), ("a", "b", False), ("ab", "")):
        assert ask(*texts) == ask(*texts) == f"{len(texts)} texts"
    assert counted.asked == 5


def test_what_failed_is_asked_again() -> None:
    counted = Counted()
    ask = wrapped(counted)
    for _ in range(2):
        with pytest.raises(ValueError, match="unreadable"):
            ask("unreadable")
    assert counted.asked == 2


def test_answers_are_bounded_and_hold_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 8)
    counted = Counted()
    ask = wrapped(counted)
    text = "interface Ethernet1\n" * 100
    for number in range(100):
        ask(f"{text}{number}")
    (answers,) = (cell.cell_contents for cell in ask.__closure__ if isinstance(cell.cell_contents, dict))
    assert len(answers) <= 8
    assert not any(isinstance(part, str) for key in answers for part in key)
