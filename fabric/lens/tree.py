"""The tree of networks, tiers, units and devices. A node's children are made when it is opened."""

from __future__ import annotations

from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from fabric.lens.groups import Group, divisions
from fabric.lens.site_view import SiteView

Node = TreeNode[Group | str]


class SiteTree(Tree[Group | str]):
    """Groups of devices, and devices by name."""

    guide_depth = 2
    ICON_NODE, ICON_NODE_EXPANDED = "+ ", "- "
    """Letters that every terminal has."""

    def __init__(self) -> None:
        super().__init__("")
        self.auto_expand = True

    def show_site(self, view: SiteView) -> None:
        """Show a site from its networks down."""
        self.root.set_label(view.root.label)
        self.root.data = view.root
        self.fill(self.root)
        self.root.expand()
        for network in self.root.children:
            self.fill(network)
            network.expand()
        self.focus()
        self.call_after_refresh(self.move_cursor, self.root)

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[Group | str]) -> None:
        """Make the children of a node that is opened."""
        self.fill(event.node)

    def fill(self, node: Node) -> None:
        """Make the children of a node, if that is not done yet."""
        group = node.data
        if not isinstance(group, Group) or node.children:
            return
        below = divisions(group)
        for part in below:
            node.add(_label(part.label), part)
        for name in () if below else group.names:
            node.add_leaf(_label(name), name)

    def reveal(self, name: str) -> None:
        """Open the way to a device and put the cursor there."""
        node: Node | None = self.root
        while node is not None and node.data != name:
            self.fill(node)
            node.expand()
            node = next((child for child in node.children if _leads_to(child, name)), None)
        if node is not None:
            self.call_after_refresh(self.move_cursor, node)


def _leads_to(node: Node, name: str) -> bool:
    return node.data.has(name) if isinstance(node.data, Group) else node.data == name


def _label(text: str) -> str:
    """A label as plain text, without markup."""
    return text.replace("[", r"\[")
