"""Links of what is no GPU host: the switches, ports, addresses and VLANs that they take."""
