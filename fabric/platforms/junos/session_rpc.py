"""Remote procedure calls of Junos, strict where its client libraries are not.

PyEZ raises on a warning without a top-level `<ok/>` although the device has done what it was asked for, passes by an
error that has an `<ok/>` beside it, or stands in another name space, and takes an empty reply for success.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from lxml import etree
from ncclient.operations.errors import TimeoutExpiredError
from ncclient.operations.rpc import RPC
from ncclient.transport.errors import SessionCloseError, SessionError

LOG = logging.getLogger(__name__)
PARSER = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, huge_tree=True)
LOOK_S = 0.5
"""How often a call that waits looks whether its session still lives."""


class RpcRefused(Exception):
    """The device answers with errors. `reasons` are its own words."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


class AnswerLost(Exception):
    """No answer, or none that can be read: whether the device has done it is unknown."""


class Call(RPC):  # type: ignore[misc]  # ncclient has no types
    """One call, whose reply is taken as it is."""

    def request(self, operation: etree._Element) -> str:
        """The reply. `TimeoutExpiredError`, or the error of a connection that is lost."""
        self._session.send(self._wrap(operation))
        until = time.monotonic() + self._timeout
        while not self._event.wait(LOOK_S):
            self._look(until)
        if self._error:
            raise self._error
        return str(self._reply.xml)

    def _look(self, until: float) -> None:
        """A session tells its end to the calls it knows then, and takes more until it is closed: none is answered."""
        if not self._session.is_alive() and not self._event.is_set():
            message = "the session has ended"
            raise SessionError(message)
        if time.monotonic() >= until:
            message = f"no answer within {self._timeout:g} s"
            raise TimeoutExpiredError(message)


def element(name: str, *below: etree._Element, text: str | None = None, **attributes: str) -> etree._Element:
    """An element of a request. `ValueError` for characters that XML does not have."""
    node = etree.Element(name, attributes)
    node.text = text
    node.extend(below)
    return node


def ask(manager: Any, operation: etree._Element, timeout_s: float) -> etree._Element:
    """The reply without name spaces. `RpcRefused`, or `AnswerLost`."""
    call = Call(manager._session, manager._device_handler, timeout=timeout_s)  # noqa: SLF001  # as Manager does
    try:
        reply = plain(call.request(operation))
    except Exception as error:  # noqa: BLE001  # the connection is in whatever state it is
        message = f"{operation.tag}: {what_happened(error)}"
        raise AnswerLost(message) from None
    errors, warnings = complaints(reply)
    for warning in warnings:
        LOG.warning("%s: %s", operation.tag, warning)
    if errors:
        raise RpcRefused(errors)
    return reply


def what_happened(error: Exception) -> str:
    """In words, without what ncclient has received or not sent yet: of a session that ends it shows both buffers."""
    if isinstance(error, SessionCloseError):
        return f"{type(error).__name__}: the device has ended the session"
    return f"{type(error).__name__}: {error}"


def plain(text: str) -> etree._Element:
    """A document with local names only. `etree.XMLSyntaxError`."""
    root = etree.fromstring(text.encode(), PARSER)
    for node in root.iter(etree.Element):
        node.tag = etree.QName(node).localname
        for name in list(node.attrib):
            if name.startswith("{"):
                node.set(etree.QName(name).localname, node.attrib.pop(name))
    return root


def complaints(reply: etree._Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Errors and warnings, wherever they stand. One that does not say how severe it is, is an error."""
    by_severity: dict[bool, list[str]] = {True: [], False: []}
    for problem in reply.iter("rpc-error"):
        by_severity[text_of(problem, "error-severity") != "warning"].append(_words(problem))
    return tuple(dict.fromkeys(by_severity[True])), tuple(dict.fromkeys(by_severity[False]))


def _words(problem: etree._Element) -> str:
    """What an error says, with its place."""
    message = text_of(problem, "error-message") or text_of(problem, "error-tag") or "an error without a text"
    place, word = text_of(problem, "error-path"), text_of(problem, "bad-element")
    near = " ".join(part for part in (place, repr(word) if word else "") if part)
    return f"{near}: {message}" if near else message


def text_of(node: etree._Element, name: str) -> str:
    """The text of the first such element below, on one line; empty if there is none."""
    below = next(node.iter(name), None)
    return "" if below is None else " ".join((below.text or "").split())


def number_of(node: etree._Element, path: str) -> int | None:
    """A count below; None if there is none."""
    text = (node.findtext(path) or "").strip()
    return int(text) if text.isdigit() else None


def seconds_of(node: etree._Element | None) -> float | None:
    """The machine's form of a time, which Junos gives beside that for people."""
    value = "" if node is None else node.get("seconds", "")
    return float(value) if value.isdigit() else None
