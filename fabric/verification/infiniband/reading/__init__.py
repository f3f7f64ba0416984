"""Reading what the tools of a subnet print: discovery, tables, answers of managers."""
