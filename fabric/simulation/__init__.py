"""What a collective does to a network: flows, their paths by the network's own ECMP, loads. Numpy comes with it."""

from fabric.simulation.answer import Answer, HotLink, SlowFlow, TierLoad
from fabric.simulation.of_site import Work, of_site
from fabric.simulation.simulate import Question, simulate

__all__ = ["Answer", "HotLink", "Question", "SlowFlow", "TierLoad", "Work", "of_site", "simulate"]
