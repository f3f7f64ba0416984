"""VLANs that Cumulus Linux keeps for itself."""

from __future__ import annotations

import pytest

from fabric.diagnostics import Invalid
from tests.platforms.everywhere import texts
from tests.platforms.test_attachments import with_vlans


def test_a_vlan_that_the_product_keeps_for_itself_is_refused_where_it_is_written():
    devices, _ = with_vlans("cumulus", "ipv4", "", vlan=3800)
    with pytest.raises(Invalid) as caught:
        list(texts(devices))

    assert [("attachments", "filer", "vlan")] == [
        e.origin.path for e in caught.value.diagnostics if e.is_error
    ]
