"""A site for labs of containers and for analysers of configurations: containerlab, netlab, Batfish."""
