"""Drafts: text, ticks and choices that a player has not entered yet, on the player's own machine.

A draft belongs to a campaign, identified by its first entry and not by its file: renaming the file
loses nothing, and replacing it does not bring the text of one campaign into another.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from brt_cg.files import read_state_file, state_file_path
from brt_cg.immutable import immutable
from brt_cg.service.saved_notes import (
    SavedNotes,
    merge_changes_yielding_conflicts,
    saved_value_or_empty,
)

FOLDER = "drafts"
NOT_KEPT = (
    "Your text cannot be kept on this machine ({}). Enter it before you quit, or free some "
    "disk space."
)
TEXTS, ITEMS = "texts", "items"


@immutable
class Drafts:
    """The drafts of one seat in one campaign; `campaign` is "" at Home. `failed` is called with the
    reason when one cannot be written."""

    campaign: str
    whose: str
    failed: Callable[[OSError], None]

    def saved_notes(self, what: str, stands_for: Mapping[str, str] | None = None) -> SavedNotes:
        """Return the file of a draft."""
        file = state_file_path(FOLDER, f"{self.campaign} {self.whose} {what}")
        return SavedNotes(file, stands_for or {}, self.failed)

    def form_draft(self, what: str) -> "FormDraft":
        """Return the draft of a form."""
        return FormDraft(self.saved_notes(what))

    def item_draft(self, what: str, before: Path | None = None) -> "ItemDraft":
        """Return a draft of several items; version 1.0 kept it in the file `before`."""
        draft = ItemDraft(self.saved_notes(what))
        if before is not None and not draft.items:
            draft.items = saved_value_or_empty(read_state_file(before), "given", dict)
        return draft


class FormDraft:
    """The text of a form, by field. Two windows may have the same form open: each keeps its own
    text, and a form that is opened later begins with the newest."""

    def __init__(self, disk: SavedNotes) -> None:
        self._disk = disk
        self._name, self.text = next(reversed(self._kept().items()), (_new_name(), {}))

    def _kept(self) -> dict[str, dict[str, str]]:
        return {
            name: {field: text for field, text in typed.items() if isinstance(text, str)}
            for name, typed in saved_value_or_empty(self._disk.read(), TEXTS, dict).items()
            if isinstance(typed, dict)
        }

    def save(self, text: Mapping[str, str]) -> None:
        """Write the text; {} drops it, but not the text of another window."""
        with self._disk.lock():
            texts = self._kept()
            if texts.pop(self._name, {}) != self.text:
                texts, self._name = self._kept(), _new_name()
            if self._disk.save(**{TEXTS: texts | ({self._name: dict(text)} if text else {})}):
                self.text = dict(text)


class ItemDraft:
    """A draft of several items, such as the Locations of a setup. The items of two windows are
    joined; if both changed one, the newest is kept."""

    def __init__(self, disk: SavedNotes) -> None:
        self._disk = disk
        self._before = self._kept()
        self.items = dict(self._before)

    def _kept(self) -> dict[str, Any]:
        return saved_value_or_empty(self._disk.read(), ITEMS, dict)

    def save(self, items: Mapping[str, Any]) -> None:
        """Write the items, joined with those of another window."""
        with self._disk.lock():
            self.items = json_round_trip(items)
            self.merge_saved()
            if self._disk.save(**{ITEMS: self.items}):
                self._before = dict(self.items)

    def merge_saved(self) -> bool:
        """Add the changes of another window. Return whether there were any."""
        theirs = self._kept()
        if theirs == self._before:
            return False
        for _ in merge_changes_yielding_conflicts(self.items, theirs, self._before):
            pass  # if both changed an item, keep the one here
        self._before = theirs
        return True


def json_round_trip(noted: Mapping[str, Any]) -> dict[str, Any]:
    """Return items as they will be read back from a file."""
    found: dict[str, Any] = json.loads(json.dumps(noted))
    return found


def _new_name() -> str:
    return secrets.token_hex(8)
