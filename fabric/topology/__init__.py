"""Stage 2: every node, port, link, cable, name, address and AS number of a site, as integer columns."""
