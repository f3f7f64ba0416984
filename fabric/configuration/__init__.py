"""Configurations as trees: read, compared, merged and judged once for all products, over a table of each."""

from fabric.configuration.comparison import (
    Change,
    Comparison,
    Difference,
    compare,
    differences,
    differences_in,
    placed,
)
from fabric.configuration.dialect import Dialect, read
from fabric.configuration.impacts import Impact, rank
from fabric.configuration.merging import Foreign, Merged, foreign, kept_lines, merge
from fabric.configuration.mixing import Choice, Mixable, without
from fabric.configuration.refilling import Refilled, refilled
from fabric.configuration.replacing import with_lines
from fabric.configuration.same_ends import lines_between
from fabric.configuration.same_places import same_places
from fabric.configuration.statements import (
    LINE,
    TEXT,
    Access,
    Effect,
    Parts,
    Reader,
    Section,
    Statement,
    quiet,
)
from fabric.configuration.syntaxes.curly import Curly
from fabric.configuration.syntaxes.files import Files
from fabric.configuration.syntaxes.flat import Flat
from fabric.configuration.syntaxes.indented import Indented
from fabric.configuration.syntaxes.keyed import Keyed
from fabric.configuration.syntaxes.listed import Listed
from fabric.configuration.syntaxes.records import Records
from fabric.configuration.syntaxes.syntax import Piece, Unreadable
from fabric.configuration.tree import Line, Node

__all__ = [
    "LINE",
    "TEXT",
    "Access",
    "Change",
    "Choice",
    "Comparison",
    "Curly",
    "Dialect",
    "Difference",
    "Effect",
    "Files",
    "Flat",
    "Foreign",
    "Impact",
    "Indented",
    "Keyed",
    "Line",
    "Listed",
    "Merged",
    "Mixable",
    "Node",
    "Parts",
    "Piece",
    "Reader",
    "Records",
    "Refilled",
    "Section",
    "Statement",
    "Unreadable",
    "compare",
    "differences",
    "differences_in",
    "foreign",
    "kept_lines",
    "lines_between",
    "merge",
    "placed",
    "quiet",
    "rank",
    "read",
    "refilled",
    "same_places",
    "with_lines",
    "without",
]
