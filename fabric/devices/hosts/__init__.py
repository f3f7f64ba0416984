"""Hosts: the other end of every leaf port, with all networks of a host together."""
