"""The form for a note: the players' own words in the journal."""

from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Problem, Refused
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed, counters_offered
from brt_cg.tui.session.session import Seat, Session

BOTH = ("", "both sides may read it")


class NoteForm(EntryForm[None]):
    """Writes a note, by default about the selected counter."""

    def __init__(self, session: Session, view: Campaign, seat: Seat, about: str) -> None:
        self.session, self.view, self.seat, self.about = session, view, seat, about

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        sides = [side for side in Side if self.seat in (None, side)]
        whose = [(side.value, f"the {side.label} side's secret") for side in sides]
        counters = counters_offered(self.view, self.view.counters())
        fields = (
            FormField("words", "Note", hint="your words", required=True),
            FormField("side", "For", choices=(BOTH, *whose)),
            FormField("about", "About", value=self.about, hint="a counter", offered=counters),
        )
        return (FormPage("A note in the journal", fields, "write it"),)

    async def carry_out(self, typed: Typed) -> None:
        about = typed["about"].strip()
        if about and self.view.find(about) is None:
            raise Refused(Problem("about", f'found "{about}"; allowed: the id of a counter'))
        asked = {"words": typed["words"], "side": typed["side"] or None, "about": about or None}
        by = self.seat.value if self.seat else "players"
        await self.session.perform(lambda desk: desk.command("note", asked, by))
