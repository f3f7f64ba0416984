"""Names and neighbours as servers read them: DNS zones, /etc/hosts, PTM."""
