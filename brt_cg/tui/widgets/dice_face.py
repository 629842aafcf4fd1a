"""Dice, typed or still open, and their modifiers."""

from collections.abc import Sequence

from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from brt_cg.dice import Dice, Modifier
from brt_cg.figures import signed
from brt_cg.tui.fit import is_low

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


class DiceFaces(Widget):
    """The dice of a roll: question marks until a face is typed; the coloured one is filled in.

    Five lines high if there is room, else one line.
    """

    DEFAULT_CSS = "DiceFaces { height: auto; width: auto; }"
    dice = Dice.ONE
    faces: Sequence[int] = ()

    def show(self, dice: Dice, faces: Sequence[int] = ()) -> None:
        """Shows the faces typed so far."""
        self.dice, self.faces = dice, faces
        self.refresh(layout=True)

    @property
    def _shown(self) -> list[tuple[str, int]]:
        names = NAMES[self.dice]
        faces = [*self.faces, *(0 for _ in names)]
        return list(zip(names, faces, strict=False))

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return len(self._shown) * 11 - 1 if not is_low(self) else self._line().cell_length

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 1 if is_low(self) else 6

    def render(self) -> RenderResult:
        if is_low(self):
            return self._line()
        rows = [_box(face, filled=name == "coloured") for name, face in self._shown]
        lines = [Content("  ").join(parts) for parts in zip(*rows, strict=True)]
        names = Content("  ").join(Content.styled(f"{name:^9}", "dim") for name, _ in self._shown)
        return Content("\n").join([*lines, names])

    def _line(self) -> Content:
        parts = [
            Content.assemble((f" {face or '?'} ", "reverse bold"), (f" {name}", "dim"))
            for name, face in self._shown
        ]
        return Content("  ").join(parts)


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
        return Content.assemble(joined, ("  together ", "dim"), (signed(total), "bold"))
    reasons = [(modifier.amount, Content(modifier.reason)) for modifier in modifiers]
    if len(modifiers) > 1:
        reasons.append((total, Content.styled("together", "bold")))
    lines = [
        Content.assemble((f"{signed(amount):>{REASON - 2}}  ", "bold"), reason)
        for amount, reason in reasons
    ]
    lines.append(Content.styled(f"{'':{REASON}}Final = {dice} {_spaced(total)}", "dim"))
    return Content("\n").join(lines)


def _spaced(number: int) -> str:
    return f"{'−' if number < 0 else '+'} {abs(number)}"
