"""MLNX-OS, the operating system of Quantum and Quantum-2 switches with a management plane: a few lines of setup.

A subnet manager programs such a switch; what it does not do is said here. Sources: NVIDIA MLNX-OS User Manual 3.10 to
3.12 (SM Commands; InfiniBand Interface and its commands), docs.nvidia.com/networking; mlxlink of Mellanox/mstflint for
the two ways to split. Speeds are left to negotiation: no source shows the command. NVOS is left out: none shows how
it is set.
"""
