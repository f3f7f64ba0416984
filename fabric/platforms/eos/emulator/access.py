"""Management access: whether eAPI listens, and who may log in, according to the running configuration."""

from __future__ import annotations

from fabric.platforms.eos.emulator.secrets import accepts
from fabric.platforms.eos.emulator.tree import EMPTY, Block, Section


class Access:
    """Our way into one switch: the management address it booted with, and the account of its operators."""

    def __init__(self, boot: Section, username: str, password: str) -> None:
        self._username = username
        self._password = password
        self._addresses = _addresses(boot)

    def vrf(self, config: Section) -> str:
        """VRF of the management port."""
        port = _management(config)
        line = port.get("vrf")
        return line.text.split()[1] if line else "default"

    def listens(self, config: Section) -> bool:
        """Whether eAPI answers at the address that we know."""
        if self._addresses and not self._addresses & _addresses(config):
            return False
        api = config.get("management api http-commands")
        if not isinstance(api, Block) or api.body.get("shutdown") is None:
            return False
        https = api.body.get("protocol https")
        if https is not None and https.text.startswith("no "):
            return False
        vrf = self.vrf(config)
        inner = api.body.get(f"vrf {vrf}")
        if vrf == "default":
            return not (isinstance(inner, Block) and inner.body.get("shutdown") is None)
        return isinstance(inner, Block) and inner.body.get("shutdown") is not None

    def admits(self, config: Section, user: str, password: str) -> bool:
        """Whether a login succeeds: by the AAA server, which knows our account, or by a local user."""
        if _asks_server(config):
            return user == self._username and password == self._password
        line = config.get(f"username {user}")
        words = line.text.split() if line else []
        if "nopassword" in words:
            return password == ""
        return bool(words) and words[-2] == "sha512" and accepts(words[-1], password)


def _management(config: Section) -> Section:
    interface = next(config.starting("interface Management"), None)
    return interface.body if isinstance(interface, Block) else EMPTY


def _addresses(config: Section) -> frozenset[str]:
    """Addresses of a management port that is up, without their prefix lengths."""
    port = _management(config)
    if port.get("shutdown") is not None:
        return frozenset()
    return frozenset(
        line.text.split()[2].partition("/")[0]
        for line in port.items
        if line.text.startswith(("ip address ", "ipv6 address "))
    )


def _asks_server(config: Section) -> bool:
    """Whether logins go to a TACACS+ server that is configured. The sandbox plays one that answers."""
    login = config.get("aaa authentication login default")
    if login is None or "group" not in login.text.split():
        return False
    return any(True for _ in config.starting("tacacs-server host "))
