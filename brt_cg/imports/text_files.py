"""Files read as text or JSON, with a plain message for any error; and the points of a CG card that
players copied, for `new --allotments`."""

import json
import sys
import tomllib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brt_cg.card import Card
from brt_cg.commands import allotments
from brt_cg.commands.problems import InputProblems
from brt_cg.files import MOST_BYTES, read_bytes, translate_errors
from brt_cg.questions import RefusedError, json_object_without_duplicates

UTF_16_MARKS = (BOM_UTF16_LE, BOM_UTF16_BE)
DEEPEST = 100  # levels of a JSON file; those of ours have a dozen


def read_text_file(path: Path) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with its mark, as Windows' Notepad and Excel
    can save it. Raises RefusedError if it cannot be read."""
    content = read_bytes(path)
    try:
        return content.decode("utf-16" if content.startswith(UTF_16_MARKS) else "utf-8-sig")
    except UnicodeDecodeError:
        is_table = path.suffix.lower() == ".csv"
        how = "In Excel, save as CSV UTF-8." if is_table else "Save it as UTF-8."
        raise RefusedError(f"{path}: not a text file in UTF-8. {how}") from None


WINDOWS_1252 = "this is not UTF-8 and was read as Windows-1252; check accented letters"


def read_table_text(path: Path) -> tuple[str, str]:
    """Return the text of a table that a spreadsheet saved in any of its encodings, and a remark, if
    it had to be guessed. Raises RefusedError if it cannot be read."""
    content = read_bytes(path)
    if b"\0" in content and not content.startswith(UTF_16_MARKS):
        for encoding, zeros in (("utf-16-le", content[1::2]), ("utf-16-be", content[::2])):
            if zeros.count(0) > len(zeros) // 2 and len(content) % 2 == 0:
                return content.decode(encoding, errors="replace"), ""
    try:
        return read_text_file(path), ""
    except RefusedError:
        if b"\0" in content:
            raise
        return content.decode("cp1252", errors="replace"), WINDOWS_1252


def read_stdin() -> str:
    """Return the text of standard input. Raises RefusedError if it is closed, is not text, or never
    ends."""
    if sys.stdin is None:
        raise RefusedError("standard input is closed; enter the text here, or give a file")
    with translate_errors(Path("standard input"), "text in UTF-8"):
        found = sys.stdin.read(MOST_BYTES + 1)
    if len(found) > MOST_BYTES:
        raise RefusedError(f"standard input is larger than {MOST_BYTES // 1024**2} MB")
    return found


def read_json_file(path: Path) -> Any:
    """Return the contents of a JSON file. Raises RefusedError, with the line, if it is not JSON,
    and for a repeated key."""
    text = read_text_file(path)
    with translate_errors(path, "usable JSON"):
        try:
            found = json.loads(text, object_pairs_hook=json_object_without_duplicates)
            _check_depth(found)
            # A lone surrogate can be written in JSON, but not stored.
            json.dumps(found, ensure_ascii=False).encode()
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise RefusedError(f"{path}: not JSON: {error.msg} ({where})") from None
        except UnicodeEncodeError:
            where = ": ".join(filter(None, (str(path), next(_halved(found)))))
            raise RefusedError(
                f"{where}: some text contains only half of a character (a lone surrogate)"
            ) from None
    return found


def _check_depth(found: Any) -> None:
    """Raise RecursionError before any code that descends through the levels does."""
    level: list[Any] = [[found]]
    for _ in range(DEEPEST):
        inner = [each.values() if isinstance(each, dict) else each for each in level]
        level = [each for values in inner for each in values if isinstance(each, dict | list)]
        if not level:
            return
    raise RecursionError


def _halved(found: Any, path: str = "") -> Iterator[str]:
    """Yield the JSON paths of names and values that contain a lone surrogate."""
    if isinstance(found, str):
        yield from (path for character in found if "\ud800" <= character <= "\udfff")
    elif isinstance(found, dict):
        for name, value in found.items():
            here = f"{path}.{name}" if path else name
            yield from (ascii(here) for _ in _halved(name, here))
            yield from _halved(value, here)
    elif isinstance(found, list):
        for index, value in enumerate(found):
            yield from _halved(value, f"{path}[{index}]")


# --- the points of a CG card ----------------------------------------------------------------------


def read_allotments_file(path: Path, card: Card) -> dict[str, Any]:
    """Read a file as the `allotments` of the command `new`, and check them. Raises RefusedError,
    naming the file and everything that is wrong in it."""
    with translate_errors(path, "TOML"):
        found = tomllib.loads(read_text_file(path))
    findings = InputProblems(path.name)
    list(allotments.read_allotments(found, card, findings))
    findings.raise_problems()
    return found
