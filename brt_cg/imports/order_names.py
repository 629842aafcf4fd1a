"""The words after a kind in a line of an order of battle: a count, or names, perhaps in quotes."""

import re
from collections.abc import Sequence

from brt_cg.card.unit_names import may_be_several_names
from brt_cg.text import NotUnderstoodError, TextSlice, expand_span

MOST_COUNTERS = 200  # counters of one line
_BLANK = re.compile(r"[-–—.:,|…]+")  # a word that only fills a gap
NUMBER = re.compile(r"\d{1,6}")
OF_A_LEADER = re.compile(r"\d{1,2}[-+]\d(?![-\d])|(91|92|101|102|103|81|80|70|90|100)(?!\S)")
NO_NAMES = (
    *("broken", "disrupted", "pinned", "wounded", "hidden", "hip", "concealed", "cloaked", "dm"),
    *("captured", "malf", "malfunctioned", "disabled", "reduced", "elite", "conscript", "prisoner"),
    *("immobilized", "abandoned", "each", "squad", "squads", "hs", "snlf", "usmc", "mine", "mines"),
)
JOINING = ("with", "w/", "and", "&", "plus", "+")


def count_and_names_after(
    many: int | None, words: Sequence[TextSlice], used: int
) -> tuple[int, list[TextSlice]]:
    """Return the number of counters and their names. The words follow the kind, so a number there
    is a count, not a name."""
    rest = [word for word in words[used:] if not _BLANK.fullmatch(word)]
    if len(rest) != 1 or not NUMBER.fullmatch(rest[0].rstrip(".,")):
        return many or 1, rest
    number, kind = rest[0].rstrip(".,"), " ".join(words[:used])
    if many is not None or number.startswith("0") or OF_A_LEADER.match(kind):
        why = f'a count? {kind} x {int(number)}. A name? 1 x {kind} "{number}"'
        raise NotUnderstoodError(rest[0], why)
    return check_counter_count(int(number)), []


def check_counter_count(many: int) -> int:
    if not 1 <= many <= MOST_COUNTERS:
        raise NotUnderstoodError(str(many), allowed=f"1 to {MOST_COUNTERS} on a line")
    return many


def check_names(words: Sequence[TextSlice], is_leader: bool) -> None:
    """Raise NotUnderstoodError for words after a kind that are unlikely to be its name."""
    for word in words:
        plain = word.casefold().strip(".,()[]")
        bare = word.strip("()[]")
        if bare != word and is_leader and bare.isalpha():
            raise NotUnderstoodError(word, meant=bare)
        if bare != word:
            why = "put only a count in brackets; a comment goes after #, a name in quotes"
            raise NotUnderstoodError(word, why)
        if plain in JOINING:
            why = "a possession goes after a colon (6-6-8: MMG), another kind after a comma"
            if any(each.casefold().startswith("crew") for each in words):
                why = (
                    "name the crews first, then their weapons after a colon (2 x 2-2-8 crew: 2 HMG)"
                )
            raise NotUnderstoodError(word, why)
        if plain in NO_NAMES:
            why = f'not a name: enter it later, or put a name in quotes: "{word}"'
            raise NotUnderstoodError(word, why)


def check_one_name(kind: str, text: TextSlice) -> None:
    """Raise NotUnderstoodError if a kind without a number is followed by what may be several
    names."""
    many = len(text.split_by(",")) if "," in text else len(expand_span(text))
    many = len(text.words()) if many == 1 and may_be_several_names(text) else many
    if many > 1:
        shown = unmask_quoted_separators(text)
        why = f'{many} counters? {many} x {kind} {shown}. Put a single name in quotes: "{shown}"'
        raise NotUnderstoodError(unmask_slice(text), why)


# --- names in quotes ------------------------------------------------------------------------------

_QUOTED = re.compile(r'(?<![^\s,;:(])"((?:[^"]|"")*)"(?=$|[\s,;:])')
CURLY = {0x201C: '"', 0x201D: '"'}
_CELL = r'(?:"(?:[^"]|"")*"|[^",;]*)'
_CELLS = re.compile(rf"\s*{_CELL}(?:\s*[,;]\s*{_CELL})*\s*")
_BETWEEN = ",;:#|()[] \t"  # signs that separate, but not within quotes
_HIDDEN = str.maketrans({sign: chr(0xE000 + at) for at, sign in enumerate(_BETWEEN)})
_FOUND = {0xE000 + at: sign for at, sign in enumerate(_BETWEEN)}


def mask_quoted_separators(text: str) -> str:
    """Return the text with separators in quotes replaced by other characters."""
    return _QUOTED.sub(lambda quoted: quoted[0].translate(_HIDDEN), text)


def unquote_cells(text: str) -> str:
    """Return a line of CSV, such as `"6-6-8",4`, with a blank for each quote around a cell, so that
    words keep their positions. Any other line is returned unchanged: its quotes are part of names
    and new types."""
    if not _CELLS.fullmatch(text):
        return text
    all_quoted = not _QUOTED.sub("", text).strip(" ,;")

    def bare(cell: re.Match[str]) -> str:
        if cell[1].isdigit() and not all_quoted:
            return cell[0]  # a name
        inside = cell[1].replace(_HIDDEN[ord(" ")], " ").replace('""', "  ")
        return f" {inside} "

    return _QUOTED.sub(bare, text)


def unmask_quoted_separators(text: str) -> str:
    """Return the text with the separators in quotes as they were typed."""
    return str(text).translate(_FOUND)


def unmask_slice(text: TextSlice) -> TextSlice:
    return text.with_text(unmask_quoted_separators(text))


def _name(word: str) -> str:
    """Return a name without its quotes."""
    quoted = _QUOTED.fullmatch(word)
    return unmask_quoted_separators(quoted[1].replace('""', '"') if quoted else word)


def parse_names(text: TextSlice, many: int) -> list[str]:
    """Return the names of counters, one or several: "A, B", "A-C", "1-3"."""
    if many == 1 or not text:
        return [_name(str(text))] if text else []
    names = [name for part in text.split_by(",") for name in map(str, part.words())]
    if len(names) == 1:
        names = expand_span(text)
    if len(names) != many:
        raise NotUnderstoodError(unmask_slice(text), f"{len(names)} names for {many} counters")
    return [*map(_name, names)]


def is_name_count_right(many: int, text: TextSlice) -> bool:
    """Whether there are as many names as counters, or none."""
    try:
        parse_names(text, many)
    except NotUnderstoodError:
        return False
    return True
