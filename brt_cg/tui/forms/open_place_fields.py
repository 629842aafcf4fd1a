"""The fields and the words about counters without a Location, those Encircled since setup, and
units that only one side's report has as captured, in the forms that store the end of a scenario."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from textual.content import Content

from brt_cg.imports.open_places import (
    CAPTURED,
    ENCIRCLED,
    EXCEPT,
    NO,
    OURS,
    THEIRS,
    YES,
    OpenList,
    OpenPlaces,
)
from brt_cg.questions import Candidate
from brt_cg.text import count_text
from brt_cg.tui.question.form import FormField, Typed

HINT = "in P34 · P34 1 2 5; Q35 3 · off"
ABOUT = (
    "Enter a Location, then the numbers of counters: P34 1 2 5; Q35 3. A Location without numbers "
    "is for all the others; in P34 is the Setup Area that will contain P34; off is off map. "
    "Left blank, they stay where they were."
)
WHO = ((THEIRS, "as the other report says"), (OURS, "as this report says"))
STILL = (("", "still Encircled?"), (NO, "no, none is"), (YES, "yes, all are"))


def open_place_fields(open_: OpenPlaces, values: Mapping[str, str]) -> Iterator[FormField]:
    """Yield the fields: the units still Encircled, and a line for each list."""
    yield from encircled_fields(open_, values)
    for each in open_.open_lists:
        yield FormField(
            each.field, _label(each, open_), values.get(each.field, ""), hint=HINT, about=ABOUT
        )


def encircled_fields(open_: OpenPlaces, values: Mapping[str, str]) -> Iterator[FormField]:
    """Yield the fields for the units still Encircled, if any were."""
    encircled = open_.open.encircled
    if encircled:
        label = f"{len(encircled)} Encircled"
        yield FormField(ENCIRCLED, label, values.get(ENCIRCLED, ""), STILL, required=True)
    if len(encircled) > 1:
        offered = tuple(
            Candidate(each.id, f"{each.display_name} {each.location or ''}", each.id)
            for each in encircled
        )
        yield FormField(
            EXCEPT,
            "except",
            values.get(EXCEPT, ""),
            hint="none",
            offered=offered,
            joins=True,
            about="Encircled counters for which the opposite is true",
        )


def _label(each: OpenList, open_: OpenPlaces) -> str:
    sides = {other.of.side for other in open_.open_lists}
    ambiguous = len(sides) > 1 and each.of.name[0] not in "MJ"
    side = f"{each.of.side.label} " if ambiguous else ""
    return f"{side}{each.of.title}: {len(each.numbered)}"


def captured_field(ids: Sequence[str], value: str = "") -> FormField:
    """Return the field that says which report is right about captured units; without a value the
    player is asked."""
    open_ = () if value else (("", "which report is right?"),)
    return FormField(CAPTURED, f"{len(ids)} captured", value, (*open_, *WHO), required=not value)


def captured_texts(ids: Sequence[str]) -> Iterator[Content]:
    """Yield the units that the opponent's report has as captured, but this report does not."""
    if ids:
        words = f"{len(ids)} captured according to the other report, but not this one"
        yield Content.styled(words, "bold $accent")
        yield Content(", ".join(ids))


def open_place_texts(
    open_: OpenPlaces, typed: Typed, gone: Collection[str] = ()
) -> Iterator[Content]:
    """Yield the units Encircled at setup; the meaning of the lines; and the numbered counters of
    each list that have no Location yet."""
    encircled = [f"{each.display_name} ({each.location})" for each in open_.open.encircled]
    if encircled and not typed.get(ENCIRCLED):
        words = f"Encircled since setup, and asked about at 15.6041: {', '.join(encircled)}"
        yield Content(words)
    if open_.open.beside:
        yield Content.styled(f"✓ {open_.open.assumed_with_equipment_text}", "$success")
    for each in open_.open_lists:
        for part in open_.parse_line(each, typed.get(each.field, "")):
            words = f"{each.of.title}, {part.parsed_meaning_text}"
            yield Content.styled(f"✓ {words}", "$success") if not part.problems else Content(words)
    left = [*open_.lists_still_open(typed, gone)]
    number = sum(len(numbered) for _, numbered in left)
    if number:
        verb = "has" if number == 1 else "have"
        yield Content.styled(f"{count_text(number, 'counter')} {verb} no Location", "bold $warning")
    for each, numbered in left:
        parts = [Content.styled(f"{each.of.title}: ", "bold")]
        for at, (called, counter) in enumerate(numbered):
            parts += [Content(", ")] if at else []
            parts += [
                Content.styled(str(called), "$secondary"),
                Content(f" {counter.display_name}"),
            ]
        yield Content("").join(parts)
