"""The plain page of a seat: the essential contents of the screen, as a page of HTML for a phone
held upright, a screen reader, large letters and a slow link.

It works without a script; with one it says when the campaign has changed. It is never loaded again
by itself, so that nothing typed is lost.

It works on the same open campaign as the screen and is made from the seat's view, so its seat knows
and may enter no more here than there.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from hashlib import sha256
from html import escape
from typing import Any

from brt_cg.exports import export
from brt_cg.exports.purchases import purchases_text
from brt_cg.exports.wording import next_text, turn_words
from brt_cg.forecast.upcoming_questions import shopping_list_text
from brt_cg.immutable import immutable
from brt_cg.model import BETWEEN, Seat, Side
from brt_cg.purchases.limits import can_buy
from brt_cg.questions import AppDice, Question, RefusedError
from brt_cg.refit.sequence import TITLES
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.opening import open_campaign
from brt_cg.service.shown_actions import (
    STAGE,
    CampaignPosition,
    CommandBasis,
    Group,
    Records,
    Reversal,
)
from brt_cg.storage.engine import engine_of
from brt_cg.storage.place import Place
from brt_cg.text import replace_invisible
from brt_cg.views.mismatch import ShownMismatch
from brt_cg.views.question_name import QuestionName
from brt_cg.views.rights import NotYourTurnError, is_for_both
from brt_cg.views.view import View

NEWEST = 12  # lines of the log
MOST_BUTTONS = 60
NOTHING_TYPED: Mapping[str, str] = {}
STYLE = """
:root { color-scheme: light dark; }
body { font: 18px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 0.6em; max-width: 40em; }
h1 { font-size: 1.2em; margin: 0.2em 0; } h2 { font-size: 1.05em; margin: 1.2em 0 0.3em; }
form { margin: 0; } label { display: block; margin: 0.5em 0 0.1em; }
button, input, select, .link { font: inherit; box-sizing: border-box; width: 100%;
  min-height: 48px; padding: 0.5em 0.7em; margin: 0.25em 0; border-radius: 6px; }
button { text-align: left; overflow-wrap: anywhere; border: 2px solid; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0; }
li { overflow-wrap: anywhere; } [role=alert] { border: 3px solid; padding: 0.6em; }
#news:not(:empty) { position: sticky; top: 0; background: Canvas; border: 3px solid; }
"""


def render_page(
    file: Place, seat: str, problem: str = "", typed: Mapping[str, str] = NOTHING_TYPED
) -> str:
    """The page of a seat, with the problem of its last entry, if any, and what was `typed` for it.
    Raises StorageError."""
    with (
        engine_of(file).shared_connection(file),
        closing(CampaignReader.open_read_only(file, Seat(seat))) as desk,
    ):
        return "".join(page_parts(desk, desk.view(), seat, problem, typed))


@immutable
class PageState:
    """The `state` of the campaign as a seat may know it, another one if the page would be; and
    whether it is the seat's `own` turn."""

    state: str
    own: bool


def read_state(file: Place, seat: str) -> PageState:
    """The state of the campaign for a seat. Raises StorageError."""
    with (
        engine_of(file).shared_connection(file),
        closing(CampaignReader.open_read_only(file, Seat(seat))) as desk,
    ):
        return _state(desk.view())


def _state(book: View) -> PageState:
    requests = [request.number for request in book.requests]
    known = (book.asked, book.turn, book.waiting, book.next, book.half, book.mark, requests)
    own = book.side is not None and book.side_to_answer is book.side
    return PageState(sha256(repr(known).encode()).hexdigest()[:16], own)


def render_chronicle(file: Place, seat: str, for_friends: bool) -> str:
    """The chronicle, as the seat may read it, or with only public facts. Raises StorageError."""
    with (
        engine_of(file).shared_connection(file),
        closing(CampaignReader.open_read_only(file, Seat(seat))) as desk,
    ):
        return str(export(desk.public_view() if for_friends else desk.view(), "chronicle", "html"))


def submit_form(file: Place, seat: str, asked: Mapping[str, str]) -> list[str]:
    """Do what a form of the page asks for; return the message about it. Raises RefusedError and
    StorageError."""
    with engine_of(file).shared_connection(file), closing(open_campaign(file)) as desk:
        desk.take_seat(Seat(seat))
        # The page's request is checked again after others' entries.
        desk.despite_others(lambda: _does(desk, asked))
        return [*desk.notices]


# --- entering -------------------------------------------------------------------------------------


def _does(desk: CampaignReader, asked: Mapping[str, str]) -> None:
    match asked.get("do"):
        case "go":
            with suppress(NotYourTurnError):
                shown_actions.begin_shown(desk, CampaignPosition(None, asked.get("next") or None))
        case "run":
            with suppress(NotYourTurnError):
                at = CampaignPosition(_named(asked))
                for _ in shown_actions.play_shown(
                    desk, at, AppDice(), lambda ask: _stops(desk.side, ask)
                ):
                    pass
        case "answer" | "type":
            shown_actions.answer_shown_typed(desk, _named(asked), asked.get("answer", ""))
        case "default":
            shown = _named(asked)
            shown_actions.answer_shown(
                desk, shown, shown_actions.question_as_shown(desk, shown).default
            )
        case "roll":
            shown_actions.roll_shown(desk, _named(asked), AppDice())
        case "buy":
            _buy(desk, asked)
        case "undo" if desk.view().mismatch is not None:
            _ = shown_actions.undo_shown(desk, Reversal(Group(asked.get("group", ""))))
        case "redo" if desk.view().mismatch is not None:
            _ = shown_actions.redo_shown(desk, Group(asked.get("group", "")))
        case _:
            raise RefusedError("this page asked for nothing that it can do: load it again")


def _stops(side: Side | None, ask: Question[Any]) -> bool:
    """Whether the program's dice stop at a question: somebody has to decide it."""
    return ask.dice is None and (ask.is_decision or ask.side is not side)


def _named(asked: Mapping[str, str]) -> QuestionName | None:
    """The name of the question that the page showed."""
    name = asked.get("asked")
    return QuestionName(name) if name else None


def _buy(desk: CampaignReader, asked: Mapping[str, str]) -> None:
    side = Side.from_name(asked.get("side")) if desk.side is None else desk.side
    count = asked.get("quantity", "1").strip() or "1"
    order: dict[str, Any] = {"side": side and side.value, "item": asked.get("item")}
    order["quantity"] = int(count) if count.isascii() and count.isdigit() else count
    order |= {name: asked[name].strip() for name in ("beach", "location") if asked.get(name)}
    order["draft"] = asked.get("draft") == "yes"
    now = _stage(desk.campaign_id, desk.view())
    shown = replace(now, held=Records(asked.get("based", "")))
    shown_actions.run_shown_command(desk, shown, "buy", order, str(side))


def _stage(begun: str, book: View) -> CommandBasis:
    """The basis of a purchase: the CG Date and phase."""
    return shown_actions.basis_of(begun, book.campaign, [STAGE], ("date", "phase"))


# --- the page -------------------------------------------------------------------------------------


def page_parts(
    desk: CampaignReader,
    book: View,
    seat: str,
    problem: str,
    typed: Mapping[str, str] = NOTHING_TYPED,
) -> Iterator[str]:
    """The page of a seat in an open campaign, in parts, with the problem of its last entry, if any,
    and what was `typed` for it."""
    name = book.campaign.situation.name or "brt-cg"
    turn = turn_words(book.side_to_answer, book.side)
    title = _safe(" · ".join(filter(None, (turn, name, seat))))
    state = _state(book)
    waits = book.side is not None and not state.own
    changed = "Your opponent answered" if waits else "The campaign has changed"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{STYLE}</style>"
    yield '<script src="bell.js" defer></script><script src="plain.js" defer></script></head>'
    yield f'<body data-state="{state.state}" data-own="{"yes" if state.own else "no"}"'
    yield f' data-changed="{changed}: reload">'
    yield f"<header><h1>{_safe(name)}</h1><p>{_safe(_stands(book, seat))}</p></header><main>"
    yield '<div id="news" role="status"></div>'
    if problem:
        words = _safe(book.campaign.replace_ids_with_names(problem))
        yield f'<p role="alert" tabindex="-1" autofocus>{words}</p>'
    yield from _question(desk, book, typed)
    if book.side is not None and can_buy(book.campaign, book.side):
        yield from _shop(book, book.side, typed)
    yield f'<h2>What happened</h2><ol reversed start="{NEWEST}">'
    yield from (
        f"<li>{_safe(str(line))}</li>" for line in reversed(book.newest_lines(NEWEST)[-NEWEST:])
    )
    yield "</ol><h2>Points and purchases</h2><pre>" + _safe(purchases_text(book)) + "</pre>"
    wishes = shopping_list_text(desk, book.side) if book.side is not None else []
    if wishes:
        items = "".join(f"<li>{_safe(wish)}</li>" for wish in wishes)
        yield f"<h2>Shopping list</h2><ol>{items}</ol>"
    yield '</main><p><a class="link" href="plain">Load again</a></p>'
    yield '<p><button type="button" id="bell" hidden></button></p>'
    yield '<p><a class="link" href="chronicle">The chronicle, as you may read it</a></p>'
    yield '<p><a class="link" href="chronicle?friends">The chronicle for friends</a></p>'
    yield '<p><a class="link" href="./">The whole screen</a></p></body></html>'


def _stands(book: View, seat: str) -> str:
    situation = book.campaign.situation
    step = situation.paragraph or situation.done
    at = f", at {step} {TITLES[step]}" if step and not book.waiting else ""
    return f"{seat.capitalize()} seat · {situation.date} · {situation.phase.when_text}{at}"


def _question(
    desk: CampaignReader,
    book: View,
    typed: Mapping[str, str],
) -> Iterator[str]:
    ask = book.ask
    if ask is None:
        yield from _no_question(desk, book)
        return
    whose = turn_words(book.side_to_answer, book.side)
    step = f"{ask.rule} {TITLES.get(ask.rule, '')}"
    yield f"<h2>{whose}: {_safe(step)}</h2>"
    yield f'<p id="prompt">{_safe(ask.prompt)}</p>'
    if ask.check:
        yield f"<p>{_safe(ask.check)}</p>"
    if ask.odds:
        yield "<ul>"
        yield from (
            f"<li>{_safe(f'{round(chance * 100)} in 100: {row.text}')}</li>"
            for row, chance in ask.odds
        )
        yield "</ul>"
    if book.side in (None, ask.side) or is_for_both(ask):
        yield from _answers(book, ask, typed)


def _answers(book: View, ask: Question[Any], typed: Mapping[str, str]) -> Iterator[str]:
    name = book.asked or ""
    if ask.dice:
        yield _button("roll", "Roll the dice here", asked=name)
        yield _button("run", "Roll on until somebody has to decide", asked=name)
        yield _typed(name, "Or type your own dice", str(ask.allowed_text), typed)
        return
    listed = ask.candidates(book.side)
    for each in listed[:MOST_BUTTONS]:
        yield _button("answer", each.words, asked=name, answer=each.typed)
    several = ask.as_several
    words = (
        several.continue_text(0)
        if several is not None
        else f"Default: {ask.answer_text(ask.default)}"
    )
    if ask.default not in [each.raw for each in listed]:
        yield _button("default", words, asked=name)
    for word in several.wholes if several is not None else ():
        yield _button("answer", f"All: {word}", asked=name, answer=word)
    if several is not None or ask.form is not None:
        hint = "; ".join(ask.short_form_lines) or ask.allowed_text
        yield _typed(name, "Or type an answer", hint, typed)
    if several is not None:
        items = "".join(f"<li>{_safe(f'{i.subject}: {i.words}')}</li>" for i in several.items)
        yield f"<details><summary>What may be named</summary><ul>{items}</ul></details>"


def _no_question(desk: CampaignReader, book: View) -> Iterator[str]:
    situation = book.campaign.situation
    if book.mismatch is not None:
        yield from _out_of(desk, book.mismatch)
        return
    if book.turn is not None:
        yield f"<h2>The {book.turn.label} side decides something in private</h2>"
        yield "<p>This page says when it is done.</p>"
        return
    words = f"{book.next} {TITLES[book.next]}" if book.next else ""
    yield f"<h2>{_safe(next_text(situation, book.half, words))}</h2>"
    if situation.phase not in BETWEEN and book.half is None:
        yield _button("go", "Go on", next=book.next or "")


def _out_of(desk: CampaignReader, mismatch: ShownMismatch) -> Iterator[str]:
    """The ways out of a paragraph that cannot continue."""
    yield f"<h2>{_safe(mismatch.title)}</h2>"
    yield from (f"<p>{_safe(sentence)}</p>" for sentence in mismatch.sentences)
    for way in mismatch.ways_out("Undo", "Redo"):
        word, colon, _ = way.partition(": ")
        group = shown_actions.undo_group(desk) if word == "Undo" else shown_actions.redo_group(desk)
        yield _button(word.lower(), way, group=group) if colon else f"<p>{_safe(way)}</p>"


def _shop(book: View, side: Side, typed: Mapping[str, str]) -> Iterator[str]:
    """A form that buys; the items are in the price list of the side."""
    given = typed if typed.get("do") == "buy" else NOTHING_TYPED
    items = {
        price.key: f"{price.name}, {price.later_cost}"
        for price in book.card.prices.values()
        if price.can_be_bought_by(side) and not price.initial_only
    }
    yield '<h2>Buy</h2><form method="post"><input type="hidden" name="do" value="buy">'
    based = _stage("", book).held
    yield f'<input type="hidden" name="based" value="{based}">'
    yield from _select("item", "Item", items, given)
    if side is Side.JAPANESE:
        yield from _select("beach", "Whose points", {key: key for key in book.card.beaches}, given)
    many, place = _safe(given.get("quantity", "1")), _safe(given.get("location", ""))
    yield '<label for="quantity">How many</label>'
    yield f'<input id="quantity" name="quantity" inputmode="numeric" value="{many}">'
    yield '<label for="location">Location, if it has one now</label>'
    yield f'<input id="location" name="location" autocomplete="off" value="{place}">'
    yield "<button>Buy it</button></form>"


def _select(
    name: str, label: str, options: Mapping[str, str], given: Mapping[str, str]
) -> Iterator[str]:
    yield f'<label for="{name}">{label}</label><select id="{name}" name="{name}">'
    for key, words in options.items():
        chosen = " selected" if given.get(name) == key else ""
        yield f'<option value="{_safe(key)}"{chosen}>{_safe(words)}</option>'
    yield "</select>"


def _button(do: str, words: str, **more: str) -> str:
    given = {"do": do, **more}
    fields = "".join(
        f'<input type="hidden" name="{name}" value="{_safe(found)}">'
        for name, found in given.items()
    )
    return f'<form method="post">{fields}<button>{_safe(words)}</button></form>'


def _typed(asked: str, label: str, hint: str, typed: Mapping[str, str]) -> str:
    before = typed.get("answer", "") if typed.get("do") == "type" else ""
    return (
        '<form method="post"><input type="hidden" name="do" value="type">'
        f'<input type="hidden" name="asked" value="{_safe(asked)}">'
        f'<label for="answer">{_safe(label)}: {_safe(hint)}</label>'
        f'<input id="answer" name="answer" value="{_safe(before)}"'
        ' autocomplete="off" autocapitalize="none">'
        "<button>Answer</button></form>"
    )


def _safe(text: str) -> str:
    """A text for HTML, without invisible characters."""
    return escape(replace_invisible(text, allowed="\t\n"), quote=True)
