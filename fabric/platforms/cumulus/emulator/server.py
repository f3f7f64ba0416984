"""NVUE's REST API on an emulated switch: paths below `/nvue_v1`, with the login of its operators.

Answers are those of the Cumulus Linux user guide ("NVUE API"): a revision that is made is shown by its number, a PATCH
answers with what it changed, a DELETE with 204, and what is refused with 400 and a `detail`.
"""

from __future__ import annotations

import base64
import copy
import json
from typing import Any
from urllib.parse import parse_qs, unquote

from fabric.platforms.cumulus.emulator.errors import RestError
from fabric.platforms.cumulus.emulator.state import state
from fabric.platforms.cumulus.emulator.store import Revision
from fabric.platforms.cumulus.emulator.switch import CumulusSwitch
from fabric.platforms.cumulus.secrets import NAMES, SECRETS
from fabric.platforms.cumulus.session_documents import below, merge, nested
from fabric.platforms.emulation import HttpReply, HttpRequest, Step, strikes

Tree = dict[str, Any]
Path = tuple[str, ...]
ROOT = "nvue_v1"
SHOWN = "*"
ASK: dict[str, Step] = {
    "apply": "commit",
    "confirm_yes": "confirm",
    "save": "confirm",
    "confirm_no": "rollback",
}
IGNORED = "ignore_fail_no"


class CumulusEmulator(CumulusSwitch):
    """A switch that answers over HTTPS."""

    def request(self, request: HttpRequest) -> HttpReply:
        """One HTTPS request."""
        target, _, words = request.path.partition("?")
        root, *rest = [unquote(word) for word in target.strip("/").split("/")]
        if root != ROOT:
            return HttpReply(404, b"not found\n", "text/plain")
        if not self._login(request.authorization):
            return _refusal(RestError(401, "authentication failed"))
        query = parse_qs(words)
        try:
            body = _object(request.body)
            answer = self._answered(request.method, tuple(word for word in rest if word), query, body)
        except RestError as error:
            return _refusal(error)
        except (ValueError, RecursionError):
            return _refusal(RestError(400, "the body is not JSON"))
        return HttpReply(204, b"") if answer is None else HttpReply(200, json.dumps(answer).encode())

    def _login(self, authorization: str) -> bool:
        scheme, _, value = authorization.partition(" ")
        try:
            user, _, password = base64.b64decode(value).decode().partition(":")
        except ValueError:
            return False
        return scheme.lower() == "basic" and not self.faults.deny_login and self.admits(user, password)

    def _answered(self, method: str, path: Path, query: dict[str, list[str]], body: Tree) -> Tree | None:
        if path[:1] == ("revision",):
            return self._revisions(method, path[1:], body)
        revision = query.get("rev", ["operational"])[0]
        if method == "GET":
            with strikes(self, "compare" if "diff" in query else "login" if path == ("system",) else "read"):
                return self._shown(path, query, revision)
        if method not in ("PATCH", "DELETE"):
            raise RestError(405, "method not allowed")
        with strikes(self, "load"):
            return self._changed(path, body if method == "PATCH" else None, revision)

    def _shown(self, path: Path, query: dict[str, list[str]], revision: str) -> Tree:
        if "view" in query and "include" in query:
            raise RestError(400, "view and include exclude one another")
        if "diff" in query:
            changes: Tree = _masked(difference(self.store.tree(revision), self.store.tree(query["diff"][0])))
            return changes
        is_live = revision == "operational"
        here: Any = state(self, path) if is_live else below(_masked(self.store.tree(revision)), *path)
        if not isinstance(here, dict) or (path and not here and is_live):
            raise RestError(404, f"/{'/'.join(path)} does not exist")
        return _included(here, query["include"]) if "include" in query else here

    def _changed(self, path: Path, body: Tree | None, revision: str) -> Tree | None:
        """A PATCH, or without a body a DELETE, of a candidate."""
        tree = copy.deepcopy(self.store.candidate(revision).tree)
        if body is not None:
            merge(tree, nested(path, body))
        elif path:
            merge(tree, nested(path, None))
        else:
            tree = {}
        self.store.change(revision, tree)
        shown: Tree | None = None if body is None else _masked(body)
        return shown

    def _revisions(self, method: str, path: Path, body: Tree) -> Tree | None:
        store = self.store
        if method == "GET":
            with strikes(self, "read"):
                if path:
                    return _row(store.revision(path[0]))
                return {number: _row(known) for number, known in store.revisions.items()}
        if method == "POST" and not path:
            with strikes(self, "load"):
                number = store.new()
                return {number: _row(store.revision(number))}
        if method == "DELETE" and path:
            with strikes(self, "load"):
                store.delete(path[0])
            return None
        if method != "PATCH" or not path:
            raise RestError(405, "method not allowed")
        return self._moved(path[0], body)

    def _moved(self, number: str, body: Tree) -> Tree:
        """Another state for a revision."""
        store, word = self.store, str(body.get("state"))
        if word not in ASK:
            raise RestError(400, f"'{word}' is not a state that can be asked for")
        revision = store.revision(number)
        with strikes(self, ASK[word]):
            if word == "apply":
                timer = below(body, "state-controls", "confirm")
                answers = below(body, "auto-prompt", "ays") == "ays_yes"
                store.apply(number, timer if isinstance(timer, int) else None, answers=answers)
            elif word == "save":
                store.save()
            else:
                (store.confirm if word == "confirm_yes" else store.reject)(number)
        return _row(revision)


def _object(data: bytes) -> Tree:
    body = json.loads(data) if data else {}
    if not isinstance(body, dict):
        raise RestError(400, "the body is not an object")
    return body


def _row(revision: Revision) -> Tree:
    shown, revision.shown = revision.shown or revision.state, ""
    issues = {str(n): {"message": text} for n, text in enumerate(revision.issues)}
    return {"state": shown, "transition": {"issue": issues, "progress": ""}}


def _refusal(error: RestError) -> HttpReply:
    body = {"status": error.status, "title": "refused", "detail": error.detail, "type": "about:blank"}
    return HttpReply(error.status, json.dumps(body).encode())


def _masked(tree: Any) -> Any:
    """A tree as NVUE shows it: no secret is told."""
    if not isinstance(tree, dict):
        return tree
    return {
        key: SHOWN if key in (*SECRETS, *NAMES) and isinstance(value, str) else _masked(value)
        for key, value in tree.items()
    }


def difference(before: Tree, after: Tree) -> Tree:
    """What of the second tree stands otherwise, or not at all, in the first."""
    changed: Tree = {}
    for key, value in after.items():
        known = before.get(key)
        if isinstance(value, dict) and isinstance(known, dict):
            if inner := difference(known, value):
                changed[key] = inner
        elif key not in before or value != known:
            changed[key] = value
    return changed


def _included(tree: Tree, patterns: list[str]) -> Tree:
    """Only what stands at the patterns, in which a star is any name."""
    kept: Tree = {}
    for pattern in patterns:
        merge(kept, _picked(tree, tuple(word for word in pattern.split("/") if word)))
    return kept


def _picked(tree: Any, words: Path) -> Tree:
    if not words or not isinstance(tree, dict):
        return tree if isinstance(tree, dict) else {}
    names = list(tree) if words[0] == "*" else [name for name in words[:1] if name in tree]
    return {name: tree[name] if len(words) == 1 else _picked(tree[name], words[1:]) for name in names}
