"""Campaigns that differ in secrets, and everything that a side may read of one."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from difflib import unified_diff
from functools import cache
from operator import attrgetter
from types import FunctionType
from typing import Any

from brt_cg.exports import DOCUMENTS, PUBLIC, build_document
from brt_cg.exports.blocks import Document, WriteIn
from brt_cg.exports.explain import ExplanationPage, KnownFacts, explanation_page, known_facts
from brt_cg.exports.purchases import purchases_text
from brt_cg.exports.status import status_document, status_text
from brt_cg.journal.journal import Journal
from brt_cg.journal.upcoming import find_upcoming_similar_questions
from brt_cg.model.counters import Side
from brt_cg.questions.answers import RefusedError
from brt_cg.views.view import PublicView, create_view
from brt_cg.views.view_chain import view_hashes
from tests.exports.journals import MARINE, squad, state

Reader = Callable[[Journal, Side], dict[str, Any]]

POINTS: dict[str, Any] = {
    "japanese": {
        "red_one": {"gpp": 40, "capp": "30^4", "fpp": 60},
        "black_two": {"gpp": 20, "fpp": 30},
        "island": {"fpp": 60},
    },
    "marine": {"fpp": 60},
    "grant": [{"date": "20 NT", "side": "japanese", "beach": "red_one", "fpp": 20}],
}


SEEN = (
    squad("m-sq-1", "N19", status=["pinned"]),
    squad("m-ldr-1", "N20", status=["wounded"]),
    squad("m-sq-2", "off_map"),
    squad("j-sq-8", "M41", status=["ti"]),
    squad("j-sq-9", "P21"),
    squad("j-sq-5", "K40", status=["encircled"]),
)
LYING = {"id": "j-lmg-1", "side": "japanese", "kind": "sw", "type": "LMG", "location": "M20"}
RUBBLE = {"id": "t-1", "location": "M20", "kind": "stone_rubble"}


def hidden(
    place: str,
    lair: str,
    inside: str = "j-pb-2",
    guard: str = "j-sq-1",
    leader: str = "9-1",
    **fields: Any,
) -> dict[str, Any]:
    """A state's hidden Japanese counters, most in one Location in the middle of their own area; but
    a squad is inside a hidden pillbox, one inside the Marine area (`lair`), and a `leader` with a
    squad that is seen. It is known that one of them guards a prisoner."""
    gun = {"id": "j-gun-1", "side": "japanese", "kind": "gun", "type": "37L AT"}
    links = {"location": place, "possessor": "j-sq-1", "status": ["malfunctioned"]}
    tank = {"id": "j-tank-1", "side": "japanese", "type": "Type 95 HA-GO", "location": place}
    pillbox = {"side": "japanese", "type": "pillbox", "hidden": True}
    at = {"j-pb-1": place, "j-pb-2": "M44", "j-pb-3": "M44"}
    return {
        "units": [
            squad("j-sq-1", place, **fields) | {"status": ["hidden", *fields.get("status", ())]},
            squad("j-ldr-1", place, status=["cloaked", "wounded"]),
            squad("j-sq-2", place, aboard="j-tank-1"),
            squad("j-sq-7", f"M44:{inside}"),
            squad("j-sq-6", lair, status=["hidden"]),
            squad("j-ldr-2", "K40", status=["hidden"], type=leader),
            squad("m-sq-3", place, status=["prisoner"], guard=guard),
        ],
        "weapons": [gun | links, LYING],
        "vehicles": [tank | {"status": ["hidden"], "cvp": 4}],
        "fortifications": [pillbox | {"id": id, "location": hex} for id, hex in at.items()],
        "terrain": [RUBBLE],
    }


HIDDEN = (
    hidden("L38", "M20"),
    hidden("K36", "M18", "j-pb-3", "j-sq-2", "10-1", status=["ti"], strength="reduced"),
    hidden("J38", "N21", leader="9-2", **{"class": "elite"}),
)


def ended(hidden: dict[str, Any]) -> dict[str, Any]:
    """What `import` is asked with: the same end of a scenario, but for the hidden counters."""
    counters = {"units": [*SEEN, *hidden["units"]]}
    document = state(date="20 PM", **hidden | counters)
    return {"state": document, "source": "state.json", "missing": "keep", "side": None}


SUBJECTS = (
    *("m-sq-1", "m-sq-3", "m-ldr-1", "j-sq-8", "j-sq-9", "j-sq-7", "j-sq-6", "j-sq-5", "j-sq-1"),
    *("j-ldr-1", "j-gun-1", "j-pb-1", "j-lmg-1", "t-1"),
    *("j-tank-1", "J1", "M1", "R-SAN", "marine.san", "japanese.san", "marine.cvp", "japanese.cvp"),
    *(
        "marine/fpp",
        "marine",
        "japanese/red_one/gpp",
        "grant-1",
        *(f"p{whose}{n}" for whose in "mj" for n in range(1, 5)),
    ),
    *("", "cvp", "san", "elr", "vp", "gpp", "fpp", "marine.vp", "japanese.vp", "squad", "hidden"),
    *("hex J1", "M20", "M44", "L38", "K36", "off map", "15.602", "15.6041", "15.6071", "15.6081"),
    *("R-SPLIT", "R-CVP-REFIT"),
)


def all_that_is_read(journal: Journal, side: Side | None) -> dict[str, Any]:
    """Every output that a side may ask for; there is no sheet of the umpire's opponent."""
    found = glance(journal, side) | {"purchases": purchases_text(create_view(journal, side))}
    for what in DOCUMENTS:
        if what != "sheet" or side is not None:
            try:
                found[what] = all_that_is_text(build_document(create_view(journal, side), what))
            except RefusedError as refused:  # there is no next scenario, once the campaign is over
                found[what] = str(refused)
    for what in PUBLIC:
        found[f"public {what}"] = all_that_is_text(build_document(PublicView(journal), what))
    known = known_facts(create_view(journal, side))
    entries = (f"entry {number}" for number in range(1, len(known.rows) + 2))
    for subject in (*SUBJECTS, *entries):
        found[f"explain {subject}"] = explained(known, subject)
    return found


def all_that_is_text(document: Document) -> list[str]:
    """Everything that a writer may make a format of: writers know nothing of any campaign."""
    parts = (document.title, document.picture, document.head(), document.data)
    return [*map(_text, (*parts, *document.sheets(), *document.blocks()))]


@cache
def _opener(kind: Any) -> Callable[[Any], Any]:
    """What lays open something of a kind that JSON does not know."""
    if is_dataclass(kind):
        return attrgetter(*(field.name for field in fields(kind)))
    if issubclass(kind, Mapping):
        return dict
    if kind is FunctionType:
        return attrgetter("__qualname__")
    return attrgetter("value") if issubclass(kind, WriteIn) else list


_text = json.JSONEncoder(
    default=lambda part: _opener(type(part))(part), ensure_ascii=False, check_circular=False
).encode


def glance(journal: Journal, side: Side | None) -> dict[str, Any]:
    """The quicker of them."""
    heads = view_hashes(journal, side) if side else [journal.head]
    return quick_glance(journal, side) | {"heads": heads}


def quick_glance(journal: Journal, side: Side | None) -> dict[str, Any]:
    """The quickest: without the chain of what a side knows, in which all that was stays."""
    return {
        "status": status_document(create_view(journal, side)),
        "status text": status_text(create_view(journal, side)),
        "log": [str(line) for line in create_view(journal, side).lines],
        "one list": one_list(journal, side),
    }


def one_list(journal: Journal, side: Side | None) -> list[Any]:
    """What a side that answers a question is shown of those of its kind still to come."""
    ask = journal.open_question()
    if ask is None or ask.side is not side:
        return []
    ahead = find_upcoming_similar_questions(journal)
    return [(ask.subject, ask.prompt, ask.subject in ahead.doubtful) for ask in ahead.asks]


def explained(known: KnownFacts, subject: str) -> ExplanationPage | str:
    """Each line with what it leads on to."""
    try:
        return explanation_page(known, subject)
    except RefusedError as refused:
        return str(refused)


def assert_alike(*journals: Journal, side: Side = MARINE, read: Reader = all_that_is_read) -> None:
    """Two campaigns read alike to a side, to the last byte."""
    one, other = (read(journal, side) for journal in journals)
    assert [*one] == [*other]
    for name in one:
        assert one[name] == other[name], f"{name} differs:\n{difference(one[name], other[name])}"


def difference(one: object, other: object) -> str:
    """What differs, line by line."""
    texts = (json.dumps(each, indent=1, ensure_ascii=False, default=str) for each in (one, other))
    lines = (re.sub(r"\\\\?n|(?<=\], )", "\n", text).splitlines() for text in texts)
    return "\n".join(line for line in unified_diff(*lines, n=1, lineterm=""))
