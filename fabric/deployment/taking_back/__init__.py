"""Taking back a run: which texts are restored, what that changes, and doing it."""
