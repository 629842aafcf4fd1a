"""The rulings: the players' agreements on points that the rules leave open."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import zip_longest

from textual.content import Content

from brt_cg.card import Ruling
from brt_cg.model import Phase
from brt_cg.tui.forms.ruling import RulingForm
from brt_cg.tui.lists.log import text_in_words
from brt_cg.tui.lists.search import group_by
from brt_cg.tui.look.columns import Column, Columns, column_width_for, columns
from brt_cg.tui.look.lines import hang_text
from brt_cg.tui.rooms.campaign.page import PageRow, RowLink, heading_row, journal_rows_explaining
from brt_cg.tui.session.session import CampaignSnapshot, Session

OPEN = Content.styled(
    "Not agreed on yet: you will be asked the first time it matters, unless you agree on it here.",
    "$warning",
)


FROM_THE_START, WHEN_IT_COMES_UP = "Matter from the start", "Asked when they come up"
RARELY = "Rarely matter"
SIGNS = "  ? open  • changed"
WITH_RULES = 100  # cells of a row with room for the rule
MARK, GAP = 2, 2  # cells before and after a question
MOST_LINES = 2  # of an answer beside its question


def ruling_rows(seen: CampaignSnapshot) -> Sequence[PageRow]:
    rulings = [each for each in seen.card.rulings.values() if each.has_choice]
    settled = [each for each in seen.card.rulings.values() if not each.has_choice]
    table = partial(_table, column_width_for(ruling.rule for ruling in rulings))
    groups = group_by(rulings, _group)
    return [
        *(
            row
            for name in (FROM_THE_START, WHEN_IT_COMES_UP, RARELY)
            for row in _group_rows(seen, name, groups.get(name, []), table)
        ),
        heading_row("Gaps in the rules that the program fills in one fixed way"),
        *(
            PageRow(
                partial(_hanging, f"  {each.rule} {text_in_words(each.fixed_reading_text)}"),
                each.id,
                f"{each.rule} as the program reads it",
                Content(f"{each.fixed_reading_text}\nFrom: {each.provenance}."),
                leads=_decided,
            )
            for each in settled
        ),
        *(
            PageRow(
                partial(_hanging, f"  {fixed.rule} {text_in_words(fixed.text)}"),
                f"fixed {number}",
                f"{fixed.rule} as the program reads it",
                Content(fixed.text),
            )
            for number, fixed in enumerate(seen.card.fixed_completions)
        ),
    ]


def _group(ruling: Ruling) -> str:
    """Return the heading of a ruling, by the time when the players should agree on it."""
    if ruling.needs_agreement_beforehand:
        return FROM_THE_START
    return WHEN_IT_COMES_UP if ruling.is_asked_when_it_matters else RARELY


def _group_rows(
    seen: CampaignSnapshot,
    name: str,
    rulings: Sequence[Ruling],
    table: Callable[[int], Columns],
) -> Iterator[PageRow]:
    """Yield the rulings of a group below its heading."""
    if rulings:
        heading = f"{name}{SIGNS}" if name == FROM_THE_START else f"{name}: {len(rulings)}"
        yield PageRow(lambda width: heading_row(heading, table(width)).content_for_width(width))
    yield from (_ruling_row(seen, ruling, table) for ruling in rulings)


def _hanging(words: str, width: int) -> Content:
    return hang_text(Content(words), width, 4)


def _table(rule: int, width: int) -> Columns:
    """Return the columns for a width; the question is a little wider than the answer."""
    others = [Column(rule, "Rule")] if width >= WITH_RULES else []
    rest = width - columns(*others).width
    question = rest * 4 // 7
    return columns(question, Column(rest - question, "Answer"), *others)


def _ruling_row(seen: CampaignSnapshot, ruling: Ruling, table: Callable[[int], Columns]) -> PageRow:
    view = seen.view
    agree = "agree on it" if _is_open(seen, ruling) else "change it"
    now, is_agreed = view.ruling_value(ruling.id), view.is_ruling_agreed(ruling.id)
    return PageRow(
        lambda width: _ruling_content(seen, ruling, table(width)),
        ruling.id,
        f"Ruling on {ruling.rule}",
        _details(seen, ruling),
        enter="" if view.situation.phase is Phase.OVER else agree,
        does=lambda app: app.show_form(RulingForm(app.session, ruling, now, is_agreed)),
        leads=_decided,
    )


async def _decided(session: Session, seen: CampaignSnapshot, id: str) -> Sequence[RowLink]:
    """Return the decisions based on a ruling, one to a line, without the ruling's own name."""
    found = []
    for lead in await journal_rows_explaining(session, seen, id):
        words = re.sub(rf" \((?:ruling {id}|{id}: [^)]*)\)", "", str(lead.words))
        words = words.replace(f"(ruling {id}, ", "(")
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
    question, answer, *others = (column.width - GAP for column in table.columns)
    words, meaning = text_in_words(ruling.question), text_in_words(ruling.meaning(value))
    asked = Content.styled(words, "bold" if changed else "").wrap(question - MARK)
    answered = _cut(Content.styled(meaning, style), answer, len(asked))
    rules = [(ruling.rule, "dim")] if others else []
    lines: list[Content] = []
    for line, beside in zip_longest(asked, answered, fillvalue=Content()):
        first = [] if lines else rules
        sign = "" if lines else mark
        lines.append(table.row(columns(MARK).row(sign, line), beside, *first))
    return Content("\n").join(lines)


def _cut(words: Content, width: int, lines: int) -> list[Content]:
    """Return the lines of an answer: at most as many as its question has, or two. The details show
    the rest."""
    found, most = words.wrap(width), max(lines, MOST_LINES)
    if len(found) <= most:
        return found
    last = found[most - 1]
    while last.cell_length > width - len(" …"):
        last = last[: last.plain.rindex(" ")]
    return [*found[: most - 1], Content.assemble(last, " …")]


def _details(seen: CampaignSnapshot, ruling: Ruling) -> Content:
    value = seen.view.ruling_value(ruling.id)
    default = f"The default is from: {ruling.provenance}. Confidence: {ruling.sure}."
    sure = Content.styled(default, "dim")
    open = [OPEN] if _is_open(seen, ruling) else []
    question = Content.styled(ruling.question, "bold")
    return Content("\n").join([question, *_options(ruling, value), sure, *open])


def _options(ruling: Ruling, value: str) -> Iterator[Content]:
    """Yield each option in words, the current one marked; for a number, the allowed range."""
    for option in ruling.options:
        style = "bold $accent" if option == value else ""
        mark = "◉" if option == value else "○"
        usual = ("  default", "dim") if option == ruling.default else ""
        yield Content.assemble((f"{mark} {ruling.meaning(option)}", style), usual)
    if not ruling.options:
        yield Content.assemble(("◉ ", "bold $accent"), (value, "bold $accent"))
        yield Content.styled(f"allowed: {ruling.allowed_text}", "dim")
