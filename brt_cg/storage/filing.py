"""Storing the work of a desk: entries with what belongs to them, and backups of the file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from brt_cg.campaign import Campaign
from brt_cg.counters import Side
from brt_cg.journal.entries import KINDS_OF_PARAGRAPH, Entry
from brt_cg.journal.seat_pages import Pages
from brt_cg.records import BETWEEN
from brt_cg.storage import backups, kept
from brt_cg.storage.backups import Why
from brt_cg.storage.errors import NoBackup
from brt_cg.storage.place import Place
from brt_cg.storage.requests import Beside, Request


class Filing:
    """Stores the entries of one campaign, and backs up its file unless `backs_up` is false; a
    server's owner makes its backups. `pages` makes each side's pages where there are seats;
    `request` is the one being carried out. All methods raise StorageError."""

    def __init__(
        self, place: Place, backs_up: bool, pages: Callable[[], Mapping[Side, Pages]]
    ) -> None:
        self._place = place
        self._backs_up = backs_up
        self._pages = pages
        self._kept: kept.Kept | None = None
        self.request: Request | None = None

    def create(self) -> None:
        """Begins a new campaign, which is made together with its first entry."""
        self._kept = kept.create(self._place)

    def write(self, entries: Sequence[Entry], campaign: Campaign) -> list[str]:
        """Stores entries and the campaign after them. Returns notices for the player."""
        if self._kept is None:
            self._kept = kept.open_(self._place, self._backs_up)
        self._kept.write(entries, campaign, Beside(self._pages, self.request))
        ended = entries[-1].kind in KINDS_OF_PARAGRAPH and campaign.situation.phase in BETWEEN
        return [*self._back_up_after_refit()] if ended else []

    def _back_up_after_refit(self) -> Iterator[str]:
        try:
            self._back_up(Why.AFTER_REFIT)
        except NoBackup as failed:  # a backup made before these entries is there already
            yield f"The Refit Phase is stored, but has no backup: {failed.reason}"

    def back_up_before_refit(self) -> None:
        """Raises NoBackup."""
        self._back_up(Why.BEFORE_REFIT)

    def back_up_before_import(self) -> None:
        """Raises NoBackup."""
        self._back_up(Why.BEFORE_IMPORT)

    def _back_up(self, why: Why) -> None:
        if self._backs_up and isinstance(self._place, Path):
            backups.make(self._place, why)

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None
