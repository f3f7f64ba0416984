"""Findings of the topology stage: FAB2xx."""

from __future__ import annotations

from fabric.diagnostics import Severity, code

PORTS_SHORT = code(
    "FAB201",
    "a switch has too few ports",
    why="Every downlink, uplink and reserved port of a tier needs a port of its speed on the switch model.",
    fix="Take a larger model, another breakout, fewer hosts per unit, fewer uplinks, or a second plane.",
)
NO_SUCH_SPEED = code(
    "FAB202",
    "no port of the model has this speed",
    why="A port's speed comes from the breakout modes that the hardware catalogue lists for the model.",
    fix="Choose a speed that the model offers, or another model.",
)
NO_SUCH_BREAKOUT = code(
    "FAB203",
    "a cage of the model does not split this way",
    why="The catalogue lists every breakout mode of a model; a mode that is not there cannot be configured.",
    fix="Choose a listed breakout, or leave it `auto`.",
)
UPLINKS_UNEVEN = code(
    "FAB204",
    "uplinks do not spread evenly",
    why="Equal-cost paths need the same number of links from every switch to every switch above it.",
    fix="Make the uplinks a multiple of the switches above times the links per pair.",
)
OVERSUBSCRIBED = code(
    "FAB205",
    "a tier is oversubscribed beyond its ceiling",
    why="Downlink bandwidth above the ceiling times the uplink bandwidth makes uplinks queues under full load.",
    fix="Add uplinks, attach fewer hosts, or raise `max_oversubscription` on purpose.",
)
RAILS_UNEVEN = code(
    "FAB206",
    "the NICs of a host group do not fit the rails",
    why="NIC k of every host lands on rail k; collectives run along a rail, so rails must be alike.",
    fix="Set `rails.count` to the NICs of a host, `first_rail: alternate` for smaller hosts, or `rails: none`.",
)
PLANES_UNEVEN = code(
    "FAB207",
    "the ports of a NIC do not match the planes",
    why="Port p of each NIC lands on plane p: a NIC has as many ports as the network has planes.",
    fix="Set `nics.ports` to the number of planes, or the planes to the ports.",
)
SPEEDS_DIFFER = code(
    "FAB208",
    "the two ends of a link have different speeds",
    why="A link runs at one speed.",
    fix="Give both ends the same `speed`, or leave one to its default.",
)
NO_HOSTS = code(
    "FAB209",
    "no host has a NIC in the network",
    why="A network without hosts has nothing to size its leaves by.",
    fix="Give a host group `nics` of this network, or remove the network.",
)
UNKNOWN_MODEL = code(
    "FAB210",
    "the model is not in the hardware catalogue",
    why="Ports, breakouts and buffers come from the catalogue.",
    fix="Use a model that `fabric show models` lists, or describe yours in the site's `hardware/` folder.",
)
WRONG_TECHNOLOGY = code(
    "FAB211",
    "the model is of another technology",
    why="An InfiniBand switch cannot be part of an Ethernet network, nor the other way round.",
    fix="Change the `technology` of the network or the model of the tier.",
)
TIERS_CONFLICT = code(
    "FAB212",
    "settings of the tiers contradict each other",
    why="Some shapes exclude one another: superspines need spines, zones are not pods, rails need leaves.",
    fix="Follow the hint.",
)
BEYOND_CAPACITY = code(
    "FAB213",
    "more is installed than the capacity allows",
    why="Strides, names and port maps come from the capacity: nothing fits beyond it.",
    fix="Raise the capacity, and run `fabric resize` to see what moves.",
)
LOCK_BROKEN = code(
    "FAB214",
    "the intent does not fit fabric.lock",
    why="The lock holds sizes, strides, port maps and names, so that growth moves nothing.",
    fix="Run `fabric resize` to see every move, and commit the new lock.",
)
NAME_TAKEN = code(
    "FAB215",
    "two devices have the same name",
    why="A name is the key of a device everywhere: inventory, artifacts, plan, journal.",
    fix="Change the name template, or the `prefix` of the network.",
)
POOL_SHORT = code(
    "FAB216",
    "an address pool is too small",
    why="Addresses are computed for the whole capacity: the pool must hold all of them.",
    fix="Widen the pool to the length that the message names.",
)
POOLS_OVERLAP = code(
    "FAB217",
    "two address pools overlap",
    why="An address belongs to one interface of the site.",
    fix="Give each pool of each network its own prefix.",
)
ASN_TAKEN = code(
    "FAB218",
    "two devices would have the same AS number",
    why="eBGP drops a route whose path holds the own AS number.",
    fix="Move one of the ranges, or leave the numbers to the default.",
)
HOST_LINKS = code(
    "FAB219",
    "the host links do not fit the network",
    why="A bond over two leaves needs two planes; a subnet per leaf needs an allocation order that ends in `host`.",
    fix="Follow the hint.",
)
ATTACHMENT = code(
    "FAB220",
    "an attachment does not find its ports",
    why="Each of its links takes one free port of the right speed on the chosen switches in turn.",
    fix="Reserve more ports, name `cages`, or choose other switches.",
)
CABLES_UNEVEN = code(
    "FAB221",
    "a cable cannot carry this many links",
    why="The links of one cable share a cage at the end where it is split.",
    fix="Set `links` to the ports that a cage has at that end, or change `split_at`.",
)
AUTO_UNITS = code(
    "FAB222",
    "the number of units cannot be found",
    why="`auto` searches the fewest switches for a `total` of hosts in one group.",
    fix="Give one group `total` with `per_unit: auto`, or write the number of units.",
)
CAGES_TAKEN = code(
    "FAB223",
    "cages are named twice or do not exist",
    why="A cage faces one way.",
    fix="Name each cage once, and only cages that the model has.",
)
ORDER_INCOMPLETE = code(
    "FAB224",
    "the allocation order is incomplete",
    why="Addresses are computed from unit, rail, plane and host: each must appear once in the order.",
    fix="Write all four, such as `[unit, rail, plane, host]`.",
)
PODS_APART = code(
    "FAB225",
    "pods meet nowhere",
    why="Without superspines each pod is an island: hosts of two pods cannot talk.",
    fix="Add a superspine tier, or `group_by: none`; or leave it, if the pods are joined by something else.",
    severity=Severity.WARNING,
)
MISWIRED = code(
    "FAB226",
    "the wiring breaks its own symmetry",
    why="The builder states which switches and hosts stand in for each other; each statement is checked on the links.",
    fix="This is a mistake of the program: please report it with the intent.",
)
NAME_INVALID = code(
    "FAB227",
    "a name is not a valid DNS label",
    why="Names become host names, file names and keys: letters, digits and hyphens, first a letter, at most 63.",
    fix="Change the name template, or shorten the names of site, network or host group.",
)
LAYOUT_SIZE = code(
    "FAB228",
    "the leaves do not fit the layout",
    why="A torus has one leaf at each place of its grid; a dragonfly has equal groups, and each group needs a link to "
    "every other one.",
    fix="Make units and leaves fill the layout by capacity; fewer may be installed.",
)
LAYOUT_APART = code(
    "FAB229",
    "switches that no link joins to the others",
    why="Groups of a dragonfly are joined by few links, each at a certain switch. Where that switch is not installed "
    "yet, the hosts of the others cannot reach the rest.",
    fix="Install whole groups.",
)
LOCK_WITHOUT_PLACES = code(
    "FAB230",
    "fabric.lock does not hold where attachments land",
    why="Locks of format 1 held sizes only: attachments landed on the units that were installed at each compilation, "
    "so a new unit moved their cables. From the next lock on they stay where they are.",
    fix="Compile once before units are added, and commit the lock. If units were added already, compare the cables of "
    "the attachments with `fabric export cables`, and name their `unit` where they differ.",
    severity=Severity.WARNING,
)
ATTACHMENT_ADDRESS = code(
    "FAB235",
    "an attachment has addresses that are in use",
    why="Two ends with one address draw each other's packets, and a leaf would lead a host's traffic to an attachment.",
    fix="Leave `addresses` out, which gives the link a block of the host pool, or choose an unused prefix.",
)
ATTACHMENT_VLAN = code(
    "FAB236",
    "the VLAN of an attachment cannot be on its leaf",
    why="A VLAN has one gateway and one subnet on a leaf: two things with one number would be one broadcast domain "
    "with two gateways, and DHCP relay and router advertisements of hosts would reach what is not theirs.",
    fix="Follow the hint: another number, a wider subnet, or a routed link without `vlan`.",
)
TOO_LARGE = code(
    "FAB233",
    "the site is larger than one site may be",
    why="A site is compiled as a whole: every port of its hosts and switches is held in memory. The bound is far above "
    "the largest fabrics that are built, and a number beyond it is a slip as a rule.",
    fix="Write the number that is meant. Cut a site that is so large in several, each with a folder of its own.",
)
RESIZE_BY_SIZE = code(
    "FAB231",
    "moves that cannot be listed cable by cable",
    why="`fabric resize` rebuilds the fabric of before from `fabric.lock` and the intent of today. Where tiers, models "
    "or hosts have changed too much, the lock alone does not tell which cable was where.",
    fix="Take the old cables from `fabric export cables` on the commit before, or change one thing at a time.",
    severity=Severity.WARNING,
)
SPARES_OVERSUBSCRIBED = code(
    "FAB232",
    "spare hosts have no uplinks in a locked fabric",
    why="Uplinks are sized for every declared position, spares included: a spare that becomes a host moves nothing. "
    "Locks written before that rule left spares out.",
    fix="Run `fabric resize --anew` to see what more uplinks would move, or raise `max_oversubscription` on purpose.",
    severity=Severity.WARNING,
)
