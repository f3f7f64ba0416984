"""Read-only: serial numbers, racks and management addresses of a site's devices from NetBox."""
