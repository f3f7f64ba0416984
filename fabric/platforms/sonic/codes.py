"""What SONiC cannot say, and why."""

from fabric.diagnostics import Severity, code

UNSUPPORTED = code(
    "FAB530",
    "SONiC has no way to say this",
    why="CONFIG_DB has no table for the feature in SONiC's own models, or no published source shows that something "
    "reads it. What cannot be said is an error, so that nothing of the intent gets lost.",
    fix="Do what the hint says, or give the tier a platform that can (`docs/platforms.md` lists them).",
)

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
    "Buffer pools come from another sku of the same model",
    why="The default sku publishes no pools. The smallest ones of a sku of the same model are used: they fit the ASIC.",
    fix="Compare with `show buffer configuration` on one switch.",
    severity=Severity.WARNING,
)

USERS = code(
    "FAB535",
    "Users of SONiC are those of its Linux",
    why="CONFIG_DB has no table of local users: they stand in `/etc/passwd`, outside of the files written here.",
    fix="Create them when the switch is installed, or use TACACS+.",
    severity=Severity.WARNING,
)

GRANULARITY = code(
    "FAB536",
    "SONiC counts this time in whole units",
    why="FRR takes BGP timers in whole seconds and SONiC the SSH idle timeout in whole minutes. Rounding would give "
    "the two ends of a session different timers.",
    fix="Write a multiple of the unit.",
)

RANGE = code(
    "FAB537",
    "The number lies outside what SONiC takes",
    why="SONiC's models and FRR refuse the whole configuration if one number is out of range.",
    fix="Stay within the range that the message gives.",
)

BFD_DAEMON = code(
    "FAB538",
    "BFD needs its daemon in the container of BGP",
    why="The sessions are written into frr.conf; whether `bfdd` runs there depends on the image.",
    fix="Look for it with `docker exec bgp supervisorctl status`, or write `bfd: none`.",
    severity=Severity.INFO,
)

TEXT = code(
    "FAB539",
    "These lines belong to no table of SONiC",
    why="CONFIG_DB is JSON, so verbatim lines can only go into frr.conf.",
    fix="Write lines of FRR, in an override whose section is `frr`.",
)
