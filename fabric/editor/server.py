"""The server: checks what an editor opens, edits, saves and closes, and answers what it asks at a cursor."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from fabric.editor.completion import completions
from fabric.editor.definitions import definition
from fabric.editor.hover import hover
from fabric.editor.session import Editor

TRIGGERS = [" ", ":", "{", "[", ","]
"""Letters after which an editor asks what may follow."""


def server() -> Editor:
    """A server for the sites whose files an editor opens."""
    editor = Editor()

    async def changed(params: Any) -> None:
        await editor.changed(params.text_document.uri)

    for event in (
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_SAVE,
        types.TEXT_DOCUMENT_DID_CLOSE,
    ):
        editor.feature(event)(changed)
    editor.feature(types.TEXT_DOCUMENT_HOVER)(lambda params: _hover(editor, params))
    editor.feature(types.TEXT_DOCUMENT_DEFINITION)(lambda params: _definition(editor, params))
    options = types.CompletionOptions(trigger_characters=TRIGGERS)
    editor.feature(types.TEXT_DOCUMENT_COMPLETION, options)(lambda params: _completion(editor, params))
    return editor


def _hover(editor: Editor, params: types.HoverParams) -> types.Hover | None:
    file = editor.open_file(params.text_document.uri)
    token = file.text.token_at(*editor.cursor(file, params.position)) if file else None
    if file is None or token is None:
        return None
    meaning = hover(file.kind, file.name, file.text, token.path, file.site.known)
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, meaning)) if meaning else None


def _completion(editor: Editor, params: types.CompletionParams) -> types.CompletionList | None:
    file = editor.open_file(params.text_document.uri)
    if file is None:
        return None
    items = completions(file.kind, file.text, *editor.cursor(file, params.position), file.names)
    for item in items:
        if item.text_edit is not None and isinstance(item.text_edit, types.TextEdit):
            item.text_edit.range = editor.client_range(file.text, item.text_edit.range)
    return types.CompletionList(is_incomplete=False, items=list(items))


def _definition(editor: Editor, params: types.DefinitionParams) -> types.Location | None:
    file = editor.open_file(params.text_document.uri)
    if file is None:
        return None
    cursor = editor.cursor(file, params.position)
    place = definition(file.kind, file.name, file.text, *cursor, file.names, file.site.sources)
    if place is None:
        return None
    position = types.Position(place.line, place.column)
    return types.Location(place.file.as_uri(), types.Range(position, position))
