"""The rules run afresh: from what was asked and answered, do the recorded changes follow?"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from brt_cg.audit import shape
from brt_cg.audit.chain import UNREADABLE
from brt_cg.audit.finding import Finding
from brt_cg.audit.other_rules import Explanation, version_of
from brt_cg.campaign import Campaign
from brt_cg.card import Card, load_card
from brt_cg.commands.registry import COMMANDS
from brt_cg.counters import Side
from brt_cg.journal.book import Book
from brt_cg.journal.entries import (
    KINDS_OF_PARAGRAPH,
    TIME_TRAVEL,
    Entry,
    canonical,
    encode,
    said_plain,
)
from brt_cg.journal.rules_version import read_rules_version
from brt_cg.refit.play import Said
from brt_cg.refit.sequence import BY_NUMBER
from brt_cg.shapes import listed
from brt_cg.storage.reader import RawEntry

KINDS = (*COMMANDS, *KINDS_OF_PARAGRAPH, *TIME_TRAVEL)


class Difference(Exception):
    """An entry cannot be made again, or comes out otherwise."""


@dataclass(slots=True)
class Again:
    """What came of making entries again: what is wrong, which of them the rules made just so (but
    for a wording of older rules); which stand, and the campaign at the end."""

    findings: list[Finding]
    reproduced: set[int]
    standing: set[int]
    campaign: Campaign


Heed = Callable[[int, int], None]  # told how many entries of how many have been made again


def made_again(entries: Sequence[Entry], heed: Heed = lambda done, of: None) -> Again:
    """Makes every entry again from its question and answer, in order, and compares. After a finding
    the recorded entry is appended as it stands, so that none hides another. What `heed` raises
    stops it."""
    book, other_rules = _Replay(), Explanation()
    findings: list[Finding] = []
    reproduced: set[int] = set()
    for entry, following in zip_longest(entries, entries[1:]):
        heed(entry.seq, len(entries))
        if entry.kind == UNREADABLE:
            book.force(entry)
            continue
        book.now, book.call = str(entry.payload["at"]), entry.call
        other_rules.comes_to(entry)
        made: Entry | None = None
        try:
            made = _made(book, entry, following)
            _compare(book, made, entry)
            book.replace_newest(entry)  # with the words of its time, which an undo repeats
            reproduced.add(entry.seq)
        except Exception as problem:  # a forged entry may break the code of a rule in any way
            explained = other_rules.covers(entry, card) if (card := _card(book, entry)) else False
            findings.append(replace(_finding(entry, made, problem), notice=explained))
            book = _with_as_it_stands(book, entry)
    return Again(findings, reproduced, book.standing, book.campaign)


def made_just_so(rows: Sequence[RawEntry], heed: Heed = lambda done, of: None) -> Book | None:
    """The journal of some rows, if the rules make every row again to the last character, but for
    the version of the rules. None at the first row that differs: then all are judged one by one.

    What the rules write is canonical, has the shape of an entry, and its meaning is what they make
    of it. So nothing is left to be found, but in what an entry alone can say: its time, and where
    an answer is from.
    """
    book = _Replay()
    for number, row in enumerate(rows, start=1):
        heed(number, len(rows))
        if not _is_made_again(book, row, rows[number : number + 1]):
            return None
    return book


def _is_made_again(book: "_Replay", row: RawEntry, following: Sequence[RawEntry]) -> bool:
    """Whether the rules make the next entry of a journal just as this row has it."""
    try:
        entry = _decoded(row)
        after = _decoded(following[0]) if entry.kind == "undo" and following else None
        book.now, book.call = str(entry.payload["at"]), entry.call
        book.version = entry.payload["rules"]
        read_rules_version(book.version)
        made = _made(book, entry, after)
        again = (made.seq, made.text, made.hash, said_plain(made.said))
        return again == row and not any(shape.oddities(entry.payload))
    except Exception:  # no entry at all, or one that the rules refuse: it is judged by itself
        return False


def _decoded(row: RawEntry) -> Entry:
    """The entry in a row but for what it changes, which the rules make anew. Nothing has been
    checked: what they make of it is compared with the whole text. Raises ValueError or TypeError.
    """
    seq, text, digest, _ = row
    if [*map(type, row)] != [int, str, str, str]:
        raise TypeError("a cell is not of its type")
    return Entry(seq, text, digest, _without_floats(_CHANGES.sub("", text)))  # type: ignore[arg-type]


_CHANGES = re.compile(r'"changes":\[.*\],(?="(?:from|kind)":)', re.DOTALL)


def _no_float(text: str) -> float:
    raise ValueError(f"{text}: the journal holds no fractions")


_without_floats = json.JSONDecoder(parse_float=_no_float, parse_constant=_no_float).decode


class _Replay(Book):
    """A journal being made again, each entry at the time that it carries. What was asked comes from
    a text without floats, with which the text that is made is compared."""

    _as_recorded = staticmethod(lambda raw: raw)
    _written = staticmethod(encode)

    def __init__(self) -> None:
        super().__init__(lambda: self.now)
        self.now = ""
        self.version = ""  # of the rules that an entry says it was made under, if they are as good

    def _rules(self) -> str:
        return self.version or super()._rules()


def _card(book: Book, entry: Entry) -> Card | None:
    """The card of the campaign, or of the one that an entry makes; None if there is none."""
    try:
        return book.card if book.entries else load_card(str(entry.asked.get("cg")))
    except (KeyError, ValueError):
        return None


def _finding(entry: Entry, made: Entry | None, problem: Exception) -> Finding:
    """The finding, as secret as the entry that the rules make; as the recorded one where they make
    none."""
    words = str(problem) if isinstance(problem, Difference | ValueError) else repr(problem)
    told = f"({entry.kind}) {'; '.join(words.splitlines()) or type(problem).__name__}"
    rule = entry.rule or "journal"
    secret = (made or entry).secret
    belied = _belied(entry, made)
    return Finding("rules", rule, told, (str(entry.seq),), secret, entry.seq, belied)


def _belied(entry: Entry, made: Entry | None) -> bool:
    """Whether an entry says wrongly what of it is secret, or may: then both sides hear of it."""
    if made is None:
        return entry.kind not in KINDS or bool(_open_words(entry, entry.secret))
    whose = made.secret
    return entry.secret is not whose or _open_words(entry, whose) != _open_words(made, whose)


def _open_words(entry: Entry, secret: Side | None) -> list[Said]:
    """What an entry says that is not the secret of a side, or of nobody."""
    return [
        sentence
        for sentence in entry.said
        if sentence.secret is None or sentence.secret is not secret
    ]


def _with_as_it_stands(book: _Replay, entry: Entry) -> _Replay:
    """The journal with the recorded entry, on the campaign as the entry before left it."""
    made = book.entries[-1] if book.entries else None
    if made is not None and made.seq == entry.seq:
        book.correct(entry)
    elif len(book.entries) < entry.seq:
        book.force(entry)
    else:
        before, book = book.entries[: entry.seq - 1], _Replay()
        for earlier in (*before, entry):
            book.force(earlier)
    return book


def _compare(book: Book, made: Entry, entry: Entry) -> None:
    if len(book.entries) != entry.seq:
        raise Difference(f"makes {len(book.entries)} entries where {entry.seq} are recorded")
    _same_payload(made, entry)
    if version_of(entry) is None:
        raise Difference(f"there are no such rules as {entry.payload['rules']!r}")
    _same_sentences(made, entry)


def _made(book: Book, entry: Entry, following: Entry | None) -> Entry:
    kind, asked, by = entry.kind, entry.asked, str(entry.payload["by"])
    if kind in COMMANDS:
        return book.command(kind, asked, by)
    if kind in ("begin", "skip"):
        return _begun(book, entry)
    if kind == "answer":
        return _answered(book, entry, by)
    if kind == "undo":
        return _undone(book, entry, following)
    if kind == "redo":
        return book.redo()
    raise Difference(f"there is no such kind of entry; allowed: {listed(COMMANDS)}")


def _begun(book: Book, entry: Entry) -> Entry:
    upcoming = None if book.open_ask() else book.next_paragraph()
    if upcoming is None or upcoming != entry.rule:
        raise Difference(f"begins {entry.rule}, where {upcoming or 'no paragraph'} is due")
    return book.begin(BY_NUMBER[upcoming])


def _answered(book: Book, entry: Entry, by: str) -> Entry:
    ask = book.open_ask()
    if ask is None:
        raise Difference("answers where nothing is asked")
    recorded = entry.payload["ask"]
    asked = {"rule": ask.rule, "subject": ask.subject, "kind": ask.kind, "side": str(ask.side)}
    if recorded != asked:
        raise Difference(f"answers {recorded}, where {asked} is asked")
    return book.answer(entry.payload.get("answer"), by, str(entry.payload.get("from")))


def _undone(book: Book, entry: Entry, following: Entry | None) -> Entry:
    group, room_for = entry.asked["entries"], entry.asked.get("for")
    if room_for is None:
        allowed = [book.to_undo(), book.to_undo(whole_call=True), book.to_go_back(group[0] - 1)]
        doing = "undo"
    else:
        allowed = [book.beginning_before(room_for)] if room_for in COMMANDS else []
        doing = f"making room for {room_for}"
    if group not in allowed:
        due = " or ".join(dict.fromkeys(str(value) for value in allowed if value)) or "nothing"
        raise Difference(f"undoes {group}, where {doing} takes back {due}")
    # The program may have been cut short before the command: then another invocation follows.
    at_once = following if following is not None and following.call == entry.call else None
    if room_for is not None and at_once is not None and at_once.kind != room_for:
        raise Difference(f"makes room for {room_for}, but {at_once.kind} follows")
    return book.take_back(group, room_for)


def _same_payload(made: Entry, entry: Entry) -> None:
    if made.text == entry.text:
        return
    differing = [
        key
        for key in sorted(made.payload.keys() | entry.payload.keys())
        if key != "rules" and canonical(made.payload.get(key)) != canonical(entry.payload.get(key))
    ]
    if "changes" in differing:
        raise Difference(_first_difference(made.changes, entry.changes))
    if differing:
        raise Difference(f"its {', '.join(differing)} differ from what the rules make")


def _same_sentences(made: Entry, entry: Entry) -> None:
    """Whom a sentence is about, and whose secret it is, never changes; its wording may improve."""
    wrong = "its sentences are not those that the rules say"
    due, found = (
        [(sentence.about, sentence.secret) for sentence in which.said] for which in (made, entry)
    )
    if due != found:
        raise Difference(f"{wrong}: they are about others, or others may know them")
    if entry.payload["rules"] == made.payload["rules"] and made.said != entry.said:
        raise Difference(wrong)


def _first_difference(made: Iterable[list[object]], recorded: Iterable[list[object]]) -> str:
    made, recorded = list(made), list(recorded)
    missing = [change for change in made if change not in recorded]
    extra = [change for change in recorded if change not in made]
    words = []
    if missing:
        words.append(f"the rules change {_change(missing[0])}")
    if extra:
        words.append(f"recorded is {_change(extra[0])}")
    return "; ".join(words) or "its changes stand in another order"


def _change(change: list[object]) -> str:
    _, key, name, old, new = change
    return f"{key}.{name} from {old!r} to {new!r}" if name else f"{key} as a whole"
