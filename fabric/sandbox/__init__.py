"""Emulated switches on loopback addresses: try plan and apply without a lab."""

from fabric.platforms.emulation import Emulated, Faults, Wire
from fabric.sandbox.sandbox import Sandbox

__all__ = ["Emulated", "Faults", "Sandbox", "Wire"]
