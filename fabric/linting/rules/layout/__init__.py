"""Rails, planes, ratios, and what one failure takes."""
