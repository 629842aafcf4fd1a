"""An order of battle as lines of text: the form, and its feedback while the lines are typed."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from textual.content import Content

from brt_cg.card import Card
from brt_cg.card.proof import proofreading_lines
from brt_cg.catalogue import Catalogue
from brt_cg.commands.drop import remove_counters_and_links
from brt_cg.imports.order_counters import counters_of_lines
from brt_cg.imports.order_equipment import assign_support_weapons_in_text
from brt_cg.imports.order_line import (
    ParsedOrderLine,
    apply_suggestions,
    refuse_lines_of_enemy,
    reinforce_inputs,
)
from brt_cg.imports.order_lines import parse_order_lines
from brt_cg.model import Campaign, Counter, Side
from brt_cg.purchases.breach import squad_equivalents_text
from brt_cg.questions import RefusedError
from brt_cg.service import shown_actions
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.text import count_text
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed, Validation
from brt_cg.tui.session.session import Session

LINES = "lines"
HOW = "A line for each kind of counter, as on the card: {} (arrives then)."
BOTH = "List Japanese counters after the line “Japanese:”. Anything missing can be added later."
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
    """The form that adds a side's counters, written as lines of text; a line "Japanese:" begins
    that side's counters.

    Given a `text`, it changes those lines; the counters and arrivals (ids) that they added are
    dropped in the same step.
    """

    def __init__(
        self, session: Session, side: Side, text: str = "", drops: Collection[str] = ()
    ) -> None:
        self.session, self.side, self.text, self.drops = session, side, text, [*drops]
        self.shown = session.current_snapshot.basis_of(*drops)

    @property
    def draft_name(self) -> str:
        return f"lines {self.side} {' '.join(self.drops)}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        title = f"{self.side.label} order of battle"
        enter = "change it" if self.drops else "add them"
        return (lines_page(self.side, title, enter, self.text),)

    async def validate(self, typed: Typed, page: int) -> Validation:
        seat = self.session.seat

        def judge(desk: CampaignReader) -> Validation:
            book, catalogue = desk.view(), desk.figures.catalogue
            campaign = self._without(book.campaign)
            lines = parse_order_lines(typed[LINES], self.side, campaign, book.card, catalogue)
            judged = validate_lines(lines, campaign, book.card, catalogue, seat)
            return with_offered_text_changes(judged, typed[LINES], lines)

        return await self.session.look_up(judge)

    def _without(self, campaign: Campaign) -> Campaign:
        """Return the campaign without the counters that are dropped."""
        if not self.drops:
            return campaign
        campaign = campaign.clone()
        remove_counters_and_links(campaign, filter(campaign.find, self.drops))
        for key in self.drops:
            campaign.arrivals.pop(key, None)
        return campaign

    async def submit(self, typed: Typed) -> None:
        def enter(desk: CampaignReader) -> None:
            book = desk.view()
            of = self._without(book.campaign), book.card, desk.figures.catalogue
            added = reinforce_inputs(parse_order_lines(typed[LINES], self.side, *of))
            dropped = [("drop", {"ids": self.drops})] if self.drops else []
            both = [*dropped, *(("reinforce", asked) for asked in added)]
            shown_actions.run_shown_commands(desk, self.shown, both)

        await self.session.perform(enter)


def lines_page(side: Side | None, title: str, enter: str, text: str = "") -> FormPage:
    """Return the page with the field for the lines of a side (None: of both sides)."""
    examples = EXAMPLES[side or Side.MARINE]
    field = FormField(LINES, title, text, hint=examples[0], lines=True)
    words = HOW.format(" · ".join(examples))
    return FormPage(title, (field,), enter, words if side else f"{words} {BOTH}")


def validate_lines(
    lines: Sequence[ParsedOrderLine],
    campaign: Campaign,
    card: Card,
    catalogue: Catalogue,
    seat: Side | None,
) -> Validation:
    """Return the parsed lines, or their problems, and all the counters that the lines would add to
    a campaign."""
    if not lines:
        return Validation()
    contents = {line.number: _line(line) for line in lines}
    wrong = [str(line.number) for line in lines if line.problems]
    if wrong:
        which = "Line" if len(wrong) == 1 else "Lines"
        words = f"{which} {', '.join(wrong)} not understood: nothing is stored until all are."
        return Validation(problems={"": words}, lines=contents)
    try:
        refuse_lines_of_enemy(lines, seat)
        total = _total(counters_of_lines(lines, campaign, card, catalogue), card)
    except RefusedError as refused:
        return Validation(problems={"": str(refused)}, lines=contents)
    aside = sum(line.aside for line in lines)
    total += f"\n– {count_text(aside, 'line')} ignored" if aside else ""
    return Validation(Content.styled(total, "bold"), lines=contents)


def with_offered_text_changes(
    judged: Validation, text: str, lines: Sequence[ParsedOrderLine]
) -> Validation:
    """Return the result of the check, with the changes to the text that keys offer."""
    return replace(
        judged,
        meant=apply_suggestions(text, lines),
        handed=assign_support_weapons_in_text(text, lines),
    )


def _line(line: ParsedOrderLine) -> Content:
    sign = ("✗", "bold $error") if line.problems else ("✓", "bold $success")
    sign = ("–", "dim") if line.aside else sign
    return Content.assemble((f"{line.number:>2} ", "dim"), sign, f" {line.meaning_or_problem_text}")


def _total(counters: Sequence[Counter], card: Card) -> str:
    """Return the total of each side's counters: "Marine: 31 counters, 24½ squad-equivalents, 97
    CVP"."""
    return "\n".join(_totals(counters, card))


def _totals(counters: Sequence[Counter], card: Card) -> Iterator[str]:
    for side in Side:
        mine = [each for each in counters if each.side is side]
        if mine:
            worth = proofreading_lines(mine, card)[-1]
            size = squad_equivalents_text(worth.squad_equivalents)
            yield f"{side.label}: {count_text(worth.count, 'counter')}, {size}, {worth.cvp} CVP"
