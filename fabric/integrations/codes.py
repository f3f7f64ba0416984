"""What goes wrong between an inventory system and us."""

from fabric.diagnostics import Severity, code

NO_ANSWER = code(
    "FAB950",
    "the inventory system did not answer as asked",
    why="It was not reached, its certificate is not trusted, it refused the token, or it has no such site.",
    fix="Look at the address, `--ca-file`, the token and the site's name there; reading needs `view` permissions only.",
)
NOT_UNDERSTOOD = code(
    "FAB951",
    "an answer of the inventory system cannot be used",
    why="It is cut off, is not what the interface promises, or holds what was not asked for: taking a part of it would "
    "look like a whole inventory.",
    fix="Try again; if it stays so, compare the versions: NetBox 4.6 is what we read.",
)
LEFT_OUT = code(
    "FAB952",
    "a value of the inventory system is not taken over",
    why="An inventory holds values in a form that configurations, files and prompts can bear.",
    fix="Correct it there, or write the inventory's row by hand.",
    severity=Severity.WARNING,
)
