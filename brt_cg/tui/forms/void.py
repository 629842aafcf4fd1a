"""The voiding of a purchase: the reason that its record keeps."""

from textual.content import Content

from brt_cg.purchases.listing import Listed
from brt_cg.tui import shop
from brt_cg.tui.forms.form import Form, FormField, Judged, Page, Typed
from brt_cg.tui.session import Session


class VoidForm(Form[None]):
    """Voids one purchase."""

    def __init__(self, session: Session, row: Listed) -> None:
        self.session, self.row, self.explains = session, row, row.id

    def pages(self, typed: Typed) -> tuple[Page, ...]:
        why = FormField("reason", "Why", hint="the record keeps it", required=True)
        title = f"Void {self.row.id}: {shop.record_name(self.row)}"
        return (Page(title, (why,), "void it"),)

    async def judge(self, typed: Typed, page: int) -> Judged:
        return Judged(
            Content(
                f"{self.row.total} {self.row.points.upper()} return; what it created goes, but for "
                "what was lost in play. The record stays, with the reason."
            )
        )

    async def carry_out(self, typed: Typed) -> None:
        side = self.row.side.value
        asked = {"purchase": self.row.id, "reason": typed["reason"].strip(), "side": side}
        await self.session.perform(lambda desk: desk.command("void", asked, side))
