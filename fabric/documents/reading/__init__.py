"""Reading YAML and CSV strictly: bytes to values, each with its place."""
