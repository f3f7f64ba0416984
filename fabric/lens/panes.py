"""The panes at the right: tables, texts, and a configuration with a cursor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import DataTable, Static, TextArea

from fabric.lens.configuration_view import Row

if TYPE_CHECKING:
    from rich.text import Text

    from fabric.provenance import Line


class TablePane(Vertical):
    """A table of rows; Enter on one goes to the device in one of its columns."""

    class Chosen(Message):
        """Somebody wants to see this device."""

        def __init__(self, device: str) -> None:
            self.device = device
            super().__init__()

    def __init__(self, headings: Sequence[str], device_column: int | None = None, **named: Any) -> None:
        super().__init__(**named)
        self.headings = headings
        self.device_column = device_column
        self.rows: Sequence[Sequence[str]] = ()

    def compose(self) -> ComposeResult:
        """A line of words above the table."""
        yield Static("", classes="note", markup=False)
        yield DataTable(cursor_type="row", zebra_stripes=False)

    def on_mount(self) -> None:
        """Make the columns."""
        self.query_one(DataTable).add_columns(*self.headings)

    def show(self, rows: Sequence[Sequence[str]], note: str) -> None:
        """Show rows, and in words what they are or why the list is empty."""
        from rich.text import Text

        self.rows = rows
        self.query_one(Static).update(note)
        table = self.query_one(DataTable)
        table.clear()
        table.add_rows([Text(cell) for cell in row] for row in rows)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Go to the device of a row."""
        event.stop()
        if self.device_column is not None and event.cursor_row < len(self.rows):
            self.post_message(self.Chosen(self.rows[event.cursor_row][self.device_column]))


class TextPane(VerticalScroll):
    """A text to scroll through."""

    can_focus = True

    def __init__(self, text: str = "", **named: Any) -> None:
        super().__init__(**named)
        self.text = text

    def compose(self) -> ComposeResult:
        """Plain text: brackets in it are brackets."""
        yield Static(self.text, markup=False)

    def show(self, text: str) -> None:
        """Show another text from its beginning."""
        self.text = text
        self.query_one(Static).update(text)
        self.scroll_home(animate=False)


class ConfigurationPane(TextArea):
    """A configuration to read, with a cursor. Headers of sections are bold, comments and brackets dim."""

    def __init__(self, **named: Any) -> None:
        super().__init__("", read_only=True, soft_wrap=False, show_line_numbers=False, **named)
        self.rows: Sequence[Row] = ()
        self.device = ""

    def show(self, device: str, rows: Sequence[Row]) -> None:
        """Show the files of a device; one row a line."""
        self.device, self.rows = device, rows
        self.text = "\n".join(row.text for row in rows)

    @property
    def line(self) -> Line | None:
        """The configuration line under the cursor; None: it says nothing."""
        at = self.cursor_location[0]
        return self.rows[at].line if at < len(self.rows) else None

    def get_line(self, line_index: int) -> Text:
        """A row in its style."""
        text = super().get_line(line_index)
        row = self.rows[line_index] if line_index < len(self.rows) else None
        if row is not None:
            text.stylize("bold" if row.is_header else "reverse" if row.is_file else "" if row.line else "dim")
        return text
