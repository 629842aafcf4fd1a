"""Where a document is put: into a file or, if it is several tables, into a folder."""

from pathlib import Path
from typing import TYPE_CHECKING

from brt_cg.answers import Refused

if TYPE_CHECKING:
    from brt_cg.exports.blocks import Output


def put(made: "Output", path: Path) -> list[Path]:
    """Writes a document; returns the files, in order. What stands there is written over, but for a
    campaign file: raises Refused, with nothing written."""
    files: dict[Path, str | bytes] = {}
    if isinstance(made, dict):
        files.update((path / name, text) for name, text in made.items())
    else:
        files[path] = made
    for file in files:
        if is_campaign(file):
            raise Refused(f"{file} is a campaign file: give another name")
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(files)


def is_campaign(path: Path) -> bool:
    """Whether there is a campaign file (or any other SQLite database) of that name."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"
