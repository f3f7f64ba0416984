"""A sound site whose hosts are described, for examples of rules on hosts."""

from __future__ import annotations

from fabric.linting.rule import Example


def described(nccl: str = "{socket_interface: bond0}", interface: str = "rail{rail}p{port}") -> Example:
    """A site with the operating system's side of its hosts."""
    nic = f'{{kind: mlx5, interface: "{interface}", rdma: "mlx{{nic}}p{{port}}"}}'
    system = f"{{owner: script, nics: {{compute: {nic}}}, nccl: {nccl}}}"
    return Example("two-tier", f"hosts: {{gpu: {{system: {system}}}}}")
