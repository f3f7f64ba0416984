"""What fails, alone or in pairs, and what is left of the network. Numpy is imported with it: import it when used."""

from fabric.failures.answer import Effect, FailureClass, Impact
from fabric.failures.components import Placement
from fabric.failures.impact import Fabric, fabric_of, single_failures, spare_hosts
from fabric.failures.maintenance import JobEffect, Maintenance, reasons
from fabric.failures.pair_classes import pair_failures
from fabric.failures.site import fabrics, pairs, placed, single, taken, without_switches

__all__ = [
    "Effect",
    "Fabric",
    "FailureClass",
    "Impact",
    "JobEffect",
    "Maintenance",
    "Placement",
    "fabric_of",
    "fabrics",
    "pair_failures",
    "pairs",
    "placed",
    "reasons",
    "single",
    "single_failures",
    "spare_hosts",
    "taken",
    "without_switches",
]
