"""The players' answers about counters without a Location, and those Encircled since setup, before
the end of a scenario is stored: a line of hexes for each list."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from brt_cg.board.perimeters import Perimeters
from brt_cg.card import Card, reason_hex_is_required
from brt_cg.commands.state_document import FIELDS, build_state_document
from brt_cg.commands.unaccounted import Unaccounted, find_unaccounted
from brt_cg.immutable import immutable
from brt_cg.imports.hex_lines import ParsedHexLinePart, parse_counter_locations, parse_hex_lines
from brt_cg.model import Campaign, Counter, NumberedList, Side, holder_chain
from brt_cg.model.numbered_lists import numbered_lists
from brt_cg.questions import Problem, RefusedError, raise_problems
from brt_cg.refit.s607_perimeters import campaign_divided_by_perimeters
from brt_cg.text import split_at_spaces_and_commas
from brt_cg.views.view import View

Asked = dict[str, Any]
Lines = Mapping[str, str]  # by field: a line of hexes for each list, and about the Encircled
ENCIRCLED, EXCEPT = "encircled", "encircled_except"
LINKS = ("guard", "aboard", "possessor", "vehicle")  # fields that link to the holder of a counter
AT = "at."  # before the name of a list's line
PLACES = "places"  # a line of Locations of any list, which it names
NO, YES = "no", "yes"  # whether the counters Encircled at setup still are
CAPTURED, THEIRS, OURS = "captured", "yes", "no"  # the report that is right about captured units


@immutable
class OpenList:
    """A numbered list with its counters that have no hex: `field` names its line."""

    field: str
    of: NumberedList
    numbered: Sequence[tuple[int, Counter]]


@immutable
class OpenPlaces:
    """The points that an import leaves `open`; `lists` are all numbered lists of the reporting
    side, `captured` the ids of the units that only the opponent's report has as captured."""

    open: Unaccounted
    lists: Sequence[NumberedList]
    captured: Sequence[str] = ()

    @property
    def open_lists(self) -> list[OpenList]:
        """The lists with counters that have no hex."""
        found = self.open.no_hex
        return [OpenList(list_field_name(each), each, numbered) for each, numbered in found]

    def parse_line(self, open_list: OpenList, text: str) -> list[ParsedHexLinePart]:
        """Return the parts of a list's line."""
        after = self.open.after
        others = [after.get(counter.id, counter) for _, counter in open_list.numbered]
        return parse_hex_lines(text, self.lists, open_list.of, others)

    def ids_given_a_place(self, lines: Lines) -> set[str]:
        """Return the ids of the counters that the lines give a place."""
        return {*self.locations_given(lines)}

    def locations_given(self, lines: Lines) -> dict[str, str]:
        """Return the Locations that the lines give, by counter; the possessor of a counter with a
        hex is in that hex, unless the lines say otherwise."""
        given = {
            each.id: str(part.location) for part in self._parts(lines) for each in part.counters
        }
        return {
            **self.open.beside,
            **given,
            **parse_counter_locations(lines.get(PLACES, ""), self.lists),
        }

    def lists_still_open(
        self, lines: Lines, gone: Collection[str] = ()
    ) -> Iterator[tuple[OpenList, list[tuple[int, Counter]]]]:
        """Yield each list with its numbered counters that still lack a place: no line places them
        or their holders, and their ids are not in `gone`."""
        placed = self.ids_given_a_place(lines) | {*gone}
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

    def _parts(self, lines: Lines) -> Iterator[ParsedHexLinePart]:
        for each in self.open_lists:
            yield from self.parse_line(each, lines.get(each.field, ""))

    def complete_import_input(self, campaign: Campaign, asked: Asked, lines: Lines) -> Asked:
        """Return the input of the import with the answers of the lines. Raises RefusedError, each
        problem at its field."""
        raise_problems(self.line_problems(lines))
        if lines.get(CAPTURED, THEIRS) != THEIRS:
            asked = {name: value for name, value in asked.items() if name != CAPTURED}
        places = self.locations_given(lines)
        if not places and lines.get(ENCIRCLED) != NO and not lines.get(EXCEPT):
            return asked
        return add_locations_to_input(
            campaign, asked, places, [*self.ids_no_longer_encircled(lines)]
        )

    def ids_no_longer_encircled(self, lines: Lines) -> Iterator[str]:
        """Yield the ids of the counters that are no longer Encircled."""
        still = lines.get(ENCIRCLED, "")
        others = split_at_spaces_and_commas(lines.get(EXCEPT, ""))
        for each in self.open.encircled:
            if still and (each.id in others) is (still == YES):
                yield each.id

    def line_problems(self, lines: Lines) -> Iterator[Problem]:
        """Yield the problems with the lines, each at its field."""
        try:
            parse_counter_locations(lines.get(PLACES, ""), self.lists)
        except RefusedError as refused:
            yield from (Problem(PLACES, str(problem)) for problem in refused.problems)
        taken: dict[str, str] = {}
        for each in self.open_lists:
            for part in self.parse_line(each, lines.get(each.field, "")):
                wrong = list(part.problems)
                if not part.counters and not wrong and not part.notes:
                    wrong.append("name a counter")
                for counter in part.counters:
                    where = taken.setdefault(counter.id, str(part.location))
                    if where != part.location:
                        wrong.append(f"{counter.type_text} {counter.id} is already in {where}")
                for problem in wrong:
                    yield Problem(each.field, f"{part.text}: {problem}", each.of.title)
        known = {each.id for each in self.open.encircled}
        if strange := [
            id for id in split_at_spaces_and_commas(lines.get(EXCEPT, "")) if id not in known
        ]:
            yield Problem(EXCEPT, f"not in this list: {', '.join(strange)}", "Encircled")


def areas_of_blank_lines_text(
    campaign: Campaign, card: Card, perimeters: Perimeters, lists: Iterable[OpenList]
) -> str:
    """Return the Areas of the counters in some lists that get no Location, if these are the Marine
    Perimeters (15.6071): the new Area of their side that contains most of their hexes; "" if there
    are none."""
    new = campaign_divided_by_perimeters(campaign, card, perimeters).areas.values()
    whole, divided, gone = list[str](), list[str](), list[str]()
    for each in lists:
        area = campaign.areas.get(each.of.name)
        if area is None or area.side is not each.of.side:
            continue
        own = [one for one in new if one.side is area.side and {*one.hexes} & {*area.hexes}]
        (whole if len(own) == 1 else divided if own else gone).append(each.of.title)
    parts = [f"{', '.join(whole)}: counters without a hex go to the new Setup Area there"] * any(
        whole
    )
    parts += [
        f"{', '.join(divided)}: now split; counters without a hex go to the Area's largest part"
    ] * any(divided)
    parts += [
        f"{', '.join(gone)}: this Area is no longer theirs; enter a hex for each counter"
    ] * any(gone)
    return "; ".join(parts)


NOTHING_OPEN = OpenPlaces(Unaccounted(), ())


def list_field_name(each: NumberedList) -> str:
    """Return the name of a list's line: "at.marine.M1"."""
    return f"{AT}{each.side}.{each.name.replace(':', '_')}"


def find_open_places(book: View, asked: Asked) -> OpenPlaces:
    """Return the open points of an import. Raises RefusedError if the import would."""
    side = Side.from_name(asked.get("side"))
    book = book.for_scenario_end_report(side)
    view, sides = book.campaign, [side] if side else Side
    lists = [each for whose in sides for each in numbered_lists(view, whose)]
    return OpenPlaces(find_unaccounted(view, asked, book.card), lists, asked.get(CAPTURED, ()))


def add_locations_to_input(
    campaign: Campaign, asked: Asked, places: Mapping[str, str], free: Collection[str] = ()
) -> Asked:
    """Return the input of an import with these Locations, by id, for counters that it names or
    leaves out; counters that a unit possesses, guards or carries move with it unless they are named
    too. `free` are the counters that are no longer Encircled."""
    known, state = (
        build_state_document(campaign, Side.from_name(asked.get("side"))),
        dict(asked["state"]),
    )
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
    """Return the Locations of counters that move with others that get one, by the holders in the
    state; None for a counter that needs a hex while its holder's hex is not known."""
    rows = {row.get("id"): row for table in FIELDS for row in state.get(table, ())}
    found: dict[str, str | None] = {}

    def find(id: str) -> Counter | None:
        counter, row = campaign.find(id), rows.get(id, {})
        held = {link: row[link] for link in LINKS if link in row}
        return counter.replace(**held) if counter is not None and held else counter

    for piece in campaign.pieces():
        held_by = (each.id for each in holder_chain(find(piece.id) or piece, find))
        holder = next((id for id in held_by if id in places), None)
        if holder is not None and piece.in_play and piece.id not in places:
            along = piece.replace(location=places[holder])
            needs = along.is_on_map_without_hex and reason_hex_is_required(along) is not None
            found[piece.id] = None if needs else along.location
    return found
