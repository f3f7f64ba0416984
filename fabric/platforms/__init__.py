"""The products: one record of functions each, found through the registry."""
