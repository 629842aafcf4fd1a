"""The story of a campaign, date by date, from its rows: losses and their worth, captures,
Isolation, promotions, and the movement of the front; and the fate of each leader in a line.

The counters before and after each row are compared, so that a story has no words of the log and no
ids.
"""

import re
from collections import Counter as Tally
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace

from brt_cg.card import Card
from brt_cg.exports.history import night_lines
from brt_cg.exports.map_symbols import isolated_hexes
from brt_cg.exports.refit_summary import is_higher_class
from brt_cg.immutable import immutable
from brt_cg.journal.changes import apply_changes
from brt_cg.model import (
    BY_TABLE,
    SIDES,
    Area,
    Campaign,
    Casualty,
    Counter,
    Fate,
    Fortification,
    Phase,
    Piece,
    Side,
    SideRecord,
    Situation,
    Unit,
    UnitKind,
    Vehicle,
    Weapon,
    WeaponKind,
)
from brt_cg.refit.casualties import casualty_points_for_loss
from brt_cg.refit.losses import SCORING
from brt_cg.refit.victory import pillbox_points, victory_points
from brt_cg.text import NOTE_BEGINS, count_text
from brt_cg.views.journal_rows import ShownRow

ENTERED = ("import", "reinforce", "edit")  # events from the table, not from a Refit Phase
HALVING = ("15.601", "15.6041", "15.605")  # paragraphs in which a loss may leave half of a squad
# In any other paragraph, a counter that is new to a side has arrived, or was hidden from it.
CREATES = "15.6114"
GONE = (Fate.ELIMINATED, Fate.CAPTURED)
MELEE = re.compile(r"(\S+): Melee round (\d+)")
# The beginning of the sentence at 15.6203; older logs lack the "will".
BANZAI = re.compile("the Japanese reveal that they (?:will )?attempt a Banzai")

# The important moments, in the order of the story: of both, or of a side.
DECIDED, NIGHT, MELEES, PILLBOXES = "Decided", "Night", "Melees", "Pillboxes fallen"
TAKEN, RETAKEN = "Captured by the {sides}", "Retaken by the {sides}"
PRISONERS, FREED = "Taken prisoner by the {sides}", "{side} prisoners freed"
CUT_OFF, HEROIC, HEROES = "Isolated {sides}", "{side} SMC turned heroic", "New {side} heroes"
CREATED, HARDENED = "New {side} leaders", "{side} Battle Hardening"
KINDS = (
    *(DECIDED, NIGHT, MELEES, PILLBOXES, TAKEN, RETAKEN, PRISONERS, FREED),
    *(CUT_OFF, HEROIC, HEROES, CREATED, HARDENED),
)
SIDES_OF = {Side.MARINE: "Marines", Side.JAPANESE: "Japanese"}


@immutable
class LostCounter:
    """A counter that was lost, completely or in part: its name, its worth to the enemy in CVP, and
    whether it was lost in the Refit Phase, only reduced, or captured."""

    side: Side
    printed: str
    kind: str
    worth: int
    alone: bool
    in_refit: bool = False
    reduced: bool = False
    captured: bool = False

    @property
    def words(self) -> str:
        return f"{self.printed} {self.kind}".strip()


@dataclass(slots=True)
class Chapter:
    """A CG Date. `table` is the map at the end of its scenario (for a date not yet played, the
    current map), with the Setup Areas that resulted; `points` are the Victory Points after the
    date, `scored` the points of its scenario; `moments` are names by kind and side."""

    date: str
    table: Campaign
    played: bool = False
    winner: Side | None = None
    moved_first: Side | None = None
    points: Mapping[Side, int] = field(default_factory=dict)
    scored: Mapping[Side, int] = field(default_factory=dict)
    san: Mapping[Side, int] = field(default_factory=dict)
    fallen: dict[str, LostCounter] = field(default_factory=dict)
    moments: dict[tuple[str, Side | None], dict[str, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def has_events(self) -> bool:
        """Whether there is anything to report about the date."""
        return self.played or bool(self.moments or self.notes or self.fallen)

    def area_hexes(self, side: Side) -> set[str]:
        """Return the hexes of a side's Setup Areas."""
        areas = (area.hexes for area in self.table.areas.values() if area.side is side)
        return {hex for hexes in areas for hex in hexes}

    def add_moment(self, kind: str, side: Side | None, key: str, words: str) -> None:
        self.moments.setdefault((kind, side), {})[key] = words

    def drop_moment(self, kind: str, side: Side | None, key: str) -> None:
        self.moments.get((kind, side), {}).pop(key, None)

    def losses_of(self, side: Side) -> list[tuple[LostCounter, int]]:
        """Return the losses of a side: leaders first, then by worth. Equal losses are combined,
        with their number."""
        tally = Tally(each for each in self.fallen.values() if each.side is side)
        return sorted(
            tally.items(), key=lambda one: (not one[0].alone, -one[0].worth, one[0].words)
        )

    def moments_in_order(self) -> Iterator[tuple[str, str]]:
        """Yield the important moments: the event, and the counters."""
        for kind in KINDS:
            for side in (None, *SIDES):
                names = self.moments.get((kind, side))
                if names:
                    words = {"side": side.label, "sides": SIDES_OF[side]} if side else {}
                    yield kind.format(**words), ", ".join(_grouped(names.values()))


def _grouped(names: Iterable[str]) -> Iterator[str]:
    """Yield the names in order, each once, with the number of its occurrences."""
    for name, number in Tally(names).items():
        yield f"{number} × {name}" if number > 1 else name


@dataclass(slots=True)
class Career:
    """The career of a leader or hero: first and last value, fate, and the events by CG Date."""

    name: str
    side: Side
    first: str
    last: str
    fate: Fate = Fate.IN_PLAY
    events: list[tuple[str, str]] = field(default_factory=list)
    has_name: bool = False

    @property
    def first_and_last_value(self) -> str:
        """The first and last value: "7-0 → 8-0"."""
        return self.first if self.first == self.last else f"{self.first} → {self.last}"

    @property
    def words(self) -> str:
        """The career in a line: "20 PM wounded · 21 AM now 8-1 · 22 AM eliminated"."""
        dates: dict[str, list[str]] = {}
        for date, what in self.events:
            dates.setdefault(date, []).append(what)
        return " · ".join(f"{date} {', '.join(events)}" for date, events in dates.items())


def build_story(
    rows: Iterable[ShownRow], card: Card, known: Collection[Side] = SIDES
) -> tuple[list[Chapter], list[Career]]:
    """Return the dates in order, and the careers of leaders and heroes: Marine first, then by name.
    `known` are the sides that hide nothing from the reader. Everything from 15.6122 on until the
    scenario of the new date belongs to that date; the results of a Night (15.6203) belong to the
    Night."""
    teller = _StoryReader(card, known)
    for row in rows:
        if row.is_standing:
            teller.read_row(row)
    careers = (one for one in teller.careers.values() if one.events or one.has_name)
    order = sorted(careers, key=lambda one: (one.side is Side.JAPANESE, not one.has_name, one.name))
    return teller.chapters, order


class _StoryReader:
    """A reader of rows, first to last, with the campaign as it was after each row."""

    def __init__(self, card: Card, known: Collection[Side]) -> None:
        self.card, self.known = card, known
        self.campaign = Campaign()
        self.chapters: list[Chapter] = []
        self.careers: dict[str, Career] = {}
        self.began = False  # whether a scenario has ended: before, counters only arrive

    def read_row(self, row: ShownRow) -> None:
        ids = dict.fromkeys(str(change[1]) for change in row.changes if change[0] in BY_TABLE)
        before = {id: found.clone() for id in ids if (found := self.campaign.find(id))}
        night = self.chapters[-1] if self.chapters and night_lines(row) else None
        apply_changes(self.campaign, row.changes)
        chapter = night or self._chapter(row)
        if row.kind == "note":
            chapter.notes += [line.text.removeprefix(NOTE_BEGINS) for line in row.lines]
        elif row.kind != "skip":
            for id in ids:
                self._compares(chapter, row, id, before.get(id))
            self._scores_late(chapter, row)
            self._tells(chapter, row)
        if night is not None:
            chapter = self._chapter(row)
        self._closes(chapter, row)
        self.began = self.began or self.campaign.situation.ended is not None

    def _chapter(self, row: ShownRow) -> Chapter:
        """Return the chapter that a row belongs to, starting one if needed."""
        date, found = self.campaign.situation.date, self.chapters
        if not found or found[-1].date != date:
            if found and not found[-1].played:
                found[-1].table = self.campaign.clone()
            found.append(Chapter(date, self.campaign))
        if row.kind == "import":
            found[-1].played, found[-1].table = True, self.campaign.clone()
        return found[-1]

    def _closes(self, chapter: Chapter, row: ShownRow) -> None:
        """Update the totals and Setup Areas, keeping the last ones of the date."""
        situation, sides = self.campaign.situation, self.campaign.sides
        if situation.ended == chapter.date:
            chapter.winner, chapter.moved_first = situation.winner, situation.moved_first
        if any(change[0] in TOTALS for change in row.changes):
            points = victory_points(self.campaign, whole=True)
            chapter.points = {side: points[side].total for side in SIDES}
            if situation.ended == chapter.date:
                last = victory_points(self.campaign, whole=False)
                chapter.scored = {side: last[side].total for side in SIDES}
            chapter.san = {side: sides[side].san for side in SIDES}
        if not chapter.played:
            chapter.table = self.campaign
        elif any(change[0] == Area.TABLE for change in row.changes):
            areas = {id: area.clone() for id, area in self.campaign.areas.items()}
            chapter.table.areas.clear()
            chapter.table.areas.update(areas)

    # --- counters -------------------------------------------------------------------------------

    def _compares(self, chapter: Chapter, row: ShownRow, id: str, was: Counter | None) -> None:
        now = self.campaign.find(id)
        if now is None:
            return
        if now.side is not None and not isinstance(now, Fortification):
            self._falls(chapter, row, was, now)
        if isinstance(now, Unit):
            if now.smc:
                self._goes_on(chapter.date, row, was, now)
            self._changes(chapter, row, was, now)
        elif isinstance(now, Fortification):
            if now.is_pillbox and now.fell and not (was and getattr(was, "fell", None)):
                words = (
                    f"in {now.location} ({pillbox_points(now)} VP)"
                    if now.location
                    else now.type_text
                )
                chapter.add_moment(PILLBOXES, None, id, words)
        elif isinstance(now, Vehicle | Weapon) and isinstance(was, Vehicle | Weapon):
            self._changes_hands(chapter, was, now)
        if isinstance(now, Piece) and now.isolated and chapter.played:
            ring = chapter.table.find(id)
            if isinstance(ring, Piece):
                ring.isolated = True

    def _falls(self, chapter: Chapter, row: ShownRow, was: Counter | None, now: Counter) -> None:
        base = was
        if base is None and not now.in_play:  # it appears already lost
            base = now.clone()
            base.fate = Fate.IN_PLAY
        if base is None or base.side is None or _is_mounted(now) or _is_gone(base):
            if base is not None and not _is_gone(now):
                chapter.fallen.pop(now.id, None)
            return
        refit, gone = row.kind not in ENTERED, _is_gone(now)
        points = self._scored_for(row, now)
        if points is None:
            arrived = was is None  # already lost: its points are in the opening total
            points = (
                casualty_points_for_loss(self.card, base, now)
                if arrived
                else self._worth(row, base, now)
            )
        halved = now.in_play and points > 0 and (row.kind == "import" or row.rule in HALVING)
        if not ((gone and (points or _is_reported(now))) or (isinstance(now, Unit) and halved)):
            return
        who, kind = printed_text_and_name(base)
        alone = isinstance(base, Unit) and base.smc
        captured = now.fate is Fate.CAPTURED
        chapter.fallen[now.id] = LostCounter(
            base.side, who, kind, points, alone, refit, not gone, captured
        )

    def _scored_for(self, row: ShownRow, now: Counter) -> int | None:
        """Return the points that a row of the journal enters in the casualty ledger for a counter;
        None if it enters none."""
        found = [
            new["points"]
            for table, _, name, _, new in row.changes
            if table == Casualty.TABLE and name == "" and new and new.get("counter") == now.id
        ]
        return abs(sum(found)) if found else None

    def _scores_late(self, chapter: Chapter, row: ShownRow) -> None:
        """Note the worth of a counter that was lost earlier, if its CVP are scored only now because
        a ruling had to be agreed on first."""
        for id, fallen in [*chapter.fallen.items()]:
            counter = self.campaign.find(id)
            points = self._scored_for(row, counter) if counter is not None else None
            if points and not fallen.worth:
                chapter.fallen[id] = replace(fallen, worth=points)

    def _worth(self, row: ShownRow, base: Counter, now: Counter) -> int:
        """Return the worth of a counter's loss in campaigns older than the casualty ledger."""
        if self.campaign.casualties or not any(each.cvp for each in self.campaign.sides.values()):
            return 0  # the ledger has no row for it, so it scored nothing
        points = casualty_points_for_loss(self.card, base, now)
        if row.kind in ENTERED:
            return points
        held = isinstance(base, Unit) and base.prisoner
        return points * self._scores(row) * (2 if held else 1)

    def _scores(self, row: ShownRow) -> bool:
        """Whether losses in a paragraph score CVP (R-CVP-REFIT)."""
        return row.rule in SCORING and self.campaign.ruling_value("R-CVP-REFIT") == "combat"

    def _changes(self, chapter: Chapter, row: ShownRow, was: Counter | None, now: Unit) -> None:
        """Return the changes to a unit that is still in play."""
        whose, name = now.side, _name(now)
        if not now.in_play or not self.began:
            return
        if was is None:
            if now.leader and row.rule == CREATES:
                chapter.add_moment(CREATED, whose, now.id, name)
            elif now.kind is UnitKind.HERO and row.kind == "import" and whose in self.known:
                chapter.add_moment(HEROES, whose, now.id, name)
            return
        assert isinstance(was, Unit)
        if now.prisoner and not was.prisoner:
            chapter.add_moment(PRISONERS, whose.enemy, now.id, name)
        elif was.prisoner and not now.prisoner:
            chapter.drop_moment(PRISONERS, whose.enemy, now.id)
            chapter.add_moment(FREED, whose, now.id, name)
        if now.has_trait("heroic") and not was.has_trait("heroic"):
            chapter.add_moment(HEROIC, whose, now.id, name)
        if row.kind in ENTERED:
            return
        risen = is_higher_class(now.class_, was.class_) and now.kind is was.kind
        fanatic = now.has_status("fanatic") and not was.has_status("fanatic")
        if (now.leader and now.type != was.type) or risen or fanatic:
            what = "Fanatic" if now.type == was.type else now.type
            chapter.add_moment(HARDENED, whose, now.id, f"{_name(was)} → {what}")

    def _changes_hands(
        self, chapter: Chapter, was: Vehicle | Weapon, now: Vehicle | Weapon
    ) -> None:
        if was.side is now.side or _is_mounted(now):
            return
        chapter.drop_moment(TAKEN, was.side, now.id)
        chapter.add_moment(TAKEN if now.captured else RETAKEN, now.side, now.id, _name(now))

    # --- facts that belong to no counter --------------------------------------------------------

    def _tells(self, chapter: Chapter, row: ShownRow) -> None:
        situation = self.campaign.situation
        for line in row.lines:
            if melee := MELEE.match(line.text):
                chapter.add_moment(
                    MELEES, None, melee[1], f"{melee[1]} ({count_text(int(melee[2]), 'round')})"
                )
            elif BANZAI.match(line.text):
                chapter.add_moment(NIGHT, None, "banzai", "the Japanese attempt a Banzai attack")
        changed = {str(name) for table, _, name, _, _ in row.changes if table == Situation.TABLE}
        if night_lines(row):
            passed = f"{chapter.date} passes without a scenario"
            words = "a Night scenario is played" if situation.date == chapter.date else passed
            chapter.add_moment(NIGHT, None, "scenario", words)
        if "massacre" in changed and situation.massacre and self.began:
            chapter.add_moment(DECIDED, None, "massacre", "Massacre is in effect")
        if "victor" in changed and situation.victor and situation.phase is Phase.OVER:
            words = f"the {situation.victor.plural} win the campaign"
            chapter.add_moment(DECIDED, None, "victor", words)
        if any(change[2] == "isolated" for change in row.changes):
            for side in SIDES:
                chapter.moments.pop((CUT_OFF, side), None)
            for hex, side in isolated_hexes(self.campaign):
                chapter.add_moment(CUT_OFF, side, hex, hex)

    # --- careers --------------------------------------------------------------------------------

    def _goes_on(self, date: str, row: ShownRow, was: Counter | None, now: Unit) -> None:
        found = self.careers.get(now.id)
        if found is None:
            found = self.careers[now.id] = Career(now.name or "", now.side, now.type, now.type)
            if was is None and row.rule == CREATES:
                found.events.append((date, "created"))
        found.last, found.fate = now.type, now.fate
        found.has_name = bool(now.name)
        found.name = (
            printed_text_and_name(now)[1] if now.name else f"{now.kind.label} {now.name_or_number}"
        )
        if isinstance(was, Unit):
            found.events += ((date, what) for what in _turns(was, now))


TOTALS = (Situation.TABLE, SideRecord.TABLE, Casualty.TABLE)


def _turns(was: Unit, now: Unit) -> Iterator[str]:
    """Yield the changes of a leader or hero between two moments, briefly."""
    if now.leader and now.type != was.type:
        yield f"now {now.type}"
    if now.has_trait("heroic") and not was.has_trait("heroic"):
        yield "heroic"
    for state, gained, lost in (
        ("wounded", "wounded", "recovered"),
        ("prisoner", "taken prisoner", "freed"),
    ):
        if now.has_status(state) and not was.has_status(state):
            yield gained
        elif was.has_status(state) and not now.has_status(state) and now.in_play:
            yield lost
    if now.fate in GONE and was.in_play:
        yield now.fate.value


def _is_mounted(counter: Counter) -> bool:
    return isinstance(counter, Weapon) and counter.kind is WeaponKind.VEHICULAR


def _is_gone(counter: Counter) -> bool:
    """Whether a counter is lost; a wreck counts as lost."""
    return counter.fate in GONE or (isinstance(counter, Vehicle) and counter.wreck)


def _is_reported(lost: Counter) -> bool:
    """Whether to report the loss of a counter that is worth no CVP: the loss of equipment is not
    reported."""
    return isinstance(lost, Unit) or (isinstance(lost, Vehicle) and not lost.captured)


def printed_text_and_name(counter: Counter) -> tuple[str, str]:
    """Return the text printed on a counter, and its other name: "9-1", "Hawkins"; "7-6-8",
    "squad"."""
    if not isinstance(counter, Unit):
        return counter.type_text, counter.name or ""
    if counter.leader and counter.name:
        return counter.type_text, counter.name
    return counter.type_text, " ".join(filter(None, (counter.kind.label, counter.name)))


def _name(counter: Counter) -> str:
    return " ".join(filter(None, printed_text_and_name(counter)))


def marine_hexes_gained_and_lost(
    chapter: Chapter, before: Chapter | None
) -> tuple[Set[str], Set[str]]:
    """Return the hexes that the Marines have gained since the previous date, and those lost."""
    held = chapter.area_hexes(Side.MARINE)
    former = before.area_hexes(Side.MARINE) if before is not None else set()
    return held - former, former - held
