"""The form for a ruling that the players agree on from now on, whether or not they change it."""

from textual.content import Content

from brt_cg.card import Ruling
from brt_cg.service import shown_actions
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed, Validation
from brt_cg.tui.session.session import Session


class RulingForm(EntryForm[None]):
    """The form that agrees on one ruling for this campaign; `is_agreed` says whether its value has
    been agreed on already."""

    def __init__(self, session: Session, ruling: Ruling, value: str, is_agreed: bool) -> None:
        self.session, self.ruling, self.value = session, ruling, value
        self.is_agreed, self.shown = is_agreed, session.current_snapshot.basis_of(ruling.id)

    @property
    def draft_name(self) -> str:
        return f"ruling {self.ruling.id}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        field = ruling_field(self.ruling, self.value)
        title = f"Agree on a ruling on {self.ruling.rule}"
        return (FormPage(title, (field,), "agree on it", self.ruling.question),)

    async def validate(self, typed: Typed, page: int) -> Validation:
        agreed = self.ruling.check_value(typed[self.ruling.id])
        words = f"{self.ruling.meaning(agreed)}."
        if agreed != self.value:
            effect = "Applies from now on; earlier decisions do not change."
        elif self.is_agreed or not self.ruling.is_asked_when_it_matters:
            effect = "This is the current ruling."
        else:
            effect = "If you agree on it as it is, you will not be asked about it later."
        return Validation(Content(f"{effect}\n{words}"))

    async def submit(self, typed: Typed) -> None:
        asked = {"id": self.ruling.id, "value": self.ruling.check_value(typed[self.ruling.id])}
        if asked["value"] != self.value or not self.is_agreed:
            await self.session.perform(
                lambda desk: shown_actions.run_shown_command(desk, self.shown, "ruling", asked)
            )


def ruling_field(ruling: Ruling, value: str) -> FormField:
    """Return the field of a ruling: its question, its values, and what the players should know
    about it."""
    about = (
        f"{ruling.question}\ndefault: {ruling.meaning(ruling.default)}; from: "
        f"{ruling.provenance}; confidence: {ruling.sure}; {ruling.rule}"
    )
    choices = tuple((value, ruling.short_value_text(value)) for value in ruling.values)
    return FormField(ruling.id, ruling.question, value, choices, about=about)
