"""Along every path one mapping, from DSCP to queue."""
