"""The tables of the quick fight, from `campaigns/aids/fight.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from brt_cg.aids.sources import read_once
from brt_cg.card.reading import CardReading, Least
from brt_cg.questions.dice import Modifier

GROUNDS = ("open", "rough", "woods", "road")
NUMBERS = (
    *("deck_copies", "dead", "stun_recovery", "blast_inches", "officer_bonus", "scatter_die"),
    *("vehicle_crew_infantry", "off_board_cards", "off_board_drop", "arc"),
)


@dataclass(frozen=True, slots=True)
class FightPhase:
    """A phase of a turn: "A" (the first mover), "B" or "both" move, fire or melee."""

    who: str
    does: str


@dataclass(frozen=True, slots=True)
class Target:
    """A row of a fire table: a d10 below `below` hits. `cards` are drawn; without any, each figure
    rolls. With `only`, only these weapons can hit."""

    below: Annotated[int, Least(2)]
    cards: Annotated[int, Least(1)] = 0
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FightWeapon:
    """A weapon: its table, its range in inches (None: unlimited sight), its dice, its overlay."""

    fire: str
    range: Annotated[int | None, Least(1)]
    overlay: Annotated[int | None, Least(1)]
    rolls: Annotated[int, Least(1)] = 1


@dataclass(frozen=True, slots=True)
class PieceType:
    """A type of piece: its row as a target in each fire table, its move and its weapons."""

    kind: str
    move: str
    rows: Mapping[str, str]
    figures: Annotated[int, Least(0)]
    weapons: tuple[str, ...]

    @property
    def vehicle(self) -> bool:
        return self.kind == "vehicle"


@dataclass(frozen=True, slots=True)
class CardRow:
    """The effect of a rank on a vehicle; `turns` is None where it is permanent, or has no
    duration."""

    does: str
    turns: int | None
    text: str


@dataclass(frozen=True, slots=True)
class FightTables:
    """`fight.toml`. Moves are inches by unit and ground, `percent` shares of them."""

    phases: tuple[FightPhase, ...]
    moves: Mapping[str, Mapping[str, int]]
    percent: Mapping[str, int]
    spotting: Mapping[str, int]
    targets: Mapping[tuple[str, str], Target]
    modifiers: Mapping[str, tuple[tuple[str, ...], Modifier]]
    weapons: Mapping[str, FightWeapon]
    pieces: Mapping[str, PieceType]
    cards: Mapping[str, CardRow]
    numbers: Mapping[str, int]
    special: Mapping[int, str]


@read_once("fight")
def tables(reading: CardReading) -> FightTables:
    root = reading.root
    root.text("rule")
    moves = root.section("moves")
    percent, spotting = moves.section("percent"), root.section("spotting")
    numbers = root.section("numbers")
    return FightTables(
        phases=tuple(section.read(FightPhase) for section in root.sections("phases")),
        percent={key: percent.integer(key, low=1) for key in ("woods", "road", "crew")},
        moves={
            key: {ground: row.integer(ground, low=1) for ground in ("open", "rough")}
            for key, row in moves.named()
        },
        spotting={key: spotting.integer(key, low=0) for key in ("infantry", "vehicle")},
        targets={
            (row.text("fire"), row.text("target")): row.read(Target)
            for row in root.sections("targets")
        },
        modifiers={
            row.text("name"): (
                row.texts("fire", ["tank", "infantry"]),
                Modifier(row.integer("amount"), row.text("reason")),
            )
            for row in root.sections("modifiers")
        },
        weapons={key: row.read(FightWeapon) for key, row in root.section("weapons").named()},
        pieces={
            key: row.read(PieceType, rows={fire: row.text(fire) for fire in ("tank", "infantry")})
            for key, row in root.section("pieces").named()
        },
        cards={
            row.text("rank"): row.read(CardRow, turns=row.maybe_integer("turns", low=0) or None)
            for row in root.sections("cards")
        },
        numbers={key: numbers.integer(key, low=1) for key in NUMBERS},
        special={row.integer("number"): row.text("text") for row in root.sections("special")},
    )
