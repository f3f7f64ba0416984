"""A folder a group, a module a rule."""
