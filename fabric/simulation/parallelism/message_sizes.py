"""What each dimension sends: operation, and bytes that one GPU has for it.

Defaults are those of GPT-3 with 175 billion parameters, TP 8 and PP 8 (HPN, SIGCOMM 2024, table 3), which names no
experts: theirs is an assumption.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from fabric.simulation.collectives import Collective, Shape, collective
from fabric.simulation.patterns import Phase

DP_OPERATIONS = ("allreduce", "reducescatter+allgather")
"""`reducescatter+allgather`: gradients and parameters are sharded over the data-parallel GPUs (ZeRO, FSDP)."""
GRADIENT_BYTES = 5_500_000_000
"""Of one GPU, for the data-parallel operation of one step. HPN, table 3: 5.5 GB."""
ACTIVATION_BYTES = 6_000_000
"""Sent to the next stage for one micro batch. HPN, table 3: 6 MB."""
TENSOR_BYTES = 560_000_000
"""Exchanged in a tensor-parallel group. HPN, table 3: 560 MB."""
EXPERT_BYTES = 256 << 20
"""Of one GPU to all experts. An assumption: 4,096 tokens of 4,096 values of two bytes, to eight experts each."""


@dataclass(frozen=True, kw_only=True)
class Messages:
    """Sizes as nccl-tests counts them, of one GPU."""

    dp_operation: str = DP_OPERATIONS[0]
    tp_bytes: int = TENSOR_BYTES
    ep_bytes: int = EXPERT_BYTES
    dp_bytes: int = GRADIENT_BYTES
    pp_bytes: int = ACTIVATION_BYTES

    def size_bytes(self, dimension: str) -> int:
        """Of a dimension's operation."""
        return int(getattr(self, f"{dimension}_bytes"))

    def collectives(self, dimension: str) -> tuple[Collective, ...]:
        """What a group of the dimension does, one after the other."""
        if dimension == "dp":
            return tuple(collective(operation) for operation in self.dp_operation.split("+"))
        return {"tp": (collective("allreduce"),), "ep": (collective("alltoall"),), "pp": (PIPELINE,)}[
            dimension
        ]


def _neighbours(stages: int) -> tuple[Phase, ...]:
    """Activations to the next stage, then gradients back."""
    first = np.arange(stages - 1, dtype=np.int32)
    return (Phase(first, first + np.int32(1)), Phase(first + np.int32(1), first))


def _of_each_gpu(shape: Shape) -> Fraction:
    return Fraction(shape.gpus, shape.nics)


PIPELINE = Collective("sendrecv", "pairs", _neighbours, _of_each_gpu, lambda _shape: Fraction(2))
"""A pipeline stage sends forward, and another time back: bytes of both count for its bandwidth."""
