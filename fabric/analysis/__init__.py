"""What follows from all derived devices together, before anything is printed or pushed."""

from fabric.analysis.routes.check_routes import check_routes
from fabric.analysis.routes.expected_widths import expected_widths
from fabric.analysis.routes.separated_devices import separating

__all__ = ["check_routes", "expected_widths", "separating"]
