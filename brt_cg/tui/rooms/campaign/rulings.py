"""The rulings: the players' agreements on points that the rules leave open."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from textual.content import Content

from brt_cg.card import Ruling
from brt_cg.model import Phase
from brt_cg.tui.forms.ruling import RulingForm
from brt_cg.tui.look.columns import Column, Columns, columns, longest_width
from brt_cg.tui.look.lines import hang_text
from brt_cg.tui.rooms.campaign.page import PageRow, RowLink, explanation_rows, heading_row
from brt_cg.tui.session.session import CampaignSnapshot, Session

OPEN = Content.styled(
    "Not agreed on yet: you will be asked the first time it matters, unless you agree on it here.",
    "$warning",
)


TO_AGREE_ON = "To agree on  (? will be asked  • changed)"
WITH_RULES = 100  # cells of a row with room for the rule
MARK, GAP = 2, 2  # cells before and after a question


def ruling_rows(seen: CampaignSnapshot) -> Sequence[PageRow]:
    rulings = [each for each in seen.card.rulings.values() if each.has_choice]
    settled = [each for each in seen.card.rulings.values() if not each.has_choice]
    words = [ruling.value_text(seen.view.ruling_value(ruling.id)) for ruling in rulings]
    table = partial(_table, longest_width([*words, "Answer"]), longest_width(map(_rule, rulings)))
    return [
        PageRow(lambda width: heading_row(TO_AGREE_ON, table(width)).content_for_width(width)),
        *(_ruling_row(seen, ruling, table) for ruling in rulings),
        heading_row("Gaps in the text, read so for good"),
        *(
            PageRow(
                partial(_hanging, f"  {each.rule} {each.fixed_reading_text}"),
                each.id,
                f"{each.rule} read so · {each.id}",
                Content(f"{each.fixed_reading_text}\nFrom: {each.provenance}."),
                leads=_decided,
            )
            for each in settled
        ),
        *(
            PageRow(
                partial(_hanging, f"  {fixed.rule} {fixed.text}"),
                f"fixed {number}",
                f"{fixed.rule} read so",
                Content(fixed.text),
            )
            for number, fixed in enumerate(seen.card.fixed_completions)
        ),
    ]


def _hanging(words: str, width: int) -> Content:
    return hang_text(Content(words), width, 4)


def _rule(ruling: Ruling) -> str:
    return f"{ruling.rule} {ruling.id}"


def _table(answer: int, rule: int, width: int) -> Columns:
    """The columns in a width: the question has the space left by the others."""
    others = [Column(answer, "Answer")]
    others += [Column(rule, "Rule")] if width >= WITH_RULES else []
    return columns(width - columns(*others).width, *others)


def _ruling_row(seen: CampaignSnapshot, ruling: Ruling, table: Callable[[int], Columns]) -> PageRow:
    view = seen.view
    agree = "agree on it" if _is_open(seen, ruling) else "change it"
    now, is_agreed = view.ruling_value(ruling.id), view.is_ruling_agreed(ruling.id)
    return PageRow(
        lambda width: _ruling_content(seen, ruling, table(width)),
        ruling.id,
        f"{ruling.rule} · {ruling.id}",
        _details(seen, ruling),
        enter="" if view.situation.phase is Phase.OVER else agree,
        does=lambda app: app.show_form(RulingForm(app.session, ruling, now, is_agreed)),
        leads=_decided,
    )


async def _decided(session: Session, seen: CampaignSnapshot, id: str) -> Sequence[RowLink]:
    """The decisions by a ruling, one to a line, without the ruling's own name."""
    found = []
    for lead in await explanation_rows(session, seen, id):
        words = re.sub(rf" \({id}: [^)]*\)", "", str(lead.words))
        *heads, things = words.split(" · ", 2)
        lines = (" · ".join(heads), *(f"  {thing}" for thing in things.split("; ")))
        found += [RowLink(line, lead.entry) for line in lines]
    return found


def _is_open(seen: CampaignSnapshot, ruling: Ruling) -> bool:
    """Whether the players will be asked about a ruling when it first matters."""
    return ruling.is_asked_when_it_matters and not seen.view.is_ruling_agreed(ruling.id)


def _ruling_content(seen: CampaignSnapshot, ruling: Ruling, table: Columns) -> Content:
    value = seen.view.ruling_value(ruling.id)
    changed = value != ruling.default
    style = "bold $accent" if changed else ""
    mark = ("•", style) if changed else ("?", "$warning") if _is_open(seen, ruling) else " "
    room = table.columns[0].width - MARK - GAP
    first, *others = Content.styled(ruling.question, "bold" if changed else "").wrap(room)
    cells = (
        columns(MARK).row(mark, first),
        (ruling.value_text(value), style),
        (_rule(ruling), "dim"),
    )
    row = table.row(*cells[: len(table.columns)])
    return Content("\n" + " " * (MARK + GAP)).join([row, *others])


def _details(seen: CampaignSnapshot, ruling: Ruling) -> Content:
    value = seen.view.ruling_value(ruling.id)
    default = f"Default {ruling.value_text(ruling.default)}, from: {ruling.provenance}."
    sure = Content.styled(f"{default} Confidence: {ruling.sure}.", "dim")
    open = [OPEN] if _is_open(seen, ruling) else []
    question = Content.styled(ruling.question, "bold")
    return Content("\n").join([question, *_options(ruling, value), sure, *open])


def _options(ruling: Ruling, value: str) -> Iterator[Content]:
    """Yield each option in words, the current one marked; for a number, the allowed range."""
    for option in ruling.options:
        style = "bold $accent" if option == value else ""
        mark = "▸" if option == value else " "
        meaning = ruling.meaning(option)
        words = f": {meaning}" if meaning != option else ""
        yield Content.assemble((f"{mark} {ruling.value_text(option)}", style), words)
    if not ruling.options:
        yield Content.assemble(("▸ ", "bold $accent"), (value, "bold $accent"))
        yield Content.styled(f"allowed: {ruling.allowed_text}", "dim")
