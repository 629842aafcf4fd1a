"""The newest entries of a journal, kept in memory. Older entries are read back when needed."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from brt_cg.journal.entries import Entry

NEWEST = 256  # stored entries that stay in memory at least
PAGE = 128  # entries read back in one step
PAGES = 4  # pages kept for the next use

Fetch = Callable[[int, int], Sequence[Entry]]


class EntryCache(Sequence[Entry]):
    """The entries of a journal, first to last; the first has the number 1.

    With `fetch`, which reads a range of entries back from storage, only the newest stay in memory
    once they are `stored`; otherwise all entries do. One thread may read entries while another adds
    some.
    """

    def __init__(self, fetch: Fetch | None = None) -> None:
        self._fetch = fetch
        # The number of older entries that are in storage only, and the newest entries.
        self._memory: tuple[int, list[Entry]] = (0, [])
        self._pages: dict[int, Sequence[Entry]] = {}

    def __len__(self) -> int:
        let_go, newest = self._memory
        return let_go + len(newest)

    @overload
    def __getitem__(self, index: int) -> Entry: ...

    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...

    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            return [self._at(seq) for seq in range(*index.indices(len(self)))]
        wanted = index + len(self) if index < 0 else index
        if not 0 <= wanted < len(self):
            raise IndexError(f"there is no entry {index}")
        return self._at(wanted)

    def __iter__(self) -> Iterator[Entry]:
        return (self._at(index) for index in range(len(self)))

    def _at(self, index: int) -> Entry:
        let_go, newest = self._memory
        if index >= let_go:
            return newest[index - let_go]
        number, place = divmod(index, PAGE)
        page = self._pages.get(number)
        if page is None or place >= len(page):
            assert self._fetch is not None, "entries may leave memory only if they can be read back"
            page = self._fetch(number * PAGE + 1, min((number + 1) * PAGE, let_go))
            if len(self._pages) >= PAGES:
                self._pages.clear()
            self._pages[number] = page
        return page[place]

    # --- changing them --------------------------------------------------------------------------

    def append(self, entry: Entry) -> None:
        self._memory[1].append(entry)

    def replace_newest(self, entry: Entry) -> None:
        """Replace the newest entry."""
        self._memory[1][-1] = entry

    def truncate(self, length: int) -> list[Entry]:
        """Remove all entries after the first `length`, none of which may be stored already."""
        gone = self[length:]
        let_go, newest = self._memory
        del newest[length - let_go :]
        return gone

    def mark_stored(self) -> None:
        """Mark all entries as stored."""
        let_go, newest = self._memory
        if self._fetch is not None and len(newest) >= 2 * NEWEST:
            self._memory = (let_go + len(newest) - NEWEST, newest[-NEWEST:])
