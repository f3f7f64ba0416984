"""Findings about what follows from all devices together."""

from fabric.diagnostics import Severity, code

NO_ROUTE = code(
    "FAB800",
    "A part of the network has no route to another",
    why="All sessions may be up, and still a route gets lost on its way: a switch drops what has its own AS number in "
    "the path, a session between equal AS numbers is iBGP and passes nothing on, or a policy does not let it through. "
    "The cables join both switches; their hosts cannot talk, or talk through a border router's default route.",
    fix="Give switches AS numbers of their own where a route crosses both: `asn: {policy: unique}` always does, or "
    "take back the override of `asn` that the finding names.",
)

SESSION_DOWN = code(
    "FAB801",
    "A session between two switches does not come up",
    why="Both ends of a BGP session must expect the address, the AS number and the password that the other end has. "
    "Both are derived from one link, so no intent brings this about: it guards against defects of this program, and "
    "of platforms of your own that give two ports one name.",
    fix="Report it, with the site. In your own platform, give every port a unique name (`port_name`).",
)

FEWER_PATHS = code(
    "FAB802",
    "Fewer equal paths are used than the cabling offers",
    why="Traffic between two switches is spread over all shortest paths, up to `max_paths`. With fewer, some cables "
    "stay idle while others are congested.",
    fix="Leave `max_paths` at `auto`, or raise it to the number that the finding names.",
    severity=Severity.WARNING,
)

UNWANTED_ROUTE = code(
    "FAB803",
    "A route exists where the cabling allows none",
    why="Routes go up and then down again, never up a second time: a leaf must not carry the traffic of others, and "
    "planes that do not meet must stay apart. The policies of all switches follow from their tiers, so no intent "
    "brings this about: it guards against defects of this program.",
    fix="Report it, with the site.",
)

NOT_ACCEPTED = code(
    "FAB804",
    "A prefix that a switch advertises is not accepted by the others",
    why="Switches accept only prefixes of the network's pools, of its attachments and of its border routers. "
    "Everything else ends at the switch that advertises it. What is accepted is derived from what is attached, so no "
    "intent brings this about: it guards against defects of this program.",
    fix="Report it, with the site. Until it is fixed, take the prefix from one of the pools in `addressing`.",
)

NOT_ADVERTISED = code(
    "FAB805",
    "Addresses are attached that no switch advertises",
    why="A host or a storage port is reached through the prefix that its switch advertises. Without one it is "
    "reachable from the same switch alone. What is advertised is derived from what is attached, so no intent brings "
    "this about: it guards against defects of this program. With `advertise_host_links: none` it is meant so.",
    fix="Report it, with the site. Until it is fixed, take the addresses from the pool of host links.",
)

NOT_HELD = code(
    "FAB806",
    "Packets for the network's own prefixes could leave by a border router",
    why="A router outside that sends a default route, or any prefix around the network's own, is where packets go "
    "when there is no better route: while a leaf is away, those for its hosts as well. A switch with such a session "
    "drops them by a static route to each pool. The pools are known, so no intent brings this about: it guards "
    "against defects of this program.",
    fix="Report it, with the site. Until it is fixed, accept `prefixes` alone that lie outside of the pools.",
)

DROPPED = code(
    "FAB807",
    "A switch drops packets for what others advertise",
    why="A border switch drops what is for the network's own pools and no other switch advertises. A route that drops "
    "and is longer than a prefix that is advertised would take a part of it away. No intent brings this about: it "
    "guards against defects of this program.",
    fix="Report it, with the site.",
)

LIMIT_TOO_LOW = code(
    "FAB808",
    "The limit of prefixes is below what switches send each other",
    why="A switch ends a session on which it receives more prefixes than `max_prefixes`, and keeps it down. With a "
    "limit below what the network itself sends, that happens on all switches at once as soon as they get it.",
    fix="Leave `max_prefixes` at `auto`: it is twice what the network has at full capacity. Or write a number well "
    "above the one that the finding names.",
)

SEPARATED = code(
    "FAB810",
    "What is out of service cuts switches or attachments off from each other",
    why="Drained switches (`mode: shut`), shut ports and excluded links carry nothing. Every tier may keep a switch, "
    "and still no way is left: a spine of one group and a superspine of another have no cable, or no switch that is "
    "left has a link to the storage or the border router. Traffic between the two sides is lost as soon as the plan "
    "is applied. A switch that is itself drained is not counted: to cut it off is what its drain is for.",
    fix="Bring one of the entries back before the next one: a drain by `mode: graceful`, or without the entry. If the "
    "network is to be cut apart, accept the finding, and apply with `--allow isolating`.",
    severity=Severity.WARNING,
)

DRAINS_NOTHING = code(
    "FAB817",
    "A drain has nobody who takes the traffic",
    why="A switch that is drained by `mode: graceful` is used only where there is no other path. If all that stand in "
    "for each other are drained, there is none: traffic goes over them as before, whatever their drains say, and who "
    "takes one of them away takes it for drained.",
    fix="Drain them one after the other: take the entry of one out until another one is done. If the network is idle "
    "and that is meant so, accept the finding.",
    severity=Severity.WARNING,
)

UNATTACHED = code(
    "FAB816",
    "An attachment has no cable to a part of the network",
    why="Planes and rails that do not meet are networks of their own: leaves reach only an attachment that has a link "
    "in their part. NICs of a plane without the border router cannot leave the site, rails without the storage have no "
    "path to it, whatever routes are advertised.",
    fix="Give the attachment a link in every part: write the number of `links` that the finding names, or leave out "
    "what narrows `to`. If hosts reach it by their other NICs and that is meant so, accept the finding.",
    severity=Severity.WARNING,
)

NOTHING_TOLD = code(
    "FAB495",
    "Nothing is advertised to a border router",
    why="`default_route` and `prefixes` say what comes in, `advertise` what goes out. Without it hosts send to the "
    "router, and it has no route back to them.",
    fix="Write `advertise` with the pool of the hosts. If the router has static routes to it, accept the finding.",
    severity=Severity.WARNING,
)

EMPTY_PREFIX = code(
    "FAB496",
    "A prefix of `advertise` holds no route",
    why="`advertise` is a filter: the router receives every route of the network that lies in one of its prefixes, as "
    "long as it is there. No route is made of the prefix itself, so one that lies outside of all pools, or that is "
    "longer than the routes there (a leaf tells its hosts as one block), tells the router nothing.",
    fix="Write the pool of the hosts or a part of it that holds whole blocks of leaves, or take the prefix out.",
    severity=Severity.WARNING,
)
