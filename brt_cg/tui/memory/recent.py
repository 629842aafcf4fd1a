"""The screen's memory between runs: recent campaigns, the part that each seat has seen of them, the
look.

It is a small JSON file in the player's state folder, without contents of the campaigns themselves.
If it is missing or damaged, nothing is remembered. Other rooms keep their own state files there.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_config_path, user_state_path

from brt_cg.files import APP, read_state_file, state_file_path, write_state_file
from brt_cg.immutable import immutable
from brt_cg.service.saved_notes import saved_value_or_empty
from brt_cg.storage.folder_lock import folder_lock_if_possible
from brt_cg.storage.place import AddressError, parse_place
from brt_cg.views.view import ReadMark

MOST = 8


@immutable
class RecentCampaign:
    """A campaign opened before, with the facts that Home shows without opening it."""

    path: str
    name: str = ""
    stands: str = ""  # "CG III · 20 PM · refit"


class SeenMark(NamedTuple):
    """The part of a campaign that a seat has seen: the campaign's identity, and the last entry
    seen."""

    begun: str
    mark: ReadMark


@dataclass(slots=True)
class Memory:
    """The settings and marks remembered, each written as soon as it changes. `visitor` is the
    player in a browser to whom they belong, if they are not the host's."""

    theme: str | None = None
    signs: str | None = None
    recent: list[RecentCampaign] = field(default_factory=list)
    looked: dict[str, dict[str, SeenMark]] = field(default_factory=dict)  # by path, by seat
    rules: list[str] = field(default_factory=list)  # paragraphs whose summary has been read
    used: list[str] = field(default_factory=list)  # actions chosen in the palette, the last first
    visitor: str = ""

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Change some settings in a `with` block; keep those that another window wrote."""
        with folder_lock_if_possible(memory_path(self.visitor).parent):
            found = load_memory(self.visitor)
            for each in fields(self):
                setattr(self, each.name, getattr(found, each.name))
            yield
            write_state_file(memory_path(self.visitor), asdict(self))

    def note_opened(self, campaign: RecentCampaign) -> None:
        """Put a campaign first among the recent ones."""
        with self._changing():
            others = [other for other in self.recent if other.path != campaign.path]
            self.recent = [campaign, *others][:MOST]

    def note_seen(self, path: str, seat: str, looked: SeenMark) -> None:
        """Note the part of a campaign that a seat has seen; drop campaigns that are no longer
        recent."""
        with self._changing():
            known = {recent.path for recent in self.recent}
            self.looked = {
                campaign: seats for campaign, seats in self.looked.items() if campaign in known
            }
            self.looked[path] = {**self.looked.get(path, {}), seat: looked}

    def note_read(self, rule: str) -> None:
        """Note that the summary of a paragraph has been read."""
        with self._changing():
            self.rules = [*dict.fromkeys([*self.rules, rule])]

    def note_used(self, action: str) -> None:
        """Put an action first among those chosen in the palette."""
        with self._changing():
            self.used = [action, *(other for other in self.used if other != action)][:MOST]

    def note_theme(self, theme: str) -> None:
        """Remember the theme."""
        with self._changing():
            self.theme = theme

    def note_signs(self, signs: str) -> None:
        """Remember the set of symbols."""
        with self._changing():
            self.signs = signs

    def forget(self, path: str) -> None:
        """Remove a campaign from the recent ones, without touching its file."""
        with self._changing():
            self.recent = [campaign for campaign in self.recent if campaign.path != path]


def recent_files(recent: Iterable[RecentCampaign]) -> list[Path]:
    """Return the recent campaigns that are files, newest first."""
    places = (parse_place(campaign.path) for campaign in recent)
    return [place for place in places if isinstance(place, Path)]


def memory_path(visitor: str = "") -> Path:
    """Return the file of the screen's memory; a visitor in a browser has a separate one."""
    if visitor:
        return state_file_path("visitors", visitor)
    return user_state_path(APP) / "screen.json"


def keys_path() -> Path:
    """Return the file of a player's own keys."""
    return user_config_path(APP) / "keys.toml"


def load_memory(visitor: str = "") -> Memory:
    """Read the memory from its file."""
    found = read_state_file(memory_path(visitor))
    recent = [*filter(None, map(_recent, saved_value_or_empty(found, "recent", list)))]
    looked = {
        path: {seat: mark for seat, kept_mark in seats.items() if (mark := _looked(kept_mark))}
        for path, seats in saved_value_or_empty(found, "looked", dict).items()
        if isinstance(seats, dict)
    }
    theme, signs = (saved_value_or_empty(found, name, str) or None for name in ("theme", "signs"))
    rules, used = (
        [each for each in saved_value_or_empty(found, name, list) if isinstance(each, str)]
        for name in ("rules", "used")
    )
    return Memory(theme, signs, recent[:MOST], looked, rules, used, visitor)


def _looked(mark: Any) -> SeenMark | None:
    match mark:
        case [str(begun), [int(rows), int(lines)]]:
            return SeenMark(begun, ReadMark(rows, lines))
    return None


def _recent(row: Any) -> RecentCampaign | None:
    if not isinstance(row, dict) or not isinstance(row.get("path"), str):
        return None
    try:
        parse_place(row["path"])
    except AddressError:
        return None
    return RecentCampaign(row["path"], str(row.get("name") or ""), str(row.get("stands") or ""))
