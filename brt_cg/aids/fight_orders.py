"""The tools of an order in a quick fight: the fight, the players' words, dice and cards."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from brt_cg.aids.asking import Draw
from brt_cg.aids.fight import RULE, Fight, FightPiece
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Choose, Enter, Option
from brt_cg.text import none_of

D10 = tuple(str(face) for face in range(1, 11))
D6 = D10[:6]
FACINGS = ("front", "side", "rear")
VALUED = ("range", "weapon")
FLAGS = (*FACINGS, "cover", "heavier", "lighter", "flank", "reverse")


@dataclass(slots=True)
class Order:
    """One order being carried out on a fight, which it changes; `lines` are for the
    players."""

    fight: Fight
    lines: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.lines.append(text)

    async def lot(self, piece: FightPiece, faces: Sequence[str], prompt: str, part: str) -> str:
        """Draws one of these faces."""
        side = Side(piece.side)
        rule = f"{RULE}, {part}"
        return await Draw(rule=rule, subject=piece.id, side=side, prompt=prompt, faces=tuple(faces))

    async def die(self, piece: FightPiece, prompt: str, part: str) -> int:
        """Rolls the die that R-FIGHT-DIE names."""
        faces = D6 if self.fight.rulings["R-FIGHT-DIE"] == "d6" else D10
        return int(await self.lot(piece, faces, f"{prompt} (d{len(faces)})", part))

    async def facing(self, by: FightPiece, target: FightPiece, part: str) -> str:
        """Asks which armor of a tank is hit, as the players see it on the table."""
        return await Choose(
            rule=f"{RULE}, {part}",
            subject=target.id,
            side=Side(by.side),
            prompt=f"which armor of {target.id} is hit?",
            options=tuple(Option(facing, facing, facing) for facing in FACINGS),
            default="side",
        )

    async def pieces(
        self, by: FightPiece, default: str, prompt: str, part: str
    ) -> list[FightPiece]:
        """Asks for pieces; there may be none."""

        def read(raw: object) -> list[FightPiece]:
            ids = [] if raw in (None, "", "none") else str(raw).split(",")
            return [self.fight.piece(id) for id in dict.fromkeys(ids)]

        return await Enter(
            rule=f"{RULE}, {part}",
            subject=by.id,
            side=Side(by.side),
            prompt=prompt,
            reader=read,
            hint="ids with commas between, or none",
            default=default,
        )


@dataclass(frozen=True, slots=True)
class Words:
    """The words of an order after its verb: ids (and numbers), and options by name."""

    ids: tuple[str, ...]
    options: dict[str, str]

    @classmethod
    def of(cls, words: Sequence[str]) -> "Words":
        """Parses the typed words. Raises Refused for an unknown option."""
        ids: list[str] = []
        options: dict[str, str] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if word in FLAGS or (name in VALUED and value):
                options[name] = value or "1"
            elif equals and "," not in word:
                raise unknown_option(word)
            else:
                ids.append(word)
        return cls(tuple(ids), options)

    def target(self, id: str) -> "Words":
        """One target, with its own options in addition to those for all."""
        name, *own = id.split(",")
        unknown = [word for word in own if "=" not in word and word not in FLAGS]
        if unknown:
            raise unknown_option(unknown[0])
        return Words((name,), {**self.options, **Words.of(own).options})

    @property
    def inches(self) -> float | None:
        return None if "range" not in self.options else inches_of(self.options["range"])


def unknown_option(word: str) -> Refused:
    """The refusal of a word that is no option of an order."""
    known = (*FLAGS, *(f"{name}=…" for name in VALUED))
    return Refused(none_of(known, word, f"unknown option {word}"))


def inches_of(text: str) -> float:
    """Inches as players write them: "6", "1/2", "4.5". Raises Refused."""
    try:
        found = float(Fraction(text))
    except (ValueError, ZeroDivisionError):
        found = -1.0
    if not 0 <= found <= 1000:
        raise Refused(f"found {text}; allowed: inches from 0 to 1000")
    return found


def enemy(fight: Fight, piece: FightPiece, id: str) -> FightPiece:
    """A piece in play of the other side. Raises Refused."""
    target = fight.piece(id)
    if target.side == piece.side:
        raise Refused(f"{id} is on the same side")
    return target
