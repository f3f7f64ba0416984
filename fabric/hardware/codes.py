"""What can be wrong with a hardware model that a site brings along."""

from fabric.diagnostics import code

IDENTITY = code(
    "FAB391",
    "hardware model is not named as its file",
    why="Tiers name models by id. Two names for one model would make the choice depend on the reader.",
    fix="Give `id` the name of the file, in lower case.",
)
CAGES = code(
    "FAB392",
    "cages of a hardware model do not add up",
    why="Ports, names and lanes are computed from the cages: a mode that the lanes cannot carry would give "
    "ports that do not exist.",
    fix="Compare lanes, lane speed, cage speed and modes with the data sheet.",
)
