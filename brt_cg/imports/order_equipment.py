"""Equipment and armor leaders that an order of battle lists separately from their possessors and
vehicles."""

from collections.abc import Sequence

from brt_cg.imports.order_line import ParsedOrderLine, Row
from brt_cg.model import Vehicle, Weapon, WeaponKind
from brt_cg.text import NotUnderstoodError


def assign_support_weapons_in_text(text: str, lines: Sequence[ParsedOrderLine]) -> tuple[str, int]:
    """Return the lines after giving the SW that are listed separately to squads of the same side,
    date and Wave, one to each in the order of the lines; and the number of SW given. SW left
    without a squad stay separate."""
    waiting = {line.number: [row["type"] for _, row in line.rows] for line in lines if _is_sw(line)}
    apart = [line for line in lines if line.number in waiting]
    written, given = text.splitlines(), 0
    for line in lines:
        taken: list[str] = []
        for other in apart:
            room = _squads_without(line) - len(taken) if _goes_with(other, line) else 0
            sw = waiting[other.number]
            taken += sw[: max(room, 0)]
            del sw[: max(room, 0)]
        if taken:
            before, hash, remark = written[line.number - 1].partition("#")
            held = f"{before.rstrip()}: {', '.join(taken)}"
            written[line.number - 1] = f"{held}  {hash}{remark}" if hash else held
            given += len(taken)
    for other in apart:
        sw = waiting[other.number]
        if len(sw) < len(other.rows):
            date = other.text[: len(other.text) - len(other.kinds)] if other.date else ""
            written[other.number - 1] = f"{date}{len(sw)} {sw[0]}" if sw else ""
    gone = {other.number for other in apart if not waiting[other.number]}
    kept = [each for number, each in enumerate(written, start=1) if number not in gone]
    return "\n".join(kept) if given else "", given


def _squads_without(line: ParsedOrderLine) -> int:
    """Return the number of squads in a line, if it lists one kind of squads without possessions."""
    squads = [row for table, row in line.rows if row.get("kind") == "squad"]
    others = [row for table, row in line.rows if table not in ("units", Vehicle.TABLE)]
    held = line.kinds if line.date else str(line.text)
    return 0 if others or ":" in held or ";" in held or "," in held else len(squads)


def _is_sw(line: ParsedOrderLine) -> bool:
    """Whether a line is about SW of one type that nobody possesses."""
    one_type = len({row["type"] for _, row in line.rows}) == 1
    return one_type and all(
        table == Weapon.TABLE and row.get("kind") == WeaponKind.SW and "possessor" not in row
        for table, row in line.rows
    )


def assign_armor_leaders(lines: Sequence[ParsedOrderLine]) -> None:
    """Put armor leaders that a line lists separately into the vehicles of the other lines of their
    side and date, if these have one type; otherwise note the problem at the line."""
    for line in lines:
        if not line.armor_leaders:
            continue
        free = [
            row
            for other in lines
            if _goes_with(other, line)
            for table, row in other.rows
            if table == Vehicle.TABLE and "armor_leader" not in row and not _is_transport(row)
        ]
        if len({row["type"] for row in free}) != 1 or len(free) < len(line.armor_leaders):
            first = line.armor_leaders[0]
            why = f"in which vehicle? Write {first} AL in M4A2, or 3 M4A2: {first} AL"
            line.wrong = NotUnderstoodError(line.text, why)
            continue
        for row, type_ in zip(free, line.armor_leaders, strict=False):
            row["armor_leader"] = type_


def _is_transport(row: Row) -> bool:
    return str(row["type"]).startswith(("LVT2", "LVT(A)2", "LCVP", "LCM", "Jeep"))


def _goes_with(one: ParsedOrderLine, other: ParsedOrderLine) -> bool:
    return (one.side, one.date, one.wave) == (other.side, other.date, other.wave)
