"""An order of battle by lines: the form, and what it shows of the lines while they are typed."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from textual.content import Content

from brt_cg.card import Card
from brt_cg.card.proof import proof
from brt_cg.catalogue import Catalogue
from brt_cg.commands.drop import take_out
from brt_cg.imports.order_lines import (
    Line,
    as_asked_back,
    asked_of,
    check_own,
    handed_out,
    read_lines,
    tried,
)
from brt_cg.model.campaign import Campaign
from brt_cg.model.counters import Counter, Side
from brt_cg.purchases.breach import squad_equivalents
from brt_cg.questions.answers import Refused
from brt_cg.service.desk import Desk
from brt_cg.text import counted
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Judged, Typed
from brt_cg.tui.session.session import Session

LINES = "lines"
HOW = "A line for each kind of counter, as the card has it: {} (arrives then)."
BOTH = "After a line “Japanese:” come the Japanese ones. What you lack can be added later."
EXAMPLES = {
    Side.MARINE: (
        *("4 x 6-6-8", "9-1 Crowe", "2 HMG", "3 M4A2", "3 x 7-6-8 engineers: DC, DC, FT"),
        "20 PM: 3 x 6-6-8 in LVT2",
    ),
    Side.JAPANESE: (
        *("4 x 4-4-7", "10-1 Inoue", "2 LMG", "2 x 2-2-8 crew: HMG, 37L AT"),
        "3 x 4-4-8 engineers: DC, FT, DC",
        "20 NT: 3 x 4-4-8",
    ),
}


class OrderLinesForm(EntryForm[None]):
    """Adds the counters of a side by lines; a line "Japanese:" is the head of the other side's.

    With a `text`, changes those lines: the counters and arrivals that they stand for (ids) are
    dropped in the same go.
    """

    def __init__(
        self, session: Session, side: Side, text: str = "", drops: Collection[str] = ()
    ) -> None:
        self.session, self.side, self.text, self.drops = session, side, text, [*drops]

    @property
    def kept_as(self) -> str:
        return f"lines {self.side} {' '.join(self.drops)}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        title = f"{self.side.label} order of battle"
        enter = "change it" if self.drops else "add them"
        return (lines_page(self.side, title, enter, self.text),)

    async def judge(self, typed: Typed, page: int) -> Judged:
        seat = self.session.seat

        def judge(desk: Desk) -> Judged:
            book, catalogue = desk.book(), desk.figures.catalogue
            campaign = self._without(book.campaign)
            lines = read_lines(typed[LINES], self.side, campaign, book.card, catalogue)
            judged = understood(lines, campaign, book.card, catalogue, seat)
            return with_offers(judged, typed[LINES], lines)

        return await self.session.consult(judge)

    def _without(self, campaign: Campaign) -> Campaign:
        """The campaign without the counters that are dropped."""
        if not self.drops:
            return campaign
        campaign = campaign.clone()
        take_out(campaign, filter(campaign.find, self.drops))
        for key in self.drops:
            campaign.arrivals.pop(key, None)
        return campaign

    async def carry_out(self, typed: Typed) -> None:
        def enter(desk: Desk) -> None:
            book = desk.book()
            of = self._without(book.campaign), book.card, desk.figures.catalogue
            added = asked_of(read_lines(typed[LINES], self.side, *of))
            dropped = [("drop", {"ids": self.drops})] if self.drops else []
            desk.at_once([*dropped, *(("reinforce", asked) for asked in added)])

        await self.session.perform(enter)


def lines_page(side: Side | None, title: str, enter: str, text: str = "") -> FormPage:
    """The page with the field for the lines of a side; None: of both."""
    examples = EXAMPLES[side or Side.MARINE]
    field = FormField(LINES, title, text, hint=examples[0], lines=True)
    words = HOW.format(" · ".join(examples))
    return FormPage(title, (field,), enter, words if side else f"{words} {BOTH}")


def understood(
    lines: Sequence[Line], campaign: Campaign, card: Card, catalogue: Catalogue, seat: Side | None
) -> Judged:
    """The lines as understood, or why not, and what they would add together to a campaign."""
    if not lines:
        return Judged()
    contents = {line.number: _line(line) for line in lines}
    wrong = [str(line.number) for line in lines if line.problems]
    if wrong:
        which = "Line" if len(wrong) == 1 else "Lines"
        words = f"{which} {', '.join(wrong)} not understood: nothing is stored until all are."
        return Judged(problems={"": words}, lines=contents)
    try:
        check_own(lines, seat)
        total = _total(tried(lines, campaign, card, catalogue), card)
    except Refused as refused:
        return Judged(problems={"": str(refused)}, lines=contents)
    aside = sum(line.aside for line in lines)
    total += f"\n– {counted(aside, 'line')} set aside" if aside else ""
    return Judged(Content.styled(total, "bold"), lines=contents)


def with_offers(judged: Judged, text: str, lines: Sequence[Line]) -> Judged:
    """What was judged, with what the keys can make of the text."""
    return replace(judged, meant=as_asked_back(text, lines), handed=handed_out(text, lines))


def _line(line: Line) -> Content:
    sign = ("✗", "bold $error") if line.problems else ("✓", "bold $success")
    sign = ("–", "dim") if line.aside else sign
    return Content.assemble((f"{line.number:>2} ", "dim"), sign, f" {line.words}")


def _total(counters: Sequence[Counter], card: Card) -> str:
    """The counters of each side together: "Marine: 31 counters, 24½ squad-equivalents, 97 CVP"."""
    return "\n".join(_totals(counters, card))


def _totals(counters: Sequence[Counter], card: Card) -> Iterator[str]:
    for side in Side:
        mine = [each for each in counters if each.side is side]
        if mine:
            worth = proof(mine, card)[-1]
            size = squad_equivalents(worth.squad_equivalents)
            yield f"{side.label}: {counted(worth.count, 'counter')}, {size}, {worth.cvp} CVP"
