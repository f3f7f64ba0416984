"""A running InfiniBand subnet against its intent: cables, partitions, lanes and routes."""
