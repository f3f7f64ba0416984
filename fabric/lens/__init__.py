"""A site in a terminal: its devices as a tree, and what each is, runs and stems from. Reads files, and nothing else."""
