"""Managers, keys, lanes and routes of a subnet."""
