"""Stage 3: everything one device must know."""

from fabric.devices.derive import derive

__all__ = ["derive"]
