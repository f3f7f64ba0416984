"""NAPALM is imported without the drivers that nobody asks for."""

import subprocess
import sys

PROGRAM = """
import sys
from fabric.platforms.napalm_alone import import_napalm

import_napalm()
import_napalm()
from napalm import get_network_driver

own = get_network_driver("eos")
assert own.__module__ == "napalm.eos.eos", own
assert "napalm.ios" not in sys.modules
import napalm
assert not hasattr(napalm, "ios")
assert get_network_driver("ios").__module__ == "napalm.ios.ios"
"""


def test_a_driver_is_imported_without_the_others_which_can_be_imported_later():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)

    assert (0, "") == (run.returncode, run.stderr)
