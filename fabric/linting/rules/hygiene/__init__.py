"""What is left open, or left over."""
