"""A site as drawings that other programs lay out or edit: Graphviz, Mermaid, draw.io."""
