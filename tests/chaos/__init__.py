"""Random fabrics, changes and accidents: what must hold however an apply ends."""
