"""NETCONF 1.0: messages that end with `]]>]]>` (RFC 4742), hello, calls and their replies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element, ParseError, fromstring, tostring

from fabric.platforms.junos.emulator.judge import Fault

END = b"]]>]]>"
BASE = "urn:ietf:params:xml:ns:netconf:base:1.0"
JUNOS = "http://xml.juniper.net/junos/24.4R1/junos"
CAPABILITIES = (
    "urn:ietf:params:netconf:base:1.0",
    *(
        f"urn:ietf:params:netconf:capability:{name}:1.0"
        for name in ("candidate", "confirmed-commit", "validate")
    ),
    "urn:ietf:params:netconf:capability:url:1.0?scheme=http,ftp,file",
    *(f"urn:ietf:params:xml:ns:netconf:capability:{name}:1.0" for name in ("candidate", "confirmed-commit")),
    "http://xml.juniper.net/netconf/junos/1.0",
    "http://xml.juniper.net/dmi/system/1.0",
)
"""Base 1.1, with its chunks, is announced only by a device that is configured for it."""
MAX_MESSAGE_BYTES = 32 * 2**20
NAMESPACE = re.compile(r"\{.*\}")

Reply = list[Element]


def node(name: str, *below: Element, text: str | None = None, **attributes: str) -> Element:
    """An element of a reply. `junos_x` among the attributes is `junos:x`."""
    element = Element(name, {key.replace("junos_", "junos:"): value for key, value in attributes.items()})
    element.text = text
    element.extend(below)
    return element


def local(element: Element) -> str:
    """The name of an element without its name space."""
    return NAMESPACE.sub("", element.tag)


def child(element: Element, name: str) -> Element | None:
    """The first child of that name, whatever its name space."""
    return next((below for below in element if local(below) == name), None)


def value(element: Element, name: str, default: str = "") -> str:
    """The text of a child."""
    below = child(element, name)
    return default if below is None else (below.text or "").strip()


def errors(faults: Iterable[Fault]) -> Reply:
    """As Junos tells them."""
    return [
        node(
            "rpc-error",
            node("error-type", text="protocol"),
            node("error-tag", text="operation-failed"),
            node("error-severity", text="error"),
            *([node("error-path", text=fault.path)] if fault.path else []),
            node("error-message", text=fault.message),
            *([node("error-info", node("bad-element", text=fault.bad_element))] if fault.bad_element else []),
        )
        for fault in faults
    ]


class NetconfChannel:
    """One session: bytes in, bytes out."""

    def __init__(
        self, session: int, answer: Callable[[Element], Reply], ends: Callable[[], None] = lambda: None
    ) -> None:
        self.session = session
        self.ended = False
        self._answer, self._ends = answer, ends
        self._given = b""
        self._greeted = False

    def feed(self, data: bytes) -> bytes:
        """Replies to the messages that are whole by now; hello first of all."""
        answers = [] if self._greeted else [self._hello()]
        self._greeted = True
        self._given += data
        while END in self._given and not self.ended:
            message, _, self._given = self._given.partition(END)
            if message.strip():
                answers.append(self._reply(message))
        if len(self._given) > MAX_MESSAGE_BYTES:
            self.hang_up()
        return b"".join(answers)

    def hang_up(self) -> None:
        """The session is over, whoever ended it."""
        if not self.ended:
            self.ended = True
            self._ends()

    def _hello(self) -> bytes:
        capabilities = (node("capability", text=name) for name in CAPABILITIES)
        hello = node("hello", node("capabilities", *capabilities), node("session-id", text=str(self.session)))
        hello.set("xmlns", BASE)
        return tostring(hello) + END

    def _reply(self, message: bytes) -> bytes:
        try:
            call = fromstring(message)  # noqa: S314  # expat limits what entities may become
        except ParseError:
            return self._framed(errors([Fault("syntax error")]), {})
        if local(call) == "hello":
            return b""
        operation = next(iter(call), None)
        if local(call) != "rpc" or operation is None:
            return self._framed(errors([Fault("syntax error", bad_element=local(call))]), call.attrib)
        if local(operation) == "close-session":
            self.hang_up()
            return self._framed([node("ok")], call.attrib)
        return self._framed(self._answer(operation), call.attrib)

    @staticmethod
    def _framed(reply: Reply, attributes: dict[str, str]) -> bytes:
        """A reply carries the attributes of its call, the message-id among them."""
        own = {name: text for name, text in attributes.items() if not name.startswith("{")}
        root = node("rpc-reply", *reply)
        root.attrib |= {"xmlns": BASE, "xmlns:junos": JUNOS, **own}
        return tostring(root) + END
