"""Where everything stands in the drawing of a network, by arithmetic, and how it is printed as SVG."""
