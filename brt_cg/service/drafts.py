"""Drafts: what players have typed, ticked or chosen, but not entered yet, on their own machine.

A draft belongs to a campaign, which is known by its first entry and not by its file: renaming that
loses nothing, and replacing it brings no text of one campaign into another.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from brt_cg.files import read_state, state_file
from brt_cg.model.value import value
from brt_cg.service.noted_on_disk import NotedOnDisk, join, kept

FOLDER = "drafts"
NOT_KEPT = (
    "What you type cannot be kept on this machine ({}). Enter it before you quit, or make room on "
    "the disk."
)
TEXTS, ITEMS = "texts", "items"


@value
class Drafts:
    """The drafts of one seat in one campaign; `campaign` is "" at Home. `failed` is called with the
    reason when one cannot be written."""

    campaign: str
    whose: str
    failed: Callable[[OSError], None]

    def of(self, what: str, stands_for: Mapping[str, str] | None = None) -> NotedOnDisk:
        """Where the draft for something is kept."""
        file = state_file(FOLDER, f"{self.campaign} {self.whose} {what}")
        return NotedOnDisk(file, stands_for or {}, self.failed)

    def of_form(self, what: str) -> "FormDraft":
        """What was typed in a form and is not entered yet."""
        return FormDraft(self.of(what))

    def of_items(self, what: str, before: Path | None = None) -> "ItemDraft":
        """What was noted item by item; a file `before` is where version 1.0 kept it."""
        draft = ItemDraft(self.of(what))
        if before is not None and not draft.items:
            draft.items = kept(read_state(before), "given", dict)
        return draft


class FormDraft:
    """The text of a form, by field, as it was left last. Two windows may have the same form open:
    each keeps its own text, and whoever opens the form next gets the one written last."""

    def __init__(self, disk: NotedOnDisk) -> None:
        self._disk = disk
        self._name, self.text = next(reversed(self._kept().items()), (_new_name(), {}))

    def _kept(self) -> dict[str, dict[str, str]]:
        return {
            name: {field: text for field, text in typed.items() if isinstance(text, str)}
            for name, typed in kept(self._disk.read(), TEXTS, dict).items()
            if isinstance(typed, dict)
        }

    def keep(self, text: Mapping[str, str]) -> None:
        """Writes the text; {} drops it, but not what another window has typed meanwhile."""
        with self._disk.alone():
            texts = self._kept()
            if texts.pop(self._name, {}) != self.text:
                texts, self._name = self._kept(), _new_name()
            if self._disk.keep(**{TEXTS: texts | ({self._name: dict(text)} if text else {})}):
                self.text = dict(text)


class ItemDraft:
    """What was noted for items, such as the Locations of a setup. What two windows note is joined
    item by item; where both changed the same one, the newest stays."""

    def __init__(self, disk: NotedOnDisk) -> None:
        self._disk = disk
        self._before = self._kept()
        self.items = dict(self._before)

    def _kept(self) -> dict[str, Any]:
        return kept(self._disk.read(), ITEMS, dict)

    def keep(self, items: Mapping[str, Any]) -> None:
        """Writes the items, joined with those of another window."""
        with self._disk.alone():
            self.items = as_read(items)
            self.join()
            if self._disk.keep(**{ITEMS: self.items}):
                self._before = dict(self.items)

    def join(self) -> bool:
        """Takes over what another window has noted since; whether there was anything."""
        theirs = self._kept()
        if theirs == self._before:
            return False
        for _ in join(self.items, theirs, self._before):
            pass  # what both changed stays as it is here
        self._before = theirs
        return True


def as_read(noted: Mapping[str, Any]) -> dict[str, Any]:
    """What is noted as it will be read back from its file."""
    found: dict[str, Any] = json.loads(json.dumps(noted))
    return found


def _new_name() -> str:
    return secrets.token_hex(8)
