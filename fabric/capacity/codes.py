"""What can be wrong with a request for a size: FAB88x."""

from fabric.diagnostics import code

NO_LAYOUT = code(
    "FAB880",
    "no layout joins so many GPUs",
    why="Every layout was tried: one, two and three tiers, all rails, planes and port modes that the allowed models "
    "have. None has the ports, or none keeps what is asked for when something fails.",
    fix="Allow larger models or more tiers, a higher oversubscription, or less to be left after a failure.",
)
NEVER_KEPT = code(
    "FAB883",
    "no layout keeps so much without a leaf or a plane",
    why="Each port of a host's NICs lands on one leaf. With all NICs on one leaf and one plane nothing is left when "
    "that leaf fails; a share of the ports is, where they land on several leaves or planes.",
    fix="Spread the NICs with `--rails full`, give them more ports (`2x200G`), or ask for less to be left.",
)
NO_MODEL = code(
    "FAB881",
    "no model of the catalogue can be used",
    why="A model must be of the technology that is asked for, and have ports of the NICs' speed.",
    fix="`fabric show models` lists the models with their port modes; a site's `hardware/` folder may add others.",
)
NICS_UNEVEN = code(
    "FAB882",
    "NICs and planes do not go together",
    why="Port p of a NIC lands on plane p, so that a NIC has a port for each plane, and a whole speed on each.",
    fix="Write the ports before the speed, as `2x200G`, or leave the planes away.",
)
