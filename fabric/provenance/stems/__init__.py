"""One neutral table from the fields of a device's model to the intent: written once, for every product."""

from fabric.provenance.stems.row import LOCKED, NAMES, PRODUCT, SIZES, Row
from fabric.provenance.stems.table import row_of

__all__ = ["LOCKED", "NAMES", "PRODUCT", "SIZES", "Row", "row_of"]
