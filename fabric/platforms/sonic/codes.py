"""What SONiC does not support, and why."""

from fabric.diagnostics import Severity, code

HARDWARE = code(
    "FAB531",
    "The catalogue does not know how SONiC numbers the ports of this model",
    why="A port of SONiC needs its ASIC lanes and the breakout string of `platform.json`. Guessed lanes bring up "
    "other ports than the ones that are cabled.",
    fix="Choose a model with SONiC facts, or add them to the site's own hardware file.",
)

BUFFERS = code(
    "FAB532",
    "The buffer of this model is not published for SONiC",
    why="Pools that are too large overbook the ASIC, and pools that are absent leave every lossless class without "
    "buffer. Their sizes stand in `buffers_defaults_*.j2` of each hardware sku.",
    fix="Choose a model whose sku publishes pools, or a lossy policy.",
)

NO_HEADROOM_TABLE = code(
    "FAB533",
    "No published headroom table covers these ports",
    why="In the traditional buffer model SONiC takes headroom from `pg_profile_lookup.ini` of the sku, by speed and "
    "cable length. Without a row the lossless priority group is not made.",
    fix="Check `pg_profile_lookup.ini` on one switch for a row of this speed and cable before relying on PFC.",
    severity=Severity.WARNING,
)

OTHER_SKU = code(
    "FAB534",
    "Buffer pools come from another sku",
    why="The sku publishes no lossless pools. The smallest ones of a sku of the same model are used, or of another "
    "model with the same ASIC: they fit its buffer.",
    fix="Compare with `show buffer configuration` on one switch.",
    severity=Severity.WARNING,
)

OUTSIDE = code(
    "FAB535",
    "SONiC decides this outside of CONFIG_DB",
    why="Local users stand in `/etc/passwd`, and chrony chooses among the time servers itself: CONFIG_DB has no field "
    "for either.",
    fix="Create users when the switch is installed, or use TACACS+; write one time server where it matters which.",
    severity=Severity.WARNING,
)

OWN_POLICY = code(
    "FAB536",
    "SONiC's own routing policy stands in for the network's",
    why="In the mode `bgpcfgd` the templates of SONiC decide what is taken and told. That no route goes down and up "
    "again is owed to the one AS number of all switches above; nothing else of the network's policy is there.",
    fix="Take `-bgpcfgd` out of the release: `split-unified` says the whole policy.",
    severity=Severity.WARNING,
)

RANGE = code(
    "FAB537",
    "SONiC does not take this number",
    why="SONiC's models and FRR refuse the whole configuration if one number is out of range. FRR takes BGP timers in "
    "whole seconds: rounding would give the two ends of a session different timers.",
    fix="Stay within the range, and write a multiple of the unit, that the message gives.",
)

BFD_FILTER = code(
    "FAB538",
    "SONiC's packet filter stands in the way of BFD",
    why="`caclmgrd` drops what is sent to the addresses of interfaces, and lets BFD through only after STATE_DB knows "
    "a session of the ASIC, which FRR's are not (sonic-host-services scripts/caclmgrd @01d1adc). Without it, dead "
    "links that stay up are found by BGP's hold time. Unnumbered sessions are not concerned.",
    fix="Look with `show bfd peers brief` in vtysh on one switch; else shorten `bgp.hold`, or write `bfd: none`.",
    severity=Severity.WARNING,
)

TEXT = code(
    "FAB539",
    "These lines belong to neither file of SONiC",
    why="An override brings lines of FRR, or rows of CONFIG_DB as JSON. Lines of other files would be lost, and what "
    "follows from the intent has one place.",
    fix="Name the section `frr` for lines of FRR, or `config-db` for rows in JSON.",
)

LESS_HEADROOM = code(
    "FAB576",
    "SONiC gives a port less headroom than the policy needs",
    why="SONiC sets the headroom itself: on NVIDIA switches from the traffic pattern, by a script whose range ends "
    "somewhere; else from the table of the hardware sku, which some vendors made for shorter answers of the peer.",
    fix="Shorten the cables; or write `headroom: vendor-table` in the policy, if you trust the vendor's table.",
    severity=Severity.WARNING,
)
