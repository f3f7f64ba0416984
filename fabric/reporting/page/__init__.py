"""The report of a site as one HTML page that asks for nothing from outside."""

from fabric.reporting.page.facts import Facts, Finding, LoadFacts, PageTable, PlanFacts, Verified
from fabric.reporting.page.render import page

__all__ = ["Facts", "Finding", "LoadFacts", "PageTable", "PlanFacts", "Verified", "page"]
