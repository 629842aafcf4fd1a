"""Drafts: what players have typed, ticked or chosen, but not entered yet, on their own machine.

A draft belongs to a campaign, which is known by its first entry and not by its file: renaming that
loses nothing, and replacing it brings no text of one campaign into another.
"""

import secrets
from collections.abc import Callable, Mapping

from brt_cg.files import state_file
from brt_cg.model.value import value
from brt_cg.service.noted_on_disk import NotedOnDisk, kept

FOLDER = "drafts"
NOT_KEPT = (
    "What you type cannot be kept on this machine ({}). Enter it before you quit, or make room on "
    "the disk."
)
TEXTS = "texts"


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
            self.text = dict(text)
            self._disk.keep(**{TEXTS: texts | ({self._name: self.text} if text else {})})


def _new_name() -> str:
    return secrets.token_hex(8)
