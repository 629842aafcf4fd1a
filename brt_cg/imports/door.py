"""The single entry point for the end of a scenario in a file of any format; and the part of it that
is imported if the player refuses some lines of the difference."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brt_cg.card.consistency import why_a_hex_is_needed
from brt_cg.commands.difference import DifferenceLine, What
from brt_cg.commands.plan import KEEP
from brt_cg.commands.problems import XLSX
from brt_cg.commands.state_document import FIELDS, document
from brt_cg.files import foreign
from brt_cg.imports.contested import contested
from brt_cg.imports.settling import settled
from brt_cg.imports.state_file import Format, format_of, read_state
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.model.numbered import holder_of
from brt_cg.vasl.reading import BOTH, state_of
from brt_cg.vasl.rows import Guess
from brt_cg.views.book import Book

COUNTERS = (What.ADDED, What.MOVED, What.CHANGED)
# The campaign holds no earlier value for the scenario itself: 15.6032 asks who won.
REFUSABLE = (*COUNTERS, What.TOTALS, What.PERIMETERS)

Asked = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Brought:
    """The contents of a file: the input of `import`, and the program's guesses; of a save also the
    `names` of its pieces with their hexes, by counter, and the pieces that are `unknown`."""

    asked: dict[str, Any]
    guesses: list[Guess] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)

    def beside(self, line: DifferenceLine) -> list[str]:
        """The guesses about the counters of a line of the difference."""
        return [guess.words for guess in self.guesses if guess.about and guess.about in line.ids]

    def elsewhere(self, lines: list[DifferenceLine]) -> list[str]:
        """The guesses that belong to none of these lines."""
        named = {id for line in lines for id in line.ids}
        return [str(guess) for guess in self.guesses if not guess.about or guess.about not in named]


def brought(
    book: Book,
    path: Path,
    side: str | None,
    missing: str | None = None,
    names: Path | None = None,
) -> Brought:
    """Reads a file or folder. `side` is "marine", "japanese", or "both" or None for both; a VASL
    save requires it, and accepts `names`, a file of the player's own. Raises Refused."""
    taken = None if side == BOTH else side
    book = book.for_half(Side.called(taken))
    asked = {"missing": missing, "side": taken}
    with foreign(path, "a file that can be imported: it is damaged, or not of its format"):
        if format_of(path) is not Format.VASL:
            found = asked | read_state(path)
            return Brought(found | staying(book, taken, found))
        shown_by = state_of(book, path, side, names)
    source = path.name.removesuffix(XLSX)  # not a workbook, whatever its name
    shown = {"state": shown_by.document, "pieces": shown_by.pieces, "source": source}
    given = asked | shown
    given |= staying(book, taken, given)
    settles, more = settled(book.campaign, book.card, given, shown_by.names)
    return Brought(settles, [*shown_by.guesses, *more], shown_by.names, shown_by.unknown)


def staying(book: Book, side: str | None, asked: Asked) -> Asked:
    """Who stays a prisoner, as the enemy's half has it, unless the players say otherwise."""
    units = contested(book, Side.called(side), asked["state"])
    return {"captured": [unit.id for unit in units]} if units else {}


# --- accepted line by line ------------------------------------------------------------------------


def accepted(
    campaign: Campaign,
    asked: Asked,
    refused: Collection[DifferenceLine],
    fates: Mapping[str, str] | None = None,
) -> Asked:
    """The input of an import without the `refused` lines of its difference: their counters stay as
    the campaign has them, or are left out if they are new. `fates` gives the fate of missing
    counters by id: "keep" or "eliminated"."""
    known = document(campaign, Side.called(asked.get("side")))
    state = dict(asked["state"])
    for line in refused:
        if line.what is What.TOTALS:
            state["sides"] = state["sides"] | {line.about: known["sides"][line.about]}
        elif line.what is What.PERIMETERS:
            state["perimeters"] = known["perimeters"]
    stay = {id for line in refused if line.what in COUNTERS for id in line.ids}
    for table in FIELDS:
        rows = [row for row in state.get(table, ()) if row["id"] not in stay]
        rows += _as_known(known[table], stay, fates or {})
        if rows or table in state:
            state[table] = rows
    found = asked | {"state": state}
    if asked.get("pieces"):
        # A refused line may mean the wrong piece, so it is matched again next time.
        pieces = asked["pieces"].items()
        found["pieces"] = {piece: id for piece, id in pieces if id not in stay}
    return found


def agreed(
    book: Book,
    found: Brought,
    refused: Collection[DifferenceLine],
    fates: Mapping[str, str] | None = None,
) -> Asked:
    """The input of an import without the `refused` lines (see `accepted`). Of a save, what does not
    fit together without them is settled too, so that one line refused does not refuse the rest."""
    book = book.for_half(Side.called(found.asked.get("side")))
    asked = accepted(book.campaign, found.asked, refused, fates)
    if asked.get("pieces") is None:
        return asked
    return settled(book.campaign, book.card, asked, found.names)[0]


def with_places(
    campaign: Campaign, asked: Asked, places: Mapping[str, str], free: Collection[str] = ()
) -> Asked:
    """The input of an import with these Locations, by id, for counters that it names or leaves out;
    what a unit possesses, guards or carries goes along unless it is named too. `free` are those
    that are no longer Encircled."""
    known, state = document(campaign, Side.called(asked.get("side"))), dict(asked["state"])
    all_places = {**_going_along(campaign, places), **places}
    for table in FIELDS:
        rows = [dict(row) for row in state.get(table, ())]
        named = {row.get("id") for row in rows}
        touched = {*all_places, *free}
        rows += [dict(row) for row in known[table] if row["id"] in touched - named]
        for row in rows:
            if row.get("id") in all_places:
                row["location"] = all_places[row["id"]]
            if row.get("id") in free:
                row["status"] = [each for each in row.get("status") or () if each != "encircled"]
        if rows or table in state:
            state[table] = rows
    return asked | {"state": state}


def _going_along(campaign: Campaign, places: Mapping[str, str]) -> dict[str, str | None]:
    """The Locations of what goes along with counters that are given one; None of what needs a hex
    and goes along with somebody whose hex is not known."""
    found: dict[str, str | None] = {}
    for piece in campaign.pieces():
        holder, seen = piece, {piece.id}
        while (up := campaign.find(holder_of(holder))) is not None and up.id not in seen:
            seen.add(up.id)
            holder = up  # type: ignore[assignment]
            if holder.id in places and piece.in_play and piece.id not in places:
                along = piece.replace(location=places[holder.id])
                needs = along.on_the_table and why_a_hex_is_needed(along) is not None
                found.setdefault(piece.id, None if needs else along.location)
    return found


def _as_known(
    rows: Iterable[Asked], stay: Collection[str], fates: Mapping[str, str]
) -> Iterable[Asked]:
    """The counters of a list that stay unchanged, and the missing ones with their fate."""
    for row in rows:
        fate = fates.get(row["id"], KEEP if row["id"] in stay else None)
        if fate is not None:
            yield row if fate == KEEP else row | {"fate": fate}
