"""The state of a quick fight (its pieces, the turn, the deck), its allowed actions, and its tables,
from `campaigns/aids/fight.toml`.

Players measure on their own table and enter the measurements; the fight keeps lasting facts.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from brt_cg.aids.sources import cached_aid_reader
from brt_cg.card import CardReading, Minimum
from brt_cg.immutable import immutable
from brt_cg.model import Side
from brt_cg.questions import Modifier, RefusedError
from brt_cg.text import count_text, list_text

GROUNDS = ("open", "rough", "woods", "road")
NUMBERS = (
    *("deck_copies", "dead", "stun_recovery", "blast_inches", "officer_bonus", "scatter_die"),
    *("vehicle_crew_infantry", "off_board_cards", "off_board_drop", "arc"),
)


@immutable
class FightPhase:
    """A phase of a turn: "A" (the first mover), "B" or "both" may move, fire or melee."""

    who: str
    does: str


@immutable
class TargetRow:
    """A row of a fire table: a d10 roll lower than `below` hits. Then `cards` are drawn; if there
    are none, each figure rolls. With `only`, only these weapons can hit."""

    below: Annotated[int, Minimum(2)]
    cards: Annotated[int, Minimum(1)] = 0
    only: tuple[str, ...] = ()


@immutable
class FightWeapon:
    """A weapon: its table, its range in inches (None: unlimited sight), its dice, its overlay."""

    fire: str
    range: Annotated[int | None, Minimum(1)]
    overlay: Annotated[int | None, Minimum(1)]
    rolls: Annotated[int, Minimum(1)] = 1


@immutable
class PieceType:
    """A type of piece: its row as a target in each fire table, its move and its weapons."""

    kind: str
    move: str
    rows: Mapping[str, str]
    figures: Annotated[int, Minimum(0)]
    weapons: tuple[str, ...]

    @property
    def is_vehicle(self) -> bool:
        return self.kind == "vehicle"


@immutable
class CardRow:
    """The effect of a card of this rank on a vehicle; `turns` is None if it is permanent or has no
    duration."""

    does: str
    turns: int | None
    text: str


@immutable
class FightTables:
    """`fight.toml`. Moves are inches by unit and ground, `percent` shares of them."""

    phases: tuple[FightPhase, ...]
    moves: Mapping[str, Mapping[str, int]]
    percent: Mapping[str, int]
    spotting: Mapping[str, int]
    targets: Mapping[tuple[str, str], TargetRow]
    modifiers: Mapping[str, tuple[tuple[str, ...], Modifier]]
    weapons: Mapping[str, FightWeapon]
    pieces: Mapping[str, PieceType]
    cards: Mapping[str, CardRow]
    numbers: Mapping[str, int]
    special: Mapping[int, str]


@cached_aid_reader("fight")
def read_fight_tables(reading: CardReading) -> FightTables:
    root = reading.root
    root.text("rule")
    moves = root.section("moves")
    percent, spotting = moves.section("percent"), root.section("spotting")
    numbers = root.section("numbers")
    return FightTables(
        phases=tuple(section.read_fields(FightPhase) for section in root.sections("phases")),
        percent={key: percent.integer(key, low=1) for key in ("woods", "road", "crew")},
        moves={
            key: {ground: row.integer(ground, low=1) for ground in ("open", "rough")}
            for key, row in moves.remaining_sections()
        },
        spotting={key: spotting.integer(key, low=0) for key in ("infantry", "vehicle")},
        targets={
            (row.text("fire"), row.text("target")): row.read_fields(TargetRow)
            for row in root.sections("targets")
        },
        modifiers={
            row.text("name"): (
                row.texts("fire", ["tank", "infantry"]),
                Modifier(row.integer("amount"), row.text("reason")),
            )
            for row in root.sections("modifiers")
        },
        weapons={
            key: row.read_fields(FightWeapon)
            for key, row in root.section("weapons").remaining_sections()
        },
        pieces={
            key: row.read_fields(
                PieceType, rows={fire: row.text(fire) for fire in ("tank", "infantry")}
            )
            for key, row in root.section("pieces").remaining_sections()
        },
        cards={
            row.text("rank"): row.read_fields(
                CardRow, turns=row.optional_integer("turns", low=0) or None
            )
            for row in root.sections("cards")
        },
        numbers={key: numbers.integer(key, low=1) for key in NUMBERS},
        special={row.integer("number"): row.text("text") for row in root.sections("special")},
    )


# --- the fight ------------------------------------------------------------------------------------


RULE = "Quick fight"
REST = 0  # an effect without an end


@dataclass(slots=True, kw_only=True)
class FightPiece:
    """A figure, a crew with its weapon, or a vehicle.

    `fired_in` is the turn in which it fired last, if that keeps it spotted (R-FIGHT-FIRED).
    `effects` last up to a turn (REST: for good). `lost` is the way in which it was lost: "killed",
    "destroyed", "crewing" another; "crew killed" leaves a vehicle or weapon on the table.
    """

    id: str
    side: str
    type: str
    figures: int
    concealed: bool = False
    moved: bool = False
    fired: bool = False
    fired_now: bool = False
    fired_in: int = 0
    effects: dict[str, int] = field(default_factory=dict)
    lost: str | None = None

    @property
    def piece_type(self) -> PieceType:
        return read_fight_tables().pieces[self.type]

    @property
    def in_play(self) -> bool:
        return self.lost is None

    def state_text(self) -> str:
        """Return the piece's state in a few words."""
        flags = [name for name in ("concealed", "moved", "fired") if getattr(self, name)]
        lasting = [
            f"{name.replace('_', ' ')} {f'to turn {turn}' if turn else 'for good'}"
            for name, turn in self.effects.items()
        ]
        figures = [f"{self.figures} figures"] if self.figures > 1 else []
        return ", ".join([self.lost] if self.lost else [*figures, *flags, *lasting]) or "ready"


@dataclass(slots=True, kw_only=True)
class FightState:
    """The whole fight. `deck` is the rest of the 52 cards. `calls` lists the artillery calls: the
    caller, the target, and the turn and phase. A `free` fight has no turns and phases."""

    first: str
    rulings: dict[str, str]
    pieces: dict[str, FightPiece]
    turn: int = 1
    phase: int = 0
    deck: list[str] = field(default_factory=lambda: new_deck())
    calls: dict[str, list[int]] = field(default_factory=dict)
    free: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the fight as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> "FightState":
        """Return a fight from JSON. Raises TypeError or KeyError if the JSON is not a fight."""
        pieces = {id: FightPiece(**piece) for id, piece in plain["pieces"].items()}
        if any(piece.type not in read_fight_tables().pieces for piece in pieces.values()):
            raise KeyError("there is no such type of piece")
        return cls(**{**plain, "pieces": pieces})

    @property
    def current_phase(self) -> FightPhase:
        return read_fight_tables().phases[self.phase]

    @property
    def acting_sides(self) -> tuple[str, ...]:
        """The sides whose phase it is."""
        other = str(Side(self.first).enemy)
        return {"A": (self.first,), "B": (other,), "both": (self.first, other)}[
            self.current_phase.who
        ]

    def turn_text(self) -> str:
        """Return the current turn and phase: "turn 2: Japanese fire"."""
        sides = " and ".join(Side(side).label for side in self.acting_sides)
        return f"turn {self.turn}: {sides} {self.current_phase.does}"

    def describe_state(self) -> Iterator[str]:
        """Yield the current turn and phase, and the state of each piece."""
        yield self.turn_text()
        yield from (f"  {piece.id} · {piece.state_text()}" for piece in self.pieces.values())

    @property
    def fired_pieces_stay_spotted(self) -> bool:
        """Whether a piece that fired stays spotted to the end of the turn (R-FIGHT-FIRED); false
        for a fight that began before this ruling existed."""
        return self.rulings.get("R-FIGHT-FIRED") == "turn"

    # --- the allowed actions --------------------------------------------------------------------

    def usable_piece(self, id: str, does: str | None = None) -> FightPiece:
        """Return a piece in play that may carry out the action `does` now. Raises RefusedError for
        any other."""
        found = self.pieces.get(id)
        if found is None or not found.in_play:
            known = ", ".join(piece.id for piece in self.pieces.values() if piece.in_play)
            state = found.state_text() if found else "not in this fight"
            raise RefusedError(f"{id}: {state}; enter {known}")
        if (
            does
            and not self.free
            and (self.current_phase.does != does or found.side not in self.acting_sides)
        ):
            raise RefusedError(
                f"{id} cannot {does} now ({self.turn_text()}); enter “next” to begin the next phase"
            )
        return found

    def refuse_affected_piece(self, piece: FightPiece, *effects: str) -> None:
        """Raise RefusedError if the piece has one of these effects."""
        for name in effects:
            if name in piece.effects:
                raise RefusedError(f"{piece.id}: {piece.state_text()} ({RULE}, Card Results)")

    def move_allowance(self, piece: FightPiece, ground: str, reverse: bool) -> float:
        """Return a piece's move over a ground, in inches."""
        data = read_fight_tables()
        row = data.moves[
            "reverse" if reverse and piece.piece_type.is_vehicle else piece.piece_type.move
        ]
        inches: float
        if ground in row:
            inches = row[ground]
        else:
            of = self.rulings[f"R-FIGHT-{ground.upper()}"]
            inches = row[of] * data.percent[ground] / 100
        return inches * data.percent["crew"] / 100 if piece.piece_type.kind == "crew" else inches

    def move_share_used(
        self, piece: FightPiece, legs: Iterable[tuple[float, str]], reverse: bool
    ) -> float:
        """Return the share of its move that these legs use up. Raises RefusedError for an illegal
        move."""
        self.refuse_affected_piece(
            piece, "no_move", "stunned", "forward_only" if reverse else "reverse_only"
        )
        if piece.moved and not self.free:
            raise RefusedError(f"{piece.id} has already moved this turn")
        used = 0.0
        for inches, ground in legs:
            if ground not in GROUNDS:
                raise RefusedError(f"unknown ground {ground}; enter {list_text(GROUNDS)}")
            used += inches / self.move_allowance(piece, ground, reverse)
        if used > 1.0001:
            most = ", ".join(f"{g} {self.move_allowance(piece, g, reverse):g}" for g in GROUNDS)
            raise RefusedError(
                f"{piece.id} cannot move that far ({RULE}, Movement); at most, in inches: {most}"
            )
        return used

    def check_fire(self, piece: FightPiece, weapon: str, times: int) -> None:
        """Raise RefusedError if the piece may not fire that weapon now, or that often."""
        data = read_fight_tables()
        self.refuse_affected_piece(piece, "no_fire", "stunned")
        if weapon not in piece.piece_type.weapons:
            allowed = ", ".join(piece.piece_type.weapons) or "none"
            raise RefusedError(
                f"{piece.id} has no {weapon}; enter {allowed} ({RULE}, rules 5 and 6)"
            )
        if piece.fired_now:
            raise RefusedError(f"{piece.id} has already fired this phase")
        if piece.piece_type.kind == "crew" and piece.moved and weapon != "grenade":
            raise RefusedError(f"{piece.id} has moved, so it may not fire ({RULE}, rule 3)")
        if weapon != "machinegun" and times > data.weapons[weapon].rolls:
            most = count_text(data.weapons[weapon].rolls, "roll")
            raise RefusedError(f"enter at most {most} for {weapon}, not {times}")

    def check_target(self, target: FightPiece, weapon: str, inches: float | None) -> None:
        """Raise RefusedError for a target that is out of range or not spotted."""
        reach = read_fight_tables().weapons[weapon].range
        hidden = target.concealed and not target.moved and not target.fired
        if inches is None and (reach is not None or hidden):
            raise RefusedError(f"how far is {target.id}? add range=N, in inches")
        if inches is not None and reach is not None and inches > reach:
            raise RefusedError(f"{target.id}: {inches:g} inches; a {weapon} reaches {reach}")
        kind = "infantry" if target.piece_type.kind == "infantry" else self.rulings["R-FIGHT-SPOT"]
        near = read_fight_tables().spotting["vehicle" if target.piece_type.is_vehicle else kind]
        if inches is not None and hidden and inches > near:
            raise RefusedError(
                f"{target.id} is not spotted beyond {near} inches ({RULE}, Spotting)"
            )

    def last_turn_of_effect(self, turns: int | None) -> int:
        """Return the last turn of an effect that begins now and lasts that many turns."""
        if turns is None:
            return REST
        return self.turn + turns - (1 if self.rulings["R-FIGHT-TURNS"] == "this" else 0)


def new_deck() -> list[str]:
    """Return the ranks of a deck of 52 cards."""
    return [
        rank
        for rank in read_fight_tables().cards
        for _ in range(read_fight_tables().numbers["deck_copies"])
    ]


def create_pieces(words: Iterable[str]) -> dict[str, FightPiece]:
    """Create pieces, by id, from words like "marine:rifle*6" or "japanese:gun,concealed". Raises
    RefusedError with everything that is wrong."""
    pieces: dict[str, FightPiece] = {}
    problems: list[str] = []
    for word in words:
        named, _, flag = word.partition(",")
        side, _, what = named.partition(":")
        type_, _, many = what.partition("*")
        if (
            side not in list(Side)
            or type_ not in read_fight_tables().pieces
            or flag not in ("", "concealed")
        ):
            allowed = (
                f"{'|'.join(Side)}:TYPE[*N][,concealed]; types: "
                f"{', '.join(read_fight_tables().pieces)}"
            )
            problems.append(f"{word} is not accepted; enter {allowed}")
        elif many and many not in map(str, range(1, 100)):
            problems.append(f"{word!r}: {many} is not accepted; enter 1 to 99")
        else:
            for _ in range(int(many or 1)):
                start = f"{side[0]}-{type_}-"
                id = f"{start}{1 + sum(id_.startswith(start) for id_ in pieces)}"
                figures = read_fight_tables().pieces[type_].figures
                pieces[id] = FightPiece(
                    id=id, side=side, type=type_, figures=figures, concealed=bool(flag)
                )
    if problems or not pieces:
        raise RefusedError("\n".join(problems) or "name the pieces: marine:rifle*6 japanese:tank")
    return pieces
