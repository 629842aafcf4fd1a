"""The form for a new campaign, in four steps: the game, its points, the order of battle, its
rulings."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual.content import Content

from brt_cg.board import beach_name
from brt_cg.card import Card, Ruling, available_campaign_games, load_card
from brt_cg.catalogue import Catalogue
from brt_cg.commands.allotments import read_allotments
from brt_cg.commands.edit import editable_fields
from brt_cg.commands.problems import InputProblems
from brt_cg.exports.wording import SIDE_TOTALS
from brt_cg.files import player_files_folder
from brt_cg.imports.order_line import ParsedOrderLine, reinforce_inputs
from brt_cg.imports.order_lines import parse_order_lines
from brt_cg.journal.journal import Journal
from brt_cg.model import Campaign, Side, SideRecord
from brt_cg.purchases.totals import POINTS, Fund
from brt_cg.questions import Problem, RefusedError, raise_problems
from brt_cg.service.opening import create_campaign
from brt_cg.service.printed_figures import PrintedFigures
from brt_cg.service.stored_journal import utc_now
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Address, Place
from brt_cg.storage.sqlite import check_can_create
from brt_cg.tui.dialogs.path import parse_typed_path_or_address
from brt_cg.tui.forms.edit import AS_ON_CARD
from brt_cg.tui.forms.order_lines import (
    LINES,
    lines_page,
    validate_lines,
    with_offered_text_changes,
)
from brt_cg.tui.forms.ruling import ruling_field
from brt_cg.tui.question.form import (
    EntryForm,
    FormField,
    FormPage,
    Typed,
    Validation,
    parse_number_or_text,
    refuse_capp_without_exponent,
)

TITLE = "New campaign · {} of 4 · {}"
BEGIN = f"{Side.MARINE.label}:\n"
TOTALS = ("san", "elr")  # of each side
COPY = (
    "Copy them from your CG card; leave blank what you do not have at hand.\n"
    "Enter CAPP as the card prints them: 26^2. Several values pasted fill the rows; - skips one."
)


class NewForm(EntryForm[Place]):
    """The form that asks for everything that a new campaign needs, with a default for each field,
    and creates the campaign. The result is the campaign's place."""

    at_home = True

    @property
    def draft_name(self) -> str:
        return "new"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        card = load_card(typed.get("cg", available_campaign_games()[-1]))
        heads = (*(kind.upper() for kind in POINTS), *(SIDE_TOTALS[name] for name in TOTALS))
        return (
            FormPage(TITLE.format(1, "the game"), tuple(_game()), "continue"),
            FormPage(
                TITLE.format(2, "the points of the CG card"),
                (*_points(card), *_totals()),
                "continue",
                COPY,
                heads,
            ),
            lines_page(
                None, TITLE.format(3, "the order of battle of both sides"), "continue", BEGIN
            ),
            _rulings_page(card),
        )

    async def validate(self, typed: Typed, page: int) -> Validation:
        if page == 0:
            return _judge_file(typed)
        card = load_card(typed["cg"])
        if page == 1:
            _allotments(typed, card)
            _corrections(typed)
            return Validation()
        if page == 2:
            return await asyncio.to_thread(_judge_lines, typed, card)
        changed = [f"{each.question} {each.meaning(value)}" for each, value in _changed(typed)]
        return Validation(Content("\n".join(changed) or "All rulings are at their defaults."))

    async def submit(self, typed: Typed) -> Place:
        card = load_card(typed["cg"])
        asked = {
            "cg": card.cg,
            "name": typed["name"].strip() or None,
            "players": {side.value: name for side in Side if (name := typed[side].strip())} or None,
            "allotments": _allotments(typed, card),
        }
        rulings = [{"id": ruling.id, "value": value} for ruling, value in _changed(typed)]
        place = parse_typed_path_or_address(typed["file"]).absolute()
        try:
            await asyncio.to_thread(_make, place, asked, rulings, typed)
        except StorageError as refused:
            raise RefusedError(Problem("file", str(refused))) from None
        return place


def _make(place: Place, asked: dict[str, Any], rulings: list[dict[str, Any]], typed: Typed) -> None:
    card = load_card(typed["cg"])
    lines = _lines(typed, card)
    counters = reinforce_inputs(lines) if lines else []  # refuses wrong lines first
    totals = _corrections(typed)
    commands = ("edit", totals), ("ruling", rulings), ("reinforce", counters)
    create_campaign(place, asked, commands)


def _catalogue() -> Catalogue:
    return PrintedFigures(lambda _: None).catalogue


def _lines(typed: Typed, card: Card) -> list[ParsedOrderLine]:
    return parse_order_lines(typed.get(LINES, ""), Side.MARINE, _new(card), card, _catalogue())


def _new(card: Card) -> Campaign:
    """Return a campaign like the one to be created, in which the order of battle is tried."""
    journal = Journal(utc_now)
    journal.run_command("new", {"cg": card.cg}, "players")
    return journal.campaign


def _judge_lines(typed: Typed, card: Card) -> Validation:
    lines = _lines(typed, card)
    judged = validate_lines(lines, _new(card), card, _catalogue(), None)
    return with_offered_text_changes(judged, typed.get(LINES, ""), lines)


def _game() -> list[FormField]:
    cards = [load_card(cg) for cg in available_campaign_games()]
    named = tuple((card.cg, f"{card.cg}: {card.dates[0]} to {card.dates[-1]}") for card in cards)
    return [
        FormField("cg", "Campaign game", cards[-1].cg, named),
        FormField("file", "File", str(_free_file())),
        FormField("name", "Name", hint="shown in the header"),
        *(FormField(side, f"{side.label} player") for side in Side),
    ]


def _points(card: Card) -> list[FormField]:
    """Return the fields for the points of each beach, one for each kind, and for the Marine FPP."""
    fields = [
        FormField(f"{beach}.{kind}", beach_name(beach))
        for beach in card.beaches
        for kind in Fund(Side.JAPANESE, beach).point_kinds_on_card
    ]
    return [*fields, FormField(f"{Side.MARINE}.fpp", "Marines")]


def _totals() -> list[FormField]:
    """Return the fields for each side's values on the card: SAN and ELR."""
    rows = {Side.MARINE: "Marines", Side.JAPANESE: "Japanese"}
    return [FormField(f"{side}.{name}", label) for side, label in rows.items() for name in TOTALS]


def _corrections(typed: Typed) -> list[dict[str, Any]]:
    """Return the edits that enter SAN and ELR as typed. Raises RefusedError with every problem."""
    found: list[dict[str, Any]] = []
    problems = []
    for side in Side:
        record, values = SideRecord(id=side.value), {}
        for name in TOTALS:
            text = typed.get(f"{side}.{name}", "").strip()
            try:
                if text:
                    values[name] = editable_fields(record)[name].shape.read(
                        parse_number_or_text(text)
                    )
            except ValueError as error:
                problems.append(Problem(f"{side}.{name}", str(error)))
        if values:
            found.append({"id": side.value, "set": values, "reason": AS_ON_CARD})
    raise_problems(problems)
    return found


def _allotments(typed: Typed, card: Card) -> dict[str, Any] | None:
    """Return the points that were typed; None if there are none. Raises RefusedError with every
    problem."""
    found: dict[str, Any] = {}
    for field in _points(card):
        where, _, kind = field.name.partition(".")
        text = typed.get(field.name, "").strip()
        if kind == "capp":
            refuse_capp_without_exponent(field.name, text)
        if text and where == Side.MARINE:
            found.setdefault("marine", {})[kind] = parse_number_or_text(text)
        elif text:
            found.setdefault("japanese", {}).setdefault(where, {})[kind] = parse_number_or_text(
                text
            )
    findings = InputProblems()
    list(read_allotments(found or None, card, findings))
    findings.raise_problems()
    return found or None


def _rulings_page(card: Card) -> FormPage:
    """Return the rulings that matter from the start, with the others folded below them."""
    to_agree_on = _to_agree_on(card)
    fields = tuple(
        replace(ruling_field(each, each.default), folded=not each.needs_agreement_beforehand)
        for each in to_agree_on
    )
    few = sum(each.needs_agreement_beforehand for each in to_agree_on)
    later = sum(each.is_asked_when_it_matters for each in to_agree_on)
    words = (
        f"Press Enter to keep all the defaults. These {few} matter in CG {card.cg} from the start; "
        f"you will be asked about {later} when they come up; "
        f"the other {len(fields) - few - later} rarely matter."
    )
    title = TITLE.format(4, "rulings that the players agree on")
    return FormPage(title, fields, "make the campaign", words)


def _to_agree_on(card: Card) -> list[Ruling]:
    """Return the rulings that leave a choice: first those that matter immediately, then those asked
    about."""
    found = [ruling for ruling in card.rulings.values() if ruling.has_choice]
    return sorted(
        found,
        key=lambda ruling: (
            not ruling.needs_agreement_beforehand,
            not ruling.is_asked_when_it_matters,
        ),
    )


def _changed(typed: Typed) -> list[tuple[Ruling, str]]:
    """Return the rulings that differ from their defaults, with the values chosen."""
    chosen = ((each, typed[each.id]) for each in _to_agree_on(load_card(typed["cg"])))
    return [(ruling, value) for ruling, value in chosen if value != ruling.default]


def _judge_file(typed: Typed) -> Validation:
    try:
        place = parse_typed_path_or_address(typed["file"]).absolute()
        if isinstance(place, Path):
            check_can_create(place)
    except (ValueError, StorageError) as wrong:
        return Validation(problems={"file": str(wrong)})
    where = "on a server:" if isinstance(place, Address) else "in"
    return Validation(Content(f"The campaign will be kept {where} {place}"))


def _free_file() -> Path:
    folder = player_files_folder()
    names = (folder / f"tarawa{number}.brt" for number in ("", *range(2, 100)))
    return next((path for path in names if not path.exists()), folder / "tarawa.brt")
