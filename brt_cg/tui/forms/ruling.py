"""A ruling that the players agree otherwise from now on."""

from textual.content import Content

from brt_cg.card.rulings import Ruling
from brt_cg.tui.forms.form import Form, FormField, Judged, Page, Typed
from brt_cg.tui.session import Session


class RulingForm(Form[None]):
    """Changes one ruling for this campaign."""

    def __init__(self, session: Session, ruling: Ruling, value: str) -> None:
        self.session, self.ruling, self.value = session, ruling, value

    def pages(self, typed: Typed) -> tuple[Page, ...]:
        field = ruling_field(self.ruling, self.value)
        title = f"Agree on {self.ruling.id}"
        return (Page(title, (field,), "agree on it", self.ruling.question),)

    async def judge(self, typed: Typed, page: int) -> Judged:
        agreed = self.ruling.check(typed[self.ruling.id])
        meaning = self.ruling.meaning(agreed)
        words = agreed if meaning == agreed else f"{agreed}: {meaning}."
        if agreed == self.value:
            return Judged(Content(f"{words}\nThat is in force already."))
        return Judged(Content(f"{words}\nFrom now on; what was decided before stands."))

    async def carry_out(self, typed: Typed) -> None:
        asked = {"id": self.ruling.id, "value": self.ruling.check(typed[self.ruling.id])}
        if asked["value"] != self.value:
            await self.session.perform(lambda desk: desk.command("ruling", asked))


def ruling_field(ruling: Ruling, value: str) -> FormField:
    """The field of a ruling: its values to turn over, and what is to be known of it."""
    about = (
        f"{ruling.rule}: {ruling.question}\ndefault {ruling.default}, from {ruling.provenance}; "
        f"how sure: {ruling.sure}"
    )
    choices = tuple((value, value) for value in ruling.values)
    return FormField(ruling.id, ruling.id, value, choices, about=about)
