"""What the mlxsw driver can do with each generation of the ASIC.

Source: https://github.com/torvalds/linux, drivers/net/ethernet/mellanox/mlxsw: pci.h (the four generations that the
driver knows), spectrum_buffers.c and reg.h (thresholds), spectrum_qdisc.c (steps of marking).
"""

from __future__ import annotations

import re

from fabric.hardware import SwitchModel

DRIVEN = re.compile(r"NVIDIA Spectrum(?:-([234]))?")
"""Spectrum-1 to -4. No device of a later generation is in the driver's tables."""
CELL_BYTES = {"": 96, "2": 144, "3": 144, "4": 192}
"""Allocation unit of the shared buffer. Source: sonic-buildimage, platform/mellanox/asic_table.j2."""
ECN_STEP_CELLS = 64
"""Marking thresholds are multiples of so many cells (MLXSW_REG_CWTP_MIN_VALUE)."""
LOWEST_THRESHOLD, ALPHA_ONE = 3, 10
"""devlink's numbers for alpha 1/128, the least that the driver takes, and for alpha 1, which leaves half of the pool to
the others. Alpha is 2 to the power of the number minus ten."""
SUM_OF_ALPHAS = 32
"""Half of the egress side's 64; the other half is for lossy classes of the same port."""


def is_driven(hardware: SwitchModel) -> bool:
    """Whether the kernel has a driver for the ASIC."""
    return DRIVEN.fullmatch(hardware.asic) is not None


def cell_bytes(hardware: SwitchModel) -> int:
    """Allocation unit of the buffer. One byte where the ASIC is not driven: nothing is printed then."""
    match = DRIVEN.fullmatch(hardware.asic)
    return CELL_BYTES[match[1] or ""] if match else 1


def ecn_step_bytes(hardware: SwitchModel) -> int:
    """Step of the marking thresholds."""
    return ECN_STEP_CELLS * cell_bytes(hardware)


def ingress_threshold(groups: int) -> int:
    """The threshold of a lossless priority group, as devlink counts, when the switch has so many of them.

    All of them together must be paused before an egress queue, with alpha 64, refuses a packet: the sum of their
    alphas stays below its. A refused packet of a lossless class would be lost.
    """
    halvings = (-(-groups // SUM_OF_ALPHAS) - 1).bit_length()
    return max(LOWEST_THRESHOLD, ALPHA_ONE - halvings)
