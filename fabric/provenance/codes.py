"""What somebody who asks for the origin of a line can get wrong."""

from fabric.diagnostics import code

NO_DEVICE = code(
    "FAB920",
    "no device or host of that name",
    why="A configuration line is one of a device of the site, and this one is not.",
    fix="`fabric show devices` lists the names.",
)
NO_LINE = code(
    "FAB921",
    "no configuration line fits",
    why="No line of the device's files has these words, this number or this header.",
    fix="Take words of one of the lines that the message names, or of what `fabric compile` writes.",
)
NO_VALUE = code(
    "FAB922",
    "no value stands at this place",
    why="Comments, blank lines and closing brackets make nothing; a path leads only to keys that a file has.",
    fix="Name a line that has a value, or the dotted path of a key that is written.",
)
NOT_OF_THE_SITE = code(
    "FAB923",
    "the file is not one that the site is read from",
    why="Lines are made from site.yaml with what it includes, the inventory, state.yaml, fabric.lock, policies and "
    "hardware models.",
    fix="Name a file from the list that the message gives.",
)
