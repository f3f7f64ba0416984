"""One module for each command below `fabric lab`."""
