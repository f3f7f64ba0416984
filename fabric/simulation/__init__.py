"""What a collective does to a network: flows, their paths by the network's own ECMP, loads. Numpy comes with it."""

from fabric.simulation.answer import Answer, HotLink, LinkLoads, SlowFlow, TierLoad
from fabric.simulation.forwarding import SubnetTables, TableFile
from fabric.simulation.incast import Incast
from fabric.simulation.of_site import (
    Simulated,
    Work,
    of_site,
    together_of_site,
    training_of_site,
    variants_of_site,
)
from fabric.simulation.simulate import Question, simulate
from fabric.simulation.two_jobs import Beside, together
from fabric.simulation.variants import AS_ASKED, Variant, variants

__all__ = [
    "AS_ASKED",
    "Answer",
    "Beside",
    "HotLink",
    "Incast",
    "LinkLoads",
    "Question",
    "Simulated",
    "SlowFlow",
    "SubnetTables",
    "TableFile",
    "TierLoad",
    "Variant",
    "Work",
    "of_site",
    "simulate",
    "together",
    "together_of_site",
    "training_of_site",
    "variants",
    "variants_of_site",
]
