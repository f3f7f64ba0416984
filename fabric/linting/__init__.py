"""What is legal but unwise in a site: rules of one small file each, which `fabric lint` judges by."""

from fabric.linting.lint import lint, open_findings, unusable_rules
from fabric.linting.registry import chosen, rule_named, rules
from fabric.linting.rule import Example, Found, Rule, rule
from fabric.linting.site import Linted, Network

__all__ = [
    "Example",
    "Found",
    "Linted",
    "Network",
    "Rule",
    "chosen",
    "lint",
    "open_findings",
    "rule",
    "rule_named",
    "rules",
    "unusable_rules",
]
