"""Links of attachments, which are not GPU hosts: the switches, ports, addresses and VLANs that they take."""
