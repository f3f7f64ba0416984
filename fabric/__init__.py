"""fabric: AI/GPU back-end networks as code."""

__version__ = "0.1.0"
