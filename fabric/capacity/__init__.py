"""How many switches a network needs before there is one: every layout that fits, the cheapest first."""

from fabric.capacity.layout import Layout
from fabric.capacity.request import Request
from fabric.capacity.search import Found, size
from fabric.capacity.write_site import site_text

__all__ = ["Found", "Layout", "Request", "site_text", "size"]
