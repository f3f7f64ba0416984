"""Findings of the derivation of devices."""

from fabric.diagnostics import Severity, code

NO_PLATFORM = code(
    "FAB401",
    "No platform for this tier",
    why="Every tier is configured in the language of one product. The tier names a platform that this installation "
    "does not have, or its switch model runs none that it has.",
    fix="Set `platform` of the tier to one of the known platforms, or choose a model that runs one.",
)

RELEASE = code(
    "FAB470",
    "The product has no such release",
    why="Which lines a device takes depends on its release; one that cannot be read would be taken for the newest.",
    fix="Write the release as the device shows it.",
)

PLATFORM_UNLISTED = code(
    "FAB412",
    "The switch model does not run this product",
    why="A configuration in another product's language is refused by the switch, or worse, half understood.",
    fix="Choose a product that the model runs. If it does run this one, copy the model to the site's `hardware/` "
    "folder and add the product to its `software`, with the source.",
)

TENANT_VRF = code(
    "FAB402",
    "Tenants in one fabric need their own VRFs",
    why="With more than one tenant every link between switches would have to carry every tenant's VRF. That is not "
    "built yet; putting all tenants in one VRF in silence would join what was to be kept apart.",
    fix="Describe one tenant a network, or leave `tenants` out.",
)

OVERRIDE_MATCHES_NOTHING = code(
    "FAB403",
    "An override matches no device",
    why="An override that matches nothing is a typing mistake or a leftover; in both cases its effect is missing.",
    fix="Correct its `device`, `role` or `network`, or remove it.",
)

STATE_UNKNOWN = code(
    "FAB404",
    "state.yaml names what is not there",
    why="A drained device, shut port or excluded link that does not exist protects nothing.",
    fix="Use the names that `fabric show devices` and `fabric show links` print.",
)

PORT_UNKNOWN = code(
    "FAB405",
    "No such port",
    why="The port is not in the port map of the device, as its product calls it.",
    fix="Use a name that `fabric show links` prints for the device.",
)

WRONG_PEER = code(
    "FAB413",
    "An excluded link that does not lead to its peer",
    why="`port` names one link of the device, and `peer` the other end of another. One of the two is a mistake, and "
    "taking the wrong link out would leave the bad one in use.",
    fix="Correct `port` or `peer`: `fabric show links --device NAME` lists both.",
)

INVENTORY_UNKNOWN = code(
    "FAB406",
    "The inventory names a device that the intent does not make",
    why="Either the name is wrong, or the device is gone from the intent and still reachable: it would never be "
    "configured or cleaned up.",
    fix="Use a name that `fabric show devices` prints, or remove the entry.",
    severity=Severity.WARNING,
)

ROUTER_WITHOUT_BGP = code(
    "FAB408",
    "A router needs a BGP session",
    why="An attachment of kind `router` brings routes into the fabric; without a session it would be a dead cable.",
    fix="Give it `bgp` with its AS number and the prefixes to accept, or make it another kind.",
)

TENANT_UNKNOWN = code(
    "FAB409",
    "A tenant names what is not there",
    why="A host, unit or rail that does not exist is a typing mistake: the one that was meant would be in no tenant.",
    fix="Use names that `fabric show links` prints, and numbers of units and rails that the network has.",
)

BUFFER_UNKNOWN = code(
    "FAB410",
    "The switch model has no published buffer",
    why="Without the buffer's size it is unknown whether the headroom of all ports fits in it.",
    fix="Add `buffer` to the model in the site's `hardware/` folder, with its source.",
    severity=Severity.WARNING,
)

NO_SUBNET_MANAGER = code(
    "FAB430",
    "The subnet has no manager",
    why="InfiniBand switches forward nothing until a subnet manager has given out LIDs and routes.",
    fix="Add attachments of kind `subnet_manager` to the network; two, so that one can take over.",
)

ONE_SUBNET_MANAGER = code(
    "FAB431",
    "The subnet has one manager only",
    why="While no manager runs, traffic goes on over the routes that are there, but nothing that breaks is routed "
    "around and nothing new comes up.",
    fix="Attach a second subnet manager.",
    severity=Severity.WARNING,
)

GUID_TWICE = code(
    "FAB432",
    "Duplicate GUID",
    why="The subnet manager tells nodes and ports apart by their GUIDs: two that are equal are one to it, and the "
    "partitions and LIDs of one go to the other. A port's GUID where its adapter's belongs names nobody.",
    fix="Import the GUIDs anew from `ibnetdiscover`.",
)

LIDS_BEYOND = code(
    "FAB433",
    "More LIDs than a subnet has",
    why="Unicast LIDs end at 0xBFFF. LIDs are given by position for the whole capacity, so that growth moves none.",
    fix="Lower `capacity` or `lmc`, or make two subnets.",
)

ENGINE_UNFIT = code(
    "FAB434",
    "The routing engine does not fit the layout",
    why="An engine for another layout leaves links idle, finds no roots, or makes loops of credits in which all stops.",
    fix="Leave `engine` to `auto`, or choose one that fits.",
)

PARTITION = code(
    "FAB435",
    "A partition that cannot be",
    why="OpenSM opens every partition to everybody when its file has an error, and joins two partitions of one P_Key: "
    "what was to be kept apart would be together.",
    fix="Give each tenant a unique P_Key between 0x0001 and 0x7ffe, and members.",
)

SERVICE_LEVEL = code(
    "FAB436",
    "A service level that cannot be",
    why="A packet's service level decides on which lane it is sent; without a lane it is dropped.",
    fix="Give each class of `service_levels` a unique level, and name one of them `default`.",
)

KEYS_MISSING = code(
    "FAB437",
    "Tenants without management keys",
    why="Whoever may send management packets can write the P_Key tables of ports unless an M_Key protects them, and "
    "read everybody's records unless an SA_Key does.",
    fix="Write `keys` with references to secrets.",
)

IN_NO_TENANT = code(
    "FAB453",
    "Hosts in no tenant",
    why="Where a subnet has tenants, everybody else is a limited member of the default partition: such a host reaches "
    "the managers and no other host.",
    fix="Name the hosts in a tenant, or accept the finding where they are spare.",
    severity=Severity.WARNING,
)

PLACEHOLDER_GUIDS = code(
    "FAB438",
    "Invented GUIDs",
    why="Without GUIDs in the inventory they are made up by position: good enough to look at a design or to simulate "
    "it, and never to run it.",
    fix="Import the GUIDs of switches and adapters into the inventory.",
    severity=Severity.INFO,
)

NIC_NAMES = code(
    "FAB420",
    "The names of a host's NICs do not fit its NICs",
    why="The files of a host name every interface and RDMA device. A name that is missing, or stands for two NICs, "
    "would put the queues or addresses of one NIC on another.",
    fix="Name every NIC port of every network of the group once: by a pattern with {nic}, {port}, {rail} or {plane}, "
    "or by a list.",
)

ORDER = code(
    "FAB421",
    "Not every NIC places packets that come out of order",
    why="Adaptive routing and packet spraying reorder the packets of a flow. A NIC that cannot place them takes it for "
    "loss and sends everything since again.",
    fix="Declare `out_of_order` for the NICs of each group, or `nics_reorder` for the network, if it is true; else "
    "use `load_balancing: flowlet` or `ecmp`.",
)

FLOWLETS = code(
    "FAB422",
    "Flowlets may reorder packets",
    why="A flow is moved to another path only after a pause. Packets overtake each other if the paths differ by more "
    "than that pause; a NIC that cannot place them then sends everything since again.",
    fix="Keep the pause longer than the paths can differ; or declare `out_of_order` if the NICs place such packets.",
    severity=Severity.WARNING,
)

MANAGER_PRIORITY = code(
    "FAB439",
    "Two subnet managers with one priority",
    why="Between equals the lower port GUID wins: who is the master would depend on the label of an adapter, and "
    "change with its replacement.",
    fix="Give each manager its own priority; the highest becomes the master.",
)

GUID_KIND = code(
    "FAB440",
    "GUIDs that do not fit the adapters",
    why="GUIDs are given to NICs by their order. One too few or too many, and every NIC behind it would get "
    "another's: its LID, its partitions, its cable.",
    fix="List one adapter for each NIC, in their order, with its node GUID and the GUIDs of its ports.",
)

PIECES = code(
    "FAB441",
    "A subnet that is not connected",
    why="A subnet manager manages what it reaches over links between switches. The rest would stay down.",
    fix="Connect the parts by spines, or describe a network for each part.",
)

NODE_NAME = code(
    "FAB442",
    "A name that a NodeDescription cannot hold",
    why="An InfiniBand node announces its name in 64 bytes; a longer one would be cut, and be another's.",
    fix="Choose shorter host names.",
)

LIDS_TAKEN = code(
    "FAB443",
    "No room for more LIDs of an attachment",
    why="The LIDs behind an attachment's belong to the next one. To make room would move LIDs that are in use.",
    fix="Describe the new links as another attachment.",
)

RATE = code(
    "FAB444",
    "A rate that the subnet cannot do",
    why="A group's rate is one of InfiniBand's numbers, and no member may be slower: a port that cannot keep up cannot "
    "join.",
    fix="Leave `rate_limit_gbps` out, or choose a rate at or below the slowest member's.",
)

DRAINS_NO_SESSION = code(
    "FAB452",
    "A drain of a switch that has no BGP session",
    why="A drain moves traffic by the switch's BGP sessions: neighbours choose other paths. A leaf without uplinks has "
    "none, and its hosts have no other path on that rail: nothing would change, and whoever pulls the switch takes it "
    "for drained.",
    fix="Remove the entry. Before the switch is pulled, take its hosts out of their jobs; to stop traffic, name its "
    "ports in `shut_ports`.",
)

NOT_ON_INFINIBAND = code(
    "FAB445",
    "state.yaml has an entry that an InfiniBand switch does not support",
    why="The subnet manager routes by what it finds. Nothing that we write drains an InfiniBand switch or shuts "
    "its ports; it would look as if it did.",
    fix="Shut the port with `ibportstate` or on the switch; remove the entry.",
)

LAYOUT_ETHERNET = code(
    "FAB446",
    "This layout has no Ethernet configuration",
    why="Routes over a torus or dragonfly need paths that are not the shortest, kept free of loops of pauses. BGP with "
    "valley-free policies gives neither, so nothing is printed rather than something that stops under load.",
    fix="Use `fabric show devices`, `fabric show links` and `fabric show cables`, or describe a tree.",
)

SERVER_DROPPED = code(
    "FAB447",
    "A DHCP server inside of a pool that border switches hold",
    why="A switch with a router that may send a default, or a prefix around the network's pools, drops what is for "
    "those pools and has no better route. A server with an address of a pool that is neither a host nor attached is "
    "not reached by that router.",
    fix="Give the server an address outside of the network's pools, attach it, or choose another pool.",
)

MANAGEMENT_DEFAULT = code(
    "FAB448",
    "The management gateway takes the place of a border router's default route",
    why="With `vrf: default` the route to `services.management.gateway` stands in the table that hosts' packets are "
    "routed by. A static route wins over one of BGP on every product: what hosts send outside would leave by the "
    "management port, and the border router's default would never be used.",
    fix="Give management a separate VRF, as `vrf: MGMT`, or remove the gateway or without the default route.",
)

LOGIN_UNFIT = code(
    "FAB449",
    "A login that does not fit the product",
    why="A device is asked over its product's protocol. Not every one has SSH keys or an enable secret there: what it "
    "has no use for would be left out in silence, and the login fail.",
    fix="Name in `credentials` what the product logs in with, or give these devices credentials of their own.",
)
