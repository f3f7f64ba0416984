"""How many: units, leaves, uplinks, spines, superspines, as written, as locked, or searched."""
