"""Gates between waves: what was up is up again, and a subnet has one master."""
