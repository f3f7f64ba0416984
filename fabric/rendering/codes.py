"""Findings of printing."""

from fabric.diagnostics import code

TEMPLATE = code(
    "FAB580",
    "A template failed",
    why="A template asked for something that the platform's model does not hold, or its syntax is wrong. "
    "An undefined name is an error, never an empty string: a line that silently vanishes is a change to the network.",
    fix="If the template is the site's own, correct it: the message names file, line and the name it asked for. "
    "If it is a shipped one, this is a bug of this program.",
)

FORBIDDEN = code(
    "FAB581",
    "A template holds what a template may not",
    why="Templates print. Arithmetic, addresses and decisions belong to the platform's lowering, where they are "
    "typed and tested; an include per port makes rendering four times slower.",
    fix="Move the thought into the platform's `lower`, and print its result.",
)
