"""The ways to enter what was lost in a scenario, and what they come to."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from brt_cg.commands.state_document import build_state_document
from brt_cg.imports.code_line import parse_code_line, tick_code_events
from brt_cg.imports.event_sheet import EventSheet, Ticks
from brt_cg.imports.totals import default_totals, scenario_end_from_sheet
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Piece, Side, Unit, UnitKind, Weapon, WeaponKind
from brt_cg.model.events import BY_NAME
from brt_cg.model.fields import changes_between, to_json
from brt_cg.model.records import SIDES
from brt_cg.model.visibility import only_side_allowed_to_read, visible_campaign
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.views.view import create_view


class Ledger(NamedTuple):
    """What a way in comes to: the rows of the ledger without their ids, which counters are lost,
    and each side's CVP as each seat sees them."""

    rows: frozenset[tuple[Any, ...]]
    lost: frozenset[str]
    seen: tuple[int, ...]


def ledger_of(campaign: Campaign, before: Campaign) -> Ledger:
    rows = [row for id, row in campaign.casualties.items() if before.casualties.get(id) != row]
    views = [visible_campaign(campaign, side) for side in (None, *SIDES)]
    return Ledger(
        frozenset((row.counter, row.side, row.points, row.how, row.secret) for row in rows),
        frozenset(piece.id for piece in campaign.pieces() if not piece.in_play),
        tuple(view.cvp(side) for view in views for side in SIDES),
    )


def losses(campaign: Campaign, seed: int) -> Ticks:
    """What happened to some counters of both sides, hidden ones among them."""
    chosen, ticks = Random(seed), Ticks()
    able = [each for each in campaign.pieces() if each.in_play and _can_be_lost(campaign, each)]
    for piece in chosen.sample(sorted(able, key=lambda each: each.id), 8):
        reduced = isinstance(piece, Unit) and piece.kind is UnitKind.SQUAD and chosen.random() < 0.5
        ticks[piece.id] = {"reduced" if reduced else "eliminated": ""}
    return ticks


def _can_be_lost(campaign: Campaign, piece: Piece) -> bool:
    """Whether a loss of a counter leaves nobody else to settle: no guard, no prisoner, nobody
    aboard."""
    if isinstance(piece, Weapon):
        return piece.kind is WeaponKind.GUN and not piece.captured
    if isinstance(piece, Unit):
        alone = not piece.prisoner and not campaign.prisoners_of(piece) and not piece.aboard
        return alone and piece.armed and not piece.has_status("encircled")
    return not campaign.units_aboard(piece) and not piece.captured  # type: ignore[arg-type]


class Way:
    """One way to enter what happened into the demo."""

    def __init__(self, journal: Journal, ticks: Ticks) -> None:
        self.journal, self.ticks = journal, ticks

    def told(self, side: Side | None = None) -> EventSheet:
        book = create_view(self.journal, side).for_scenario_end_report(side)
        own = {
            id: events
            for id, events in self.ticks.items()
            if side is None or getattr(self.journal.campaign.find(id), "side", None) is side
        }
        return EventSheet(book.campaign, book.card, side, own, book.codes)

    def report(self, told: EventSheet) -> None:
        book = create_view(self.journal, told.seat)
        self.journal.run_command(
            "import", scenario_end_from_sheet(book, told, default_totals(told)).asked, "players"
        )

    def at_once(self) -> None:
        self.report(self.told())

    def marine_first(self) -> None:
        self.report(self.told(Side.MARINE))
        self.report(self.told(Side.JAPANESE))

    def japanese_first(self) -> None:
        self.report(self.told(Side.JAPANESE))
        self.report(self.told(Side.MARINE))

    def in_codes(self) -> None:
        told = self.told().with_ticks({})
        words = (
            f"{BY_NAME[event].letter}{told.codes.code_of(id)}"
            for id, (event,) in self.ticks.items()
        )
        for said in parse_code_line(told, " ".join(words)):
            assert not said.wrong
            tick_code_events(told, said)
        self.report(told)

    def in_a_state(self) -> None:
        state = build_state_document(self.told().campaign_after())
        for totals in state["sides"].values():
            totals["cvp"] = None
        self.journal.run_command(
            "import", {"state": state, "missing": None, "side": None}, "players"
        )

    def by_correction(self) -> None:
        before, after = self.journal.campaign.clone(), self.told().campaign_after()
        for id in self.ticks:
            was, now = before.find(id), after.find(id)
            assert was is not None
            assert now is not None
            changed = changes_between(was, now)
            fields = {each.field.name: to_json(each.after) for each in changed}
            kept = {name: value for name, value in fields.items() if name in EDITED}
            asked = {"id": id, "set": kept, "reason": "lost"}
            self.journal.run_command("edit", asked, "players")


EDITED = ("fate", "kind", "type", "strength", "status", "inherent_crew")


# --- a side's report, in an open campaign ---------------------------------------------------------


def report_of(side: Side | None, ticks: Ticks, **totals: str) -> Callable[[OpenCampaign], object]:
    """Enters what happened to the counters that a side reports on."""

    def report(desk: OpenCampaign) -> None:
        book = desk.view().for_scenario_end_report(side)
        told = EventSheet(book.campaign, book.card, side, {}, book.codes)
        for id, events in ticks.items():
            counter = book.campaign.find(id)
            captured = any(event == "captured" for event in events)
            if counter is not None and (told.is_reported_by_seat(counter) or captured):
                told.ticks[id] = dict(events)
        given = default_totals(told) | totals
        desk.run_command("import", scenario_end_from_sheet(book, told, given).asked)

    return report


def state_of(campaign: Campaign) -> dict[str, Any]:
    """Everything in a campaign, without the ids of the rows of its ledger."""
    found: dict[str, Any] = {
        name: {id: record.clone() for id, record in table.items()}
        for name, table in campaign.tables.items()
        if name != "casualties"
    }
    rows = [row.clone() for row in campaign.casualties.values()]
    found["ledger"] = sorted(str(row.replace(id="")) for row in rows)
    return found


def a_gun(campaign: Campaign) -> str:
    """A Japanese Gun that both sides know of."""
    guns = (
        each
        for each in campaign.sort_counters_in_play(campaign.weapons.values())
        if each.side is Side.JAPANESE and each.in_play and each.kind is WeaponKind.GUN
    )
    return next(each.id for each in guns if only_side_allowed_to_read(campaign, each) is None)


def a_unit(campaign: Campaign, side: Side, at: int = 0) -> str:
    """A squad of a side that both know of."""
    squads = (
        each
        for each in campaign.sort_counters_in_play(campaign.free_units_in_play_of(side))
        if each.kind is UnitKind.SQUAD and not each.prisoner and not each.aboard
    )
    return [each.id for each in squads if only_side_allowed_to_read(campaign, each) is None][at]


def captures_gun(gun: str, captor: str) -> Callable[[OpenCampaign], object]:
    """Enters a Marine report in which a unit has captured a Gun."""

    def report(desk: OpenCampaign) -> None:
        book = desk.view().for_scenario_end_report(Side.MARINE)
        told = EventSheet(book.campaign, book.card, Side.MARINE, {}, book.codes)
        asked = scenario_end_from_sheet(book, told, default_totals(told)).asked
        where = asked["state"]["units"]
        (at,) = [row["location"] for row in where if row["id"] == captor]
        (row,) = [row for row in asked["state"]["weapons"] if row["id"] == gun]
        row |= {"side": "marine", "possessor": None, "location": at or "N20", "status": []}
        desk.run_command("import", asked)

    return report
