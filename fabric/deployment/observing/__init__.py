"""What the network runs: asked of the devices, or read from a folder of saved configurations."""
