"""Stage 3: everything one device must know."""
