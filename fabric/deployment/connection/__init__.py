"""How devices are reached: targets, sessions, secrets, and many devices at once."""
