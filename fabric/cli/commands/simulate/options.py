"""The options of `fabric simulate`: those of the job, of one collective, and of a training job."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from fabric.cli.common_options import ExistingPath
from fabric.cli.known_names import network_option
from fabric.units import DataSize

Body = Callable[..., int | None]

OPERATIONS = (
    "allreduce",
    "reducescatter",
    "allgather",
    "alltoall",
    "broadcast",
    "sendrecv",
    "mpi-allreduce",
    "mpi-allgather",
    "mpi-alltoall",
    "mpi-bcast",
)
ALGORITHMS = ("ring", "tree", "nvls", "pairs", "halving")
HASHES = ("crc32", "crc32-seeded", "crc32-per-device", "mixer", "flowlet", "spray", "destination")
"""Names of `fabric.simulation`, which is imported when the command runs; a test holds them equal."""
MOST_QPS = 256
MOST_FLOWS_SEED = (1 << 32) - 1
TRAINING = "training"
"""In place of an operation."""
DEGREES = ("tp", "pp", "dp", "ep")
DP_OPERATIONS = ("allreduce", "reducescatter+allgather")
"""Names of `fabric.simulation.parallelism`; a test holds them equal."""
NOT_OF_TRAINING = ("algorithm", "variants", "beside")
"""Options of one collective."""
MESSAGES = ("dp_operation", "dp_size", "pp_size", "ep_size")
"""Options of what the dimensions of a training job send."""


class Size(click.ParamType):  # type: ignore[type-arg]
    """A number of bytes with its unit."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Bytes."""
        try:
            return value if isinstance(value, int) else int(DataSize.parse(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def simulate_options(body: Body) -> Body:
    """All options of the command, in the order of its help."""
    for option in reversed((*_job_options(), *_traffic_options(), *_training_options())):
        body = option(body)
    return body


def _job_options() -> tuple[Callable[[Body], Body], ...]:
    """What is sent, and by which hosts."""
    return (
        click.option(
            "--algorithm",
            type=click.Choice(ALGORITHMS),
            help="How the operation is done. Default: ring, of alltoall and sendrecv pairs.",
        ),
        click.option(
            "--size",
            type=Size(),
            default="1GiB",
            show_default=True,
            metavar="SIZE",
            help="Bytes, as nccl-tests prints them.",
        ),
        network_option("Default: compute."),
        click.option(
            "--gpus", type=click.IntRange(1), metavar="N", help="Default: all but those of spare hosts."
        ),
        click.option(
            "--placement",
            type=click.Choice(("contiguous", "random")),
            default="contiguous",
            show_default=True,
            help="Hosts of the job: unit by unit as they stand, or any in any order.",
        ),
        click.option(
            "--hosts",
            "file",
            type=ExistingPath(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="Hosts of the job in the order of its ranks: one a line, Slurm host lists, or CSV with a column "
            "`host`.",
        ),
    )


def _traffic_options() -> tuple[Callable[[Body], Body], ...]:
    """How flows are told apart, and what is compared."""
    return (
        click.option(
            "--qps",
            type=click.IntRange(1, MOST_QPS),
            default=4,
            show_default=True,
            metavar="N",
            help="Queue pairs between two NIC ports.",
        ),
        click.option(
            "--hash",
            "model",
            type=click.Choice(HASHES),
            help="How switches choose among equal paths. Default: as the intent says, CRC-32 for a product's own.",
        ),
        click.option(
            "--lft",
            "tables",
            type=ExistingPath(dir_okay=False, path_type=Path),
            multiple=True,
            metavar="FILE",
            help="InfiniBand: place flows by the forwarding tables in this file, the output of dump_lfts, ibroute or "
            "OpenSM's opensm-lfts.dump; may be repeated. Default: tables as the routing engine of the subnet manager "
            "computes them.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0, MOST_FLOWS_SEED),
            default=0,
            show_default=True,
            metavar="N",
            help="Of source ports and of a random placement: the same seed gives the same answer.",
        ),
        click.option(
            "--with",
            "beside",
            type=ExistingPath(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="Hosts of a second job at the same time: what the two take of each other.",
        ),
        click.option(
            "--variants",
            is_flag=True,
            help="The same job with other QPs, hashes, seeds and orders of hosts, best first.",
        ),
    )


def _training_options() -> tuple[Callable[[Body], Body], ...]:
    """Degrees of parallelism and sizes of messages; one that is given means training."""
    degree, size = click.IntRange(1, 1 << 20), Size()
    return (
        click.option(
            "--tp", type=degree, metavar="N", help="GPUs of a tensor-parallel group. Default: a host's."
        ),
        click.option("--pp", type=degree, metavar="N", help="Pipeline stages. Default: one for each unit."),
        click.option("--dp", type=degree, metavar="N", help="Data-parallel GPUs. Default: what is left."),
        click.option(
            "--ep", type=degree, metavar="N", help="Of these GPUs of a block of experts. Default: up to 8."
        ),
        click.option(
            "--dp-operation",
            type=click.Choice(DP_OPERATIONS),
            help="What data-parallel GPUs do. Default: allreduce.",
        ),
        click.option("--dp-size", type=size, metavar="SIZE", help="Gradients of one GPU. Default: 5.5GB."),
        click.option("--pp-size", type=size, metavar="SIZE", help="To the next stage. Default: 6MB."),
        click.option(
            "--ep-size", type=size, metavar="SIZE", help="Of one GPU to all experts. Default: 256MiB."
        ),
    )
