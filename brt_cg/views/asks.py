"""A question as JSON for a side, and restored from that where no rules are played.

Only the keeper of the campaign can tell what a typed answer means and whether it is allowed, so an
answer that the question itself must interpret is sent as the player gave it (`Left`).
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from brt_cg.card import Card
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Called, Candidate, Form, Pointed, Raw, Refused, in_words
from brt_cg.questions.asks import Ask, Choose, Enter, Item, Option, Roll, Several
from brt_cg.questions.dice import Modifier
from brt_cg.refit.s620_setup import AT_SETUP, forms_at_setup

COMMON = tuple(field.name for field in fields(Ask))
LEFT = "left to the keeper"  # the key of an answer that its question must still interpret


# --- written --------------------------------------------------------------------------------------


def page_of_ask(ask: Ask[Any], side: Side) -> dict[str, Any]:
    """A question as JSON, with what its own side, or the other one, may know."""
    page = {name: getattr(ask, name) for name in COMMON}
    if isinstance(ask, Roll):
        drm = [[modifier.amount, modifier.reason] for modifier in ask.modifiers]
        return page | {"sort": "roll", "table": ask.table.key, "modifiers": drm}
    if isinstance(ask, Choose):
        options = [[each.raw, each.label, each.spot, each.name] for each in ask.options]
        return page | {"sort": "choose", "options": options, "default": ask.default}
    if isinstance(ask, Enter):
        text = ask.form.worded(ask.default)
        own = {"hint": ask.hint, "default": ask.default, "told": text}
        own |= {"series": ask.series, "stop": ask.stop}
        return page | {"sort": "enter", **own, "form": _page_of_form(ask.form, side)}
    assert isinstance(ask, Several)
    # The places for each of many counters are found faster than they are read from JSON.
    setup = ask.rule in AT_SETUP
    items = [
        [
            *(item.subject, item.words, None if setup else _page_of_form(item.form, side)),
            *(item.counter, item.name),
        ]
        for item in ask.items
    ]
    return page | {"sort": "several", "items": items, "hint": ask.hint, "none": ask.none_text}


def _page_of_form(form: Form, side: Side) -> dict[str, Any]:
    return {
        "hint": form.hint,
        "candidates": [
            [each.raw, each.words, each.typed, list(each.spots)] for each in form.offered(side)
        ],
        "joined": form.joined is not None,
        "pointed": form.pointed and [list(form.pointed.parts)],
        "painted": form.painted,
        "counters": [
            [each.id, each.name] for each in form.counters() if each.secret in (None, side)
        ],
        "own_words": form.own_words,
    }


# --- read -----------------------------------------------------------------------------------------


def ask_of(page: dict[str, Any], campaign: Campaign, card: Card) -> Ask[Any]:
    """The question restored from its JSON."""
    common = {name: page[name] for name in COMMON}
    common |= {name: Side(page[name]) for name in ("side", "secret") if page[name]}
    if page["sort"] == "roll":
        modifiers = tuple(Modifier(*drm) for drm in page["modifiers"])
        return Roll(**common, table=card.tables[page["table"]], modifiers=modifiers)
    if page["sort"] == "choose":
        options = tuple(Option(raw, label, raw, *more) for raw, label, *more in page["options"])
        return Choose(**common, options=options, default=page["default"])
    if page["sort"] == "enter":
        form = _form(page["form"], {repr(page["default"]): page["told"]})
        own = {name: page[name] for name in ("hint", "default", "series", "stop")}
        return Enter(**common, **own, reader=_as_given, form=form)
    rule, side = page["rule"], common["side"]
    reader: Callable[[Raw], Any] = _as_given
    found = {subject: campaign.find(counter or "") for subject, _, _, counter, _ in page["items"]}
    counters = {subject: counter for subject, counter in found.items() if counter is not None}
    forms = {subject: _form(form, {}) for subject, _, form, _, _ in page["items"] if form}
    if rule in AT_SETUP:
        forms, reader = forms_at_setup(rule, campaign, card, side, counters)
    items = tuple(
        Item(subject, words, forms[subject], counter, name)
        for subject, words, _, counter, name in page["items"]
    )
    words = {"hint": page["hint"], "none_text": page["none"]}
    return Several(**common, items=items, reader=reader, **words)


def _form(page: dict[str, Any], worded: dict[str, str]) -> Form:
    offered = [
        Candidate(raw, words, typed, spots=tuple(spots))
        for raw, words, typed, spots in page["candidates"]
    ]
    words = {repr(each.raw): each.words for each in offered} | worded
    return Form(
        hint=page["hint"],
        typed=lambda text: _left("typed", text),
        worded=lambda raw: _worded(raw, words),
        candidates=lambda: offered,
        joined=(lambda raws: _left("joined", list(raws))) if page["joined"] else None,
        pointed=Pointed(tuple(page["pointed"][0])) if page["pointed"] else None,
        painted=page["painted"],
        counters=lambda: [Called(id, name) for id, name in page["counters"]],
        own_words=page["own_words"],
    )


def _as_given(raw: Raw) -> Raw:
    return raw


# --- left to the keeper ---------------------------------------------------------------------------


def _left(how: str, what: Any) -> Raw:
    return {LEFT: how, "of": what}


def _worded(raw: Raw, words: dict[str, str]) -> str:
    if not (isinstance(raw, dict) and LEFT in raw):
        return words.get(repr(raw)) or in_words(raw)
    parts = raw["of"] if isinstance(raw["of"], list) else [raw["of"]]
    return "; ".join(_worded(part, words) for part in parts)


def made_whole(ask: Ask[Any], raw: Raw, side: Side) -> Raw:
    """Returns the answer that the question makes of what a player of `side` sent. Raises
    Refused."""
    if isinstance(ask, Enter):
        return _whole(ask.form, raw, side)
    if isinstance(ask, Several) and isinstance(raw, dict):
        return {
            subject: _whole(ask.item(subject).form, answer, side) for subject, answer in raw.items()
        }
    return raw


def _whole(form: Form, raw: Raw, side: Side) -> Raw:
    if not (isinstance(raw, dict) and LEFT in raw):
        return raw
    how, what = raw[LEFT], raw.get("of")
    if how == "typed" and isinstance(what, str):
        return form.parse(what, side)
    if how == "joined" and isinstance(what, list) and form.joined is not None:
        return form.joined([_whole(form, part, side) for part in what])
    raise Refused(f"{how!r} is no way to answer this")
