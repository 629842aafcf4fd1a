"""The tables of the quick fight, from `campaigns/aids/fight.toml`."""

from collections.abc import Mapping
from functools import cache

from brt_cg.aids.sources import read
from brt_cg.card.reading import Reading, Section
from brt_cg.dice import Modifier
from brt_cg.values import frozen

GROUNDS = ("open", "rough", "woods", "road")
NUMBERS = (
    *("deck_copies", "dead", "stun_recovery", "blast_inches", "officer_bonus", "scatter_die"),
    *("vehicle_crew_infantry", "off_board_cards", "off_board_drop", "arc"),
)


@frozen
class Phase:
    """A phase of a turn: "A" (who moves first in it), "B" or "both" move, fire or melee."""

    who: str
    does: str


@frozen
class Target:
    """A row of a fire table: a d10 below `below` hits. `cards` are pulled; without any, each figure
    rolls. `only` these weapons can hit."""

    below: int
    cards: int
    only: tuple[str, ...]


@frozen
class Weapon:
    """A weapon: its table, its range in inches (None: as far as it sees), its dice, its overlay."""

    fire: str
    range: int | None
    rolls: int
    overlay: int | None


@frozen
class PieceType:
    """What can be fielded: its row as a target of each fire table, its move and its weapons."""

    kind: str
    move: str
    rows: Mapping[str, str]
    figures: int
    weapons: tuple[str, ...]

    @property
    def vehicle(self) -> bool:
        return self.kind == "vehicle"


@frozen
class CardRow:
    """What a rank does to a vehicle; `turns` is None where that lasts, or is no matter of time."""

    does: str
    turns: int | None
    text: str


@frozen
class FightTables:
    """`fight.toml`. Moves are inches by unit and ground, `percent` shares of them."""

    phases: tuple[Phase, ...]
    moves: Mapping[str, Mapping[str, int]]
    percent: Mapping[str, int]
    spotting: Mapping[str, int]
    targets: Mapping[tuple[str, str], Target]
    modifiers: Mapping[str, tuple[tuple[str, ...], Modifier]]
    weapons: Mapping[str, Weapon]
    pieces: Mapping[str, PieceType]
    cards: Mapping[str, CardRow]
    numbers: Mapping[str, int]
    special: Mapping[int, str]


def _read(reading: Reading) -> FightTables:
    root = reading.root
    root.text("rule")
    moves = root.section("moves")
    percent, spotting, numbers = (
        moves.section("percent"),
        root.section("spotting"),
        root.section("numbers"),
    )
    return FightTables(
        phases=tuple(
            Phase(section.text("who"), section.text("does")) for section in root.sections("phases")
        ),
        percent={key: percent.integer(key, low=1) for key in ("woods", "road", "crew")},
        moves={
            key: {ground: row.integer(ground, low=1) for ground in ("open", "rough")}
            for key, row in moves.named()
        },
        spotting={key: spotting.integer(key, low=0) for key in ("infantry", "vehicle")},
        targets=dict(map(_target, root.sections("targets"))),
        modifiers={
            row.text("name"): (
                row.texts("fire", ["tank", "infantry"]),
                Modifier(row.integer("amount"), row.text("reason")),
            )
            for row in root.sections("modifiers")
        },
        weapons={key: _weapon(row) for key, row in root.section("weapons").named()},
        pieces={key: _piece(row) for key, row in root.section("pieces").named()},
        cards={
            row.text("rank"): CardRow(
                row.text("does"), row.maybe_integer("turns", low=0) or None, row.text("text")
            )
            for row in root.sections("cards")
        },
        numbers={key: numbers.integer(key, low=1) for key in NUMBERS},
        special={row.integer("number"): row.text("text") for row in root.sections("special")},
    )


def _target(row: Section) -> tuple[tuple[str, str], Target]:
    key = (row.text("fire"), row.text("target"))
    cards = row.maybe_integer("cards", low=1) or 0
    return key, Target(row.integer("below", low=2), cards, row.maybe_texts("only"))


def _weapon(row: Section) -> Weapon:
    rolls = row.maybe_integer("rolls", low=1) or 1
    reach, overlay = row.maybe_integer("range", low=1), row.maybe_integer("overlay", low=1)
    return Weapon(row.text("fire"), reach, rolls, overlay)


def _piece(row: Section) -> PieceType:
    return PieceType(
        kind=row.text("kind"),
        move=row.text("move"),
        rows={fire: row.text(fire) for fire in ("tank", "infantry")},
        figures=row.integer("figures", low=0),
        weapons=row.texts("weapons"),
    )


@cache
def tables() -> FightTables:
    """The tables of the quick fight."""
    return read("fight", _read)
