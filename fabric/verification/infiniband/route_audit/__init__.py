"""The routes of a subnet: whether they arrive, how even the load is, whether they can deadlock."""
