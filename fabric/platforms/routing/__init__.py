"""The routing policy of a switch as route-maps and lists, and FRR's lines, for the products that share them."""
