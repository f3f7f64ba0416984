"""A site for inventories: NetBox, Nautobot, Ansible, Nornir."""
