"""What a visitor may read of the machine that serves him: at most the name of a file."""

import re
from pathlib import Path

from brt_cg.storage.place import Place

HIDDEN = "…"
_FOLDERS = re.compile(r"(?<![\w.~/\\…])(?:~|[A-Za-z]:)?[\\/](?:[^\\/\s:;,'\"<>]+[\\/])+")


def without_folders(words: str, place: Place | None) -> str:
    """Words without the folders, or the server, of a campaign, however they are spelled, and
    without any other folder that is named from the root on."""
    if isinstance(place, Path):
        for folder in sorted(_spellings(place), key=len, reverse=True):
            for end in "/\\":
                words = words.replace(f"{folder}{end}", "")
            if len(folder) > 1 and Path(folder).is_absolute():
                words = words.replace(folder, HIDDEN)
    elif place is not None:
        words = words.replace(place.server, "")
    return _FOLDERS.sub("", words)


def _spellings(path: Path) -> set[str]:
    parents = {path.parent, path.absolute().parent, path.resolve().parent}
    return {str(parent) for parent in parents}
