"""A training job by its dimensions of parallelism: which groups of GPUs exchange what at the same time."""

from fabric.simulation.parallelism.degrees import DIMENSIONS, Asked, Degrees
from fabric.simulation.parallelism.message_sizes import DP_OPERATIONS, Messages
from fabric.simulation.parallelism.train import Dimension, Together, Training, train

__all__ = [
    "DIMENSIONS",
    "DP_OPERATIONS",
    "Asked",
    "Degrees",
    "Dimension",
    "Messages",
    "Together",
    "Training",
    "train",
]
