"""What pauses, marks and waits fits its buffer."""
