"""What can be wrong with lint rules themselves: FAB89x."""

from fabric.diagnostics import code

RULE_FAILED = code(
    "FAB890",
    "a lint rule cannot be judged by",
    why="A rule is a program, and may come from another distribution. What it would have found is not known; the other "
    "rules have been judged by.",
    fix="Tell whoever maintains the distribution that is named, or remove it.",
)
