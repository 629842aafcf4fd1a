"""Import and reinforcement: what a state would change, before it is taken in."""

from typing import TYPE_CHECKING, Any

from textual.content import Content

from brt_cg.counters import Side
from brt_cg.records import Phase
from brt_cg.tui.forms.form import Form, FormField, Judged, Page, Typed
from brt_cg.tui.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from brt_cg.commands.difference import Line
    from brt_cg.desk import Desk

VERBS = {"import": "Import", "reinforce": "Reinforce from"}
FATES = (("eliminated", "eliminated"), ("keep", "still in play"))


class TakeInForm(Form[None]):
    """Shows the difference that a state makes, and takes it in. Made by `preview`."""

    def __init__(
        self, session: Session, name: str, kind: str, asked: dict[str, Any], lines: "list[Line]"
    ) -> None:
        self.session, self.kind, self.asked, self.lines = session, kind, asked, lines
        side = asked.get("side")
        whose = f", {Side(side).label} side only" if side else ""
        self.title = f"{VERBS[kind]} {name}{whose}"
        missing = sum(line.what == "missing" for line in lines)
        are = "The missing one is" if missing == 1 else f"The {missing} missing are"
        fates = FormField("missing", are, FATES[0][0], FATES)
        self.fields = (fates,) if missing else ()

    def pages(self, typed: Typed) -> tuple[Page, ...]:
        return (Page(self.title, self.fields, "take it in"),)

    async def judge(self, typed: Typed, page: int) -> Judged:
        return Judged(Content("\n".join(map(str, self.lines)) or "Nothing would change."))

    async def carry_out(self, typed: Typed) -> None:
        asked = self.asked | ({"missing": typed["missing"]} if self.fields else {})
        await self.session.perform(lambda desk: desk.command(self.kind, asked))


def preview(
    desk: "Desk", path: "Path", side: str | None
) -> "tuple[str, dict[str, Any], list[Line]]":
    """The command that a file is for, what it is asked, and what would come of it."""
    from brt_cg.commands.difference import difference, reinforcement
    from brt_cg.imports.state_file import read_state, source_of, told_by_cell

    place = path.parent if path.suffix.lower() == ".csv" else path
    found = read_state(place)
    asked: dict[str, Any] = {"state": found, "source": source_of(place)}
    ended = desk.campaign.situation.phase is Phase.SCENARIO
    if isinstance(found, dict) and "scenario" not in found and not ended:
        seat = Side(side) if side else None
        with told_by_cell(place):
            return "reinforce", asked, reinforcement(desk.campaign, asked, desk.card, seat)
    asked |= {"missing": None, "side": side}
    with told_by_cell(place):
        return "import", asked, difference(desk.campaign, asked, desk.card)
