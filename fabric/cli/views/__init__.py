"""What people look at: pure functions from the stages' types to tables and lines."""
