"""A side's end-of-scenario report on its plain page: losses, entered by codes as they happen and
kept in the same draft as on the screen, and the report made from them."""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from brt_cg.card import Card
from brt_cg.commands.difference import import_difference
from brt_cg.imports.code_line import parse_code_line, tick_code_events
from brt_cg.imports.event_sheet import EventSheet, ticks_text
from brt_cg.imports.open_places import CAPTURED, ENCIRCLED, EXCEPT, NO, OURS, THEIRS, YES, Asked
from brt_cg.imports.totals import default_totals, open_places_of_sheet, scenario_end_from_sheet
from brt_cg.model import Campaign, CounterCodes, Phase, Side
from brt_cg.questions import RefusedError, raise_problems
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.tick_sheet import TickSheet, load_tick_sheet
from brt_cg.storage.place import Place
from brt_cg.text import count_text
from brt_cg.views.view import View
from brt_cg.web.page_state import page_state
from brt_cg.web.plain_html import (
    NOTHING_TYPED,
    button_form,
    escape_html,
    form_start,
    select_field,
    text_field,
)

Typed = Mapping[str, str]
MOST_SHOWN = 12  # changes in the question before a report is entered
STILL = "still."  # before the name of an Encircled unit's field
SIDES = {"": "not known", **{side.value: side.label for side in Side}}
IS_RIGHT = {"": "choose", THEIRS: "your opponent's report", OURS: "this report"}
IS_STILL = {"": "choose", YES: "yes", NO: "no"}
CHANGED = "These losses have changed since you saw them. Check them, and press the button again."


class ReportingView(NamedTuple):
    """The campaign as the reporting side sees it."""

    path: Place
    begun: str
    seat: Side | None
    view: Campaign
    card: Card
    codes: CounterCodes


class Report(NamedTuple):
    """The view of a report, the draft of its losses, and those losses applied to the current
    campaign."""

    book: View
    sheet: TickSheet
    told: EventSheet

    def counter_text(self, id: str) -> str:
        counter = self.told.view.find(id)
        return self.told.counter_text(counter) if counter is not None else id

    def ticks_with_names_text(self, ticks: Mapping[str, str]) -> str:
        return self.told.view.replace_ids_with_names(ticks_text(ticks)) or "nothing"


def open_report(desk: CampaignReader) -> Report | None:
    """Return the report that the seat may enter now; None if no scenario is being played and this
    seat's report is not missing."""
    book = desk.view()
    seat = book.side or book.half  # the umpire enters the missing report, or both together
    is_played = book.campaign.situation.phase is Phase.SCENARIO
    if not is_played and (book.half is None or seat is not book.half):
        return None
    book = book if seat is book.side else book.for_seat(seat)
    seen = ReportingView(desk.path, desk.campaign_id, seat, book.campaign, book.card, book.codes)
    sheet = load_tick_sheet(seen)
    return Report(book, sheet, sheet.event_sheet(seen))


def _required_report(desk: CampaignReader) -> Report:
    found = open_report(desk)
    if found is None:
        raise RefusedError("no scenario is being played now; reload the page")
    return found


# --- the page -------------------------------------------------------------------------------------


def scenario_end_part(desk: CampaignReader, typed: Typed) -> Iterator[str]:
    """Yield the losses kept so far, the field for more, the codes, and the form of the report."""
    report = open_report(desk)
    if report is None:
        return
    yield "<h2>The end of the scenario</h2>"
    yield from _codes_form(typed)
    yield from _kept(report)
    yield "<details><summary>The codes of the counters</summary><ul>"
    for numbered in report.told.all_lists:
        names = ", ".join(map(report.told.counter_text, numbered.counters))
        yield f"<li>{escape_html(f'{numbered.title}: {names}')}</li>"
    yield "</ul></details>"
    yield from _report_form(report, typed)


def _codes_form(typed: Typed) -> Iterator[str]:
    given = typed if typed.get("do") == "codes" else NOTHING_TYPED
    label = "Losses and moves by codes, such as x1a b2c q35 3f"
    yield f'{form_start("codes")}<label for="codes">{label}</label>'
    yield '<textarea id="codes" name="codes" autocapitalize="none">'
    yield f"{escape_html(given.get('codes', ''))}</textarea>"
    if given:
        yield '<label><input type="checkbox" name="sure" value="yes"> Yes, this is right</label>'
    yield "<button>Keep these losses</button></form>"


def _kept(report: Report) -> Iterator[str]:
    """Yield the counters reported so far, each with a button that removes it from the report, and
    those that two windows reported differently."""
    sheet, told = report.sheet, report.told
    points = told.casualty_points_gained() if sheet.ticks else {}
    gained = "".join(f", {side.label} CVP +{gain}" for side, gain in points.items() if gain)
    yield f"<p>{count_text(len(sheet.ticks), 'counter')} reported so far{gained}.</p>"
    for id, ticks in sheet.ticks.items():
        if id in sheet.others:
            continue
        words = f"Remove: {report.counter_text(id)}: {report.ticks_with_names_text(ticks)}"
        yield button_form("untick", words, counter=id, based=_name_of(ticks))
    for id, theirs in sheet.others.items():
        mine = sheet.ticks.get(id, {})
        words = f"Two windows reported {report.counter_text(id)} differently. Which is right?"
        yield f"<p>{escape_html(words)}</p>"
        based = _name_of([mine, theirs])
        for which, ticks in (("mine", mine), ("theirs", theirs)):
            label = f"Choose: {report.ticks_with_names_text(ticks)}"
            yield button_form("choose", label, counter=id, which=which, based=based)


def _report_form(report: Report, typed: Typed) -> Iterator[str]:
    """Yield the totals and everything that the losses leave open; once its changes have been shown,
    also the button that enters the report."""
    sheet, told = report.sheet, report.told
    given = typed if typed.get("do") == "report" else NOTHING_TYPED
    totals = {**default_totals(told), **sheet.totals, **given}
    yield f"<details{' open' if given else ''}><summary>Enter the report</summary>"
    yield form_start("report", seen=_seen_of(report, given) if given else "")
    yield from select_field("moved", "Who moved first", SIDES, totals)
    for side in Side:
        if told.seat in (None, side):
            name = f"san_{side}"
            yield text_field(name, f"{side.label} SAN", totals[name], ' inputmode="numeric"')
    yield text_field("pillboxes", "VP for pillboxes", totals["pillboxes"], ' inputmode="numeric"')
    label = "Marine Perimeters, such as N18-N21 / T26"
    yield text_field("perimeters", label, totals["perimeters"])
    open_ = open_places_of_sheet(report.book, told)
    if open_.captured:
        names = ", ".join(map(report.counter_text, open_.captured))
        label = f"Only one report has these as captured: {names}. Which report is right?"
        yield from select_field(CAPTURED, label, IS_RIGHT, given)
    for unit in open_.open.encircled:
        label = f"Is {told.counter_text(unit)} still Encircled?"
        yield from select_field(f"{STILL}{unit.id}", label, IS_STILL, given)
    words = "Yes: enter the report" if given and _seen_of(report, given) else "See the changes"
    yield f"<button>{words}</button></form></details>"


def _seen_of(report: Report, typed: Typed) -> str:
    """Return the name of a report whose changes are shown; "" if it cannot be entered as typed."""
    try:
        return _name_of([page_state(report.book).state, _order(report, typed)])
    except RefusedError:
        return ""


# --- entering -------------------------------------------------------------------------------------


def apply_report_form(desk: CampaignReader, asked: Typed) -> None:
    """Carry out a form of the report. Raises RefusedError."""
    report = _required_report(desk)
    match asked["do"]:
        case "codes":
            _keep_codes(report, asked)
        case "untick":
            _untick(report, asked)
        case "choose":
            _choose(report, asked)
        case _:
            _enter_report(desk, report, asked)


def _keep_codes(report: Report, asked: Typed) -> None:
    """Keep all of the losses in a line of codes, or none if any is refused."""
    told = report.told
    parsed = parse_code_line(told, asked.get("codes", ""))
    wrong = [f"{said.token}: {each}" for said in parsed for each in said.wrong]
    wrong += [
        f"{said.token}: name the unit that did it: {said.token} by /3f"
        for said in parsed
        if said.needs_captor_or_possessor and not said.wrong
    ]
    raise_problems(wrong)
    doubts = [f"{said.token}: {doubt}" for said in parsed for doubt in said.doubts]
    if doubts and asked.get("sure") != "yes":
        raise RefusedError("\n".join([*doubts, "If that is right, tick the box and keep it."]))
    for said in parsed:
        tick_code_events(told, said)
    report.sheet.save()


def _untick(report: Report, asked: Typed) -> None:
    ticks, id = report.sheet.ticks, asked.get("counter", "")
    if _name_of(ticks.get(id)) != asked.get("based"):
        raise RefusedError(CHANGED)
    del ticks[id]
    report.sheet.save()


def _choose(report: Report, asked: Typed) -> None:
    """Keep one of the two reports about a counter."""
    sheet, id = report.sheet, asked.get("counter", "")
    mine, theirs = sheet.ticks.get(id, {}), sheet.others.get(id)
    if theirs is None or _name_of([mine, theirs]) != asked.get("based"):
        raise RefusedError(CHANGED)
    sheet.resolve_tick_conflict(id, mine if asked.get("which") == "mine" else theirs)


def _enter_report(desk: CampaignReader, report: Report, asked: Typed) -> None:
    """Keep the totals, and enter the report once its changes have been shown."""
    first = default_totals(report.told)
    for name in first:
        report.sheet.keep_typed_total(name, asked.get(name, first[name]).strip(), first[name])
    order = _order(report, asked)
    if _name_of([page_state(report.book).state, order]) != asked.get("seen"):
        raise RefusedError(_changes_text(report, order))
    shown = shown_actions.basis_of(desk.campaign_id, desk.view().campaign)
    _ = shown_actions.run_shown_command(desk, shown, "import", dict(order))


def _order(report: Report, typed: Typed) -> Asked:
    """Return the input of `import`. Raises RefusedError."""
    book, told = report.book, report.told
    if report.sheet.others:
        raise RefusedError("two windows reported a counter differently: choose which is right")
    first = default_totals(told)
    totals = {name: typed.get(name, first[name]).strip() for name in first}
    asked = scenario_end_from_sheet(book, told, totals).asked
    open_ = open_places_of_sheet(book, told)
    lines = {CAPTURED: typed.get(CAPTURED, "")} if open_.captured else {}
    still = {unit.id: typed.get(f"{STILL}{unit.id}", "") for unit in open_.open.encircled}
    if not all(lines.values()):
        raise RefusedError("choose which report is right about the captured counters")
    if not all(still.values()):
        raise RefusedError("choose for each Encircled unit whether it still is")
    if still:
        freed = " ".join(id for id, answer in still.items() if answer == NO)
        lines |= {ENCIRCLED: YES, EXCEPT: freed}
    return open_.complete_import_input(book.campaign, asked, lines)


def _changes_text(report: Report, order: Asked) -> str:
    """Return the changes that a report would make, in words."""
    told, known = report.told, report.book.for_scenario_end_report(report.told.seat)
    lines = [*map(str, import_difference(known.campaign, order, known.card))]
    more = [f"and {len(lines) - MOST_SHOWN} more"] if len(lines) > MOST_SHOWN else []
    odd = [f"warning: {words}" for words in told.oddities()]
    changes = lines[:MOST_SHOWN] + more or ["Nothing would change."]
    return "\n".join([*odd, "These changes would be made; press “Yes” to enter them:", *changes])


def _name_of(shown: object) -> str:
    """Return a short name of the text that was shown."""
    return sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()[:16]
