"""What opens above the panes: the search, and pages of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, OptionList, Static

from fabric.lens.panes import TextPane

HELP = """\
/        search a device or host by words of its name
Enter    in the tree: open or close
         in Ports and Neighbours: go to the neighbour
1 to 6   Ports, Neighbours, Config, Why, Queues, Findings
Tab      to the tabs and what is in them; Shift-Tab back
w        why the line under the cursor of Config is as it is
i        the lines of the intent that made it
b        back to the device before
t        hide or show the tree
Escape   close a page
q        quit

Config is what `fabric compile` writes; secrets are placeholders.
`===` marks the name of a file, headers of sections are bold.

Why says what the command why does. Findings of a device are those that
name it and what its product says of it; those of the site's own
name are all.

Nothing is written, and no device is asked.
"""


class Page(ModalScreen[None]):
    """A text above everything else."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,enter", "dismiss", "Close")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self.heading, self.text = title, text

    def compose(self) -> ComposeResult:
        """Title, text, keys."""
        with Vertical(classes="dialog"):
            yield Static(self.heading, classes="heading", markup=False)
            yield TextPane(self.text)
        yield Footer()

    async def action_dismiss(self, result: None = None) -> None:
        """Close."""
        self.dismiss(result)


class Search(ModalScreen[str | None]):
    """Words of a name, and the devices that have them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "close", "Close"),
        ("down", "move(1)", "Next"),
        ("up", "move(-1)", "Previous"),
    ]

    def __init__(self, find: Callable[[str], Sequence[str]]) -> None:
        super().__init__()
        self.find = find
        self.found: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        """What is typed, and below it what is found."""
        with Vertical(classes="dialog"):
            yield Input(placeholder="words of a name: leaf-0")
            yield OptionList(markup=False)
        yield Footer()

    def on_mount(self) -> None:
        """Begin with all."""
        self.query_one(OptionList).can_focus = False
        self.search("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Look again at each letter."""
        self.search(event.value)

    def search(self, words: str) -> None:
        """List what has these words."""
        self.found = self.find(words)
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(self.found or ["no device has these words in its name"])
        options.highlighted = 0 if self.found else None

    def action_move(self, by: int) -> None:
        """Move in the list while typing."""
        options = self.query_one(OptionList)
        if self.found:
            options.highlighted = ((options.highlighted or 0) + by) % len(self.found)

    def on_input_submitted(self) -> None:
        """Go to what is marked."""
        marked = self.query_one(OptionList).highlighted
        if marked is not None and self.found:
            self.dismiss(self.found[marked])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Likewise by the mouse."""
        if self.found:
            self.dismiss(self.found[event.option_index])

    def action_close(self) -> None:
        """Go nowhere."""
        self.dismiss(None)
