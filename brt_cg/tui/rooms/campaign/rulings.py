"""The rulings: what the players agreed on where the source leaves a point open."""

from collections.abc import Iterator, Sequence

from textual.content import Content

from brt_cg.card.rulings import Ruling
from brt_cg.model.records import Phase
from brt_cg.tui.forms.ruling import RulingForm
from brt_cg.tui.look.columns import Columns, columns, longest
from brt_cg.tui.rooms.campaign.page import PageRow, explained, heading
from brt_cg.tui.session.session import Seen

OPEN = Content.styled(
    "Not agreed on yet: you will be asked the first time it matters, unless you agree on it here.",
    "$warning",
)


def rows(seen: Seen) -> Sequence[PageRow]:
    completed = [
        PageRow(
            Content(f"  {fixed.rule} {fixed.text}"),
            f"fixed {number}",
            f"{fixed.rule} filled in for good",
            Content(fixed.text),
        )
        for number, fixed in enumerate(seen.card.fixed)
    ]
    rulings = seen.card.rulings.values()
    values = (ruling.worded(seen.view.ruling(ruling.id)) for ruling in rulings)
    table = columns(2, longest(values))
    return [
        heading("For the players to agree on"),
        *(_ruling_row(seen, ruling, table) for ruling in rulings),
        heading("Gaps in the text, filled in for good"),
        *completed,
    ]


def _ruling_row(seen: Seen, ruling: Ruling, table: Columns) -> PageRow:
    view = seen.view
    agree = "agree on it" if _is_open(seen, ruling) else "change it"
    now, is_agreed = view.ruling(ruling.id), view.is_agreed(ruling.id)
    return PageRow(
        _row(seen, ruling, table),
        ruling.id,
        f"{ruling.rule} · {ruling.question} ({ruling.id})",
        _details(seen, ruling),
        enter="" if view.situation.phase is Phase.OVER else agree,
        does=lambda app: app.fill_in(RulingForm(app.session, ruling, now, is_agreed)),
        leads=explained,
    )


def _is_open(seen: Seen, ruling: Ruling) -> bool:
    """Whether the players will be asked about a ruling when it first matters."""
    return ruling.is_asked and not seen.view.is_agreed(ruling.id)


def _row(seen: Seen, ruling: Ruling, table: Columns) -> Content:
    value = seen.view.ruling(ruling.id)
    changed = value != ruling.default
    mark = "•" if changed else "?" if _is_open(seen, ruling) else " "
    question = (ruling.question, "bold" if changed else "")
    return table.row(
        (mark, "bold $accent" if changed else "$warning"),
        (ruling.worded(value), "bold $accent" if changed else ""),
        Content.assemble(question, (f"  {ruling.rule} {ruling.id}", "dim")),
    )


def _details(seen: Seen, ruling: Ruling) -> Content:
    value = seen.view.ruling(ruling.id)
    default = f"Default {ruling.worded(ruling.default)}, from: {ruling.provenance}."
    sure = Content.styled(f"{default} Confidence: {ruling.sure}.", "dim")
    open = [OPEN] if _is_open(seen, ruling) else []
    return Content("\n").join([*_options(ruling, value), sure, *open])


def _options(ruling: Ruling, value: str) -> Iterator[Content]:
    """Yields each option in words, the current one marked; for a number, what is allowed."""
    for option in ruling.options:
        style = "bold $accent" if option == value else ""
        mark = "▸" if option == value else " "
        meaning = ruling.meaning(option)
        words = f": {meaning}" if meaning != option else ""
        yield Content.assemble((f"{mark} {ruling.worded(option)}", style), words)
    if not ruling.options:
        yield Content.assemble(("▸ ", "bold $accent"), (value, "bold $accent"))
        yield Content.styled(f"allowed: {ruling.allowed}", "dim")
