"""What hosts do against what the fabric was designed for."""
