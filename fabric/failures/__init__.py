"""What fails, alone or in pairs, and what is left of the network. Numpy is imported with it: import it when used."""

from fabric.failures.answer import Effect, FailureClass, Impact
from fabric.failures.impact import Fabric, fabric_of, single_failures, spare_hosts
from fabric.failures.site import fabrics, racks, single

__all__ = [
    "Effect",
    "Fabric",
    "FailureClass",
    "Impact",
    "fabric_of",
    "fabrics",
    "racks",
    "single",
    "single_failures",
    "spare_hosts",
]
