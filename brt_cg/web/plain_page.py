"""The plain page of a seat: the essential contents of the screen, as a page of HTML for a phone
held upright, a screen reader, large print and a slow connection.

It works without a script; with one it reports when the campaign has changed. It never reloads
itself, so that no typed text is lost.

It works on the same open campaign as the screen and is made from the seat's view, so the seat's
knowledge and rights are the same on both.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

from brt_cg.exports import export_document
from brt_cg.exports.purchases import purchases_text
from brt_cg.exports.wording import next_step_text, turn_words
from brt_cg.forecast.upcoming_questions import shopping_list_text
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
    Records,
)
from brt_cg.storage.engine import engine_of
from brt_cg.storage.place import Place
from brt_cg.views.mismatch import ShownMismatch
from brt_cg.views.question_name import QuestionName
from brt_cg.views.rights import NotYourTurnError, is_for_both
from brt_cg.views.view import View
from brt_cg.web import plain_actions, plain_end, plain_several
from brt_cg.web.page_state import PageState, page_state
from brt_cg.web.plain_html import (
    NOTHING_TYPED,
    STYLE,
    button_form,
    escape_html,
    form_start,
    select_field,
    text_field,
)

NEWEST = 12  # lines of the log
MOST_BUTTONS = 60
MOST_DIGITS = 9  # of a typed number; Python refuses to read thousands


def render_page(
    file: Place, seat: str, problem: str = "", typed: Mapping[str, str] = NOTHING_TYPED
) -> str:
    """Return the page of a seat, with the problem of its last entry, if any, and what was `typed`
    for it. Raises StorageError."""
    with (
        engine_of(file).reuse_connection(file),
        closing(CampaignReader.open_read_only(file, Seat(seat))) as desk,
    ):
        return "".join(page_parts(desk, desk.view(), seat, problem, typed))


def read_page_state(file: Place, seat: str) -> PageState:
    """Return the state of the campaign for a seat. Raises StorageError."""
    with (
        engine_of(file).reuse_connection(file),
        closing(CampaignReader.open_read_only(file, Seat(seat))) as desk,
    ):
        return page_state(desk.view())


def render_chronicle(file: Place, seat: str, for_friends: bool) -> str:
    """Return the chronicle, as the seat may read it, or with only public facts. Raises
    StorageError."""
    with (
        engine_of(file).reuse_connection(file),
        closing(CampaignReader.open_read_only(file, Seat(seat))) as desk,
    ):
        return str(
            export_document(desk.public_view() if for_friends else desk.view(), "chronicle", "html")
        )


def submit_form(file: Place, seat: str, asked: Mapping[str, str]) -> list[str]:
    """Carry out a form of the page; return the message about it. Raises RefusedError and
    StorageError."""
    with engine_of(file).reuse_connection(file), closing(open_campaign(file)) as desk:
        desk.set_seat(Seat(seat))
        # If others have made entries, the page's request is checked again.
        desk.retry_if_stale(lambda: _does(desk, asked))
        return [*desk.notices]


# --- entering -------------------------------------------------------------------------------------


def _does(desk: CampaignReader, asked: Mapping[str, str]) -> None:
    match asked.get("do"):
        case "go":
            with suppress(NotYourTurnError):
                shown_actions.begin_shown_paragraph(
                    desk, CampaignPosition(None, asked.get("next") or None)
                )
        case "run":
            with suppress(NotYourTurnError):
                at = CampaignPosition(_named(asked))
                for _ in shown_actions.play_from_shown_position(
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
        case "item":
            plain_several.keep_answer(desk, _named(asked), asked)
        case "finish":
            plain_several.enter_kept_answers(desk, _named(asked), asked)
        case "agree" | "decline" | "withdraw":
            plain_actions.answer_or_withdraw_request(desk, asked)
        case "codes" | "untick" | "choose" | "report":
            plain_end.apply_report_form(desk, asked)
        case "note":
            plain_actions.write_note(desk, asked)
        case "commit" | "discard" | "void":
            plain_actions.buy_discard_or_void(desk, asked)
        case "undo":
            plain_actions.undo_as_shown(desk, asked)
        case "redo":
            plain_actions.redo_as_shown(desk, asked)
        case _:
            raise RefusedError("this form is out of date: reload the page")


def _stops(side: Side | None, ask: Question[Any]) -> bool:
    """Whether the program's dice stop at a question because somebody has to decide it."""
    return ask.dice is None and (ask.is_decision or ask.side is not side)


def _named(asked: Mapping[str, str]) -> QuestionName | None:
    """Return the name of the question that the page showed."""
    name = asked.get("asked")
    return QuestionName(name) if name else None


def _buy(desk: CampaignReader, asked: Mapping[str, str]) -> None:
    side = Side.from_name(asked.get("side")) if desk.side is None else desk.side
    count = asked.get("quantity", "1").strip() or "1"
    order: dict[str, Any] = {"side": side and side.value, "item": asked.get("item")}
    order["quantity"] = _number_or_text(count)
    of_it = ("beach", "location", "exit", "arc", "capacity")
    order |= {name: asked[name].strip() for name in of_it if asked.get(name, "").strip()}
    if "arc" in order:
        order["arc"] = order["arc"].replace(",", " ").split()
    if "capacity" in order:
        order["capacity"] = _number_or_text(order["capacity"])
    order["draft"] = asked.get("draft") == "yes"
    now = _stage(desk.campaign_id, desk.view())
    shown = replace(now, held=Records(asked.get("based", "")))
    shown_actions.run_shown_command(desk, shown, "buy", order, str(side))


def _number_or_text(typed: str) -> int | str:
    """Return a typed number; anything else, and a number with too many digits, as typed."""
    is_number = typed.isascii() and typed.isdecimal() and len(typed) <= MOST_DIGITS
    return int(typed) if is_number else typed


def _stage(begun: str, book: View) -> CommandBasis:
    """Return the basis of a purchase: the CG Date and phase."""
    return shown_actions.basis_of(begun, book.campaign, [STAGE], ("date", "phase"))


# --- the page -------------------------------------------------------------------------------------


def page_parts(
    desk: CampaignReader,
    book: View,
    seat: str,
    problem: str,
    typed: Mapping[str, str] = NOTHING_TYPED,
) -> Iterator[str]:
    """Yield the page of a seat in an open campaign, in parts, with the problem of its last entry,
    if any, and what was `typed` for it."""
    name = book.campaign.situation.name or "brt-cg"
    turn = turn_words(book.side_to_answer, book.side)
    title = escape_html(" · ".join(filter(None, (turn, name, seat))))
    state = page_state(book)
    waits = book.side is not None and not state.own
    changed = "Your opponent answered" if waits else "The campaign has changed"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{STYLE}</style>"
    yield '<script src="bell.js" defer></script><script src="plain.js" defer></script></head>'
    yield f'<body data-state="{state.state}" data-own="{"yes" if state.own else "no"}"'
    yield f' data-changed="{changed}: reload">'
    yield (
        f"<header><h1>{escape_html(name)}</h1><p>"
        f"{escape_html(_situation_line(book, seat))}</p></header><main>"
    )
    yield '<div id="news" role="status"></div>'
    if problem:
        words = escape_html(book.campaign.replace_ids_with_names(problem))
        yield f'<p role="alert" tabindex="-1" autofocus>{words}</p>'
    yield from plain_actions.requests_part(book)
    due = book.reminders_for(book.campaign.situation.date)
    yield from (f"<p>{escape_html(words)}</p>" for words in due)
    yield from _question(desk, book, typed)
    yield from plain_end.scenario_end_part(desk, typed)
    if book.side is not None and can_buy(book.campaign, book.side):
        yield from _shop(book, book.side, typed)
        yield from plain_actions.purchases_part(book, book.side, typed)
    yield f'<h2>What happened</h2><ol reversed start="{NEWEST}">'
    yield from (
        f"<li>{escape_html(book.campaign.replace_ids_with_names(str(line)))}</li>"
        for line in reversed(book.newest_lines(NEWEST)[-NEWEST:])
    )
    yield "</ol>"
    if book.mismatch is None:
        yield from plain_actions.undo_and_redo_part(desk, book)
    yield from plain_actions.note_part(book, typed)
    yield "<h2>Points and purchases</h2><pre>" + escape_html(purchases_text(book)) + "</pre>"
    wishes = shopping_list_text(desk, book.side) if book.side is not None else []
    if wishes:
        items = "".join(f"<li>{escape_html(wish)}</li>" for wish in wishes)
        yield f"<h2>Shopping list</h2><ol>{items}</ol>"
    yield '</main><p><a class="link" href="plain">Reload</a></p>'
    yield '<p><button type="button" id="bell" hidden></button></p>'
    yield '<p><a class="link" href="chronicle">The chronicle, as your side knows it</a></p>'
    yield '<p><a class="link" href="chronicle?friends">The chronicle for friends</a></p>'
    yield '<p><a class="link" href="./">The whole screen</a></p></body></html>'


def _situation_line(book: View, seat: str) -> str:
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
    yield f"<h2>{whose}: {escape_html(step)}</h2>"
    yield f'<p id="prompt">{escape_html(ask.prompt)}</p>'
    if ask.check_text:
        yield f"<p>{escape_html(ask.check_text)}</p>"
    if ask.odds:
        yield "<ul>"
        yield from (
            f"<li>{escape_html(f'{round(chance * 100)} in 100: {row.text}')}</li>"
            for row, chance in ask.odds
        )
        yield "</ul>"
    if book.side in (None, ask.side) or is_for_both(ask):
        yield from _answers(desk, book, ask, typed)


def _answers(
    desk: CampaignReader, book: View, ask: Question[Any], typed: Mapping[str, str]
) -> Iterator[str]:
    name = book.question_identity or QuestionName("")
    if ask.as_multi_question is not None:
        yield from plain_several.multi_question_part(desk, ask.as_multi_question, name, typed)
        return
    if ask.dice:
        yield button_form("roll", "Roll the dice here", asked=name)
        yield button_form("run", "Roll until somebody has a decision to make", asked=name)
        yield _typed(name, "Or type your own dice", str(ask.allowed_text), typed)
        return
    listed = ask.candidates(book.side)
    for each in listed[:MOST_BUTTONS]:
        yield button_form("answer", each.words, asked=name, answer=each.typed)
    if ask.default not in [each.raw for each in listed]:
        yield button_form("default", f"Default: {ask.answer_text(ask.default)}", asked=name)
    if ask.form is not None:
        hint = "; ".join(ask.short_form_lines) or ask.allowed_text
        yield _typed(name, "Or type an answer", hint, typed)


def _no_question(desk: CampaignReader, book: View) -> Iterator[str]:
    situation = book.campaign.situation
    if book.mismatch is not None:
        yield from _out_of(book, book.mismatch)
        return
    if book.turn is not None:
        yield f"<h2>The {book.turn.plural} have a secret decision to make</h2>"
        yield "<p>This page says when it is done.</p>"
        return
    words = f"{book.next} {TITLES[book.next]}" if book.next else ""
    yield f"<h2>{escape_html(next_step_text(situation, book.half, words))}</h2>"
    if situation.phase not in BETWEEN and book.half is None:
        yield button_form("go", "Continue", next=book.next or "")


def _out_of(book: View, mismatch: ShownMismatch) -> Iterator[str]:
    """Yield the ways out of a paragraph that cannot continue."""
    yield f"<h2>{escape_html(mismatch.title)}</h2>"
    yield from (f"<p>{escape_html(sentence)}</p>" for sentence in mismatch.sentences)
    for way in mismatch.ways_out("Undo", "Redo"):
        word, colon, _ = way.partition(": ")
        state = page_state(book).state
        yield button_form(word.lower(), way, shown=state) if colon else f"<p>{escape_html(way)}</p>"


def _shop(book: View, side: Side, typed: Mapping[str, str]) -> Iterator[str]:
    """Yield a form that buys; the items are in the price list of the side."""
    given = typed if typed.get("do") == "buy" else NOTHING_TYPED
    items = {
        price.key: f"{price.name}, {price.later_cost}"
        for price in book.card.prices.values()
        if price.can_be_bought_by(side) and not price.initial_only
    }
    yield f"<h2>Buy</h2>{form_start('buy', based=_stage('', book).held)}"
    yield from select_field("item", "Item", items, given)
    if side is Side.JAPANESE:
        yield from select_field(
            "beach", "Whose points", {key: key for key in book.card.beaches}, given
        )
    yield text_field("quantity", "How many", given.get("quantity", "1"), ' inputmode="numeric"')
    of_some = [
        ("location", "Location, if you place it now"),
        ("exit", "Location of the other end, for a tunnel"),
        ("arc", "Covered Arc: two adjacent hexes, such as O21,O22"),
        ("capacity", "Capacity, for a pillbox with an unusual one"),
    ]
    yield from (text_field(name, label, given.get(name, "")) for name, label in of_some)
    yield "<button>Buy it</button>"
    yield '<button name="draft" value="yes">Keep it as a draft</button></form>'


def _typed(asked: str, label: str, hint: str, typed: Mapping[str, str]) -> str:
    before = typed.get("answer", "") if typed.get("do") == "type" else ""
    answer = text_field("answer", f"{label}: {hint}", before)
    return f"{form_start('type', asked=asked)}{answer}<button>Answer</button></form>"
