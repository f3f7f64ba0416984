"""What planning can find: FAB600 to FAB699."""

from __future__ import annotations

from fabric.diagnostics import Severity, code

COUPLED = code(
    "FAB601",
    "a change needs both ends of a link at once",
    why="While only one end has the new AS number, GTSM, BGP password, link address, IP MTU, set of paused priorities "
    "or LACP bond, the session is down or lossless traffic is lost. Both ends are changed in one wave, but not where "
    "one of them was not observed, or the two do not fit together afterwards either.",
    fix="Make both ends reachable, and the same at both; or shut the link's ports in state.yaml and apply, make the "
    "change, then open the ports again.",
)
LOCKOUT = code(
    "FAB602",
    "a change touches our own management access",
    why="If the management address, its VRF, the login or the API of a device changes, the device may not be "
    "reachable any more to confirm the change, and reverts it.",
    fix="Leave the management settings as they are, or allow it by name: `--allow lockout:NAME`.",
    severity=Severity.WARNING,
)
ISOLATING = code(
    "FAB603",
    "a change takes the only path of a host's rail",
    why="Every job that uses the host stops for as long as the change takes.",
    fix="Drain the hosts first, then allow it by name: `--allow isolating:NAME`.",
    severity=Severity.WARNING,
)
ADOPT = code(
    "FAB604",
    "a device has never been configured by this program",
    why="Its running configuration was not written by this program: the first apply takes over the sections of the "
    "intent. If it was applied before all the same, the journal of that is missing here (`FABRIC_JOURNAL` names one): "
    "without it, what was ours and is wanted no more counts as somebody else's, and is kept.",
    fix="Read the diff, then `fabric plan --adopt`, and `fabric apply` carries that plan out.",
    severity=Severity.WARNING,
)
UNOBSERVED = code(
    "FAB605",
    "a device was not observed",
    why="Without knowing what a device runs, nothing can be said about what would change there.",
    fix="Make the device reachable and plan again, or leave it for later with `--skip-unreachable`.",
)
OTHER_IDENTITY = code(
    "FAB706",
    "a device shows another key or certificate than the one that is known",
    why="Either the device was replaced or has new keys, or somebody else answers at its address and waits for the "
    "password. No command logs in there.",
    fix="Compare the fingerprint with the device's console. If it is the device, `fabric trust --replace DEVICE` "
    "records it; what the inventory, `~/.ssh/known_hosts` or `/etc/ssh/ssh_known_hosts` says is changed there by hand.",
)
UNDRIVEN = code(
    "FAB649",
    "a product is planned offline only",
    why="A live switch is changed by commits that it takes back itself unless they are confirmed. Where no public "
    "source shows how, the switch is not touched.",
    fix="Plan such switches with `--offline` from their saved configurations, and push the files yourself in a window; "
    "leave them out of a plan of the others with `--skip-unreachable`.",
)
UNCONVERTED = code(
    "FAB606",
    "the device sees no change where the texts differ",
    why="Online, the device's own diff decides. Where it is empty and the texts differ, the device writes "
    "the same settings in another way.",
    fix="Nothing has to be done; a report of the lines helps to complete the product's table of lines.",
    severity=Severity.INFO,
)
HOST_END = code(
    "FAB607",
    "hosts, storage or routers must change together with their switch",
    why="Whoever is at the other end of the cable has the old address, IP MTU, set of paused priorities or bond.",
    fix="Change the other ends in the same maintenance window.",
    severity=Severity.WARNING,
)
KEPT = code(
    "FAB608",
    "lines that are not ours are carried along",
    why="A device may run settings that the intent does not know. They are kept until ownership is full.",
    fix="Bring them into the intent (`overrides`), or plan with full ownership to remove them.",
    severity=Severity.INFO,
)
OVERRIDING = code(
    "FAB613",
    "lines of others may override the intent",
    why="A line that is not ours stands inside what is ours: a session, a port or a policy of the intent. It is "
    "carried along while ownership is `lines`, and what the intent says may not hold because of it.",
    fix="Remove it on the device, bring it into the intent (`overrides`), or set `ownership: full`.",
    severity=Severity.WARNING,
)
OTHER_DEVICE = code(
    "FAB621",
    "a device calls itself by the name of another one of the site",
    why="Its configuration has the hostname of another device of the intent: two addresses of the inventory, or two "
    "saved files, are exchanged, or it hangs in the other's place. What is meant for the one would reach the other.",
    fix="Correct the address in the inventory, or the name of the saved file; `fabric verify` says by LLDP which "
    "switch stands where. If the device is to have its new name, let it have one in between that no other has.",
)
NO_JOURNAL = code(
    "FAB614",
    "without a journal, all that a device runs counts as ours",
    why="The journal knows which lines of a device are ours. Without it a plan shows the lines of others as removed, "
    "which an apply with the journal would carry along.",
    fix="Name the journal with `FABRIC_JOURNAL`, or read lines that are removed with that in mind.",
    severity=Severity.INFO,
)
DEVICE_DIFF = code(
    "FAB609",
    "the device sees a change that the texts do not show",
    why="The texts are compared in plain form, with every secret masked; the device compares the "
    "values themselves. Usually a secret has changed.",
    fix="Nothing has to be done: applying the plan pushes the intended configuration.",
    severity=Severity.INFO,
)
BAD_STORE = code(
    "FAB610",
    "a saved plan cannot be read",
    why="A plan is carried out exactly as approved, so an incomplete, changed or newer one is refused.",
    fix="Make the plan again with `fabric plan`.",
)
BY_HAND = code(
    "FAB612",
    "files that are neither compared nor written",
    why="The interface through which a product is changed does not reach all of its files. Whether these are as "
    "compiled, a plan cannot say.",
    fix="Compare and copy them yourself: `fabric compile` writes them.",
    severity=Severity.INFO,
)

INVENTED = code(
    "FAB611",
    "some GUIDs of a subnet are made up",
    why="Where the inventory names no GUIDs, they are invented, so that a design can be compiled and simulated. On a "
    "real subnet no port has them: all members of all partitions would be strangers.",
    fix="Write the GUIDs of switches and adapters into the inventory.",
    severity=Severity.WARNING,
)
WAITING = code(
    "FAB643",
    "a commit waits for its confirmation on a device",
    why="What the device runs now may not be what it will run: a timer brings back what ran before, unless somebody "
    "confirms the change. A plan made on it would be wrong either way.",
    fix="If it is a run of this site, `fabric apply --resume` or `fabric rollback` settles it; else wait until "
    "the timer has fired or its owner has confirmed. Then plan again.",
)
NO_BACKUP = code(
    "FAB641",
    "a device has no saved configuration",
    why="Without one, its running configuration is unknown: it is planned as an empty switch, all of whose "
    "configuration is new. "
    "That is right for a new device, and wrong where the backup is missing or its file is called otherwise.",
    fix="If the device is not new, save its configuration as `NAME` with any suffix in the folder, or, where a product "
    "has several files, each as `NAME/FILE` (`fabric compile` shows their names); then plan again.",
    severity=Severity.WARNING,
)
NO_SUCH_TARGET = code(
    "FAB615",
    "a target matches nothing",
    why="A word that chooses no device would leave out what somebody meant to change, in silence.",
    fix="Name a device, or `rail:`, `plane:`, `unit:`, `pod:`, `role:` or `tag:` with a value of the site; `*` "
    "matches. Of `role:leaf,unit:2` both parts have to match.",
)
TARGETS_APART = code(
    "FAB616",
    "a target takes apart what must change together",
    why="While only one end of a link has a new AS number, link address, IP MTU or set of paused priorities, the link "
    "carries nothing or drops; and managers of one subnet keep one set of files between them.",
    fix="Choose the other end too.",
)
KEPT_PASSWORD = code(
    "FAB618",
    "one end of a session keeps a BGP password that has changed",
    why="A product that encodes secrets keeps those that it runs unless they are rotated: its text does not show "
    "whether they differ. The product at the other end shows it: the password in its source is another one now. Pushed "
    "at that end alone, it would end the session.",
    fix="`fabric plan --rotate-secrets` brings it to both ends in one wave; until then, give the secret the value that "
    "the switches run.",
)
UNLIKE_PASSWORDS = code(
    "FAB619",
    "a new session would have two passwords",
    why="The password in its source is, or may be, another one than that of the switches that run. A new switch, or "
    "one that was replaced, gets that of today; its neighbour, whose product encodes secrets, keeps the one that it "
    "has, so the session between them does not come up. Nothing that was up goes down.",
    fix="`fabric plan --rotate-secrets` brings the password to all of them, and changes nothing where all have it; "
    "or give the secret the value that the switches run until you rotate it.",
    severity=Severity.WARNING,
)
KEPT_HASH = code(
    "FAB620",
    "a password keeps its old hash",
    why="A hash in the intent is another one than the device runs. It is the password of somebody who logs in, maybe "
    "ours, and a product may write it in a form of its own: like a secret, it changes when that is asked for, and not "
    "beside something else.",
    fix="`fabric plan --rotate-secrets` brings it, and asks to allow it where it is that of our own login.",
    severity=Severity.WARNING,
)
LATER = code(
    "FAB617",
    "a change is made in several phases",
    why="Both ends of a link change in one wave where the link breaks while only one has changed. All links at once "
    "would cut everything off, so this plan changes those of a few switches, and the others keep what they have.",
    fix="Apply this plan, then plan again: each plan is the next phase, until nothing is left to do.",
    severity=Severity.INFO,
)
REMOVED = code(
    "FAB642",
    "a device is no longer in the site",
    why="It was applied before, is backed up or stands in the inventory, and the site no longer has it. A "
    "plan says nothing about what it runs: it keeps its cables, addresses and sessions.",
    fix="Take it out of service by hand, and remove its backup and its entry in the inventory; or bring it back.",
    severity=Severity.WARNING,
)
