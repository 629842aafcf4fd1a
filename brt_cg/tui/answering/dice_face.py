"""Dice, typed or still open, and their modifiers."""

from collections.abc import Sequence

from textual.content import Content

from brt_cg.questions.dice import Dice, Modifier
from brt_cg.text import signed

PIPS = {
    0: ("     ", "  ?  ", "     "),
    1: ("     ", "  ●  ", "     "),
    2: ("●    ", "     ", "    ●"),
    3: ("●    ", "  ●  ", "    ●"),
    4: ("●   ●", "     ", "●   ●"),
    5: ("●   ●", "  ●  ", "●   ●"),
    6: ("●   ●", "●   ●", "●   ●"),
}
REASON = 5  # the indent of a modifier's reason
NAMES = {Dice.ONE: ("die",), Dice.TWO: ("coloured", "white")}


def dice_content(dice: Dice, typed: Sequence[int], low: bool) -> Content:
    """The dice of a roll, with question marks for faces not typed yet; the coloured one is filled
    in. Six lines high, or one on a low screen."""
    names = NAMES[dice]
    faces = [*typed, *(0 for _ in names)][: len(names)]
    if low:
        parts = [
            Content.assemble((f" {face or '?'} ", "reverse bold"), (f" {name}", "dim"))
            for name, face in zip(names, faces, strict=True)
        ]
        return Content("  ").join(parts)
    boxes = [_box(face, name == "coloured") for name, face in zip(names, faces, strict=True)]
    below = [Content.styled(f"{name:^9}", "dim") for name in names]
    return Content("\n").join(Content("  ").join(row) for row in [*zip(*boxes, strict=True), below])


def _box(face: int, filled: bool) -> list[Content]:
    style = "$accent reverse" if filled else "$accent"
    return [
        Content.styled("╭───────╮", style),
        *(Content.styled(f"│ {pips} │", style) for pips in PIPS[face]),
        Content.styled("╰───────╯", style),
    ]


def modifiers_content(dice: Dice, modifiers: Sequence[Modifier], low: bool) -> Content:
    """Each modifier with its reason, and the sum; in one or two lines on a low screen."""
    total = sum(modifier.amount for modifier in modifiers)
    if not modifiers:
        return Content.styled("no modifiers: the Final is the Original", "dim")
    if low:
        parts = [
            Content.assemble(
                (signed(modifier.amount), "bold"), f"\N{NO-BREAK SPACE}{modifier.reason}"
            )
            for modifier in modifiers
        ]
        joined = Content(", ").join(parts)
        if len(parts) == 1:
            return joined
        return Content.assemble(joined, ("  total ", "dim"), (signed(total), "bold"))
    reasons = [(modifier.amount, Content(modifier.reason)) for modifier in modifiers]
    if len(modifiers) > 1:
        reasons.append((total, Content.styled("total", "bold")))
    lines = [
        Content.assemble((f"{signed(amount):>{REASON - 2}}  ", "bold"), reason)
        for amount, reason in reasons
    ]
    sign = "−" if total < 0 else "+"
    lines.append(Content.styled(f"{'':{REASON}}Final = {dice} {sign} {abs(total)}", "dim"))
    return Content("\n").join(lines)
