"""What happens between the waves of a run: windows, soaking, and what is asked of others before hosts lose a path."""
