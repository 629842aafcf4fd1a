"""What the players say about the counters without a Location, and those Encircled since setup,
before the end of a scenario is stored: a line of hexes for each list."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from brt_cg.board.perimeters import Perimeters
from brt_cg.card import Card
from brt_cg.card.consistency import why_a_hex_is_needed
from brt_cg.commands.state_document import FIELDS, document
from brt_cg.commands.unaccounted import Unaccounted, unaccounted
from brt_cg.imports.hex_lines import Part, read_places, understood
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side
from brt_cg.model.numbered import NumberedList, holders, numbered_lists
from brt_cg.model.value import value
from brt_cg.questions.answers import Problem, Refused, refuse
from brt_cg.refit.s607_perimeters import with_perimeters
from brt_cg.text import parted
from brt_cg.views.book import Book

Asked = dict[str, Any]
Lines = Mapping[str, str]  # by field: a line of hexes for each list, and about the Encircled
ENCIRCLED, EXCEPT = "encircled", "encircled_except"
LINKS = ("guard", "aboard", "possessor", "vehicle")  # to who holds a counter
AT = "at."  # before the name of a list's line
PLACES = "places"  # a line of Locations of any list, which it names
NO, YES = "no", "yes"  # whether those Encircled since setup still are
CAPTURED, THEIRS, OURS = "captured", "yes", "no"  # which half is right about the captured


@value
class OpenList:
    """A numbered list with the counters of it that have no hex: `field` names its line."""

    field: str
    of: NumberedList
    numbered: Sequence[tuple[int, Counter]]


@value
class OpenPlaces:
    """What an import leaves `open`; `lists` are all numbered lists of whose end it is, `captured`
    the ids of the units that only the other half has as captured."""

    open: Unaccounted
    lists: Sequence[NumberedList]
    captured: Sequence[str] = ()

    @property
    def open_lists(self) -> list[OpenList]:
        """The lists with counters that have no hex."""
        found = self.open.no_hex
        return [OpenList(field_of(each), each, numbered) for each, numbered in found]

    def understood(self, open_list: OpenList, text: str) -> list[Part]:
        """The parts of a list's line."""
        after = self.open.after
        others = [after.get(counter.id, counter) for _, counter in open_list.numbered]
        return understood(text, self.lists, open_list.of, others)

    def placed(self, lines: Lines) -> set[str]:
        """The ids of the counters that the lines give a place."""
        return {*self.places(lines)}

    def places(self, lines: Lines) -> dict[str, str]:
        """The Locations that the lines give, by counter; who has what is in a hex is there, unless
        they say otherwise."""
        given = {
            each.id: str(part.location) for part in self._parts(lines) for each in part.counters
        }
        return {**self.open.beside, **given, **read_places(lines.get(PLACES, ""), self.lists)}

    def left(
        self, lines: Lines, gone: Collection[str] = ()
    ) -> Iterator[tuple[OpenList, list[tuple[int, Counter]]]]:
        """The lists with the numbered counters that no line gives a place, nor to their holder, and
        that are not `gone` (ids)."""
        placed = self.placed(lines) | {*gone}
        for each in self.open_lists:
            left = [
                (number, counter)
                for number, counter in each.numbered
                if counter.id not in placed and not self._goes_along(counter, placed)
            ]
            if left:
                yield each, left

    def _goes_along(self, counter: Counter, placed: set[str]) -> bool:
        held = self.open.after.get(counter.id, counter)
        holders = [holder for link in LINKS if (holder := getattr(held, link, None))]
        return any(
            holder in placed or (up is not None and self._goes_along(up, placed))
            for holder in holders
            for up in [self.open.after.get(holder)]
        )

    def _parts(self, lines: Lines) -> Iterator[Part]:
        for each in self.open_lists:
            yield from self.understood(each, lines.get(each.field, ""))

    def settled(self, campaign: Campaign, asked: Asked, lines: Lines) -> Asked:
        """The input of the import with what the lines say. Raises Refused, each problem at its
        field."""
        refuse(self.problems(lines))
        if lines.get(CAPTURED, THEIRS) != THEIRS:
            asked = {name: value for name, value in asked.items() if name != CAPTURED}
        places = self.places(lines)
        if not places and lines.get(ENCIRCLED) != NO and not lines.get(EXCEPT):
            return asked
        return with_places(campaign, asked, places, [*self.freed(lines)])

    def freed(self, lines: Lines) -> Iterator[str]:
        """The ids of those that are no longer Encircled."""
        still = lines.get(ENCIRCLED, "")
        others = parted(lines.get(EXCEPT, ""))
        for each in self.open.encircled:
            if still and (each.id in others) is (still == YES):
                yield each.id

    def problems(self, lines: Lines) -> Iterator[Problem]:
        """What is wrong with the lines, each at its field."""
        try:
            read_places(lines.get(PLACES, ""), self.lists)
        except Refused as refused:
            yield from (Problem(PLACES, str(problem)) for problem in refused.problems)
        taken: dict[str, str] = {}
        for each in self.open_lists:
            for part in self.understood(each, lines.get(each.field, "")):
                wrong = list(part.problems)
                if not part.counters and not wrong and not part.notes:
                    wrong.append("names no counter")
                for counter in part.counters:
                    where = taken.setdefault(counter.id, str(part.location))
                    if where != part.location:
                        wrong.append(f"{counter.sort} {counter.id} is in {where} already")
                for problem in wrong:
                    yield Problem(each.field, f"{part.text}: {problem}", each.of.title)
        known = {each.id for each in self.open.encircled}
        if strange := [id for id in parted(lines.get(EXCEPT, "")) if id not in known]:
            yield Problem(EXCEPT, f"not among them: {', '.join(strange)}", "Encircled")


def blank_text(
    campaign: Campaign, card: Card, perimeters: Perimeters, lists: Iterable[OpenList]
) -> str:
    """Where those of some lists wait who get no Location, once these are the Marine Perimeters
    (15.6071): in the new Area of their side that has most hexes of theirs; "" if nobody waits in
    an Area."""
    new = with_perimeters(campaign, card, perimeters).areas.values()
    whole, divided, gone = list[str](), list[str](), list[str]()
    for each in lists:
        area = campaign.areas.get(each.of.name)
        if area is None or area.side is not each.of.side:
            continue
        own = [one for one in new if one.side is area.side and {*one.hexes} & {*area.hexes}]
        (whole if len(own) == 1 else divided if own else gone).append(each.of.title)
    parts = [
        f"{', '.join(whole)}: left blank, they wait in the new Area that holds this one"
    ] * any(whole)
    parts += [
        f"{', '.join(divided)}: now divided: left blank, they wait in its largest part"
    ] * any(divided)
    parts += [f"{', '.join(gone)}: no longer their side's: say where they are"] * any(gone)
    return "; ".join(parts)


NOTHING_OPEN = OpenPlaces(Unaccounted(), ())


def field_of(each: NumberedList) -> str:
    """The name of a list's line: "at.marine.M1"."""
    return f"{AT}{each.side}.{each.name.replace(':', '_')}"


def open_places(book: Book, asked: Asked) -> OpenPlaces:
    """What an import leaves open. Raises Refused as the import would."""
    side = Side.called(asked.get("side"))
    book = book.for_half(side)
    view, sides = book.campaign, [side] if side else Side
    lists = [each for whose in sides for each in numbered_lists(view, whose)]
    return OpenPlaces(unaccounted(view, asked, book.card), lists, asked.get(CAPTURED, ()))


def with_places(
    campaign: Campaign, asked: Asked, places: Mapping[str, str], free: Collection[str] = ()
) -> Asked:
    """The input of an import with these Locations, by id, for counters that it names or leaves out;
    what a unit possesses, guards or carries goes along unless it is named too. `free` are those
    that are no longer Encircled."""
    known, state = document(campaign, Side.called(asked.get("side"))), dict(asked["state"])
    all_places = {**_going_along(campaign, state, places), **places}
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


def _going_along(
    campaign: Campaign, state: Mapping[str, Any], places: Mapping[str, str]
) -> dict[str, str | None]:
    """The Locations of what goes along with counters that are given one, as the state has who holds
    what; None of what needs a hex and goes along with somebody whose hex is not known."""
    rows = {row.get("id"): row for table in FIELDS for row in state.get(table, ())}
    found: dict[str, str | None] = {}

    def find(id: str) -> Counter | None:
        counter, row = campaign.find(id), rows.get(id, {})
        held = {link: row[link] for link in LINKS if link in row}
        return counter.replace(**held) if counter is not None and held else counter

    for piece in campaign.pieces():
        held_by = (each.id for each in holders(find(piece.id) or piece, find))
        holder = next((id for id in held_by if id in places), None)
        if holder is not None and piece.in_play and piece.id not in places:
            along = piece.replace(location=places[holder])
            needs = along.on_the_table and why_a_hex_is_needed(along) is not None
            found[piece.id] = None if needs else along.location
    return found
