"""Netmiko's login to a host whose key is known, in a file as OpenSSH reads it."""

from __future__ import annotations

import paramiko
from netmiko.terminal_server.terminal_server import TerminalServerSSH

from fabric.platforms.trust import add_known_keys, host_name


class KnownHostSSH(TerminalServerSSH):
    """Logs in, and waits for no prompt. `alt_key_file` knows hosts beside the user's file and this machine's.

    Netmiko reads such files by paramiko, which gives a whole one up for a damaged line.
    """

    def _build_ssh_client(self) -> paramiko.SSHClient:
        client = self._get_ssh_client_instance()
        client.set_missing_host_key_policy(paramiko.RejectPolicy())
        add_known_keys(client.get_host_keys(), self.alt_key_file, host_name(self.host, self.port))
        return client
