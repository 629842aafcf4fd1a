"""Readable output anywhere: in a terminal, a file, another program."""

import codecs
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import TextIOWrapper
from typing import Any, TextIO
from unicodedata import normalize

from brt_cg import resources

UTF_8 = 65001  # the code page
PLAIN = "plain"  # the error handler below


def accept_any_text(stream: TextIO) -> None:
    """Make a stream accept every character. On a terminal, a character that it lacks becomes a
    question mark. A file or pipe gets UTF-8, except on Windows with a console that does not use
    UTF-8: there it gets plain ASCII, because PowerShell reads a pipe in the console's code page."""
    if not isinstance(stream, TextIOWrapper):
        return
    if stream.isatty():
        stream.reconfigure(errors="replace")
    elif os.name != "nt" or sys.flags.utf8_mode or console_code_page() == UTF_8:
        stream.reconfigure(encoding="utf-8", errors="replace")
    else:
        stream.reconfigure(encoding="ascii", errors=PLAIN)


def is_ascii_only(stream: TextIO) -> bool:
    """Whether a stream accepts ASCII only."""
    return isinstance(stream, TextIOWrapper) and stream.errors == PLAIN


def escape_json(text: str) -> str:
    """Escape everything outside ASCII in JSON, so that a name stays the same."""
    return re.sub(r"[^\x00-\x7f]", lambda sign: json.dumps(sign[0])[1:-1], text)


def console_code_page() -> int:
    """Return the code page in which a Windows console, and PowerShell, read a program's output;
    UTF-8's if there is no console, as for a scheduled task."""
    kernel = _kernel()
    return UTF_8 if kernel is None else int(kernel.GetConsoleOutputCP()) or UTF_8


STANDARD_OUTPUT = -11  # a handle
ENABLE_CODES = 4  # ENABLE_VIRTUAL_TERMINAL_PROCESSING


@contextmanager
def console_escape_codes_enabled() -> Iterator[bool]:
    """Make a Windows console follow escape codes in the `with` block, as any other terminal does;
    yield whether it can. Otherwise Rich, which asks before Textual switches this on, would draw 256
    colors, and the codes after Textual's end would be printed."""
    import ctypes  # which only Windows needs

    kernel, mode = _kernel(), ctypes.c_uint32()
    handle = None if kernel is None else kernel.GetStdHandle(STANDARD_OUTPUT)
    if kernel is None or not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
        yield True  # no console of Windows
        return
    understood = bool(kernel.SetConsoleMode(handle, mode.value | ENABLE_CODES))
    try:
        yield understood
    finally:
        kernel.SetConsoleMode(handle, mode.value)


def _kernel() -> Any:
    """Return the Windows library with the console functions; None elsewhere."""
    import ctypes  # which only Windows needs

    windows: Any = vars(ctypes).get("windll")
    return None if windows is None else windows.kernel32


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace characters outside ASCII: "−" becomes "-", "é" becomes "e"."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(map(_without_marks, signs)), error.end


def _without_marks(sign: str) -> str:
    bare = normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return ascii_replacements().get(sign) or bare or "?"


@cache
def ascii_replacements() -> dict[str, str]:
    """Return the ASCII replacement for each character outside ASCII that the program uses."""
    table = resources.read_toml_cached(resources.SIGNS)
    plain: dict[str, str] = {sign: bare for bare, signs in table["plain"].items() for sign in signs}
    return plain | dict(table["printed"])


codecs.register_error(PLAIN, _plain)
