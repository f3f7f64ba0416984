"""Whether buffers can wait for each other in a circle. Numpy is imported with it: import it when used."""

from fabric.analysis.deadlock.certificate import is_valley_free_safe, ranks
from fabric.analysis.deadlock.circle import circle
from fabric.analysis.deadlock.minimal import Arcs, dependencies, minimal_circle

__all__ = ["Arcs", "circle", "dependencies", "is_valley_free_safe", "minimal_circle", "ranks"]
