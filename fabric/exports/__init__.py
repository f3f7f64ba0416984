"""What belongs to no single device, in the formats of other tools: netlists, cable lists, Slurm topologies."""
