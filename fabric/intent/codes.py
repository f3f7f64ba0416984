"""What can be wrong with an intent before anything is computed from it."""

from fabric.diagnostics import code

INCLUDE = code(
    "FAB101",
    "file that cannot be included",
    why="Every file of a site lies in its folder and is included once, so that a site can be moved and reviewed.",
    fix="Name the files relative to the file that includes them, each once.",
)
DEFINED_TWICE = code(
    "FAB102",
    "defined in two files",
    why="Which of the two holds would depend on the order of the includes.",
    fix="Keep one of the two.",
)
POLICY = code(
    "FAB103",
    "lossless policy that is not there",
    why="A network without queues would drop what RoCE takes for lossless.",
    fix="Name a ready policy (`roce-lossless`, `roce-lossy`), the path of a policy file, or null for none.",
)
