"""Secrets are taken out of what is logged: by filters, for as long as they are in use, and by nothing else.

Drivers log whole requests in debug mode, through loggers of their own and of the libraries under them. While a secret
is in use, one filter of ours stands on every logger and every handler there is, and cleans a record before a handler
sees it. A logger that a library makes meanwhile is covered by the handlers at once, and itself by the next `cover`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from fabric.deployment.connection.secrets import Secrets


class _Hiding(logging.Filter):
    """Cleans records of the secrets that are in use, whoever uses them: runs may overlap in threads."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = RLock()
        self._in_use: list[Secrets] = []
        self._covered: list[logging.Filterer] = []
        self._loggers = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, without secrets: message, arguments, traceback and whatever else it carries."""
        in_use = tuple(self._in_use)
        for secrets in in_use:
            _clean(record, secrets)
        return True

    def begin(self, secrets: Secrets) -> None:
        """From now on."""
        with self._lock:
            self._in_use = [*self._in_use, secrets]
            self.cover(anew=True)

    def end(self, secrets: Secrets) -> None:
        """No more. The last one takes the filter away from everything."""
        with self._lock:
            at = next(i for i, other in enumerate(self._in_use) if other is secrets)
            self._in_use = self._in_use[:at] + self._in_use[at + 1 :]
            if not self._in_use:
                for logger in self._covered:
                    logger.removeFilter(self)
                self._covered, self._loggers = [], 0

    def cover(self, *, anew: bool = False) -> None:
        """Stand on what has come since, if a secret is in use."""
        known = len(logging.root.manager.loggerDict)
        if not self._in_use or (known == self._loggers and not anew):
            return
        with self._lock:
            self._loggers = known
            for logger in _everything():
                if self not in logger.filters:
                    logger.addFilter(self)
                    self._covered.append(logger)


def _everything() -> Iterator[logging.Filterer]:
    """Every logger, and every handler of one; also the one that speaks where there is none."""
    loggers = [
        logger
        for logger in tuple(logging.root.manager.loggerDict.values())
        if isinstance(logger, logging.Logger)
    ]
    for logger in (logging.root, *loggers):
        yield logger
        yield from tuple(logger.handlers)
    if logging.lastResort is not None:
        yield logging.lastResort


def _clean(record: logging.LogRecord, secrets: Secrets) -> None:
    message = _message(record)
    hidden = secrets.hide(message)
    if hidden != message:
        record.msg, record.args = hidden, ()
    if record.exc_info or record.exc_text:
        traceback = record.exc_text or logging.Formatter().formatException(record.exc_info)  # type: ignore[arg-type]
        if (clean := secrets.hide(traceback)) != traceback:
            record.exc_text, record.exc_info = clean, None
    for name, value in vars(record).items():
        if name not in {"msg", "exc_text"} and isinstance(value, str):
            vars(record)[name] = secrets.hide(value)


def _message(record: logging.LogRecord) -> str:
    """What a handler would print; where the arguments do not fit, what there is of it."""
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001  # whatever an argument's own printing raises must not stop a change
        record.msg, record.args = f"{record.msg!r} {record.args!r}", ()
        return record.getMessage()


_HIDING = _Hiding()


@contextmanager
def hidden_from_logs(secrets: Secrets) -> Iterator[None]:
    """Within, no log holds one of the secrets, whichever library writes it. May overlap with others."""
    _HIDING.begin(secrets)
    try:
        yield
    finally:
        _HIDING.end(secrets)


def cover_new_loggers() -> None:
    """Before a call to a library that may have made loggers since: a look at their number."""
    _HIDING.cover()
