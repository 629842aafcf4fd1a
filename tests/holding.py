"""Another program that holds a file so that nobody else may write to it, as on Windows."""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from brt_cg import files

READ, SHARED_WITH_READERS, OPEN_EXISTING = 0x80000000, 1, 3


class Holder:
    """The other program. On Windows it holds the file in truth; elsewhere no program can, so what
    Windows refuses is refused here."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._handle: int | None = None
        self._held: Path | None = None
        self._hides = False
        if os.name != "nt":
            patch.setattr(files, "is_in_use", self._is_in_use)
            patch.setattr("brt_cg.storage.sqlite.is_in_use", self._is_in_use)
            patch.setattr(Path, "replace", self._refusing(Path.replace))
            patch.setattr(Path, "open", self._hiding(Path.open))

    def hold(self, path: Path, from_readers_too: bool = False) -> None:
        """Takes a file; others may still read it."""
        self._held, self._hides = path, from_readers_too
        if os.name == "nt":
            shared = 0 if from_readers_too else SHARED_WITH_READERS
            opens = import_module("_winapi").CreateFile
            self._handle = opens(str(path), READ, shared, 0, OPEN_EXISTING, 0, 0)

    def release(self) -> None:
        """Lets the file go, if it is held."""
        if self._handle is not None:
            import_module("_winapi").CloseHandle(self._handle)
        self._handle = self._held = None

    def _is_in_use(self, path: Path, access: int) -> bool:
        return path == self._held and (self._hides or access != files.TO_READ)

    def _refusing(self, replace: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def refuse(path: Path, target: Path) -> Path:
            if target == self._held:
                raise PermissionError(13, "Access denied", str(path), None, str(target))
            return replace(path, target)

        return refuse

    def _hiding(self, opens: Callable[..., object]) -> Callable[..., object]:
        def refuse(path: Path, *words: object, **more: object) -> object:
            if path == self._held and self._hides:
                raise PermissionError(13, "Permission denied", str(path))
            return opens(path, *words, **more)

        return refuse
