"""A network as arrays, for arithmetic over all of its links at once. Numpy is imported with it: import it when used."""

from fabric.graph.build import graph_of, graphs
from fabric.graph.model import Graph, Tier
from fabric.graph.reach import leaves_below, with_equal_neighbours

__all__ = ["Graph", "Tier", "graph_of", "graphs", "leaves_below", "with_equal_neighbours"]
