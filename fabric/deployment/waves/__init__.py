"""The waves of a run: each is prepared, pushed with timers, gated, and confirmed or taken back."""
