"""The topology as one self-contained picture."""
