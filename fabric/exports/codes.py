"""What other tools do not support of a network, and why."""

from fabric.diagnostics import Severity, code

NAME = code(
    "FAB240",
    "another tool cannot hold this name",
    why="Each format has names of its own length and reserved words. A name that is cut or replaced would no longer "
    "be that of the device.",
    fix="Change the template of the name, or export for another tool.",
)
NOTHING = code(
    "FAB241",
    "there is nothing to export",
    why="The kind of export lists hosts, or an InfiniBand subnet, and this network has none.",
    fix="Choose another network or another kind: `fabric export` lists those that the site has.",
)
DOMAIN = code(
    "FAB242",
    "blocks of hosts do not follow from the intent",
    why="A block is the set of hosts of one scale-up domain (NVLink or its like). It must be known which hosts those "
    "are: they are counted off within a unit.",
    fix="Let a unit hold whole domains, or correct `gpus` and `scale_up_domain_gpus`.",
)
OUTSIDE = code(
    "FAB243",
    "hosts are outside the exported topology",
    why="Slurm warns of nodes that hang on no switch, and gives them no job that needs more than one node.",
    fix="Export the network that all hosts are in, or give these hosts a partition with a topology of its own.",
    severity=Severity.WARNING,
)
UNEVEN = code(
    "FAB244",
    "one block is much smaller than the others",
    why="Slurm plans with blocks of one size and refuses a block with fewer nodes: the smallest block sets the size.",
    fix="Fill the last unit, or leave its hosts out of the partition that uses blocks.",
    severity=Severity.WARNING,
)
SPLIT = code(
    "FAB246",
    "ports are split, which the system profile must allow",
    why="MLNX-OS splits ports only of a switch whose system profile is split-ready, and a change of profile restarts "
    "the switch.",
    fix="Give these switches the split-ready profile before anything else, as their manual says.",
    severity=Severity.INFO,
)
PLANARIZED = code(
    "FAB245",
    "XDR ports cannot be exported to tools that count ports and GUIDs",
    why="A switch of XDR holds several ASICs, each a node with a GUID and port numbers of its own, and a port of its "
    "front panel is one port of each. How these are numbered is not published in enough detail.",
    fix="Export the kinds that list devices and cables; the subnet manager's own tools show the rest.",
)
NO_LAB = code(
    "FAB247",
    "a lab of containers does not run these switches as they are",
    why="containerlab has no image of the product, or one with fewer ports than the design has cabled. A plain Linux "
    "container stands there instead, or the node lacks links.",
    fix="Lay out the lab with another product, or use a smaller site.",
    severity=Severity.WARNING,
)
NOT_READ = code(
    "FAB248",
    "an analyser does not read these configurations",
    why="Batfish parses the configurations of some products only: the rest is not in the snapshot, and neither are the "
    "links to it.",
    fix="Analyse the other switches, or ask `fabric lint` and `fabric verify`, which know every product.",
    severity=Severity.WARNING,
)
