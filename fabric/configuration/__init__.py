"""Configurations as trees: read, compared, merged and judged once for all products, over a table of each."""

from fabric.configuration.comparison import Change, Comparison, Difference, compare, differences
from fabric.configuration.dialect import Dialect, read
from fabric.configuration.impacts import Impact, rank
from fabric.configuration.indented import Indented
from fabric.configuration.merging import Merged, merge
from fabric.configuration.statements import Access, Effect, Parts, Reader, Section, Statement
from fabric.configuration.tree import Line, Node

__all__ = [
    "Access",
    "Change",
    "Comparison",
    "Dialect",
    "Difference",
    "Effect",
    "Impact",
    "Indented",
    "Line",
    "Merged",
    "Node",
    "Parts",
    "Reader",
    "Section",
    "Statement",
    "compare",
    "differences",
    "merge",
    "rank",
    "read",
]
