"""Devices are asked by workers on other machines: what is sent to them, how it is sealed, what happens if one dies."""
