"""What can be wrong with an intent before anything is computed from it."""

from fabric.diagnostics import Severity, code

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
UNKNOWN_NAME = code(
    "FAB104",
    "name that refers to nothing",
    why="A misspelt name would leave hosts uncabled or devices without a login.",
    fix="Use a name that the site defines, or define it.",
)
COUNTS = code(
    "FAB105",
    "counts that contradict each other",
    why="Ports, names and addresses are computed from the counts; of two that differ one must be wrong.",
    fix="Follow the hint: mostly one of the two follows from the other and can go.",
)
NO_NICS = code(
    "FAB106",
    "host group without NICs",
    why="A host without NICs is cabled to nothing.",
    fix="Name a host model of the catalogue, or give `nics` for each network.",
)
NEEDS = code(
    "FAB107",
    "setting that needs another one",
    why="Alone it would not work, or lose packets in silence.",
    fix="Add what the hint names, if it is true of your network, or choose another setting.",
)
EXCLUSIVE = code(
    "FAB108",
    "settings that exclude each other",
    why="They are two answers to one question.",
    fix="Keep one of them.",
)
ATTACHMENT = code(
    "FAB109",
    "attachment that contradicts itself",
    why="Its links could not come up, or would carry routes that were not intended.",
    fix="Follow the hint.",
)
TENANT = code(
    "FAB110",
    "tenants that cannot be kept apart",
    why="Tenants that share a host or a VRF could reach each other; a tenant without hosts is mostly a mistake.",
    fix="Give each tenant its own hosts and VRF.",
)
TIMERS = code(
    "FAB111",
    "BGP timers that do not fit",
    why="A session must survive lost keepalives: the hold time is at least three of them (RFC 4271, section 10).",
    fix="Raise `hold`, or lower `keepalive`. Fast detection is the work of BFD.",
)
USER = code(
    "FAB112",
    "user who cannot log in as written",
    why="A user without password and key cannot log in; two sources of one password would differ some day.",
    fix="Give an SSH key, and at most one of `password_hash` and `password_secret`.",
)
OVERRIDE = code(
    "FAB113",
    "override without a scope or without an effect",
    why="An override without a target would hit every device; one that sets nothing is mostly misspelt.",
    fix="Name a device, role or network, and what differs there.",
)
SECRET_LINE = code(
    "FAB114",
    "line that looks as if it held a secret",
    why="Verbatim lines are printed as they are: into git, plans, logs and reviews.",
    fix="Use `services` with a reference (`env:NAME`, `file:PATH`), or keep the line out of the intent.",
    severity=Severity.WARNING,
)
DUPLICATE = code(
    "FAB115",
    "duplicate of a value that must be unique",
    why="Two devices with one serial number or management address would get each other's configuration.",
    fix="Look at the label of the device and correct the wrong one.",
)
EXPIRED = code(
    "FAB116",
    "entry of state.yaml that has expired",
    why="What was taken out of service for a night is forgotten easily. It stays out until the entry is removed.",
    fix="Ask the owner. Remove the entry, or move its date.",
    severity=Severity.WARNING,
)
STATE = code(
    "FAB117",
    "entry of state.yaml that makes no sense",
    why="Acting on it would take the wrong thing out of service.",
    fix="Follow the hint.",
)
NOTHING_ACCEPTED = code(
    "FAB150",
    "entry of state.yaml that accepts nothing",
    why="The finding that it was written for is gone. The entry would silence the next one of its kind unseen.",
    fix="Remove the entry.",
    severity=Severity.WARNING,
)
LOCK = code(
    "FAB118",
    "fabric.lock of another version",
    why="Sizes that this version cannot read could not be kept, and growth would move cables.",
    fix="Use the version of fabric-as-code that wrote the lock.",
)
EMPTY = code(
    "FAB119",
    "site without a network",
    why="There is nothing to configure.",
    fix="Describe a network; `fabric init` writes an example.",
)
OTHER_TECHNOLOGY = code(
    "FAB120",
    "setting of another technology",
    why="Ethernet and InfiniBand share hosts, tiers and cables, and nothing of how packets find their way. A "
    "setting without effect misleads its readers.",
    fix="Remove it, or write what the hint names.",
)
STRAY = code(
    "FAB121",
    "file that is not read",
    why="A site is read from `site.yaml`, `inventory.yaml`, `state.yaml`, `fabric.lock` and what these include. A file "
    "with nearly such a name was meant for one of them: drained switches would carry traffic, sizes be chosen anew.",
    fix="Rename the file, or move it out of the site's folder.",
    severity=Severity.WARNING,
)
EMPTY_LOCK = code(
    "FAB122",
    "fabric.lock that is empty",
    why="A lock is written with at least one network. An empty one is what a failed merge or a full disk leaves: "
    "sizes chosen anew could move cables that are plugged in.",
    fix="Restore the file from git, or remove it to have all sizes chosen anew.",
)
LOCK_CHANGED = code(
    "FAB123",
    "fabric.lock that was changed by hand or by a merge",
    why="Any number of the lock may move cables, addresses or names: a slip in an editor, or two branches merged line "
    "by line, must not do so unseen.",
    fix="Restore the file from git. To keep what it says, remove the line `digest`, see with `fabric plan` what it "
    "does, and let `fabric compile` write the digest.",
)
FAMILY = code(
    "FAB125",
    "address family that is not routed",
    why="An IPv6 route on a session over IPv4 is never sent, and an address of a family that the network does not "
    "route is reached by its own switch alone.",
    fix="Remove it, or give the network (`addressing.family`) or the link an address of that family.",
)
RANGE = code(
    "FAB130",
    "value that no network stands",
    why="Products refuse it at the push, or take it and then lose sessions: a timer of no use, a reserved AS number, "
    "an address that no port can have, a cable that carries no light that far.",
    fix="Write the value that the hint names, or one inside the range.",
)
BFD_SLOW = code(
    "FAB497",
    "BFD that is slower than BGP",
    why="BFD is there to end a session sooner than BGP's own hold time does. If it takes longer, a dead link takes "
    "traffic for the whole hold time, though fast detection seems to be on.",
    fix="Write an interval of which the multiple is below `bgp.hold`, or `bfd: none`.",
    severity=Severity.WARNING,
)
SERVER_TWICE = code(
    "FAB479",
    "a server is named twice",
    why="A server that is asked twice is not a second source: when it is down, no server answers.",
    fix="Remove one of them, or write the address of the other server.",
    severity=Severity.WARNING,
)
OWN_PREFIX = code(
    "FAB811",
    "prefix of a border router inside our own pools",
    why="Of two routes the longer one wins, and equal ones share the traffic: a prefix of our own pool from outside "
    "takes the traffic of a leaf's hosts, of a loopback or of a link away, or half of it; so does one of the subnet of "
    "an attachment.",
    fix="Accept only prefixes outside of the network's pools and of attachments' subnets, or shorter ones, such as the "
    "default route.",
)
PLANE_SUBNETS = code(
    "FAB484",
    "planes that cannot be subnets of their own",
    why="`subnets: separate` makes each plane a separate network and subnet. Planes that share switches, or one "
    "plane alone, are one subnet; Ethernet has none.",
    fix="Remove `subnets`, or what keeps the planes together.",
)
PLANE_NICS = code(
    "FAB485",
    "NICs that cannot be shared out to subnets",
    why="In every plane's subnet a host has as many HCA ports as in every other one: a port of each NIC, or an equal "
    "share of its NICs.",
    fix="Give each NIC as many ports as there are planes, or each host a multiple of as many NICs of one port.",
)
PLANE_MANAGERS = code(
    "FAB486",
    "a manager or attachment in a plane that it cannot be in",
    why="Each plane's subnet has its own managers: a manager manages one subnet, through the port that is in it.",
    fix="Say which plane, counted from 0; write managers for every plane.",
)
