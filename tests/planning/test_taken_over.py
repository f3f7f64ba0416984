"""Addresses that one switch gets while another still has them: of the same network, whichever owner comes later."""

from __future__ import annotations

from ipaddress import ip_network

from hypothesis import given
from hypothesis import strategies as st

from fabric.planning.cut_off.taken_over import Moved, taken_over

PREFIXES = [ip_network(f"10.0.{block}.{8 * part}/29") for block in range(3) for part in range(4)]
INSIDE = [ip_network(f"10.0.{block}.{2 * part}/31") for block in range(3) for part in range(0, 16, 3)]
SIX = [ip_network(f"fd00:0:0:{block}::/64") for block in range(3)]
SETS = st.frozensets(st.sampled_from([*PREFIXES, *SIX]), max_size=4)


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b"]), st.frozensets(st.sampled_from([*INSIDE, *SIX])), SETS))
)
def test_whoever_gets_what_another_of_his_network_loses_is_told(switches):
    """Held against every pair of prefixes."""
    changed, owned = {}, set()
    for number, (network, gained, lost) in enumerate(switches):  # what runs has one owner in its network
        own = frozenset(prefix for prefix in lost if (network, prefix) not in owned)
        owned |= {(network, prefix) for prefix in own}
        changed[f"leaf-{number}"] = Moved(network, gained, own)
    expected = {
        name
        for name, one in changed.items()
        for other, its in changed.items()
        if name != other and one.network == its.network
        if any(x.version == y.version and x.overlaps(y) for x in one.gained for y in its.lost)
    }

    assert taken_over(changed, ()).keys() == expected
