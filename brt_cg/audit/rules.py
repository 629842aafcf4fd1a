"""The rules run afresh: from what was asked and answered, do the recorded changes follow?"""

from collections.abc import Iterable, Iterator, Sequence

from brt_cg.audit.chain import UNREADABLE
from brt_cg.audit.finding import Finding
from brt_cg.commands.registry import COMMANDS
from brt_cg.journal.book import RULES, Book
from brt_cg.journal.entries import Entry, said_plain
from brt_cg.refit.sequence import BY_NUMBER


class Difference(Exception):
    """An entry cannot be made again, or comes out otherwise."""


def rerun(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Makes every entry again from its question and answer, in order, and compares. After a finding
    the recorded entry is taken in as it stands, so that none hides another."""
    book = _Replay()
    for entry in entries:
        if entry.kind == UNREADABLE:
            book.force(entry)
            continue
        book.now, book.call = str(entry.payload["at"]), entry.call
        try:
            _make_again(book, entry)
        except Exception as problem:  # a forged entry may break the code of a rule in any way
            yield _finding(entry, problem)
            book = _with_as_it_stands(book, entry)


class _Replay(Book):
    """A journal being made again, each entry at the time that it carries."""

    def __init__(self) -> None:
        super().__init__(lambda: self.now)
        self.now = ""


def _finding(entry: Entry, problem: Exception) -> Finding:
    words = str(problem) if isinstance(problem, Difference | ValueError) else repr(problem)
    told = f"({entry.kind}) {words or type(problem).__name__}"
    if entry.payload["rules"] != RULES:
        told += f"; it was made under rules {entry.payload['rules']}, these are {RULES}"
    rule = entry.rule or "journal"
    return Finding("rules", rule, told, (str(entry.seq),), entry.secret, entry.seq)


def _with_as_it_stands(book: _Replay, entry: Entry) -> _Replay:
    """The journal with the recorded entry, on the campaign as the entry before left it."""
    made = book.entries[-1] if book.entries else None
    if made is not None and made.seq == entry.seq:
        book.correct(entry)
    elif len(book.entries) < entry.seq:
        book.force(entry)
    else:
        before, book = book.entries[: entry.seq - 1], _Replay()
        for one in (*before, entry):
            book.force(one)
    return book


def _make_again(book: Book, entry: Entry) -> None:
    made = _made(book, entry)
    if len(book.entries) != entry.seq:
        raise Difference(f"makes {len(book.entries)} entries where {entry.seq} are recorded")
    _same_payload(made, entry)
    same_rules = entry.payload["rules"] == RULES
    if same_rules and said_plain(made.said) != said_plain(entry.said):
        raise Difference("its sentences are not those that the rules say")


def _made(book: Book, entry: Entry) -> Entry:
    kind, asked, by = entry.kind, entry.asked, str(entry.payload["by"])
    if kind in COMMANDS:
        return book.command(kind, asked, by)
    if kind in ("begin", "skip"):
        return _begun(book, entry)
    if kind == "answer":
        return _answered(book, entry, by)
    if kind == "undo":
        return _undone(book, entry)
    if kind == "redo":
        return book.redo()
    raise Difference(f"there is no such kind of entry; allowed: {', '.join(COMMANDS)}")


def _begun(book: Book, entry: Entry) -> Entry:
    upcoming = None if book.open_ask() else book.next_paragraph()
    if upcoming is None or upcoming is not BY_NUMBER.get(entry.rule or ""):
        due = upcoming.number if upcoming else "no paragraph"
        raise Difference(f"begins {entry.rule}, where {due} is due")
    return book.begin(upcoming)


def _answered(book: Book, entry: Entry, by: str) -> Entry:
    ask = book.open_ask()
    if ask is None:
        raise Difference("answers where nothing is asked")
    recorded = entry.payload["ask"]
    asked = {"rule": ask.rule, "subject": ask.subject, "kind": ask.kind, "side": str(ask.side)}
    if recorded != asked:
        raise Difference(f"answers {recorded}, where {asked} is asked")
    return book.answer(entry.payload.get("answer"), by, str(entry.payload.get("from")))


def _undone(book: Book, entry: Entry) -> Entry:
    group = entry.asked["entries"]
    standing = sorted(book.standing)
    if standing[-len(group) :] != group or 1 in group:
        raise Difference(f"undoes {group}, which are not the newest standing entries")
    return book.take_back(group, entry.asked.get("for"))


def _same_payload(made: Entry, entry: Entry) -> None:
    if made.text == entry.text:
        return
    differing = [
        key
        for key in sorted(made.payload.keys() | entry.payload.keys())
        if key != "rules" and _plain(made.payload.get(key)) != _plain(entry.payload.get(key))
    ]
    if "changes" in differing:
        raise Difference(_first_difference(made.changes, entry.changes))
    if differing:
        raise Difference(f"its {', '.join(differing)} differ from what the rules make")
    if entry.payload["rules"] == RULES:
        raise Difference("its payload differs from what the rules make")


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _first_difference(made: Iterable[list[object]], recorded: Iterable[list[object]]) -> str:
    made, recorded = list(made), list(recorded)
    missing = [one for one in made if one not in recorded]
    extra = [one for one in recorded if one not in made]
    words = []
    if missing:
        words.append(f"the rules change {_change(missing[0])}")
    if extra:
        words.append(f"recorded is {_change(extra[0])}")
    return "; ".join(words) or "its changes stand in another order"


def _change(change: list[object]) -> str:
    _, key, name, old, new = change
    return f"{key}.{name} from {old!r} to {new!r}" if name else f"{key} as a whole"
